// Where a chat of this browser goes, its sources go along, and where it ends, they end.
import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Message } from '@parley/contract/chat'
import type { Source } from '@parley/contract/sources'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startInPageReader } from '../../testing/in-page-reader'
import { seedSession } from '../../testing/seed-session'
import { type Device, openAnonymousDevice } from '../local/device'
import { forgetSession } from '../session/stored-session'
import { DeviceSourceStore } from '../sources/device-source-store'
import { aFile } from '../sources/source-store-suite'
import { openDevice } from '../vault/open-device'
import { adoptChats } from './adopt-chats'
import { clearChannel, createChannel, deleteAllChannels, deleteChannel } from './channel-actions'
import { forwardMessage } from './forward-message'
import { keepTemporary } from './keep-temporary'
import { LocalChannelStore } from './local-channel-store'
import { localChannels } from './local-channels'
import { dropTemporary, openTemporary } from './temporary-chats'
import { anAnswer } from './version-suite'

vi.mock('../sources/reader-worker-port', async (original) => {
  const real = await original<typeof import('../sources/reader-worker-port')>()
  class InPagePort extends real.ReaderWorkerPort {
    constructor() {
      super({ start: startInPageReader })
    }
  }
  return { ...real, ReaderWorkerPort: InPagePort }
})

const storeOf = (device: Device): DeviceSourceStore => new DeviceSourceStore({ open: async () => device })

/** The sources of a chat that are read. */
async function add(device: Device, channelId: string, files: readonly File[]): Promise<Source[]> {
  const store = storeOf(device)
  for (const file of files) await store.addFile(channelId, file)
  const areRead = async (): Promise<Source[]> => {
    const sources = await store.list(channelId)
    expect(sources.every(({ status }) => status === 'processed')).toBe(true)
    return sources
  }
  return vi.waitFor(areRead, { timeout: 30_000, interval: 20 })
}

const citing = (channelId: string, ...fileIds: string[]): Message =>
  anAnswer(channelId, 'What is the rent?', {
    files: fileIds.map((fileId) => ({
      ...{ type: 'file', fileId, name: 'lease.txt', mediaType: 'text/plain', bytes: 1, reading: 'whole' },
    })),
    sources: fileIds.map((fileId, n) => ({ type: 'source', n, title: 'lease.txt', fileId, passage: 'It is 900.' })),
  })

const citedIn = async (channelId: string): Promise<(string | undefined)[]> =>
  (await localChannels.messages(channelId)).messages.flatMap(({ files = [], sources = [] }) =>
    [...files, ...sources].map(({ fileId }) => fileId),
  )

/** Names, switches, and the bytes of the files. */
async function held(device: Device, channelId: string): Promise<unknown[]> {
  const store = storeOf(device)
  const sources = await store.list(channelId)
  const all = sources.map(async (source) => [source.name, source.isActive, await (await store.file(source)).text()])
  return (await Promise.all(all)).toSorted((one, other) => String(one[0]).localeCompare(String(other[0])))
}

const recordsIn = async ({ db }: Device): Promise<number> => (await db.count('documents')) + (await db.count('files'))

let device: Device
let anonymous: Device
beforeEach(async () => {
  localStorage.clear()
  await seedSession()
  device = await openDevice()
  anonymous = await openAnonymousDevice()
  for (const { db } of [device, anonymous])
    for (const name of db.objectStoreNames) if (name !== 'meta') await db.clear(name)
})
afterEach(() => {
  dropTemporary()
  vi.restoreAllMocks()
  forgetSession()
})

const files = () => [aFile(), aFile('off.txt', 'Nobody asks about this.')]

describe('a chat of its own, made from a branch', () => {
  it('has the active sources, which are stored once, until the last chat with them is gone', async () => {
    const { id } = await localChannels.create({ assistantId: null })
    const [lease, off] = await add(device, id, files())
    if (!lease || !off) throw new Error('no sources')
    const message = citing(id, lease.id)
    await localChannels.put(message)
    await storeOf(device).saveSwitches(id, [{ id: off.id, isActive: false }])
    const before = await recordsIn(device)
    const copy = await localChannels.branch(id, { mId: message.mId })
    expect(await recordsIn(device)).toBe(before + 1)
    const [copied] = await storeOf(device).list(copy.id)
    expect(copied).toMatchObject({ ...lease, id: copied?.id, channelId: copy.id })
    expect(copied?.id).not.toBe(lease.id)
    expect(await citedIn(copy.id)).toEqual([copied?.id, copied?.id])
    await storeOf(device).remove(lease)
    expect(await held(device, copy.id)).toEqual([['lease.txt', true, await aFile().text()]])
    const again = await localChannels.branch(copy.id, {
      mId: (await localChannels.messages(copy.id)).messages[0]?.mId ?? '',
    })
    await localChannels.remove(copy.id)
    expect(await held(device, again.id)).toHaveLength(1)
    await localChannels.removeAll()
    expect(await recordsIn(device)).toBe(0)
  })
})

