import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { ImportStrategy } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { lineOf } from '../../testing/tree-cloud'
import { aMessage } from '../channels/channel-store-suite'
import { cloudChannels } from '../channels/homes'
import { localChannels } from '../channels/local-channels'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { checkFile, importData } from './import-data'
import { openPreview } from './preview-import'
import { findUndoableImport, undoImport } from './undo-import'

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
  isLocalChannel: true,
  source: 'indexeddb',
}
const said = (...ids: string[]): Message[] =>
  ids.map((mId) => aMessage('c1', { mId, chat_request: `question ${mId}`, datetime: at }))
const many = said(...Array.from({ length: 40 }, (_, n) => `m${n}`))
const questions = async (id = 'c1') =>
  (await localChannels.messages(id, { limit: 1_000 })).messages.map(({ chat_request }) => chat_request)
const textsOf = (messages: readonly Message[]) => messages.map(({ chat_request }) => chat_request)

const work = { onProgress: () => undefined, signal: new AbortController().signal }
const metadata = { exportedAt: at, version: '1.0' }
const fileOf = (content: object) => new File([JSON.stringify(content)], 'data.json')
const checked = (content: object) => checkFile(fileOf(content), undefined, work)
const types = ['channels', 'chats'] as const
const imported = async (content: object, strategy: ImportStrategy = 'overwrite') =>
  importData(await checked(content), { types, strategy, target: 'local' }, work)
const aFile = (...messages: unknown[]) => ({ metadata, channels: [plans], chats: [{ channelId: 'c1', messages }] })

async function empty(): Promise<void> {
  const { db } = await openDevice()
  for (const name of ['channels', 'chats', 'exchanges', 'runs', 'undo'] as const) await db.clear(name)
}

beforeEach(async () => {
  localStorage.clear()
  forgetSession()
  await empty()
  await localChannels.importChannel(plans, many)
})
afterEach(() => {
  vi.restoreAllMocks()
  forgetSession()
})

describe('a chat that is not whole in the file never replaces the one that is here', () => {
  it.each([
    ['has no messages', { metadata, channels: [plans], chats: [] }],
    [
      'has something else than messages',
      { metadata, channels: [plans], chats: [{ channelId: 'c1', messages: 'broken' }] },
    ],
    ['has a message that cannot be read', aFile(many[0], { broken: true })],
    ['is no chat', { channels: [plans], chats: { c1: 'broken' }, exportedAt: at, version: '1.0' }],
    [
      'has a message that cannot be read, in a channels file',
      { channels: [plans], chats: { c1: [many[0], 7] }, exportedAt: at, version: '1.0' },
    ],
  ])('where it %s', async (_what, content) => {
    const summary = await imported(content)
    expect(await questions()).toEqual(textsOf(many))
    expect(summary.chatsImported).toBe(0)
  })

  it('but one that is empty does, and what is missing comes in where it can be read', async () => {
    const [other] = said('other')
    await imported(aFile(other, { broken: true }))
    expect(await questions()).toEqual([...textsOf(many), 'question other'])
    await imported(aFile())
    expect(await questions()).toEqual([])
  })
})

describe('the settings of a chat', () => {
  const settings = { effort: 'high', temperature: 0.7 }

  it('come back with it', async () => {
    await localChannels.configure('c1', { instructions: 'Mine.' })
    await imported({ metadata, channels: [{ ...plans, settings }], chats: [{ channelId: 'c1', messages: many }] })
    expect((await localChannels.get('c1'))?.settings).toEqual(settings)
    await undoImport()
    expect((await localChannels.get('c1'))?.settings).toEqual({ instructions: 'Mine.' })
  })

  it('are read from a file one by one: what is no setting is not, and takes nothing with it', async () => {
    const hostile = [
      { ...settings, effort: 'most', answerTokens: 1e12, other: 'x'.repeat(1_000_000) },
      { temperature: 0.7, instructions: 'x'.repeat(100_000) },
      { temperature: 0.7, instructions: '\u202e\u0000' },
    ]
    for (const each of hostile) {
      const file = { ...plans, settings: each }
      await imported({ metadata, channels: [file], chats: [{ channelId: 'c1', messages: many }] })
      expect((await localChannels.get('c1'))?.settings).toEqual({ temperature: 0.7 })
    }
    for (const each of ['text', 7, null, []]) {
      const file = { ...plans, settings: each }
      await imported({ metadata, channels: [file], chats: [{ channelId: 'c1', messages: many }] })
      expect(await localChannels.get('c1')).not.toHaveProperty('settings')
    }
    expect(await questions()).toHaveLength(many.length)
  })
})

describe('a file of a later version', () => {
  it.each(['1.1', '2.0', '10.0'])('%s is refused, and nothing is written', async (version) => {
    const data = { ...aFile(many[0]), metadata: { exportedAt: at, version } }
    await expect(checked(data)).rejects.toMatchObject({ code: 'transfer.newer-version' })
    await expect(
      checked({ channels: [plans], chats: { c1: [many[0]] }, exportedAt: at, version }),
    ).rejects.toMatchObject({ code: 'transfer.newer-version' })
    expect(await questions()).toHaveLength(40)
  })
})

