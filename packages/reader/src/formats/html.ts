import type { DocumentBlock, ReadDocument } from '@parley/contract/read-document'
import { bounds } from '../bounds'
import { ReadEnough, Reading } from '../reading'
import { decodeText } from '../text-encoding'
import { htmlParser, type Region } from './html-blocks'

type Placed = { block: DocumentBlock; region: Region }

const pieceLength = 64 * 1024
/** So much text of its own makes an element that calls itself the main one believable. */
const minMainLength = 200

export async function readHtmlFile(bytes: Uint8Array, reading: Reading): Promise<void> {
  const html = decodeText(recoded(bytes), bounds.maxTextLength * 2)
  const collector = collect(reading)
  for (let at = 0; at < html.length && !collector.isFull(); at += pieceLength) {
    await reading.breathe()
    collector.write(html.slice(at, at + pieceLength))
  }
  collector.finish()
}

/** A page as it was fetched. Addresses in it are not followed. */
export function readHtml(html: string, _url?: string): ReadDocument {
  const reading = new Reading()
  try {
    const collector = collect(reading)
    for (let at = 0; at < html.length && !collector.isFull(); at += pieceLength)
      collector.write(html.slice(at, at + pieceLength))
    collector.finish()
  } catch (error) {
    if (!(error instanceof ReadEnough)) throw error
  }
  if (reading.isEmpty) reading.notices.add('no-text')
  return reading.document()
}

function collect(reading: Reading) {
  const placed: Placed[] = []
  let length = 0
  const parser = htmlParser(
    (block, region) => {
      placed.push({ block, region })
      length += 'text' in block ? block.text.length : block.rows.flat().reduce((sum, cell) => sum + cell.length, 0)
    },
    {
      onTitle: (title) => {
        reading.title ??= title
      },
    },
  )
  return {
    write: parser.write,
    isFull: () => length > bounds.maxTextLength || placed.length > bounds.maxBlocks,
    finish() {
      parser.end()
      for (const { block } of chosen(placed)) reading.add(block)
    },
  }
}

/** What the page is about: without menus and footers, and only its main element where it has one. */
function chosen(placed: Placed[]): Placed[] {
  const ofMain = placed.filter(({ region }) => region === 'main')
  if (lengthOf(ofMain) >= minMainLength) return ofMain
  const own = placed.filter(({ region }) => region !== 'aside')
  return lengthOf(own) > 0 ? own : placed
}

const lengthOf = (placed: Placed[]): number =>
  placed.reduce((sum, { block }) => sum + ('text' in block ? block.text.length : block.rows.flat().join('').length), 0)

/** Old pages name their encoding in themselves. */
function recoded(bytes: Uint8Array): Uint8Array {
  const head = String.fromCharCode(...bytes.subarray(0, 2_048))
  const label = /charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1]?.toLowerCase()
  if (!label || ['utf-8', 'utf8', 'utf-16'].includes(label) || bytes[0] === 0xef) return bytes
  try {
    return new TextEncoder().encode(new TextDecoder(label).decode(bytes))
  } catch {
    return bytes
  }
}
