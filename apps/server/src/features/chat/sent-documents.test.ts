import { limits } from '@parley/contract/limits/shared'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { aSentSource, compressed, compressedText } from '../../testing/sent-sources'
import { readSentAlong } from './sent-documents'

const pictureOf = async (width: number, height: number, format: 'jpeg' | 'png' = 'jpeg'): Promise<string> =>
  (
    await sharp({ create: { width, height, channels: 3, background: '#0af' } })
      .toFormat(format)
      .toBuffer()
  ).toString('base64')

it('reads the sources and pictures of a question as the device has sent them', async () => {
  const sources = [aSentSource('lease', ['Three rents.', 'Two keys.']), aSentSource('photo', [])]
  const pictures = [{ fileId: 'photo', mediaType: 'image/jpeg' as const, data: await pictureOf(9, 6) }]
  expect(await readSentAlong({ compressedDocuments: compressed(sources), pictures })).toEqual({ sources, pictures })
  expect(await readSentAlong({})).toEqual({ sources: [], pictures: [] })
})

const most = limits.sources.maxSentPassages
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ n: n + 1, text: 'x' }))
const hostile: [string, string][] = [
  ['no base64', '$$$$'],
  ['base64 with a line break', `${compressed([])}\n`],
  ['no deflate', Buffer.from('plainly a text').toString('base64')],
  ['nothing', ''],
  ['a stream that was cut', compressed([aSentSource('a', ['word '.repeat(999)])]).slice(0, 24)],
  ['a bomb', compressedText(Buffer.alloc(40 * 1024 * 1024))],
  ['a bomb of JSON', compressedText(`{"v":1,"sources":[],"x":"${' '.repeat(limits.sources.maxInflatedBytes)}"}`)],
  ['too much before it is unpacked', 'A'.repeat(limits.sources.maxCompressedBytes + 4)],
  ['no UTF-8', compressedText(Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
  ['no JSON', compressedText('{"v":1,')],
  ['a later version', compressedText('{"v":2,"sources":[]}')],
  ['lists in lists', compressedText(`{"v":1,"sources":${'['.repeat(200_000)}`)],
  ['more values than sources have', compressedText(`{"v":1,"sources":[${'0,'.repeat(200_000)}0]}`)],
  ['too many passages', compressed([aSentSource('a', many(most + 1))])],
  ['too many sources', compressed(Array.from({ length: 51 }, (_, n) => aSentSource(`f${n}`, [])))],
  ['one number twice', compressed([aSentSource('a', many(1)), aSentSource('b', many(1))])],
  ['one source twice', compressed([aSentSource('a', []), aSentSource('a', [])])],
  ['a number that is none', compressed([aSentSource('a', [{ n: 1_000, text: 'x' }])])],
]

it.each(hostile)('refuses %s, and tells nothing of what is in it', async (_, compressedDocuments) => {
  const refusal = await readSentAlong({ compressedDocuments }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'source.sent-invalid' })
  expect(refusal).not.toHaveProperty('cause')
})

it('refuses pictures that are of no source, no pictures, another kind, or larger than a device may send', async () => {
  const compressedDocuments = compressed([aSentSource('photo', [])])
  const refused = async (fields: object): Promise<void> => {
    const picture = { fileId: 'photo', mediaType: 'image/jpeg' as const, data: await pictureOf(9, 6), ...fields }
    await expect(readSentAlong({ compressedDocuments, pictures: [picture] })).rejects.toMatchObject({
      code: 'source.sent-invalid',
    })
  }
  await refused({ fileId: 'other' })
  await refused({ mediaType: 'image/png' })
  await refused({ data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') })
  await refused({ data: '%%%%' })
  await refused({ data: await pictureOf(limits.sources.maxPicturePixels + 1, 1) })
  const three = Array.from({ length: 3 }, () => 'A'.repeat(limits.sources.maxPicturesBytes / 2))
  const pictures = three.map((data) => ({ fileId: 'photo', mediaType: 'image/jpeg' as const, data }))
  await expect(readSentAlong({ compressedDocuments, pictures })).rejects.toMatchObject({ code: 'source.sent-invalid' })
})
