// Exports hold the files of sources, and imports read them, from either home into either.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { exported, imported, previewed, theWeb, useBothHomes, wipe } from './both-homes'
import { aChatWithSources, cited, type Held, heldInCloud, heldOnDevice, recordsOnDevice } from './source-homes'

vi.mock('../apps/web/src/data/sources/reader-worker-port', async (original) => {
  const real = await original<typeof import('../apps/web/src/data/sources/reader-worker-port')>()
  const { startInPageReader } = await import('../apps/web/src/testing/in-page-reader')
  class InPagePort extends real.ReaderWorkerPort {
    constructor() {
      super({ start: startInPageReader })
    }
  }
  return { ...real, ReaderWorkerPort: InPagePort }
})

/** The slow hash has a worker, and a test of its own. */
vi.mock('../apps/web/src/data/local/passphrase', async (original) => ({
  ...(await original<typeof import('../apps/web/src/data/local/passphrase')>()),
  passphraseSecret: async (passphrase: string, { salt }: { salt: string }) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${salt}|${passphrase}`))),
}))

useBothHomes()
beforeEach(wipe)

const heldIn = (home: 'local' | 'cloud', channelId: string): Promise<Held[]> =>
  home === 'local' ? heldOnDevice(channelId) : heldInCloud(channelId)

describe('an export of chats with sources', () => {
  it.each([
    ['local', 'local', 'correct horse battery'],
    ['local', 'cloud', undefined],
    ['cloud', 'local', undefined],
  ] as const)(
    'from %s is the same byte by byte once it is imported into %s, however often [ST-167, ST-168]',
    async (from, to, passphrase) => {
      const { moveToCloud } = await theWeb()
      const channel = await aChatWithSources()
      const before = await heldOnDevice(channel.id)
      const citing = await cited(channel.id)
      if (from === 'cloud') {
        await moveToCloud(channel)
        await heldInCloud(channel.id)
      }
      const file = await exported(from, passphrase)
      expect(await previewed(file, to, passphrase)).toEqual([])
      await wipe()
      expect(await previewed(file, to, passphrase)).toMatchObject([{ home: to, chatsAdded: 1, filesAdded: 4 }])
      expect(await imported(file, to, 'overwrite', passphrase)).toMatchObject({ documentsImported: 4, errors: [] })
      expect(await heldIn(to, channel.id)).toEqual(before)
      expect(await cited(channel.id)).toEqual(citing)
      for (const strategy of ['skip', 'merge', 'overwrite'] as const)
        expect(await imported(file, to, strategy, passphrase)).toMatchObject({ documentsImported: 0, errors: [] })
      expect(await heldIn(to, channel.id)).toEqual(before)
      expect(await cited(channel.id)).toEqual(citing)
    },
    120_000,
  )

  it('brings back the source that is missing, whatever else is in the chat', async () => {
    const { store } = await (await import('./source-homes')).theSources()
    const channel = await aChatWithSources()
    const file = await exported('local')
    const [lease] = (await store.list(channel.id)).filter(({ name }) => name === 'lease.txt')
    if (!lease) throw new Error('no source')
    await store.remove(lease)
    const other = await store.addFile(channel.id, new File(['Another one.'], 'another.txt'))
    expect(await previewed(file, 'local')).toMatchObject([{ filesAdded: 1, messagesAdded: 0 }])
    expect(await imported(file, 'local', 'merge')).toMatchObject({ documentsImported: 1, errors: [] })
    const names = (await heldOnDevice(channel.id)).map(({ name }) => name)
    expect(names).toEqual(['A page', 'another.txt', 'lease.txt', 'noise.txt', 'off.md'])
    expect(other.isKnown).toBe(false)
  })

  it('that was changed brings what is whole of it, and says what is not', async () => {
    const channel = await aChatWithSources()
    const bytes = Buffer.from(await (await exported('local')).arrayBuffer())
    await wipe()
    // The bytes of the lease, which stand in the zip as they are.
    const damaged = Buffer.from(bytes)
    damaged.write('The rent is 100', damaged.indexOf('The rent is 900'))
    expect(await imported(new File([damaged], 'data.zip'), 'local')).toMatchObject({
      documentsImported: 3,
      errors: [{ type: 'documents', label: 'lease.txt', reason: 'unreadable' }],
    })
    expect((await heldOnDevice(channel.id)).map(({ name }) => name)).toEqual(['A page', 'noise.txt', 'off.md'])
    // Under another name the file is not there: in the directory alone, as a program would do that renames it.
    const missing = Buffer.from(bytes)
    for (let at = missing.lastIndexOf('sources/1.'); at > 0; at = -1) missing.write('sources/x.', at)
    await wipe()
    const { errors, documentsImported } = await imported(new File([missing], 'data.zip'), 'local')
    expect([errors.length, documentsImported]).toEqual([1, 3])
    // Of two of one name nobody knows which is meant; a name that climbs out is no honest program's.
    const twice = Buffer.from(bytes)
    twice.write('sources/2.', twice.lastIndexOf('sources/1.'))
    await wipe()
    expect((await imported(new File([twice], 'data.zip'), 'local')).documentsImported).toBeLessThan(4)
    const climbing = Buffer.from(bytes)
    climbing.write('../evil.tx', climbing.lastIndexOf('sources/1.'))
    await wipe()
    await expect(imported(new File([climbing], 'data.zip'), 'local')).rejects.toMatchObject({
      code: 'transfer.invalid',
    })
    expect(await recordsOnDevice()).toBe(0)
  })

  it('that somebody made up writes no name with a path, and makes nobody ask for an address', async () => {
    const { localChannels } = await theWeb()
    const channel = await aChatWithSources()
    const text = await textOf(await exported('local'))
    await wipe()
    const [lease] = text.documents.filter(({ name }) => name === 'lease.txt')
    const { entry: _entry, ...page } = text.documents.find(({ type }) => type === 'website') ?? {}
    const documents = [
      { ...lease, name: '../../etc/lease.txt' },
      page,
      { ...lease, id: '__proto__' },
      { ...lease, bytes: -1 },
    ]
    const file = new File([JSON.stringify({ ...text, documents })], 'data.json')
    const summary = await imported(file, 'local')
    // A file of JSON alone has no files of sources.
    expect(summary.errors.filter(({ type }) => type === 'documents')).toHaveLength(3)
    expect(await localChannels.get(channel.id)).toBeDefined()
    const { store } = await (await import('./source-homes')).theSources()
    expect(await store.list(channel.id)).toMatchObject([
      { type: 'website', status: 'failed', reason: 'source.cancelled', url: 'https://example.org/page' },
    ])
  })
})

type Item = Record<string, unknown>

async function textOf(file: File): Promise<{ documents: Item[] }> {
  const { jsonParts } = await import('../apps/web/src/data/transfer/open-file')
  const [part] = await jsonParts(file, undefined)
  if (!part) throw new Error('no data')
  return JSON.parse(await new Response(await part.open(() => undefined)).text())
}
