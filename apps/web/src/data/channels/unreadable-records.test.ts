import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Channel } from '@parley/contract/channels'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { lineOf, noSourcesInCloud } from '../../testing/tree-cloud'
import { openAnonymousDevice } from '../local/device'
import { reencrypt } from '../local/reencrypt'
import { KeyVault } from '../local/vault'
import { forgetSession } from '../session/stored-session'
import { checkFile, importData } from '../transfer/import-data'
import { openDevice } from '../vault/open-device'
import { adoptChats } from './adopt-chats'
import { aMessage } from './channel-store-suite'
import { cloudChannels } from './homes'
import { LocalChannelStore } from './local-channel-store'
import { localChannels } from './local-channels'
import { moveToCloud, moveToDevice } from './move-channel'

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
const [one, two] = [1, 2].map((n) => aMessage('c1', { mId: `m${n}`, chat_request: `q${n}`, datetime: at })) as [
  ReturnType<typeof aMessage>,
  ReturnType<typeof aMessage>,
]

type Open = typeof openDevice

/** What cannot be read, as the disk holds it. */
const states = {
  'a damaged channel': { table: 'channels', code: 'storage.unreadable' },
  'a channel of a later version': { table: 'channels', code: 'storage.newer-version' },
  'a damaged question': { table: 'exchanges', code: 'storage.unreadable' },
  'a question of a later version': { table: 'exchanges', code: 'storage.newer-version' },
  'a question in a form of a later version': { table: 'exchanges', code: 'storage.newer-version', form: 'thread' },
  'a damaged answer': { table: 'runs', code: 'storage.unreadable' },
  'an answer of a later version': { table: 'runs', code: 'storage.newer-version' },
} as const
type State = { table: 'channels' | 'exchanges' | 'runs'; code: string; form?: string }

async function spoil(open: Open, { table, code, form }: State): Promise<void> {
  const { db } = await open()
  const change = <T extends { v: number; c: ArrayBuffer }>(record: T): T =>
    code === 'storage.newer-version'
      ? { ...record, ...(form === undefined ? { v: record.v + 1 } : { form }) }
      : { ...record, c: new Uint8Array(record.c).fill(7).buffer }
  if (table === 'channels') for (const record of await db.getAll('channels')) await db.put('channels', change(record))
  // The first one: whoever looks at the last alone would not see it.
  else for (const record of (await db.getAll(table)).slice(0, 1)) await db.put(table, change(record))
}

/** The bytes of everything that the chat has on the disk. */
async function bytesOf(open: Open): Promise<string[]> {
  const { db } = await open()
  const bytes = (part: ArrayBuffer | Uint8Array): string => [...new Uint8Array(part)].join()
  const stored = [await db.getAll('channels'), await db.getAll('exchanges'), await db.getAll('runs')].flat()
  return stored.map(({ v, kid, n, c, ...plain }) => `${JSON.stringify(plain)} ${v} ${kid} ${bytes(n)} ${bytes(c)}`)
}

const aCloud = (messages = [one, two]) => {
  const cloud: { channel: Channel | undefined } = { channel: { ...plans, isLocalChannel: false, source: 'postgresql' } }
  noSourcesInCloud()
  vi.spyOn(cloudChannels, 'list').mockImplementation(async () => (cloud.channel ? [cloud.channel] : []))
  vi.spyOn(cloudChannels, 'get').mockImplementation(async () => cloud.channel)
  vi.spyOn(cloudChannels, 'create').mockImplementation(async () => ({
    ...plans,
    isLocalChannel: false,
    source: 'postgresql',
  }))
  vi.spyOn(cloudChannels, 'importMessages').mockImplementation(async (_id, given) => given.length)
  vi.spyOn(cloudChannels, 'treePage').mockImplementation(async () => ({ exchanges: lineOf(messages), head: null }))
  vi.spyOn(cloudChannels, 'messages').mockImplementation(async () => ({
    messages,
    cursor: undefined,
    newer: undefined,
    total: messages.length,
  }))
  vi.spyOn(cloudChannels, 'remove').mockImplementation(async () => {
    cloud.channel = undefined
  })
  return cloud
}

const work = { onProgress: () => undefined, signal: new AbortController().signal }
const file = () =>
  new File(
    [JSON.stringify({ channels: [plans], chats: { c1: [one, two] }, exportedAt: at, version: '1.0' })],
    'chats.json',
  )
const imported = async (strategy: 'overwrite' | 'merge' | 'skip') =>
  importData(
    await checkFile(file(), undefined, work),
    { types: ['channels', 'chats'], strategy, target: 'local' },
    work,
  )

beforeEach(async () => {
  localStorage.clear()
  forgetSession()
  const { db } = await openDevice()
  for (const name of db.objectStoreNames) if (name !== 'meta') await db.clear(name)
  await localChannels.importChannel(plans, [one, two])
})
afterEach(() => {
  vi.restoreAllMocks()
  forgetSession()
})

