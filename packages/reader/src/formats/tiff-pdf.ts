import { bounds } from '../bounds'

type Tags = Map<number, number[]>

const tag = {
  ...{ width: 256, height: 257, bits: 258, compression: 259, photometric: 262, fillOrder: 266, offsets: 273 },
  ...{ samples: 277, rowsPerStrip: 278, counts: 279, planes: 284, t4: 292, predictor: 317, colours: 320 },
  ...{ tileWidth: 322 },
}
const sizes: Record<number, number> = { 1: 1, 3: 2, 4: 4 }

/**
 * The strips of a TIFF as pictures of a PDF, page by page: both formats have the same kinds of compression, so that no
 * byte of them is decoded here. Undefined where it is none, or of a kind that PDF does not know.
 */
export function pdfOfTiff(bytes: Uint8Array): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isLittle = bytes[0] === 0x49
  const writer = pdfWriter()
  const seen = new Set<number>()
  let at = uint32(view, 4, isLittle)
  while (at !== undefined && at > 0 && !seen.has(at) && seen.size < bounds.maxPages) {
    seen.add(at)
    const directory = directoryAt(view, at, isLittle)
    if (!directory) break
    addPage(directory.tags, bytes, writer)
    at = directory.next
  }
  return writer.pages === 0 ? undefined : writer.end()
}

const uint32 = (view: DataView, at: number, isLittle: boolean): number | undefined =>
  at + 4 <= view.byteLength ? view.getUint32(at, isLittle) : undefined

function directoryAt(
  view: DataView,
  at: number,
  isLittle: boolean,
): { tags: Tags; next: number | undefined } | undefined {
  if (at + 2 > view.byteLength) return undefined
  const count = view.getUint16(at, isLittle)
  if (at + 2 + count * 12 > view.byteLength) return undefined
  const tags: Tags = new Map()
  for (let n = 0; n < count; n++) {
    const entry = at + 2 + n * 12
    const size = sizes[view.getUint16(entry + 2, isLittle)]
    const length = view.getUint32(entry + 4, isLittle)
    if (!size || length > 100_000) continue
    const start = size * length <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittle)
    if (start + size * length > view.byteLength) continue
    const read = (place: number) =>
      size === 1 ? view.getUint8(place) : size === 2 ? view.getUint16(place, isLittle) : view.getUint32(place, isLittle)
    tags.set(
      view.getUint16(entry, isLittle),
      Array.from({ length }, (_, index) => read(start + index * size)),
    )
  }
  return { tags, next: uint32(view, at + 2 + count * 12, isLittle) }
}

type Writer = ReturnType<typeof pdfWriter>

const pageWidth = 595

