import 'fake-indexeddb/auto'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aMessage } from './channel-store-suite'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { moveToCloud, moveToDevice } from './move-channel'

/** A cloud with one channel at most, as the server keeps it. */
function aCloud() {
  const cloud: { channel: Channel | undefined; messages: Message[] } = { channel: undefined, messages: [] }
  const on = vi.spyOn
  on(cloudChannels, 'list').mockImplementation(async () => (cloud.channel ? [cloud.channel] : []))
  on(cloudChannels, 'get').mockImplementation(async () => cloud.channel)
  on(cloudChannels, 'messages').mockImplementation(async () => ({
    messages: [...cloud.messages],
    cursor: undefined,
    newer: undefined,
    total: cloud.messages.length,
  }))
  on(cloudChannels, 'create').mockImplementation(async (wanted) => {
    cloud.channel ??= { ...aChannel, ...wanted, isLocalChannel: false, source: 'postgresql' }
    return cloud.channel
  })
  on(cloudChannels, 'importMessages').mockImplementation(async (_id, given) => {
    if (given.some(({ chat_request }) => chat_request === 'refused')) throw new AppError('validation')
    for (const message of given) if (!cloud.messages.some(({ mId }) => mId === message.mId)) cloud.messages.push(message)
    return cloud.messages.length
  })
  on(cloudChannels, 'clear').mockImplementation(async () => {
    cloud.messages = []
  })
  on(cloudChannels, 'remove').mockImplementation(async (_id, seen) => {
    if (seen && (seen.total !== cloud.messages.length || seen.updatedAt !== cloud.channel?.updated_at)) throw new AppError('channel.copy-differs')
    Object.assign(cloud, { channel: undefined, messages: [] })
  })
  return cloud
}

const at = '2026-01-01T00:00:00.000Z'
const aChannel: Channel = {
  id: 'c1',
  userId: null,
  channelName: 'Plans',
  assistantId: null,
  isDocument: false,
  isImage: false,
  isYoutube: false,
  isLocked: false,
  created_at: at,
  updated_at: at,
  isLocalChannel: true,
  source: 'indexeddb',
}
const inCloud: Channel = { ...aChannel, isLocalChannel: false, source: 'postgresql' }
const said = (...texts: string[]): Message[] => texts.map((text) => aMessage('c1', { mId: `m-${text}`, chat_request: text, datetime: at }))
const onDevice = async (): Promise<Message[]> => (await localChannels.messages('c1', { limit: 1_000 })).messages

let cloud: ReturnType<typeof aCloud>
beforeEach(() => {
  cloud = aCloud()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await localChannels.removeAll()
})

it('goes on with a move to the cloud that was cut off', async () => {
  const messages = said('one', 'two', 'three')
  await localChannels.importChannel(aChannel, messages)
  Object.assign(cloud, { channel: inCloud, messages: messages.slice(0, 1) })
  await moveToCloud(aChannel)
  expect(cloud.messages).toEqual(messages)
  expect(await localChannels.list()).toEqual([])
})

it('begins a copy in the cloud again where an answer was written anew on the device since', async () => {
  const [one, two] = said('one', 'two')
  if (!one || !two) throw new Error('no messages')
  const anew: Message = { ...one, chat_response: { role: 'assistant', content: 'Written anew.' } }
  await localChannels.importChannel(aChannel, [anew, two])
  Object.assign(cloud, { channel: inCloud, messages: [one] })
  await moveToCloud(aChannel)
  expect(cloud.messages).toEqual([anew, two])
  expect(await localChannels.list()).toEqual([])
})

it('leaves both copies where the cloud has something that the device lacks', async () => {
  const [one, two, other] = said('one', 'two', 'from elsewhere')
  if (!one || !two || !other) throw new Error('no messages')
  await localChannels.importChannel(aChannel, [{ ...one, status: 'stopped' }, two])
  Object.assign(cloud, { channel: inCloud, messages: [one, other] })
  await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.copy-differs' })
  expect((await onDevice()).map(({ chat_request }) => chat_request)).toEqual(['one', 'two'])
  expect(cloud.messages).toContainEqual(other)
})

it('names the message that the cloud refuses, and keeps the chat on the device', async () => {
  const messages = said('one', 'refused', 'three')
  await localChannels.importChannel(aChannel, messages)
  await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.message-refused', question: 'refused' })
  expect(await onDevice()).toEqual(messages)
})

it('keeps the chat on the device when something is written there while it moves', async () => {
  const messages = said('one')
  await localChannels.importChannel(aChannel, messages)
  const [late] = said('late')
  const create = vi.mocked(cloudChannels.create).getMockImplementation()
  vi.mocked(cloudChannels.create).mockImplementation(async (wanted) => {
    if (late) await localChannels.put(late)
    if (!create) throw new Error('no cloud')
    return create(wanted)
  })
  await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.copy-differs' })
  expect((await onDevice()).map(({ chat_request }) => chat_request)).toEqual(['one', 'late'])
})

it('keeps the chat in the cloud when something is said there while it moves, and takes it along the next time', async () => {
  Object.assign(cloud, { channel: inCloud, messages: said('one') })
  const importChannel = localChannels.importChannel.bind(localChannels)
  vi.spyOn(localChannels, 'importChannel').mockImplementationOnce(async (...given) => {
    await importChannel(...given)
    Object.assign(cloud, { channel: { ...inCloud, updated_at: '2026-01-02T00:00:00.000Z' }, messages: said('one', 'late') })
  })
  await expect(moveToDevice(inCloud)).rejects.toMatchObject({ code: 'channel.copy-differs' })
  expect(cloud.messages).toHaveLength(2)
  await moveToDevice(inCloud)
  expect(cloud.channel).toBeUndefined()
  expect(await onDevice()).toEqual(said('one', 'late'))
})

it('brings a message that the device has in another state as one of its own, so that a chat of both homes can be moved', async () => {
  const [one] = said('one')
  if (!one) throw new Error('no message')
  await localChannels.importChannel(aChannel, [{ ...one, status: 'interrupted' }])
  Object.assign(cloud, { channel: inCloud, messages: [one] })
  await moveToDevice(inCloud)
  expect(cloud.channel).toBeUndefined()
  expect((await onDevice()).map(({ status }) => status)).toEqual(['interrupted', 'completed'])
})
