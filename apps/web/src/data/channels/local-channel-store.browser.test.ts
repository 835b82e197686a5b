import { uuidv7 } from '@parley/contract/uuid'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../local/database'
import type { Device } from '../local/device'
import { openDeviceVault } from '../local/vault'
import { aMessage, describeChannelStore, laterThanBefore } from './channel-store-suite'
import { LocalChannelStore } from './local-channel-store'
import { describeVersions } from './version-suite'

let count = 0

async function deviceOf(name: string): Promise<Device> {
  return {
    db: await openDatabase(name),
    vault: await openDeviceVault(name),
    userId: undefined,
    generation: 0,
    forget: () => undefined,
  }
}

/** A device of its own for each test: databases that nobody else uses. */
async function aDevice(): Promise<{ device: Device; name: string }> {
  const name = `parley-test-${++count}-${Math.random().toString(36).slice(2)}`
  return { device: await deviceOf(name), name }
}

async function aStore(): Promise<{ store: LocalChannelStore; device: Device; name: string }> {
  const { device, name } = await aDevice()
  return { store: new LocalChannelStore({ open: async () => device, now: laterThanBefore }), device, name }
}

describeChannelStore('this browser (IndexedDB)', async () => (await aStore()).store)
describeVersions('this browser (IndexedDB)', async () => (await aStore()).store)

it('keeps the exchanges of a chat under channel and person, each with its id, question, answer and time [CH-173, CH-176]', async () => {
  const { store, device } = await aStore()
  const { id } = await store.create({ assistantId: null })
  const message = aMessage(id, { chat_request: 'When?', chat_response: { role: 'assistant', content: 'Now.' } })
  await store.put(message)
  expect((await device.db.getAll('chats')).map((chat) => chat.id)).toEqual([`${id}_anonymous`])
  const { mId, datetime } = message
  expect(await store.message(id, mId)).toMatchObject({
    mId,
    chat_request: 'When?',
    chat_response: { role: 'assistant', content: 'Now.' },
    datetime,
  })
})

it('keeps an answer, with its question, whose chat was replaced while it was written', async () => {
  const { store, device } = await aStore()
  const { id: channelId } = await store.create({ assistantId: null })
  const asked = aMessage(channelId, { run: { messageId: uuidv7(), seq: 3, base: 0 } })
  const id = asked.run?.messageId ?? ''
  await store.put(asked)
  await store.removeMessage(channelId, asked.mId)
  // Whoever deletes a message takes its question off this list before.
  const sealed = await device.vault.seal({ table: 'outbox', id, channelId }, {})
  await device.db.put('outbox', { id, channelId, at: asked.datetime, ...sealed })
  await store.put(asked, undefined, { isAnswer: true })
  expect((await store.messages(channelId)).messages).toMatchObject([{ mId: asked.mId, chat_request: 'What?' }])
})

it('is named for the product and has tables of users, assistants, chats, documents and channels, and a record for each question and each answer [CH-172]', async () => {
  const db = await openDatabase()
  const { name, objectStoreNames } = db
  db.close()
  expect(name).toBe('parley')
  expect([...objectStoreNames]).toEqual(
    expect.arrayContaining(['users', 'assistants', 'chats', 'documents', 'channels', 'exchanges', 'runs']),
  )
})

it('writes nothing readable to the disk: no name, no question, no answer [CH-174, CH-175]', async () => {
  const { store, device } = await aStore()
  const channel = await store.create({ assistantId: null, channelName: 'MARKER-NAME' })
  await store.put(
    aMessage(channel.id, {
      chat_request: 'MARKER-QUESTION',
      chat_response: { role: 'assistant', content: 'MARKER-ANSWER' },
      model: 'MARKER-MODEL',
    }),
  )
  const records = [
    ...(await device.db.getAll('channels')),
    ...(await device.db.getAll('exchanges')),
    ...(await device.db.getAll('runs')),
    ...(await device.db.getAll('chats')),
  ]
  const dump = records
    .map((record) => JSON.stringify(record) + ('c' in record ? new TextDecoder('latin1').decode(record.c) : ''))
    .join('\n')
  expect(records).toHaveLength(4)
  expect(dump).not.toMatch(/MARKER/)
})

