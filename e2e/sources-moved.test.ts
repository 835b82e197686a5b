// Sources go along with their channel, whole and once, and what answers cite of them finds them.
import { uuidv7 } from '@parley/contract/uuid'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aChannel, cut, theWeb, useBothHomes, wipe } from './both-homes'
import {
  aChatWithSources,
  aFile,
  cited,
  citing,
  heldInCloud,
  heldOnDevice,
  recordsOnDevice,
  sent,
  theSources,
  whenRead,
} from './source-homes'

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

useBothHomes()
beforeEach(wipe)

describe('the sources of a chat', () => {
  it('are the same, byte by byte, in the cloud and back on the device, and only there [CH-050, CH-051]', async () => {
    const { moveToCloud, moveToDevice, cloudChannels } = await theWeb()
    const channel = await aChatWithSources()
    const before = await heldOnDevice(channel.id)
    expect(before.map(({ name, isActive }) => [name, isActive])).toEqual([
      ['A page', true],
      ['lease.txt', true],
      ['noise.txt', true],
      ['off.md', false],
    ])
    const moved = await moveToCloud(channel)
    expect(await heldInCloud(moved.id)).toEqual(before)
    expect(await recordsOnDevice()).toBe(0)
    const citedThere = await cited(moved.id)
    expect(citedThere).toHaveLength(4)
    await moveToDevice(moved)
    expect(await heldOnDevice(channel.id)).toEqual(before)
    expect(await cloudChannels.list()).toEqual([])
    expect(await cited(channel.id)).toEqual(citedThere)
    const read = await whenRead(channel.id)
    expect(read.find(({ name }) => name === 'A page')).toMatchObject({ status: 'processed', characters: 32 })
    expect(read.find(({ name }) => name === 'lease.txt')).toMatchObject({ status: 'processed', passages: 1 })
  })

  it('are found by what cites them where the cloud gives them other ids, because theirs are taken', async () => {
    const { moveToCloud, localChannels } = await theWeb()
    const { copiesOnDevice, openDevice, putOnDevice, reader, sourcesInCloud } = await theSources()
    const channel = await aChatWithSources()
    const twin = await aChannel()
    const copies = await copiesOnDevice(await openDevice(), channel.id)
    for (const copy of copies) await putOnDevice({ open: openDevice, reader }, twin.id, copy)
    const ids = copies.map(({ source }) => source.id)
    await localChannels.put(citing(twin.id, ids))
    await moveToCloud(channel)
    await moveToCloud(twin)
    const there = await sourcesInCloud(twin.id)
    expect(there.map(({ sha256 }) => sha256).toSorted()).toEqual(copies.map(({ source }) => source.sha256).toSorted())
    const idsThere = new Set(there.map(({ id }) => id))
    expect(ids.some((id) => idsThere.has(id))).toBe(false)
    expect(new Set(await cited(twin.id))).toEqual(idsThere)
    expect(await heldInCloud(twin.id)).toHaveLength(4)
    expect(await heldInCloud(channel.id)).toHaveLength(4)
  })

  it('become one of each where both homes have a copy of the chat', async () => {
    const { moveToCloud, moveToDevice, localChannels, cloudChannels } = await theWeb()
    const { store, putInCloud, copiesOnDevice, openDevice } = await theSources()
    const channel = await aChatWithSources()
    const inCloud = await cloudChannels.create({ id: channel.id, assistantId: null, channelName: 'There' })
    const other = await aChannel()
    await store.addFile(other.id, aFile('lease again.txt', 'The rent is 900 reais.\n\nThe tenant waters the ficus.'))
    await store.addFile(other.id, aFile('there.txt', 'Only the cloud has this.'))
    await whenRead(other.id)
    for (const copy of await copiesOnDevice(await openDevice(), other.id)) await putInCloud(inCloud.id, copy)
    await localChannels.remove(other.id)
    await moveToCloud(channel)
    const united = await heldInCloud(channel.id)
    const names = ['A page', 'lease again.txt', 'noise.txt', 'off.md', 'there.txt']
    expect(united.map(({ name }) => name)).toEqual(names)
    const lease = united.find(({ name }) => name === 'lease again.txt')
    expect(await cited(channel.id)).toContain(lease?.id)
    await moveToDevice(inCloud)
    expect(await heldOnDevice(channel.id)).toEqual(united)
    expect(await cited(channel.id)).toContain(lease?.id)
  })

  it.each(['to the cloud', 'to this device'])(
    'are whole and there once after a move %s that is cut off at any call and made again',
    async (direction) => {
      const { moveToCloud, moveToDevice, localChannels, cloudChannels } = await theWeb()
      const { store } = await theSources()
      const toCloud = direction === 'to the cloud'
      for (let calls = 2, isCut = true; isCut; calls += 3) {
        await wipe()
        const channel = await aChannel()
        await store.addFile(channel.id, aFile('one.txt', 'One.'))
        await store.addFile(channel.id, aFile('two.txt', 'Two.'))
        await whenRead(channel.id)
        const before = await heldOnDevice(channel.id)
        const from = toCloud ? channel : await moveToCloud(channel)
        const move = () => (toCloud ? moveToCloud(channel) : moveToDevice(from))
        // Before the server has it, and after.
        Object.assign(cut, { calls, isAfter: calls % 2 === 0 })
        isCut = await move().then(
          () => false,
          () => true,
        )
        cut.calls = Number.POSITIVE_INFINITY
        const [here, there] = [await localChannels.get(channel.id), await cloudChannels.get(channel.id)]
        // One home has all of it at every moment.
        const places = [...(here ? [await heldOnDevice(channel.id)] : []), ...(there ? [await sent(channel.id)] : [])]
        expect(places, `call ${calls}`).toContainEqual(before)
        // As a person would, unless the answer that it was done was all that was lost.
        if (toCloud ? here : there) await move()
        expect(await (toCloud ? sent(channel.id) : heldOnDevice(channel.id))).toEqual(before)
        expect((await recordsOnDevice()) === 0).toBe(toCloud)
      }
    },
    120_000,
  )
})

