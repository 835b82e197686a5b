import 'fake-indexeddb/auto'
import type { Channel } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sealChannel } from '../local/channel-codec'
import { storedSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import {
  changeChatSettings,
  forgetNewChatSettings,
  newChatSettings,
  settingsForQuestion,
  wouldLoseSettings,
} from './chat-settings'
import { cloudChannels } from './homes'
import { localChannels } from './local-channels'

beforeEach(() => forgetNewChatSettings())
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await localChannels.removeAll()
})

it('the chat that the next question begins has its choices until it has begun, and on no disk', async () => {
  await changeChatSettings(undefined, { effort: 'low', instructions: ' Canary ' })
  await changeChatSettings(undefined, { effort: null, temperature: 1 })
  expect(newChatSettings()).toEqual({ temperature: 1, instructions: 'Canary' })
  expect(storedSession()).toBeUndefined()
  const { db } = await openDevice()
  for (const table of db.objectStoreNames) expect(await db.count(table), table).toBe(table === 'meta' ? 1 : 0)
  expect(JSON.stringify(localStorage)).not.toContain('Canary')
  forgetNewChatSettings()
  expect(newChatSettings()).toEqual({})
})

it('a question waits for the changes before it, whatever order they are stored in', async () => {
  const channel = await localChannels.create({ assistantId: null })
  void changeChatSettings(channel.id, { effort: 'low', temperature: 1 })
  void changeChatSettings(channel.id, { effort: 'high' })
  expect(await settingsForQuestion(channel)).toEqual({ effort: 'high', temperature: 1 })
})

it('a change that fails stops neither the changes after it nor the question', async () => {
  const channel = await localChannels.create({ assistantId: null })
  vi.spyOn(localChannels, 'configure').mockRejectedValueOnce(new Error('full'))
  const failed = expect(changeChatSettings(channel.id, { effort: 'low' })).rejects.toThrow('full')
  void changeChatSettings(channel.id, { temperature: 1 })
  expect(await settingsForQuestion(channel)).toEqual({ temperature: 1 })
  await failed
})

it('a question to the cloud says nothing of the settings, which are stored there before it is sent', async () => {
  const channel: Channel = { ...(await localChannels.create({ assistantId: null })), isLocalChannel: false }
  const stored: object[] = []
  vi.spyOn(localChannels, 'configure').mockImplementation(async (_id, change) => {
    await Promise.resolve()
    stored.push(change)
    return channel
  })
  vi.spyOn(cloudChannels, 'get').mockResolvedValue(channel)
  void changeChatSettings(channel.id, { effort: 'low' })
  expect(await settingsForQuestion(channel)).toEqual({})
  expect(stored).toEqual([{ effort: 'low' }])
})

it('whoever leaves while a change of this device is being stored is asked first', async () => {
  const channel = await localChannels.create({ assistantId: null })
  const mayLeave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const stored = changeChatSettings(channel.id, { effort: 'low' }, channel)
  expect(mayLeave()).toBe(false)
  await stored
  expect(mayLeave()).toBe(true)
})

it('a change of a chat that has left the cloud meanwhile is stored where it is', async () => {
  const channel = await localChannels.create({ assistantId: null })
  vi.spyOn(cloudChannels, 'configure').mockRejectedValue(new AppError('channel.not-found', { status: 404 }))
  await changeChatSettings(channel.id, { effort: 'low' }, { ...channel, isLocalChannel: false })
  expect(await settingsForQuestion(channel)).toEqual({ effort: 'low' })
})

it('a record of before has no settings, and what a later version has set in one stays beside what is changed', async () => {
  const channel = await localChannels.create({ assistantId: null })
  expect(channel).not.toHaveProperty('settings')
  const { db, vault } = await openDevice()
  const record = await db.get('channels', channel.id)
  if (!record) throw new Error('no record')
  const later = { ...channel, settings: { effort: 'extreme', style: { tone: 'dry' }, temperature: 1 } }
  await db.put('channels', { ...record, ...(await sealChannel(vault, later)) })
  expect(await settingsForQuestion(channel)).toEqual({ temperature: 1 })
  await localChannels.configure(channel.id, { temperature: null, answerTokens: 500 })
  await localChannels.rename(channel.id, 'Renamed')
  expect((await localChannels.get(channel.id))?.settings).toEqual({
    effort: 'extreme',
    style: { tone: 'dry' },
    answerTokens: 500,
  })
})

it('a change to the cloud has left before the page can be left, and outlives it', async () => {
  const channel: Channel = { ...(await localChannels.create({ assistantId: null })), isLocalChannel: false }
  const sent = vi.fn(() => new Promise<Response>(() => undefined))
  vi.stubGlobal('fetch', sent)
  void changeChatSettings(channel.id, { effort: 'low' }, channel)
  // No task of its own, which an ending page would not run.
  for (let turns = 0; turns < 20; turns++) await Promise.resolve()
  expect(sent).toHaveBeenCalledWith(
    expect.stringContaining(channel.id),
    expect.objectContaining({ body: '{"effort":"low"}', keepalive: true }),
  )
  expect(wouldLoseSettings()).toBe(false)
  void changeChatSettings(channel.id, { effort: 'high' }, channel)
  expect(wouldLoseSettings()).toBe(true)
})