function addPage(tags: Tags, bytes: Uint8Array, writer: Writer): void {
  const one = (name: keyof typeof tag, otherwise: number) => tags.get(tag[name])?.[0] ?? otherwise
  const [width, height] = [one('width', 0), one('height', 0)]
  const offsets = tags.get(tag.offsets) ?? []
  const counts = tags.get(tag.counts) ?? []
  const filter = filterOf(tags, width)
  const space = spaceOf(tags)
  const isKnown = filter !== undefined && space !== undefined && !tags.has(tag.tileWidth) && one('planes', 1) === 1
  if (!isKnown || width === 0 || height === 0 || width * height > bounds.maxPixels || one('fillOrder', 1) !== 1) return
  const rows = Math.min(height, one('rowsPerStrip', height))
  const scale = pageWidth / width
  const names: string[] = []
  let content = ''
  for (const [index, offset] of offsets.entries()) {
    const stripHeight = Math.min(rows, height - index * rows)
    const data = bytes.subarray(offset, offset + (counts[index] ?? 0))
    if (stripHeight <= 0 || data.length === 0) break
    const picture = writer.stream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${stripHeight} /BitsPerComponent ${one('bits', 1)} ` +
        `/ColorSpace ${space} ${filter.replace('ROWS', String(stripHeight))}`,
      data,
    )
    names.push(`/I${index} ${picture} 0 R`)
    const bottom = (height - index * rows - stripHeight) * scale
    content += `q ${width * scale} 0 0 ${stripHeight * scale} 0 ${bottom} cm /I${index} Do Q\n`
  }
  if (names.length > 0) writer.page(names.join(' '), content, pageWidth, height * scale)
}

function filterOf(tags: Tags, width: number): string | undefined {
  const one = (name: keyof typeof tag, otherwise: number) => tags.get(tag[name])?.[0] ?? otherwise
  const predictor = `/DecodeParms << /Predictor ${one('predictor', 1) === 2 ? 2 : 1} /Colors ${one('samples', 1)} /BitsPerComponent ${one('bits', 1)} /Columns ${width} >>`
  const fax = (k: number) =>
    `/Filter /CCITTFaxDecode /DecodeParms << /K ${k} /Columns ${width} /Rows ROWS /BlackIs1 true >>`
  switch (one('compression', 1)) {
    case 1:
      return ''
    case 3:
      return fax((one('t4', 0) & 1) === 1 ? 1 : 0)
    case 4:
      return fax(-1)
    case 5:
      return `/Filter /LZWDecode ${predictor}`
    case 8:
    case 32946:
      return `/Filter /FlateDecode ${predictor}`
    case 32773:
      return '/Filter /RunLengthDecode'
    default:
      return undefined
  }
}

function spaceOf(tags: Tags): string | undefined {
  const photometric = tags.get(tag.photometric)?.[0] ?? 1
  const samples = tags.get(tag.samples)?.[0] ?? 1
  // White is zero: for all kinds of grey that PDF has, black is.
  if (photometric === 0) return samples === 1 ? '/DeviceGray /Decode [1 0]' : undefined
  if (photometric === 1) return samples === 1 ? '/DeviceGray' : undefined
  if (photometric === 2) return samples === 3 ? '/DeviceRGB' : undefined
  if (photometric === 3) return paletteOf(tags.get(tag.colours) ?? [])
  return undefined
}

function paletteOf(colours: readonly number[]): string | undefined {
  const count = colours.length / 3
  if (count < 2 || count > 256) return undefined
  const hex = (value = 0) =>
    Math.floor(value / 257)
      .toString(16)
      .padStart(2, '0')
  const entries = Array.from({ length: count }, (_, n) =>
    [colours[n], colours[n + count], colours[n + 2 * count]].map(hex).join(''),
  )
  return `[/Indexed /DeviceRGB ${count - 1} <${entries.join('')}>]`
}

function pdfWriter() {
  const parts: Uint8Array[] = []
  const offsets: number[] = []
  const kids: string[] = []
  let length = 0
  const write = (part: Uint8Array | string) => {
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part
    parts.push(bytes)
    length += bytes.length
  }
  const object = (number: number, ...content: (Uint8Array | string)[]) => {
    offsets[number] = length
    write(`${number} 0 obj\n`)
    for (const part of content) write(part)
    write('\nendobj\n')
  }
  let next = 3
  write('%PDF-1.7\n')
  const writer = {
    pages: 0,
    stream(dictionary: string, data: Uint8Array): number {
      const number = next++
      object(number, `<< ${dictionary} /Length ${data.length} >>\nstream\n`, data, '\nendstream')
      return number
    },
    page(pictures: string, content: string, width: number, height: number): void {
      const contents = writer.stream('', new TextEncoder().encode(content))
      const number = next++
      const box = `/MediaBox [0 0 ${width} ${height}] /Resources << /XObject << ${pictures} >> >>`
      object(number, `<< /Type /Page /Parent 2 0 R ${box} /Contents ${contents} 0 R >>`)
      kids.push(`${number} 0 R`)
      writer.pages++
    },
    end(): Uint8Array {
      object(1, '<< /Type /Catalog /Pages 2 0 R >>')
      object(2, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>`)
      const start = length
      const rows = Array.from(
        { length: next - 1 },
        (_, n) => `${String(offsets[n + 1] ?? 0).padStart(10, '0')} 00000 n \n`,
      )
      write(`xref\n0 ${next}\n0000000000 65535 f \n${rows.join('')}`)
      write(`trailer\n<< /Size ${next} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`)
      const file = new Uint8Array(length)
      let at = 0
      for (const part of parts) {
        file.set(part, at)
        at += part.length
      }
      return file
    },
  }
  return writer
}
