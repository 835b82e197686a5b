import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { expect, it } from 'vitest'
import type { ChatRecord } from './database'
import { MemoryDatabase } from './memory-database'

const aChat = (id: string, count = 0): ChatRecord => ({ id, channelId: id, count, lastPosition: 0 })

it('takes everything back that a transaction wrote before it was aborted or failed', async () => {
  const db = new MemoryDatabase().asLocal()
  await db.put('chats', aChat('a'))
  const aborted = db.transaction(['chats', 'meta'], 'readwrite')
  await aborted.objectStore('chats').put(aChat('a', 7))
  await aborted.objectStore('chats').delete(IDBKeyRange.bound('a', 'z'))
  await aborted.objectStore('meta').put({ id: 'm', value: 'x' })
  aborted.abort()
  await expect(aborted.done).rejects.toMatchObject({ name: 'AbortError' })
  const failed = db.transaction('chats', 'readwrite')
  await failed.objectStore('chats').put(aChat('b'))
  await expect(failed.objectStore('chats').add(aChat('a'))).rejects.toMatchObject({ name: 'ConstraintError' })
  await expect(failed.done).rejects.toMatchObject({ name: 'AbortError' })
  expect(await db.getAll('chats')).toEqual([aChat('a')])
  expect(await db.getAll('meta')).toEqual([])
})

it('lets one transaction follow the other, whatever each waits for, and refuses what is asked after its end', async () => {
  const db = new MemoryDatabase().asLocal()
  await db.put('chats', aChat('a'))
  const add = async (): Promise<void> => {
    const tx = db.transaction('chats', 'readwrite')
    const store = tx.objectStore('chats')
    const chat = (await store.get('a')) ?? aChat('a')
    await store.put({ ...chat, count: chat.count + 1 })
    await tx.done
  }
  await Promise.all(Array.from({ length: 50 }, add))
  expect((await db.get('chats', 'a'))?.count).toBe(50)
  const over = db.transaction('chats', 'readwrite')
  await over.objectStore('chats').get('a')
  await over.done
  await expect(over.objectStore('chats').get('a')).rejects.toMatchObject({ name: 'TransactionInactiveError' })
  expect(() => over.abort()).toThrow()
})
