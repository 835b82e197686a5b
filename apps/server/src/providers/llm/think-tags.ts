/** Text of an answer, or thinking. */
export type Piece = { type: 'text' | 'reasoning'; text: string }

const opening = '<think>'
const closing = '</think>'

/**
 * Takes the thinking out of a stream of text that begins with it: `<think>…</think>`, then the answer. What may be a
 * part of a tag is kept back until it is known; where the text does not begin with the tag it is given on unchanged.
 */
export class ThinkTags {
  private state: 'before' | 'inside' | 'between' | 'answer' = 'before'
  private held = ''

  /** Thinking that comes by itself is given on as it is. */
  read(piece: Piece): Piece[] {
    if (piece.type === 'reasoning' || this.state === 'answer') return [piece]
    this.held += piece.text
    return [...this.step()]
  }

  /** What was kept back, once nothing more comes. */
  end(): Piece[] {
    const text = this.held
    this.held = ''
    if (text === '' || this.state === 'between') return []
    return [{ type: this.state === 'inside' ? 'reasoning' : 'text', text }]
  }

  private *step(): Generator<Piece> {
    if (this.state === 'before') {
      const start = this.held.trimStart()
      if (opening.startsWith(start)) {
        if (start !== opening) return
      } else if (!start.startsWith(opening)) return yield* this.asAnswer(this.held)
      this.held = start.slice(opening.length)
      this.state = 'inside'
    }
    if (this.state === 'inside') {
      const end = this.held.indexOf(closing)
      const ready = end < 0 ? this.held.length - partOfClosing(this.held) : end
      if (ready > 0) yield { type: 'reasoning', text: this.held.slice(0, ready) }
      this.held = this.held.slice(end < 0 ? ready : end + closing.length)
      if (end < 0) return
      this.state = 'between'
    }
    // The blank lines after the thinking are no part of the answer.
    const answer = this.held.trimStart()
    if (answer !== '') yield* this.asAnswer(answer)
  }

  private *asAnswer(text: string): Generator<Piece> {
    this.state = 'answer'
    this.held = ''
    yield { type: 'text', text }
  }
}

/** How many characters at the end may be the beginning of the closing tag. */
function partOfClosing(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--)
    if (closing.startsWith(text.slice(-length))) return length
  return 0
}
