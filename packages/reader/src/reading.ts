import { AppError } from '@parley/contract/errors'
import type { DocumentBlock, ReadDocument } from '@parley/contract/read-document'
import type { SourceProgress } from '@parley/contract/sources'
import { bounds } from './bounds'
import type { Ocr } from './ocr'
import type { PdfLoader } from './pdf/pdf-loader'
import { cleanCode, cleanText } from './text-cleaning'

export type FileToRead = { name: string; mediaType?: string; bytes: Uint8Array }

export type ReadOptions = {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: SourceProgress) => void) | undefined
  /** Without it pictures and scanned pages have no text. */
  ocr?: Ocr | undefined
  /** Without it PDFs cannot be read. */
  pdf?: PdfLoader | undefined
}

/** Thrown when a document is as large as documents may be: what was read until then is kept. */
export class ReadEnough extends Error {}

/** A document while it is read: keeps its bounds, and lets other work have its turn. */
export class Reading {
  readonly options: ReadOptions
  readonly blocks: DocumentBlock[] = []
  readonly notices = new Set<string>()
  title: string | undefined
  pages: number | undefined
  private length = 0
  private cells = 0
  private sliceEndsAt = Date.now() + bounds.sliceMs

  constructor(options: ReadOptions = {}) {
    this.options = options
  }

  /** Empty blocks are left out. Throws `ReadEnough` at the bounds. */
  add(block: DocumentBlock): void {
    const clean = cleanBlock(block)
    if (!clean) return
    if (this.blocks.length >= bounds.maxBlocks) this.stop('first-text')
    const room = bounds.maxTextLength - this.length
    const size = sizeOf(clean)
    if (clean.kind === 'table') {
      this.cells += clean.rows.reduce((sum, row) => sum + row.length, 0)
      if (this.cells > bounds.maxCells) this.stop('first-text')
    }
    if (size > room) {
      const shorter = shortened(clean, room)
      if (shorter) this.blocks.push(shorter)
      this.stop('first-text')
    }
    this.length += size
    this.blocks.push(clean)
  }

  /** Begins a page, slide or sheet. Throws `ReadEnough` behind the last one that is read. */
  beginPage(page: number): void {
    if (page > bounds.maxPages) this.stop('first-pages')
    this.pages = Math.max(this.pages ?? 0, page)
  }

  stop(notice: string): never {
    this.notices.add(notice)
    throw new ReadEnough(notice)
  }

  throwIfCancelled(): void {
    if (this.options.signal?.aborted) throw new AppError('source.cancelled')
  }

  /** Long work calls it often. */
  async breathe(): Promise<void> {
    this.throwIfCancelled()
    if (Date.now() < this.sliceEndsAt) return
    await new Promise((resolve) => setTimeout(resolve, 0))
    this.sliceEndsAt = Date.now() + bounds.sliceMs
    this.throwIfCancelled()
  }

  progress(done: number, of: number, unit: SourceProgress['unit']): void {
    this.options.onProgress?.({ done, of, unit })
  }

  get isEmpty(): boolean {
    return this.blocks.length === 0
  }

  document(): ReadDocument {
    const title = this.title === undefined ? '' : cleanText(this.title).slice(0, 300)
    return {
      ...(title === '' ? {} : { title }),
      blocks: this.blocks,
      ...(this.pages === undefined ? {} : { pages: this.pages }),
      notices: [...this.notices],
    }
  }
}

function cleanBlock(block: DocumentBlock): DocumentBlock | undefined {
  if (block.kind === 'table') {
    const rows = block.rows.map((row) => row.slice(0, bounds.maxColumns).map(cleanText))
    const filled = rows.filter((row) => row.some((cell) => cell !== ''))
    return filled.length === 0 ? undefined : { ...block, rows: filled, hasHeader: block.hasHeader && filled.length > 1 }
  }
  const text = block.kind === 'code' ? cleanCode(block.text) : cleanText(block.text)
  if (text === '') return undefined
  if (block.kind !== 'paragraph' || !block.lines) return { ...block, text }
  return { ...block, text, lines: block.lines.map((line) => ({ ...line, text: cleanText(line.text) })) }
}

const sizeOf = (block: DocumentBlock): number =>
  block.kind === 'table'
    ? block.rows.reduce((sum, row) => sum + row.reduce((ofRow, cell) => ofRow + cell.length + 1, 0), 0)
    : block.text.length + 1

function shortened(block: DocumentBlock, room: number): DocumentBlock | undefined {
  if (block.kind !== 'table') {
    const text = block.text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '')
    return text.trim() === '' ? undefined : { ...block, text }
  }
  let left = room
  const rows = block.rows.filter((row) => {
    left -= row.reduce((sum, cell) => sum + cell.length + 1, 0)
    return left > 0
  })
  return rows.length === 0 ? undefined : { ...block, rows }
}
