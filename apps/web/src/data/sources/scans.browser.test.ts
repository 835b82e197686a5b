// OCR with the engine and the languages that the app serves, in the reader's real worker.
import type { SourceProgress } from '@parley/contract/sources'
import { pdfInShiftJis, pdfOfObjects } from '@parley/reader/testing/pdf-bytes'
import { afterEach, expect, it, vi } from 'vitest'
import jpeg2000Url from '../../testing/scans/rental-agreement.jp2?url'
import { LocalChannelStore } from '../channels/local-channel-store'
import { onChange } from '../local/changes'
import { openDatabase } from '../local/database'
import type { Device } from '../local/device'
import { openDeviceVault } from '../local/vault'
import { DeviceSourceStore } from './device-source-store'

const lines = ['Contrato de locação nº 4711', 'O valor do aluguel é de R$ 1.234,56', 'La fianza es de tres meses.']
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function aHome() {
  const name = `pictures-${crypto.randomUUID()}`
  const db = await openDatabase(name)
  ends.push(() => db.close())
  const vault = await openDeviceVault(name)
  const device: Device = { db, vault, userId: undefined, generation: 0, forget: () => undefined }
  const open = async () => device
  const { id: channelId } = await new LocalChannelStore({ open }).create({ assistantId: null })
  const store = new DeviceSourceStore({ open })
  const told: SourceProgress[] = []
  ends.push(
    onChange((change) => {
      if (change.kind === 'sources' && change.source?.progress) told.push(change.source.progress)
    }),
  )
  return { store, channelId, told }
}

function drawn(texts: readonly string[]): OffscreenCanvas {
  const canvas = new OffscreenCanvas(1_000, 100 + texts.length * 80)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  context.font = '36px sans-serif'
  for (const [index, text] of texts.entries()) context.fillText(text, 30, 70 + index * 80)
  return canvas
}

const aPhoto = async (type: string, name: string): Promise<File> =>
  new File([await drawn(lines).convertToBlob({ type })], name, { type })

/** Each page is a picture, as a scanner makes it. */
function aScan(pages: readonly (readonly string[])[]): File {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '']
  const kids: string[] = []
  for (const texts of pages) {
    const canvas = drawn(texts)
    const { data, width, height } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
      data: [],
      width: 0,
      height: 0,
    }
    let hex = ''
    for (let at = 0; at < data.length; at += 4) hex += (data[at] ?? 0).toString(16).padStart(2, '0')
    const content = `q 500 0 0 ${Math.round((500 * height) / width)} 40 500 cm /I Do Q`
    const first = objects.length + 1
    kids.push(`${first} 0 R`)
    objects.push(
      `<< /Type /Page /Parent 2 0 R /Contents ${first + 1} 0 R /Resources << /XObject << /I ${first + 2} 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length ${hex.length + 1} >>\nstream\n${hex}>\nendstream`,
    )
  }
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] /MediaBox [0 0 595 842] >>`
  return new File([new Uint8Array(pdfOfObjects(objects))], 'scan.pdf', { type: 'application/pdf' })
}

const aPdfOf = (bytes: Uint8Array, name: string): File =>
  new File([new Uint8Array(bytes)], name, { type: 'application/pdf' })

const textOf = async (store: DeviceSourceStore, source: { id: string; channelId: string }): Promise<string> =>
  (await store.document(source)).blocks.map((block) => ('text' in block ? block.text : '')).join('\n')

it('reads photos of a text in the three languages, and says that they were pictures [ST-129]', async () => {
  const { store, channelId } = await aHome()
  for (const [type, name] of [
    ['image/png', 'a.png'],
    ['image/jpeg', 'a.jpg'],
    ['image/webp', 'a.webp'],
  ] as const) {
    const { source } = await store.addFile(channelId, await aPhoto(type, name))
    await store.whenRead(channelId)
    const text = await textOf(store, source)
    for (const part of ['locação', '4711', '1.234,56', 'fianza']) expect(text, name).toContain(part)
  }
  expect((await store.list(channelId)).map(({ notices }) => notices)).toEqual(Array(3).fill(['from-picture']))
})

it('reads a scan in JPEG 2000, and a text whose letters stand in a character map of pdf.js', async () => {
  const { store, channelId } = await aHome()
  const picture = await (await fetch(jpeg2000Url)).bytes()
  const [width, height] = [760, 200]
  const drawing = `q 500 0 0 ${Math.round((500 * height) / width)} 40 500 cm /I Do Q`
  const bytes = Array.from(picture, (byte) => String.fromCharCode(byte)).join('')
  const scan = pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 595 842] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /Filter /JPXDecode /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`,
  ])
  for (const [name, file, words] of [
    ['scan.pdf', scan, 'Rental agreement number 4711'],
    ['japanese.pdf', pdfInShiftJis('93FA967B8CEA'), '日本語'],
  ] as const) {
    const { source } = await store.addFile(channelId, aPdfOf(file, name))
    await store.whenRead(channelId)
    expect(await textOf(store, source), name).toContain(words)
  }
})

it('reads the pages of a scan one after another, tells at which it is, and finds its passages', async () => {
  const { store, channelId, told } = await aHome()
  const { source } = await store.addFile(
    channelId,
    aScan([['First page of the lease'], ['The rent is 900 euros'], ['Signed in Lisbon']]),
  )
  await store.whenRead(channelId)
  expect(await store.list(channelId)).toMatchObject([{ status: 'processed', pages: 3, notices: ['from-picture'] }])
  expect((await store.document(source)).blocks.map(({ page }) => page)).toEqual([1, 2, 3])
  expect(told.filter(({ unit }) => unit === 'pages')).toContainEqual({ done: 1, of: 3, unit: 'pages' })
  const chosen = await store.choose(channelId, { question: 'How much is the rent?', roomTokens: 1_000 })
  expect(chosen?.sent[0]?.passages).toContainEqual(
    expect.objectContaining({ page: 2, text: expect.stringContaining('900') }),
  )
})

it('ends reading a scan that is cancelled at once, and reads it when it is tried again', async () => {
  const { store, channelId, told } = await aHome()
  const { source } = await store.addFile(
    channelId,
    aScan(Array.from({ length: 3 }, (_, n) => [`Page ${n} of the scan`])),
  )
  await vi.waitFor(() => expect(told.some(({ unit }) => unit === 'pages')).toBe(true), { timeout: 30_000 })
  await store.cancel(source)
  expect(await store.list(channelId)).toMatchObject([{ status: 'failed', reason: 'source.cancelled' }])
  await store.retry(source)
  await store.whenRead(channelId)
  expect(await store.list(channelId)).toMatchObject([{ status: 'processed', pages: 3 }])
})