describe('before anything is written', () => {
  it('it is known per home what would be added, replaced and lost', async () => {
    await seedSession()
    await localChannels.importChannel(plans, many)
    const inCloud: Channel = {
      ...plans,
      id: 'c2',
      channelName: 'In the cloud',
      isLocalChannel: false,
      source: 'postgresql',
    }
    vi.spyOn(cloudChannels, 'list').mockResolvedValue([inCloud])
    vi.spyOn(cloudChannels, 'messages').mockResolvedValue({
      messages: [],
      cursor: undefined,
      newer: undefined,
      total: 5,
    })
    const good = await checked({
      metadata,
      channels: [plans, { ...plans, id: 'c2' }, { ...plans, id: 'c3', channelName: 'New' }],
      chats: [
        { channelId: 'c1', messages: [many[0], many[1], ...said('new')] },
        { channelId: 'c2', messages: said('x', 'y') },
        { channelId: 'c3', messages: said('z') },
      ],
    })
    const preview = await openPreview(good, work.signal)
    expect(preview({ types, strategy: 'overwrite', target: 'local' })).toEqual([
      {
        home: 'local',
        chatsAdded: 1,
        chatsReplaced: 1,
        messagesAdded: 2,
        messagesReplaced: 2,
        messagesLost: 38,
        filesAdded: 0,
      },
      {
        home: 'cloud',
        chatsAdded: 0,
        chatsReplaced: 1,
        messagesAdded: 0,
        messagesReplaced: 2,
        messagesLost: 3,
        filesAdded: 0,
      },
    ])
    expect(preview({ types, strategy: 'skip', target: 'cloud' })).toEqual([
      {
        home: 'cloud',
        chatsAdded: 1,
        chatsReplaced: 0,
        messagesAdded: 1,
        messagesReplaced: 0,
        messagesLost: 0,
        filesAdded: 0,
      },
    ])
    expect(preview({ types, strategy: 'merge', target: 'local' })).toMatchObject([
      { home: 'local', chatsAdded: 1, chatsReplaced: 0, messagesAdded: 2 },
    ])
    await empty()
  })
})

describe('what an import replaced', () => {
  it('is brought back by Undo, with what was said since', async () => {
    expect(await imported(aFile(many[0], many[1]))).toMatchObject({ undoable: 1 })
    expect(await questions()).toHaveLength(2)
    const [since] = said('since')
    if (since) await localChannels.put(since)
    expect(await findUndoableImport()).toMatchObject({ chats: 1 })
    expect(await undoImport()).toBe(1)
    expect(await questions()).toEqual([...textsOf(many), 'question since'])
    expect(await findUndoableImport()).toBeUndefined()
  })

  it('is kept before it is replaced: without room for the copy nothing is', async () => {
    const { put } = IDBObjectStore.prototype
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function refuse(
      this: IDBObjectStore,
      ...args
    ) {
      if (this.name === 'undo') throw new DOMException('full', 'QuotaExceededError')
      return put.apply(this, args)
    })
    await expect(imported(aFile(many[0]))).rejects.toMatchObject({ code: 'storage.full' })
    full.mockRestore()
    expect(await questions()).toHaveLength(40)
  })

  it('is kept for 30 days, and goes with the chat when that is deleted', async () => {
    await imported(aFile(many[0]))
    const { at: when } = (await findUndoableImport()) ?? { at: '' }
    const days = (count: number) => new Date(Date.parse(when) + count * 24 * 60 * 60 * 1_000)
    expect(await findUndoableImport(days(29))).toBeDefined()
    expect(await findUndoableImport(days(31))).toBeUndefined()
    expect(await (await openDevice()).db.count('undo')).toBe(0)
    await imported(aFile(many[0]))
    await localChannels.remove('c1')
    expect(await findUndoableImport()).toBeUndefined()
  })

  it('in the cloud comes back whole, also when the first try is cut off', async () => {
    await seedSession()
    const cloud = {
      channel: { ...plans, id: 'c9', isLocalChannel: false, source: 'postgresql' } as Channel,
      messages: said('old', 'older'),
    }
    vi.spyOn(cloudChannels, 'list').mockImplementation(async () => [cloud.channel])
    vi.spyOn(cloudChannels, 'get').mockImplementation(async () => cloud.channel)
    vi.spyOn(cloudChannels, 'rename').mockImplementation(async () => cloud.channel)
    vi.spyOn(cloudChannels, 'treePage').mockImplementation(async () => ({
      exchanges: lineOf(cloud.messages),
      head: null,
    }))
    vi.spyOn(cloudChannels, 'messages').mockImplementation(async () => ({
      messages: [...cloud.messages],
      cursor: undefined,
      newer: undefined,
      total: cloud.messages.length,
    }))
    vi.spyOn(cloudChannels, 'clear').mockImplementation(async () => {
      cloud.messages = []
    })
    const fill = vi
      .spyOn(cloudChannels, 'importMessages')
      .mockImplementation(async (_id, given) => cloud.messages.push(...given))
    await imported({
      metadata,
      channels: [{ ...plans, id: 'c9' }],
      chats: [{ channelId: 'c9', messages: said('of the file') }],
    })
    expect(textsOf(cloud.messages)).toEqual(['question of the file'])
    cloud.messages.push(...said('since'))
    fill.mockRejectedValueOnce(new AppError('network'))
    await expect(undoImport()).rejects.toMatchObject({ code: 'network' })
    expect(cloud.messages).toEqual([])
    expect(await undoImport()).toBe(1)
    expect(textsOf(cloud.messages)).toEqual([
      'question old',
      'question older',
      'question of the file',
      'question since',
    ])
    await empty()
  })
})