describe.each(Object.entries(states))('%s', (_name, state) => {
  const isChannel = state.table === 'channels'

  it('stays byte for byte what it was, whatever is done to the chat', async () => {
    await spoil(openDevice, state)
    const before = await bytesOf(openDevice)
    const done: string[] = []
    const refused = async (name: string, action: () => Promise<unknown>): Promise<void> => {
      await expect(action(), name).rejects.toMatchObject({ code: state.code })
      done.push(name)
      expect(await bytesOf(openDevice), name).toEqual(before)
    }
    if (isChannel) {
      await refused('rename', () => localChannels.rename('c1', 'Other'))
      await refused('lock', () => localChannels.setLocked('c1', true))
      await refused('clear', () => localChannels.clear('c1'))
      await refused('a new message', () => localChannels.put(aMessage('c1')))
      await refused('added messages', () => localChannels.addMessages('c1', [aMessage('c1')]))
    }
    await refused('a message anew', () => localChannels.put({ ...one, chat_request: 'anew' }))
    await refused('replace', () => localChannels.importChannel(plans, [two], { isReplacing: true }))
    expect(done.length).toBe(isChannel ? 7 : 2)
    expect(await localChannels.addMessages('c1', isChannel ? [] : [one]).catch(() => 0)).toBe(0)
    expect(await bytesOf(openDevice)).toEqual(before)
  })

  it('keeps its chat from being moved to the cloud, and counted as a copy of what is there', async () => {
    await spoil(openDevice, state)
    const before = await bytesOf(openDevice)
    const cloud = aCloud()
    await expect(moveToCloud(plans)).rejects.toMatchObject({ code: 'channel.unreadable' })
    expect(cloudChannels.create).not.toHaveBeenCalled()
    await expect(moveToDevice({ ...plans, isLocalChannel: false, source: 'postgresql' })).rejects.toMatchObject({
      code: 'channel.unreadable',
    })
    expect(cloud.channel).toBeDefined()
    expect(await bytesOf(openDevice)).toEqual(before)
  })

  it.each(['overwrite', 'merge', 'skip'] as const)(
    'is not touched by an import that chooses %s, which goes on with the others',
    async (strategy) => {
      await spoil(openDevice, state)
      const before = await bytesOf(openDevice)
      const summary = await imported(strategy)
      expect(await bytesOf(openDevice)).toEqual(before)
      if (strategy === 'overwrite')
        expect(summary).toMatchObject({ channelsImported: 0, chatsImported: 0, errors: [{ type: 'channels' }] })
    },
  )

  it('stays with the anonymous person when the chats are taken into an account', async () => {
    await spoil(openDevice, state)
    const before = await bytesOf(openAnonymousDevice)
    await seedSession()
    expect(await adoptChats()).toEqual({ moved: 0, left: 1 })
    expect(await bytesOf(openAnonymousDevice)).toEqual(before)
    expect(await localChannels.list()).toEqual([])
  })

  it('in the account keeps a chat of before from being taken for copied', async () => {
    const before = await bytesOf(openAnonymousDevice)
    await seedSession()
    await localChannels.importChannel(plans, [one, two])
    await spoil(openDevice, state)
    const ofAccount = await bytesOf(openDevice)
    expect(await adoptChats()).toEqual({ moved: 0, left: 1 })
    expect(await bytesOf(openAnonymousDevice)).toEqual(before)
    expect(await bytesOf(openDevice)).toEqual(ofAccount)
    const { db } = await openDevice()
    for (const name of ['channels', 'chats', 'exchanges', 'runs'] as const) await db.clear(name)
  })

  it('is left out of a change of keys, and its own key is kept', async () => {
    await spoil(openDevice, state)
    const { db, vault } = await openDevice()
    const before = await bytesOf(openDevice)
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const next = new KeyVault([...vault.heldKeys, { kid: 'next', key, createdAt: new Date().toISOString() }], 'next')
    expect([...(await reencrypt(db, next, 'next'))]).toEqual(vault.heldKeys.map(({ kid }) => kid))
    expect((await bytesOf(openDevice)).filter((record) => before.includes(record))).toHaveLength(1)
  })

  it('goes only when the person deletes the chat itself', async () => {
    await spoil(openDevice, state)
    const before = await bytesOf(openDevice)
    if (isChannel) {
      expect(await localChannels.removeAll()).toEqual({ deleted: 0, skipped: 0, failed: 1 })
      expect(await bytesOf(openDevice)).toEqual(before)
    }
    const isLater = isChannel && state.code === 'storage.newer-version'
    // It may be locked, which only the later version can tell.
    if (isLater) await expect(localChannels.remove('c1')).rejects.toMatchObject({ code: 'storage.newer-version' })
    else await localChannels.remove('c1')
    expect(await bytesOf(openDevice)).toEqual(isLater ? before : [])
  })
})

it('a chat of a vault whose keys changed meanwhile in another tab is not deleted as one that nobody can read', async () => {
  await localChannels.setLocked('c1', true)
  const { db, vault, userId } = await openDevice()
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const next = new KeyVault([...vault.heldKeys, { kid: 'next', key, createdAt: new Date().toISOString() }], 'next')
  await reencrypt(db, next, 'next')
  await db.put('meta', { id: 'generation', value: '7' })
  let opened = 0
  const open = async () => {
    opened++
    return opened < 3
      ? { db, vault, userId, generation: 0, forget: () => undefined }
      : { db, vault: next, userId, generation: 7, forget: () => undefined }
  }
  await expect(new LocalChannelStore({ open }).remove('c1')).rejects.toMatchObject({ code: 'channel.locked-delete' })
  await db.delete('meta', 'generation')
})