describe('a chat stays where it is, whole,', () => {
  it('where one of its sources cannot be read here, or is of a later version', async () => {
    const { moveToCloud, localChannels, cloudChannels } = await theWeb()
    const { openDevice } = await theSources()
    const channel = await aChatWithSources()
    const { db } = await openDevice()
    const [record] = await db.getAll('documents')
    if (!record) throw new Error('no record')
    for (const broken of [
      { ...record, v: record.v + 1 },
      { ...record, c: record.c.slice(1) },
    ]) {
      await db.put('documents', broken)
      await expect(moveToCloud(channel)).rejects.toMatchObject({ code: 'channel.unreadable' })
      expect(await db.get('documents', record.id)).toEqual(broken)
    }
    expect(await db.count('documents')).toBe(4)
    expect((await localChannels.messages(channel.id)).total).toBe(1)
    expect(await cloudChannels.list()).toEqual([])
  })

  it('where the cloud refuses one of its sources, or one is not stored whole, and says which and why', async () => {
    const { moveToCloud, localChannels } = await theWeb()
    const { store, openDevice, putOnDevice, reader } = await theSources()
    const channel = await aChannel()
    const { source } = await store.addFile(channel.id, aFile('lease.txt', 'The rent.'))
    await whenRead(channel.id)
    const half = { ...source, id: uuidv7(), name: 'half.pdf', sha256: '0'.repeat(64) }
    const { source: unfinished } = await putOnDevice({ open: openDevice, reader }, channel.id, { source: half })
    await expect(moveToCloud(channel)).rejects.toMatchObject({
      ...{ code: 'channel.source-refused', sourceName: 'half.pdf', reason: { code: 'source.upload-damaged' } },
    })
    await store.remove(unfinished)
    const film = new Uint8Array([1, 2, 3])
    const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', film)).toString('hex')
    const odd = { ...source, id: uuidv7(), name: 'film.mov', bytes: 3, sha256 }
    await putOnDevice({ open: openDevice, reader }, channel.id, { source: odd, file: async () => new Blob([film]) })
    await expect(moveToCloud(channel)).rejects.toMatchObject({
      ...{ code: 'channel.source-refused', sourceName: 'film.mov', reason: { code: 'source.type' } },
    })
    expect(await localChannels.get(channel.id)).toBeDefined()
    expect((await heldOnDevice(channel.id)).map(({ name }) => name)).toEqual(['film.mov', 'lease.txt'])
  })

  it('in the cloud where a source was added there, or switched off, since it was copied', async () => {
    const { moveToCloud, moveToDevice, cloudChannels } = await theWeb()
    const { sourcesInCloud } = await theSources()
    const channel = await moveToCloud(await aChatWithSources())
    await heldInCloud(channel.id)
    const { api } = await import('../apps/web/src/data/api/api')
    const { sourceRoutes } = await import('@parley/contract/sources')
    const remove = cloudChannels.remove.bind(cloudChannels)
    const meanwhile = vi.spyOn(cloudChannels, 'remove').mockImplementationOnce(async (id, seen) => {
      const [source] = await sourcesInCloud(id)
      await api(sourceRoutes.switch, { body: [{ id: source?.id ?? '', active: !source?.isActive }] })
      await remove(id, seen)
    })
    await expect(moveToDevice(channel)).rejects.toMatchObject({ code: 'channel.copy-differs' })
    meanwhile.mockRestore()
    expect(await sourcesInCloud(channel.id)).toHaveLength(4)
    await moveToDevice(channel)
    expect(await heldOnDevice(channel.id)).toHaveLength(4)
  })
})