it('never gives out its key', async () => {
  const { name } = await aDevice()
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(`${name}-keys`)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const stored = await new Promise<{ key: CryptoKey }[]>((resolve) => {
    const request = db.transaction('keys').objectStore('keys').getAll()
    request.onsuccess = () => resolve(request.result)
  })
  db.close()
  expect(stored).toHaveLength(1)
  const key = stored[0]?.key
  if (!key) throw new Error('no key')
  expect(key.extractable).toBe(false)
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
})

it('makes one key, however many tabs open at once', async () => {
  const name = `parley-test-many-${Math.random().toString(36).slice(2)}`
  const vaults = await Promise.all(Array.from({ length: 5 }, () => openDeviceVault(name)))
  const place = { table: 'exchanges', id: 'a', channelId: 'c' }
  const [first, ...others] = vaults
  const sealed = await first?.seal(place, 'secret')
  if (!sealed) throw new Error('nothing sealed')
  for (const other of others) expect(await other.open(place, sealed)).toBe('secret')
})

it('notices a record that was moved to another place or altered, shows it as unreadable and keeps it', async () => {
  const { store, device } = await aStore()
  const channel = await store.create({ assistantId: null })
  await store.put(aMessage(channel.id, { chat_request: 'one' }))
  await store.put(aMessage(channel.id, { chat_request: 'two' }))
  const [one, two] = await device.db.getAll('exchanges')
  if (!one || !two) throw new Error('no records')
  await device.db.put('exchanges', { ...one, c: two.c, n: two.n })
  const { messages } = await store.messages(channel.id)
  expect(messages[0]).toMatchObject({ mId: one.id, status: 'failed', error: { code: 'storage.unreadable' } })
  expect(messages[1]).toMatchObject({ chat_request: 'two' })
  expect(await device.db.count('exchanges')).toBe(2)
})

it('shows what a newer version wrote as such, and does not touch it', async () => {
  const { store, device } = await aStore()
  const channel = await store.create({ assistantId: null })
  await store.put(aMessage(channel.id))
  const [record] = await device.db.getAll('exchanges')
  if (!record) throw new Error('no record')
  await device.db.put('exchanges', { ...record, v: 3 })
  expect((await store.messages(channel.id)).messages[0]).toMatchObject({ error: { code: 'storage.newer-version' } })
  expect((await device.db.getAll('exchanges'))[0]).toMatchObject({ v: 3 })
})

it('keeps a channel in the list when its key is gone', async () => {
  const { store, device, name } = await aStore()
  const channel = await store.create({ assistantId: null, channelName: 'Lost' })
  const withoutKey = new LocalChannelStore({
    open: async () => ({ ...device, vault: await openDeviceVault(`${name}-other`) }),
  })
  expect(await withoutKey.list()).toMatchObject([{ id: channel.id }])
  expect((await withoutKey.list())[0]?.channelName).not.toBe('Lost')
  await withoutKey.remove(channel.id)
  expect(await store.list()).toEqual([])
})

it('deletes all its chats in one transaction', async () => {
  const { store } = await aStore()
  for (let n = 0; n < 5; n++) await store.put(aMessage((await store.create({ assistantId: null })).id))
  const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction')
  onTestFinished(() => transactions.mockRestore())
  expect(await store.removeAll()).toEqual({ deleted: 5, skipped: 0, failed: 0 })
  expect(transactions.mock.calls.filter(([, mode]) => mode === 'readwrite')).toHaveLength(1)
})

it('says that the disk is full and writes nothing of it', async () => {
  const { store } = await aStore()
  const channel = await store.create({ assistantId: null })
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  try {
    await expect(store.put(aMessage(channel.id))).rejects.toMatchObject({ code: 'storage.full' })
  } finally {
    IDBObjectStore.prototype.put = put
  }
  expect((await store.messages(channel.id)).total).toBe(0)
  await store.put(aMessage(channel.id))
  expect((await store.messages(channel.id)).total).toBe(1)
})

it('shows the same in two tabs', async () => {
  const { name } = await aDevice()
  const tab = async (): Promise<LocalChannelStore> => {
    const device = await deviceOf(name)
    return new LocalChannelStore({ open: async () => device })
  }
  const [one, two] = [await tab(), await tab()]
  const channel = await one.create({ assistantId: null, channelName: 'Shared' })
  await two.put(aMessage(channel.id, { chat_request: 'from the other tab' }))
  expect((await one.messages(channel.id)).messages[0]?.chat_request).toBe('from the other tab')
  await two.rename(channel.id, 'Renamed')
  expect((await one.list())[0]?.channelName).toBe('Renamed')
})
