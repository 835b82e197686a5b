import 'fake-indexeddb/auto'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { compareVersions } from '@parley/contract/message-versions'
import { uuidv7 } from '@parley/contract/uuid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aMessage } from './channel-store-suite'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { moveToCloud, moveToDevice } from './move-channel'
import { notedMove } from './move-direction'

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
  on(cloudChannels, 'importMessages').mockImplementation(async (_id, given, { takesNewer = false } = {}) => {
    if (given.some(({ chat_request }) => chat_request === 'refused')) throw new AppError('validation')
    for (const message of given) {
      const at = cloud.messages.findIndex(({ mId }) => mId === message.mId)
      const known = cloud.messages[at]
      if (!known) cloud.messages.push(message)
      else if (takesNewer && (compareVersions(message, known) ?? 0) > 0) cloud.messages[at] = message
    }
    return cloud.messages.length
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

/** The same exchange as it stands after a run that began at this time. */
const written = (message: Message | undefined, at: number, content: string): Message => {
  if (!message) throw new Error('no message')
  return { ...message, run: { messageId: uuidv7(at), seq: 3, base: 0 }, chat_response: { role: 'assistant', content } }
}
const texts = (messages: readonly Message[]): string[] => messages.map(({ chat_response }) => chat_response.content)

describe('a chat that went on in both homes', () => {
  const [one, two, three, four] = said('one', 'two', 'three', 'four')
  const older = [written(one, 1, 'one, once'), written(two, 1, 'two, once'), written(three, 1, 'three')]
  const newer = [written(one, 1, 'one, once'), written(two, 2, 'two, anew'), written(four, 1, 'four')]

  it.each([
    ['device', newer, older, ['one, once', 'two, anew', 'three', 'four']],
    ['cloud', older, newer, ['one, once', 'two, anew', 'four', 'three']],
  ])('is merged in the cloud, with the later state of each message, where that is on the %s', async (_where, here, there, wanted) => {
    await localChannels.importChannel(aChannel, here)
    Object.assign(cloud, { channel: inCloud, messages: [...there] })
    await moveToCloud(aChannel)
    expect(texts(cloud.messages)).toEqual(wanted)
    expect(await localChannels.list()).toEqual([])
  })

  it('keeps both states of a message where nothing tells which is later, however often it is moved', async () => {
    if (!one) throw new Error('no message')
    const stopped: Message = { ...one, status: 'stopped' }
    Object.assign(cloud, { channel: inCloud, messages: [one] })
    for (let time = 0; time < 2; time++) {
      await localChannels.importChannel(aChannel, [stopped])
      await moveToCloud(aChannel)
    }
    expect(cloud.messages.map(({ status }) => status)).toEqual(['completed', 'stopped'])
    await moveToDevice(inCloud)
    expect((await onDevice()).map(({ status }) => status)).toEqual(['completed', 'stopped'])
  })

  it('stays in both, with its direction, when the move is cut off before the removal, and the next time loses nothing', async () => {
    await localChannels.importChannel(aChannel, newer)
    Object.assign(cloud, { channel: inCloud, messages: [...older] })
    vi.spyOn(localChannels, 'removeCopied').mockRejectedValueOnce(new Error('the tab was closed'))
    await expect(moveToCloud(aChannel)).rejects.toThrow('the tab was closed')
    expect(await notedMove('c1')).toBe('cloud')
    expect(texts(await onDevice())).toEqual(texts(newer))
    const late = written(said('late')[0], 3, 'late')
    await localChannels.put(late)
    cloud.messages.push(written(said('elsewhere')[0], 3, 'elsewhere'))
    await moveToCloud(aChannel)
    expect(texts(cloud.messages)).toEqual(['one, once', 'two, anew', 'three', 'four', 'elsewhere', 'late'])
    expect(await localChannels.list()).toEqual([])
    expect(await notedMove('c1')).toBeUndefined()
  })

  it('keeps the device its copy until the cloud has told all of it', async () => {
    await localChannels.importChannel(aChannel, newer)
    Object.assign(cloud, { channel: inCloud, messages: [...older] })
    vi.mocked(cloudChannels.importMessages).mockResolvedValue(4)
    await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.copy-differs' })
    expect(texts(await onDevice())).toEqual(texts(newer))
    expect(texts(cloud.messages)).toEqual(texts(older))
  })

  it('waits for an answer that the cloud is writing', async () => {
    await localChannels.importChannel(aChannel, newer)
    const writing: Message = { ...written(two, 3, 'two, a'), status: 'streaming' }
    Object.assign(cloud, { channel: inCloud, messages: [writing] })
    await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'channel.answering' })
    expect(cloud.messages).toEqual([writing])
    expect(await onDevice()).toHaveLength(3)
  })

  it('notes where a move to the device was to go until the cloud has deleted its copy', async () => {
    Object.assign(cloud, { channel: inCloud, messages: [...older] })
    vi.mocked(cloudChannels.remove).mockRejectedValueOnce(new AppError('network'))
    await expect(moveToDevice(inCloud)).rejects.toMatchObject({ code: 'network' })
    expect(await notedMove('c1')).toBe('local')
    await moveToDevice(inCloud)
    expect(await notedMove('c1')).toBeUndefined()
    expect(texts(await onDevice())).toEqual(texts(older))
  })
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
