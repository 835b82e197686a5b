import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import type { Device } from '../local/device'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { localChannels } from './local-channels'
import { anAnswer } from './version-suite'

let channelId = ''
let device: Device
beforeEach(async () => {
  localStorage.clear()
  await seedSession()
  device = await openDevice()
  for (const name of device.db.objectStoreNames) if (name !== 'meta') await device.db.clear(name)
  channelId = (await localChannels.create({ assistantId: null, channelName: 'Plans' })).id
})
afterEach(() => {
  vi.restoreAllMocks()
  forgetSession()
})

const ask = async (text: string, fields: Partial<Message> = {}, store = localChannels): Promise<Message> => {
  const message = anAnswer(channelId, text, fields)
  await store.put(message)
  return message
}
const find = async (mId: string): Promise<Message> => {
  const message = await localChannels.message(channelId, mId)
  if (!message) throw new Error('no message')
  return message
}
const edit = async ({ mId }: Message, text: string): Promise<Message> =>
  ask(text, { afterRunId: (await find(mId)).afterRunId ?? null })
const chatOf = async () => (await device.db.getAll('chats')).find((chat) => chat.channelId === channelId)

/** People ask one question after the other: ids grow with time, but those of one millisecond are in any order. */
const aMillisecondApart = (count: number): Message[] =>
  Array.from({ length: count }, (_, n) => anAnswer(channelId, `q${n}`, { mId: uuidv7(Date.UTC(2026, 0) + n) }))

it('a long line costs what it did: no record is read but those of the page, and each is decrypted once', async () => {
  const count = 300
  const messages = aMillisecondApart(count)
  await localChannels.addMessages(channelId, messages)
  const open = vi.spyOn(device.vault, 'open')
  const getAll = vi.spyOn(IDBObjectStore.prototype, 'getAll')
  const page = await localChannels.messages(channelId, { limit: 50 })
  expect(page.messages).toHaveLength(50)
  expect(open).toHaveBeenCalledTimes(100)
  expect(getAll).toHaveBeenCalledTimes(2)
  open.mockClear()
  const last = page.messages.at(-1) as Message
  await localChannels.put({ ...last, chat_response: { role: 'assistant', content: 'Written again' } })
  expect(open.mock.calls.length).toBeLessThanOrEqual(3)
  expect((await chatOf())?.head).toBeUndefined()
})

it('a long chat with branches decrypts the page alone, and reads its shape once', async () => {
  const messages = aMillisecondApart(300)
  await localChannels.addMessages(channelId, messages)
  await edit((await localChannels.messages(channelId, { limit: 1 })).messages[0] as Message, 'other')
  await localChannels.messages(channelId)
  const open = vi.spyOn(device.vault, 'open')
  const getAll = vi.spyOn(IDBObjectStore.prototype, 'getAll')
  await localChannels.messages(channelId, { limit: 50 })
  expect(open).toHaveBeenCalledTimes(100)
  expect(getAll.mock.calls.length).toBeLessThanOrEqual(4)
  open.mockClear()
  await localChannels.outline(channelId)
  expect(open).toHaveBeenCalledTimes(301)
})
