import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { ImportStrategy } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { lineOf } from '../../testing/tree-cloud'
import { cloudChannels } from '../channels/homes'
import { forgetSession } from '../session/stored-session'
import { checkFile, importData } from './import-data'

const at = '2026-01-01T00:00:00.000Z'
const plans: Channel = {
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
  isLocalChannel: false,
  source: 'postgresql',
}
const said = (n: number) => ({
  mId: `m${n}`,
  chat_request: `q${n}`,
  chat_response: { role: 'assistant', content: 'a' },
  datetime: at,
  status: 'completed',
})
const fileOf = (...messages: object[]): File =>
  new File(
    [JSON.stringify({ channels: [plans], chats: { c1: messages }, exportedAt: at, version: '1.0' })],
    'chats.json',
  )
const long = Array.from({ length: 450 }, (_, n) => said(n))

/** The cloud as the server keeps it; `calls` of putting messages there fail while `isDown` says so. */
function aCloud() {
  const cloud = { channels: [] as Channel[], messages: [] as Message[], isDown: (_call: number) => false }
  let calls = 0
  vi.spyOn(cloudChannels, 'list').mockImplementation(async () => cloud.channels)
  vi.spyOn(cloudChannels, 'create').mockImplementation(async () => {
    cloud.channels = [plans]
    return plans
  })
  vi.spyOn(cloudChannels, 'remove').mockImplementation(async () => {
    cloud.channels = []
    cloud.messages = []
  })
  vi.spyOn(cloudChannels, 'treePage').mockImplementation(async () => ({
    exchanges: lineOf(cloud.messages),
    head: null,
  }))
  vi.spyOn(cloudChannels, 'rename').mockResolvedValue(plans)
  vi.spyOn(cloudChannels, 'clear').mockImplementation(async () => {
    cloud.messages = []
  })
  vi.spyOn(cloudChannels, 'messages').mockImplementation(async () => ({
    messages: [],
    cursor: undefined,
    newer: undefined,
    total: cloud.messages.length,
  }))
  vi.spyOn(cloudChannels, 'importMessages').mockImplementation(async (_id, given) => {
    if (cloud.isDown(calls++)) throw new AppError('network')
    if (given.some(({ chat_request }) => chat_request === 'refused')) throw new AppError('validation')
    for (const message of given)
      if (!cloud.messages.some(({ mId }) => mId === message.mId)) cloud.messages.push(message)
    return cloud.messages.length
  })
  return cloud
}

let cloud: ReturnType<typeof aCloud>
beforeEach(async () => {
  localStorage.clear()
  await seedSession()
  cloud = aCloud()
})
afterEach(() => {
  vi.restoreAllMocks()
  forgetSession()
})

const work = { onProgress: () => undefined, signal: new AbortController().signal }
async function importBy(strategy: ImportStrategy, file: File) {
  return importData(
    await checkFile(file, undefined, work),
    { types: ['channels', 'chats'], strategy, target: 'cloud' },
    work,
  )
}

it.each<[ImportStrategy, added: number, again: object]>([
  ['skip', 250, { channelsImported: 0, chatsImported: 0, skipped: 1 }],
  ['overwrite', 450, { channelsImported: 1, chatsImported: 450, skipped: 0 }],
  ['merge', 250, { channelsImported: 0, chatsImported: 0, skipped: 1 }],
])(
  'a chat that an import left half in the cloud is completed by the next one, whatever becomes of what is there: %s',
  async (strategy, added, again) => {
    cloud.isDown = (call) => call === 1
    await expect(importBy(strategy, fileOf(...long))).rejects.toMatchObject({ code: 'network' })
    expect(cloud.messages).toHaveLength(200)
    const completed = { channelsImported: 1, chatsImported: added, skipped: 0, errors: [] }
    expect(await importBy(strategy, fileOf(...long))).toMatchObject(completed)
    expect(cloud.messages.map(({ mId }) => mId)).toEqual(long.map(({ mId }) => mId))
    expect(await importBy(strategy, fileOf(...long))).toMatchObject({ ...again, errors: [] })
    expect(cloud.messages.map(({ mId }) => mId)).toEqual(long.map(({ mId }) => mId))
  },
)

it('a whole chat in the cloud is left as it is by an import that skips, also where the file has more of it', async () => {
  await importBy('skip', fileOf(...long))
  expect(await importBy('skip', fileOf(...long, said(450)))).toMatchObject({ chatsImported: 0, skipped: 1 })
  expect(cloud.messages).toHaveLength(450)
})

it.each<ImportStrategy>(['skip', 'overwrite', 'merge'])(
  'a chat of the cloud whose replacing was cut off is whole after the next import: %s',
  async (strategy) => {
    await importBy('skip', fileOf(...long))
    cloud.isDown = () => cloud.messages.length === 200
    await expect(importBy('overwrite', fileOf(...long))).rejects.toMatchObject({ code: 'network' })
    expect(cloud.messages).toHaveLength(200)
    cloud.isDown = () => false
    expect((await importBy(strategy, fileOf(...long))).errors).toEqual([])
    expect(cloud.messages.map(({ mId }) => mId)).toEqual(long.map(({ mId }) => mId))
  },
)

it('a chat with a message that the cloud refuses is left out whole, and the message is named', async () => {
  const summary = await importBy('skip', fileOf(said(1), { ...said(2), chat_request: 'refused' }))
  expect(summary).toMatchObject({
    channelsImported: 0,
    errors: [{ type: 'channels', label: 'Plans, “refused”', reason: 'failed' }],
  })
  expect(cloud.channels).toEqual([])
})
