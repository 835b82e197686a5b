import { limits } from '@parley/contract/limits/shared'
import type { Source } from '@parley/contract/sources'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { SourceStore } from './source-store'

export const aFile = (name = 'lease.txt', text = 'The rent is 900.\n\nThe tenant waters the ficus.'): File =>
  new File([text], name, { type: 'text/plain' })

/** `store`: of an empty home with these channels. */
type Home = { store: SourceStore; channelId: string; otherChannelId: string }

/** What every home of sources does alike. */
export function describeSourceStore(home: string, makeHome: () => Promise<Home>): void {
  describe(`sources in ${home}`, () => {
    let store: SourceStore
    let channelId: string
    let otherChannelId: string
    beforeEach(async () => {
      ;({ store, channelId, otherChannelId } = await makeHome())
    })

    const whenRead = (id: string): Promise<Source> =>
      vi.waitFor(
        async () => {
          const source = (await store.list(channelId)).find((each) => each.id === id)
          if (source?.status !== 'processed') throw new Error(`${source?.status} ${source?.reason}`)
          return source
        },
        { timeout: 30_000, interval: 20 },
      )

    it('reads a file that is added, and gives its text and the file back [ST-130, ST-132]', async () => {
      const file = aFile()
      const { source, isKnown } = await store.addFile(channelId, file)
      expect(isKnown).toBe(false)
      expect(source).toMatchObject({ channelId, type: 'document', name: 'lease.txt', isActive: true, notices: [] })
      const read = await whenRead(source.id)
      expect(read).toMatchObject({ id: source.id, bytes: file.size, status: 'processed' })
      expect(read.sha256).toMatch(/^[0-9a-f]{64}$/)
      expect(read.characters).toBeGreaterThan(30)
      const { blocks } = await store.document(source)
      expect(blocks.map((block) => 'text' in block && block.text)).toEqual([
        'The rent is 900.',
        'The tenant waters the ficus.',
      ])
      expect(await (await store.file(source)).text()).toBe(await file.text())
    })

    it('takes the same file twice in a channel for one source, whatever its name', async () => {
      const { source } = await store.addFile(channelId, aFile('a.txt'))
      const [again, elsewhere] = [
        await store.addFile(channelId, aFile('b.txt')),
        await store.addFile(otherChannelId, aFile('c.txt')),
      ]
      expect(again).toMatchObject({ isKnown: true, source: { id: source.id } })
      expect(elsewhere.isKnown).toBe(false)
      expect(await store.list(channelId)).toHaveLength(1)
      expect(await store.list(otherChannelId)).toHaveLength(1)
    })

    it('refuses what it cannot read, nothing and too much, and keeps nothing of it [ST-128, ST-129]', async () => {
      await expect(store.addFile(channelId, aFile('film.mov'))).rejects.toMatchObject({ code: 'source.type' })
      await expect(store.addFile(channelId, aFile('empty.txt', ''))).rejects.toMatchObject({ code: 'source.empty' })
      const large = new File([new Uint8Array(limits.sources.maxFileBytes + 1)], 'large.pdf')
      await expect(store.addFile(channelId, large)).rejects.toMatchObject({ code: 'source.too-large' })
      expect(await store.list(channelId)).toEqual([])
    })

    it('refuses to add to a channel that is gone', async () => {
      await expect(store.addFile('0193f000-0000-7000-8000-00000000dead', aFile())).rejects.toMatchObject({
        code: 'channel.not-found',
      })
    })

    it('says why a file could not be read, and reads it again when asked to', async () => {
      const { source } = await store.addFile(channelId, aFile('film.txt', '\u0000\u0001\u0002 film'))
      const failed = async (): Promise<Source | undefined> => {
        const [found] = await store.list(channelId)
        expect(found?.status).toBe('failed')
        return found
      }
      expect(await vi.waitFor(failed, { timeout: 30_000 })).toMatchObject({ reason: 'source.type' })
      await expect(store.document(source)).rejects.toMatchObject({ code: 'source.not-found' })
      await store.retry(source)
      expect(await vi.waitFor(failed, { timeout: 30_000 })).toMatchObject({ reason: 'source.type' })
    })

    it('switches sources on and off that are read, together [ST-153, ST-155]', async () => {
      const [one, two] = [
        await store.addFile(channelId, aFile('one.txt', 'One.')),
        await store.addFile(channelId, aFile('two.txt', 'Two.')),
      ]
      await whenRead(one.source.id)
      await whenRead(two.source.id)
      await store.saveSwitches(channelId, [
        { id: one.source.id, isActive: false },
        { id: two.source.id, isActive: true },
      ])
      expect((await store.list(channelId)).map(({ name, isActive }) => [name, isActive])).toEqual([
        ['one.txt', false],
        ['two.txt', true],
      ])
    })

    it('removes a source', async () => {
      const { source } = await store.addFile(channelId, aFile())
      await whenRead(source.id)
      await store.remove(source)
      expect(await store.list(channelId)).toEqual([])
      await expect(store.document(source)).rejects.toMatchObject({ code: 'source.not-found' })
      await expect(store.file(source)).rejects.toMatchObject({ code: 'source.not-found' })
      expect((await store.addFile(channelId, aFile())).isKnown).toBe(false)
    })
  })
}
