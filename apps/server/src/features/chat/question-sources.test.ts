import { limits } from '@parley/contract/limits/shared'
import { tokensOfSources } from '@parley/contract/sent-sources'
import { expect, it } from 'vitest'
import { aSentSource } from '../../testing/sent-sources'
import { findSources, type SourceProvider } from './question-sources'

const asked = {
  ...{ question: 'Well?', fileIds: [], roomTokens: 2_000, seesPictures: true, channel: undefined },
}
const around = { cited: [], mark: 'mark' }
const giving =
  (...sources: ReturnType<typeof aSentSource>[]): SourceProvider =>
  async () => ({ sources, pictures: [] })

it('numbers what all providers find together, and moves no number of the first', async () => {
  const device = giving(
    aSentSource('a', [
      { n: 4, text: 'Four.' },
      { n: 2, text: 'Two.' },
    ]),
  )
  const { sources } = await findSources(
    [device, giving(aSentSource('b', ['B1.', 'B2.'])), giving(aSentSource('c', ['C.']))],
    asked,
    around,
  )
  const numbers = sources.map(({ fileId, passages }) => [fileId, passages.map(({ n }) => n)])
  expect(numbers).toEqual([
    ['a', [4, 2]],
    ['b', [5, 6]],
    ['c', [7]],
  ])
})

it('leaves the part of a provider that bounds itself to it, and fills the rest', async () => {
  const long = 'word '.repeat(100)
  const rooms: number[] = []
  const web: SourceProvider = async ({ roomTokens }) => {
    rooms.push(roomTokens)
    return giving(aSentSource('web', [long, long]))({ ...asked })
  }
  const greedy: SourceProvider = async ({ roomTokens }) => {
    rooms.push(roomTokens)
    return giving(
      aSentSource(
        'book',
        Array.from({ length: 90 }, () => long).map((text, n) => ({ n: n + 1, text })),
      ),
    )({ ...asked })
  }
  const { sources } = await findSources([greedy, web], asked, around)
  expect(rooms).toEqual([2_000, 2_000 - tokensOfSources([aSentSource('web', [long, long])])])
  expect(sources.at(-1)).toMatchObject({ fileId: 'web', reading: 'whole' })
  expect(sources[0]).toMatchObject({ fileId: 'book', reading: 'passages', of: 90 })
  expect(tokensOfSources(sources)).toBeLessThanOrEqual(2_000)
})

it('shows as many pictures as have room, and one in any case', async () => {
  const ids = ['p1', 'p2', 'p3', 'p4']
  const photos: SourceProvider = async () => ({
    sources: ids.map((id) => aSentSource(id, [], { mediaType: 'image/jpeg' })),
    pictures: ids.map((fileId) => ({ fileId, mediaType: 'image/jpeg' as const, data: 'AAAA' })),
  })
  const shown = async (roomTokens: number) => (await findSources([photos], { ...asked, roomTokens }, around)).pictures
  expect(await shown(10 * limits.sources.pictureTokens.likely)).toHaveLength(4)
  expect(await shown(2 * limits.sources.pictureTokens.likely)).toHaveLength(2)
  expect(await shown(10)).toHaveLength(1)
  expect(await shown(0)).toHaveLength(0)
})
