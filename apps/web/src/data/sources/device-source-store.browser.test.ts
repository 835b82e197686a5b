// The reader's real worker, the browser's own IndexedDB and its locks between tabs.
import { pdfOf, prose } from '@parley/reader/testing/pdf-bytes'
import { afterEach, expect, it, vi } from 'vitest'
import { LocalChannelStore } from '../channels/local-channel-store'
import { AccountVault } from '../local/account-vault'
import { randomBytes, toBase64Url } from '../local/bytes'
import { type LocalDatabase, openDatabase, tableNames } from '../local/database'
import type { Device } from '../local/device'
import { openDeviceVault } from '../local/vault'
import { readGeneration } from '../local/vault-record'
import { DeviceSourceStore } from './device-source-store'
import workerUrl from './reader-worker?worker&url'
import { aFile, describeSourceStore } from './source-store-suite'

const opened: LocalDatabase[] = []
afterEach(() => {
  for (const db of opened.splice(0)) db.close()
})

async function aDevice(): Promise<Device> {
  const name = `sources-${crypto.randomUUID()}`
  const db = await openDatabase(name)
  opened.push(db)
  return { db, vault: await openDeviceVault(name), userId: undefined, generation: 0, forget: () => undefined }
}

async function aHome(device?: Device, open = async () => device ?? (await aDevice())) {
  const kept = open()
  const opener = device ? open : () => kept
  const channels = new LocalChannelStore({ open: opener })
  const [channel, other] = [await channels.create({ assistantId: null }), await channels.create({ assistantId: null })]
  const ids = { channelId: channel.id, otherChannelId: other.id }
  return { device: await opener(), open: opener, channels, store: new DeviceSourceStore({ open: opener }), ...ids }
}

describeSourceStore('this browser', () => aHome())

const letter = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(pdfOf([prose(['The MARKERWORD is on the first page.']), prose(['The rent is nine hundred.'])]))
const aPdf = (): File => new File([letter()], 'MARKERNAME.pdf', { type: 'application/pdf' })

it('reads the pages of a PDF in the worker, and leaves nothing readable of it on the disk', async () => {
  const { device, store, channelId } = await aHome()
  const { source } = await store.addFile(channelId, aPdf())
  await store.whenRead(channelId)
  expect(await store.list(channelId)).toMatchObject([{ status: 'processed', pages: 2, mediaType: 'application/pdf' }])
  const { blocks } = await store.document(source)
  expect(blocks.map(({ page }) => page)).toEqual([1, 2])
  const chosen = await store.choose(channelId, { question: 'How much is the rent?', roomTokens: 1_000 })
  expect(chosen?.sent[0]?.passages).toContainEqual(expect.objectContaining({ n: 2, page: 2 }))
  expect(new Uint8Array(await (await store.file(source)).arrayBuffer())).toEqual(letter())
  const dump = await dumpOf(device.db)
  expect(dump.length).toBeGreaterThan(letter().length)
  for (const secret of ['MARKER', 'nine hundred', 'application/pdf', source.sha256]) expect(dump).not.toContain(secret)
})

/** All records as text: whatever bytes they hold, one character each. */
async function dumpOf(db: LocalDatabase): Promise<string> {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (value instanceof ArrayBuffer) found.push(new TextDecoder('latin1').decode(value))
    else if (ArrayBuffer.isView(value)) found.push(new TextDecoder('latin1').decode(value))
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) visit(each)
    else found.push(String(value))
  }
  for (const table of tableNames) visit(await db.getAll(table))
  return found.join('\n')
}

/** Counts what a tab's workers are asked to read, and can keep them from beginning. */
function aTab(open: () => Promise<Device>, isHeld = false) {
  const asked: string[] = []
  const ended: string[] = []
  const startReader = (): Worker => {
    const worker = new Worker(workerUrl, { type: 'module' })
    const [post, terminate] = [worker.postMessage.bind(worker), worker.terminate.bind(worker)]
    worker.postMessage = (message: { kind: string; name?: string }) => {
      if (message.kind === 'read') asked.push(message.name ?? '')
      if (message.kind !== 'read' || !isHeld) post(message)
    }
    worker.terminate = () => {
      ended.push('ended')
      terminate()
    }
    return worker
  }
  return { asked, ended, store: new DeviceSourceStore({ open, startReader }) }
}

it('is read by one of two tabs, and by the other one once the first has stopped', async () => {
  const { open, channelId } = await aHome()
  const [first, second] = [aTab(open, true), aTab(open)]
  await first.store.addFile(channelId, aPdf())
  await vi.waitFor(() => expect(first.asked).toEqual(['MARKERNAME.pdf']))
  expect(await second.store.list(channelId)).toMatchObject([{ status: 'processing' }])
  expect(second.asked).toEqual([])
  // A closed tab releases its lock; here its reading is ended from the other tab.
  await second.store.cancel({ channelId, id: (await second.store.list(channelId))[0]?.id ?? '' })
  await vi.waitFor(() => expect(first.ended).toContain('ended'))
  const [cancelled] = await second.store.list(channelId)
  expect(cancelled).toMatchObject({ status: 'failed', reason: 'source.cancelled' })
  if (cancelled) await second.store.retry(cancelled)
  await second.store.whenRead(channelId)
  expect(second.asked).toEqual(['MARKERNAME.pdf'])
  expect(await second.store.list(channelId)).toMatchObject([{ status: 'processed', pages: 2 }])
})

it('is there after the passphrase was set and changed, and not before it is entered', async () => {
  const userId = crypto.randomUUID()
  await AccountVault.signIn(userId, toBase64Url(randomBytes(32)))
  const openVault = async (): Promise<AccountVault> => {
    const vault = await AccountVault.open(userId)
    if (!vault) throw new Error('there is no vault')
    opened.push(vault.db)
    return vault
  }
  const deviceOf = async ({ db, vault }: AccountVault): Promise<Device> => ({
    ...{ db, vault, userId, generation: await readGeneration(db), forget: () => undefined },
  })
  const account = await openVault()
  const { store, channelId } = await aHome(await deviceOf(account))
  const { source } = await store.addFile(channelId, aPdf())
  await store.whenRead(channelId)
  await account.lock('a phrase that only Ana knows', undefined)
  await account.changePassphrase('a phrase that only Ana knows', 'another phrase of hers', undefined)
  const again = await openVault()
  expect(again.isLocked).toBe(true)
  const locked = new DeviceSourceStore({ open: async () => deviceOf(again) })
  await expect(locked.list(channelId)).rejects.toMatchObject({ code: 'vault.locked' })
  await again.unlock('another phrase of hers')
  const unlocked = await deviceOf(again)
  const reopened = new DeviceSourceStore({ open: async () => unlocked })
  expect(await reopened.list(channelId)).toMatchObject([{ name: 'MARKERNAME.pdf', status: 'processed' }])
  expect(new Uint8Array(await (await reopened.file(source)).arrayBuffer())).toEqual(letter())
  expect((await reopened.document(source)).blocks).toHaveLength(2)
})

it('stores a file of many pieces, gives it back byte for byte, and removes all of it', async () => {
  const { device, store, channelId } = await aHome()
  const text = Array.from({ length: 60_000 }, (_, n) => `Line ${n} of a long file, which is a paragraph.`).join('\n\n')
  const { source } = await store.addFile(channelId, aFile('long.txt', text))
  expect(await device.db.count('files')).toBeGreaterThan(2)
  expect(await (await store.file(source)).text()).toBe(text)
  await store.remove(source)
  expect(await device.db.count('files')).toBe(0)
  expect(await device.db.count('documents')).toBe(0)
})
