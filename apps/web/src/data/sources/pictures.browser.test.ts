// Pictures of a question, drawn by the browser's own worker: happy-dom draws nothing.
import { limits } from '@parley/contract/limits/shared'
import { afterAll, expect, it } from 'vitest'
import { openMemoryDevice } from '../local/memory-device'
import { DeviceSourceStore } from './device-source-store'
import { changeSources } from './device-sources'
import { ReaderWorkerPort } from './reader-worker-port'

const reader = new ReaderWorkerPort({ isKept: true })
afterAll(() => reader.drop())

/** A picture that no format makes small: each pixel is of another colour. */
async function noise(width: number, height: number, type = 'image/png'): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('nothing can be drawn')
  const pixels = context.createImageData(width, height)
  let seed = 7
  for (let at = 0; at < pixels.data.length; at++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    pixels.data[at] = at % 4 === 3 ? 255 : seed >> 8
  }
  context.putImageData(pixels, 0, 0)
  return canvas.convertToBlob({ type })
}

const bytesOf = (data: string) => Uint8Array.from(atob(data), (character) => character.charCodeAt(0))

it.each([
  ['a large one', 2_600, 1_300, limits.sources.maxPicturesBytes],
  ['one of four', 1_200, 1_600, limits.sources.maxPicturesBytes / 4],
  ['a small one', 40, 30, limits.sources.maxPicturesBytes],
])('%s is drawn as large as it may be sent, in its shape', async (_, width, height, maxLength) => {
  const picture = await reader.call({ kind: 'picture', file: await noise(width, height), maxLength })
  if (!picture) throw new Error('not drawn')
  expect(picture.data.length).toBeLessThanOrEqual(maxLength)
  const drawn = await createImageBitmap(new Blob([bytesOf(picture.data)], { type: picture.mediaType }))
  expect(Math.max(drawn.width, drawn.height)).toBeLessThanOrEqual(limits.sources.maxPicturePixels)
  expect(drawn.width / drawn.height).toBeCloseTo(width / height, 1)
  if (width === 40) expect([drawn.width, drawn.height]).toEqual([40, 30])
})

it('nothing that a camera writes beside a picture goes along', async () => {
  const jpeg = new Uint8Array(await (await noise(64, 48, 'image/jpeg')).arrayBuffer())
  const secret = new TextEncoder().encode('Exif\0\0SECRETPLACE')
  const marked = new Blob([
    ...[jpeg.slice(0, 2), new Uint8Array([0xff, 0xe1, 0, secret.length + 2]), secret, jpeg.slice(2)],
  ])
  const picture = await reader.call({ kind: 'picture', file: marked, maxLength: limits.sources.maxPicturesBytes })
  expect(picture).not.toBeNull()
  expect(atob(picture?.data ?? '')).not.toContain('SECRETPLACE')
})

it('what is no picture is drawn as none', async () => {
  const file = new Blob(['no picture'], { type: 'image/png' })
  expect(await reader.call({ kind: 'picture', file, maxLength: 1_000 })).toBeNull()
})

it('goes as a picture to a model that sees it, and as its text to another', async () => {
  const device = await openMemoryDevice()
  const store = new DeviceSourceStore({ open: async () => device, hasChannel: () => false, isOfTab: true })
  // Its text is as the reader of a picture leaves it.
  const { source } = await store.addFile('c', new File(['The sign says no entry.'], 'sign.txt', { type: 'text/plain' }))
  await store.whenRead('c')
  const photo = await noise(300, 200)
  const { source: real } = await store.addFile('c', new File([photo], 'photo.png', { type: 'image/png' }))
  await store.cancel(real)
  await changeSources(
    async () => device,
    [real],
    (stored) => ({ ...stored, source: { ...stored.source, status: 'processed', isActive: true } }),
  )
  const asked = { question: 'What is on it?', roomTokens: 10_000 }
  const blind = await store.choose('c', asked)
  expect(blind?.pictures).toEqual([])
  expect(blind?.sent.map(({ fileId }) => fileId)).toEqual([source.id])
  const seen = await store.choose('c', { ...asked, seesPictures: true })
  expect(seen?.pictures).toMatchObject([{ fileId: real.id, mediaType: 'image/webp' }])
  expect(seen?.sent).toMatchObject([
    { fileId: real.id, of: 0, passages: [] },
    { fileId: source.id, passages: [{ n: 1 }] },
  ])
})
