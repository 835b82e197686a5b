/** Lines of code in one element: the last one is drawn again when a line arrives, the others never. */
export const segmentLines = 40

/** A longer line is cut in the page (never in the copy): measuring it would hold everything up. */
const maxLineLength = 5_000

/** Code in segments of whole lines, kept up to date while the code grows. */
export class CodeSegments {
  private code = ''
  private from = 0
  private lineCount = 0
  private segments: string[] = []

  read(code: string): { segments: readonly string[]; lineCount: number } {
    if (!code.startsWith(this.code)) Object.assign(this, new CodeSegments())
    this.code = code
    for (let end = code.indexOf('\n', this.from); end !== -1; end = code.indexOf('\n', this.from)) {
      this.add(cut(code, this.from, end))
      this.from = end + 1
    }
    const rest = cut(code, this.from, code.length)
    if (!rest) return { segments: [...this.segments], lineCount: this.lineCount }
    const isNew = this.lineCount % segmentLines === 0
    const last = isNew ? '' : (this.segments.at(-1) ?? '')
    return {
      segments: [...(isNew ? this.segments : this.segments.slice(0, -1)), last + rest],
      lineCount: this.lineCount + 1,
    }
  }

  private add(line: string): void {
    const last = this.segments.length - 1
    if (this.lineCount % segmentLines === 0) this.segments.push(`${line}\n`)
    else this.segments[last] = `${this.segments[last] ?? ''}${line}\n`
    this.lineCount += 1
  }
}

function cut(code: string, from: number, end: number): string {
  const left = end - from - maxLineLength
  return left > 0 ? `${code.slice(from, from + maxLineLength)} … +${left}` : code.slice(from, end)
}
