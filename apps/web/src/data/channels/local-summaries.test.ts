import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Summary } from '@parley/contract/conversations'
import { uuidv7 } from '@parley/contract/uuid'
import { beforeEach, expect, it } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { readPathBefore, withSummary } from '../chat/path-before'
import { openDevice } from '../vault/open-device'
import { LocalChannelStore } from './local-channel-store'
import { anAnswer } from './version-suite'

let store: LocalChannelStore
let channelId = ''
beforeEach(async () => {
  localStorage.clear()
  await seedSession()
  const { db } = await openDevice()
  for (const name of db.objectStoreNames) if (name !== 'meta') await db.clear(name)
  store = new LocalChannelStore({ open: openDevice })
  channelId = (await store.create({ assistantId: null, channelName: 'Plans' })).id
})

const readSaid = async (of: LocalChannelStore, id: string) =>
  withSummary(of, id, (await readPathBefore(of, id)).exchanges)

async function ask(...texts: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const text of texts) {
    const message = anAnswer(channelId, text)
    await store.put(message)
    ids.push(message.mId)
  }
  return ids
}
const summary = (mId: string, fields: Partial<Summary> = {}): Summary => ({
  ...{ id: uuidv7(), channelId, upToRunId: mId, exchangeId: mId, text: 'CANARY in short.' },
  ...{ messages: 4, editedByPerson: false, cost: '2500', ...fields },
})

it('keeps a summary sealed beside the messages, changes it, and counts what it cost', async () => {
  const [, two = ''] = await ask('one', 'two', 'three')
  const written = summary(two)
  await store.putSummary(written)
  expect(await store.summaries(channelId)).toEqual([written])
  const { db } = await openDevice()
  const [record] = await db.getAll('summaries')
  expect(new TextDecoder().decode(record?.c)).not.toContain('CANARY')
  expect(await store.cost(channelId)).toEqual(2500n)

  const edited = { ...written, text: 'In my words.', editedByPerson: true }
  await store.putSummary(edited)
  expect(await store.summaries(channelId)).toEqual([edited])
  const said = await readSaid(store, channelId)
  expect(said.summary).toBe('In my words.')
  expect(said.path.map(({ messages }) => messages[0]?.content)).toEqual(['three'])
  await store.putSummary({ ...edited, isUndone: true })
  expect((await readSaid(store, channelId)).summary).toBeUndefined()
  expect((await readSaid(store, channelId)).path).toHaveLength(3)
})

it('stays when another message is deleted, goes with its own, and with the chat', async () => {
  const [one = '', two = '', three = ''] = await ask('one', 'two', 'three')
  await store.putSummary(summary(two))
  await store.putSummary(summary(three))
  await store.removeMessage(channelId, one)
  expect(await store.summaries(channelId)).toHaveLength(2)
  await store.removeMessage(channelId, three)
  expect((await store.summaries(channelId)).map(({ exchangeId }) => exchangeId)).toEqual([two])
  await store.clear(channelId)
  expect(await store.summaries(channelId)).toEqual([])
  // Nothing is stored after what it would end with is gone.
  await expect(store.putSummary(summary(two))).rejects.toMatchObject({ code: 'not-found' })

  const [again = ''] = await ask('again')
  await store.putSummary(summary(again))
  await store.remove(channelId)
  const { db } = await openDevice()
  expect(await db.getAll('summaries')).toEqual([])
})

it('goes with its branch, and counts on no other one', async () => {
  const [one = '', two = ''] = await ask('one', 'two')
  await store.putSummary(summary(two))
  await store.put(anAnswer(channelId, 'two, edited', { afterRunId: one }))
  expect((await readSaid(store, channelId)).summary).toBeUndefined()
  await store.show(channelId, { mId: two })
  expect((await readSaid(store, channelId)).summary).toBe('CANARY in short.')
  await store.removeBranch(channelId, two)
  expect(await store.summaries(channelId)).toEqual([])
})

it('leaves out a summary that cannot be read, and keeps it as it is', async () => {
  const [one = '', two = ''] = await ask('one', 'two')
  const [damaged, whole] = [summary(one), summary(two)]
  await store.putSummary(damaged)
  await store.putSummary(whole)
  const { db } = await openDevice()
  const record = (await db.getAll('summaries')).find(({ id }) => id.endsWith(damaged.id))
  if (!record) throw new Error('no record')
  const broken = { ...record, c: new Uint8Array(record.c.byteLength).buffer }
  await db.put('summaries', broken)
  expect(await store.summaries(channelId)).toEqual([whole])
  await expect(store.putSummary({ ...damaged, text: 'Over it' })).rejects.toMatchObject({ code: 'storage.unreadable' })
  expect(await db.get('summaries', record.id)).toEqual(broken)
})

it('does not mix up chats and exchanges whose ids are alike', async () => {
  for (const mId of ['a', 'a|b', 'a|'])
    await store.put(anAnswer(channelId, mId, { mId, run: { messageId: uuidv7(), seq: 1, base: 0 } }))
  for (const exchangeId of ['a', 'a|b', 'a|']) await store.putSummary(summary(exchangeId))
  await store.removeMessage(channelId, 'a')
  expect((await store.summaries(channelId)).map(({ exchangeId }) => exchangeId).sort()).toEqual(['a|', 'a|b'])
})
