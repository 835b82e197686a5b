// An answer as blocks, kept up to date while the answer grows. What is finished is never read again.
import { BlockScanner } from './block-scanner'
import { type Block, budget } from './blocks'
import { definitionsIn, labelsIn, maxDefinitions } from './definitions'

/** Neighbouring blocks drawn by one component: its array is the same object until something in it changes. */
export type BlockGroup = readonly Block[]

const maxGroupBlocks = 32
const maxGroupLength = 4_000

export class MarkdownDocument {
  private text = ''
  private consumed = 0
  /** No line end lies between `consumed` and here. */
  private searched = 0
  private isMidLine = false
  private scanner = new BlockScanner()
  private groups: Block[][] = []
  private groupLengths: number[] = []
  private readonly definitions = new Map<string, string>()
  /**
   * Where each label is used, as group and place in it, so that a definition that comes late reaches the blocks before
   * it.
   */
  private readonly uses = new Map<string, { group: number; index: number }[]>()

  /**
   * The blocks of `text`. Text that goes on from the last one costs only what is new; the answer is the same either
   * way.
   */
  read(text: string): readonly BlockGroup[] {
    if (!text.startsWith(this.text)) Object.assign(this, new MarkdownDocument())
    this.text = text
    this.consume()
    return this.withTail()
  }

  private consume(): void {
    for (;;) {
      const lineEnd = this.text.indexOf('\n', this.searched)
      const length = (lineEnd === -1 ? this.text.length : lineEnd) - this.consumed
      if (length > budget.maxWord && isOneWord(this.text, this.consumed))
        this.take(this.consumed + budget.maxWord, false)
      else if (length > budget.maxLine) this.take(cutAt(this.text, this.consumed), false)
      else if (lineEnd !== -1) this.take(lineEnd, true)
      else {
        this.searched = this.text.length
        return
      }
    }
  }

  private take(end: number, isLast: boolean): void {
    const text = this.text.slice(this.consumed, end)
    this.scanner.push({
      text: isLast && text.endsWith('\r') ? text.slice(0, -1) : text,
      at: this.consumed,
      isFirst: !this.isMidLine,
      isLast,
    })
    this.isMidLine = !isLast
    this.consumed = isLast ? end + 1 : end
    this.searched = this.consumed
    for (const block of this.scanner.finished.splice(0)) this.keep(block)
  }

  private keep(block: Block): void {
    const last = this.groups.length - 1
    const isFull =
      last === -1 ||
      (this.groups[last]?.length ?? 0) >= maxGroupBlocks ||
      (this.groupLengths[last] ?? 0) >= maxGroupLength
    if (isFull) {
      this.groups.push([])
      this.groupLengths.push(0)
    }
    const group = this.groups.length - 1
    const place = { group, index: this.groups[group]?.length ?? 0 }
    for (const label of labelsOf(block)) {
      const uses = this.uses.get(label)
      if (uses) uses.push(place)
      else this.uses.set(label, [place])
    }
    this.groups[group] = [...(this.groups[group] ?? []), block]
    this.groupLengths[group] = (this.groupLengths[group] ?? 0) + lengthOf(block)
    this.resolve(block, place, this.definitions, this.groups)
    if (block.kind !== 'prose') return
    for (const [label, definition] of definitionsIn(block.text)) {
      if (this.definitions.has(label) || this.definitions.size >= maxDefinitions) continue
      this.definitions.set(label, definition)
      this.resolveUses(label, this.definitions, this.groups)
    }
  }

  /** The finished groups and, behind them, what the unfinished end looks like now. */
  private withTail(): readonly BlockGroup[] {
    const fork = this.scanner.fork()
    // A carriage return at the very end is half of a line end.
    const rest = this.text.slice(this.consumed).replace(/\r$/, '')
    if (rest) fork.push({ text: rest, at: this.consumed, isFirst: !this.isMidLine, isLast: true, isGrowing: true })
    const tail = fork.end()
    if (tail.length === 0) return [...this.groups]
    const groups = [...this.groups]
    const last = groups.length - 1
    const isFull =
      last === -1 || (groups[last]?.length ?? 0) >= maxGroupBlocks || (this.groupLengths[last] ?? 0) >= maxGroupLength
    const group = isFull ? groups.length : last
    const first = groups[group]?.length ?? 0
    groups[group] = [...(groups[group] ?? []), ...tail]
    const definitions = new Map(this.definitions)
    const added = tail
      .flatMap((block) => (block.kind === 'prose' ? definitionsIn(block.text) : []))
      .filter(([label]) => !definitions.has(label))
    for (const [label, definition] of added) if (!definitions.has(label)) definitions.set(label, definition)
    for (const [label] of added) this.resolveUses(label, definitions, groups)
    for (const [index, block] of tail.entries())
      this.resolve(block, { group, index: first + index }, definitions, groups)
    return groups
  }

  private resolveUses(label: string, definitions: ReadonlyMap<string, string>, groups: Block[][]): void {
    for (const place of this.uses.get(label) ?? []) {
      const block = groups[place.group]?.[place.index]
      if (block) this.resolve(block, place, definitions, groups)
    }
  }

  private resolve(
    block: Block,
    { group, index }: { group: number; index: number },
    definitions: ReadonlyMap<string, string>,
    groups: Block[][],
  ): void {
    if ((block.kind !== 'prose' && block.kind !== 'table') || definitions.size === 0) return
    const text = labelsOf(block)
      .flatMap((label) => definitions.get(label) ?? [])
      .join('\n')
    const blocks = groups[group]
    if (!blocks || text === (block.definitions ?? '')) return
    groups[group] = blocks.with(index, { ...block, definitions: text })
  }
}

function labelsOf(block: Block): string[] {
  if (block.kind === 'prose') return labelsIn(block.text)
  return block.kind === 'table' ? labelsIn([block.head, ...block.segments.slice(0, 10)].join('\n')) : []
}

function lengthOf(block: Block): number {
  switch (block.kind) {
    case 'prose':
      return block.text.length
    case 'table':
      return block.rowCount * 100
    case 'code':
      return block.code.length
    case 'math':
      return block.source.length
    case 'picture':
      return 500
  }
}

/** Of Latin signs: other scripts break anywhere. */
const isOneWord = (text: string, from: number): boolean => /^[!-~]+$/.test(text.slice(from, from + budget.maxWord))

/** A place for cutting a long line: behind a space where there is one, never inside a character. */
function cutAt(text: string, from: number): number {
  const end = from + budget.maxLine
  const space = text.lastIndexOf(' ', end - 1)
  if (space > end - 200) return space + 1
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}