describe('a chat of before the sign-in', () => {
  it('comes into the account with its sources, also where a part of them is there, and leaves nothing behind', async () => {
    const before = new LocalChannelStore({ open: async () => anonymous })
    const { id } = await before.create({ assistantId: null })
    const [lease, off] = await add(anonymous, id, files())
    if (!lease || !off) throw new Error('no sources')
    await storeOf(anonymous).saveSwitches(id, [{ id: off.id, isActive: false }])
    await before.put(citing(id, lease.id))
    const wanted = await held(anonymous, id)
    // The adoption ended in the middle, and the same file was added since.
    await localChannels.importChannel((await before.readWhole(id))?.channel ?? fail(), [])
    const [own] = await add(device, id, [aFile('again.txt')])
    expect(await adoptChats()).toEqual({ moved: 1, left: 0 })
    expect(await held(device, id)).toEqual([['again.txt', true, await aFile().text()], wanted[1]])
    expect(await citedIn(id)).toEqual([own?.id, own?.id])
    expect(await recordsIn(anonymous)).toBe(0)
  })

  it('stays where it is, whole, with a source that cannot be read', async () => {
    const before = new LocalChannelStore({ open: async () => anonymous })
    const { id } = await before.create({ assistantId: null })
    await add(anonymous, id, files())
    const [record] = await anonymous.db.getAll('documents')
    if (!record) throw new Error('no record')
    await anonymous.db.put('documents', { ...record, v: record.v + 1 })
    const count = await recordsIn(anonymous)
    expect(await adoptChats()).toEqual({ moved: 0, left: 1 })
    expect(await recordsIn(anonymous)).toBe(count)
    expect(await before.get(id)).toBeDefined()
  })
})

describe('a temporary chat', () => {
  it('that is kept takes its sources into the vault, read as they are, and leaves none in the tab', async () => {
    const { id } = await createChannel({ mode: 'local', isTemporary: true })
    const { device: memory, store } = await openTemporary()
    const [lease] = await add(memory, id, files())
    await store.put(citing(id, lease?.id ?? ''))
    const wanted = await held(memory, id)
    await keepTemporary(id)
    expect(await held(device, id)).toEqual(wanted)
    expect(await storeOf(device).list(id)).toMatchObject([{ status: 'processed' }, { status: 'processed' }])
    expect(await citedIn(id)).toEqual([lease?.id, lease?.id])
    expect(await recordsIn(memory)).toBe(0)
  })
})

describe('the sources of a chat', () => {
  it('stay where its messages are cleared, and go with it and with all chats', async () => {
    const [one, two] = [await createChannel({ mode: 'local' }), await createChannel({ mode: 'local' })]
    for (const { id } of [one, two]) await add(device, id, [aFile()])
    await clearChannel(one, 'local')
    expect(await held(device, one.id)).toHaveLength(1)
    await deleteChannel(one.id)
    expect(await storeOf(device).list(one.id)).toEqual([])
    expect(await held(device, two.id)).toHaveLength(1)
    await deleteAllChannels('local')
    expect(await recordsIn(device)).toBe(0)
  })

  it('do not go to other chats with a message, which keeps what it cites [ST-203]', async () => {
    const [one, two] = [await createChannel({ mode: 'local' }), await createChannel({ mode: 'local' })]
    const [lease] = await add(device, one.id, [aFile()])
    const message = citing(one.id, lease?.id ?? '')
    await localChannels.put(message)
    await forwardMessage({ channelId: one.id, mId: message.mId }, [two])
    const [forwarded] = (await localChannels.messages(two.id)).messages
    expect(forwarded).toMatchObject({ forwarded: true, files: message.files, sources: message.sources })
    expect(await storeOf(device).list(two.id)).toEqual([])
  })
})

function fail(): never {
  throw new Error('no chat')
}
