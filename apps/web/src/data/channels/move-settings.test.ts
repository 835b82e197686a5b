import 'fake-indexeddb/auto'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aTreeCloud, lineOf } from '../../testing/tree-cloud'
import { aMessage } from './channel-store-suite'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'
import { moveToCloud, moveToDevice } from './move-channel'

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
const said = (...texts: string[]): Message[] =>
  texts.map((text) => aMessage('c1', { mId: `m-${text}`, chat_request: text, datetime: at }))

let cloud: ReturnType<typeof aTreeCloud>
beforeEach(() => {
  cloud = aTreeCloud(aChannel)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await localChannels.removeAll()
})

/** The cloud has a copy with these messages. */
const fill = (messages: readonly Message[]): void => {
  Object.assign(cloud, { channel: inCloud, exchanges: lineOf(messages), head: null })
}

describe('how answers are asked for', () => {
  const settings = { effort: 'high', temperature: 0.7, answerTokens: 500, instructions: 'Be brief.' }

  it('moves with a chat to the cloud and back', async () => {
    await localChannels.importChannel({ ...aChannel, settings }, said('one'))
    await moveToCloud(aChannel)
    expect(cloud.channel?.settings).toEqual(settings)
    await moveToDevice(inCloud)
    expect((await localChannels.get('c1'))?.settings).toEqual(settings)
    expect(cloud.channel).toBeUndefined()
  })

  it('is that of this device where a move was cut off, with what only the cloud has', async () => {
    await localChannels.importChannel({ ...aChannel, settings: { effort: 'low' } }, said('one'))
    fill(said('one'))
    cloud.channel = { ...inCloud, settings }
    await moveToCloud(aChannel)
    expect(cloud.channel?.settings).toEqual({ ...settings, effort: 'low' })
    await localChannels.importChannel({ ...aChannel, settings: { temperature: 1 } }, said('one'))
    await moveToDevice(inCloud)
    expect((await localChannels.get('c1'))?.settings).toEqual({ ...settings, effort: 'low', temperature: 1 })
  })

  it('keeps a chat on this device whose settings the cloud does not take', async () => {
    await localChannels.importChannel({ ...aChannel, settings }, said('one'))
    vi.spyOn(cloudChannels, 'create').mockImplementation(async () => (cloud.channel = inCloud))
    vi.spyOn(cloudChannels, 'configure').mockRejectedValue(new AppError('not-found'))
    await expect(moveToCloud(aChannel)).rejects.toMatchObject({ code: 'not-found' })
    expect((await localChannels.get('c1'))?.settings).toEqual(settings)
  })
})
