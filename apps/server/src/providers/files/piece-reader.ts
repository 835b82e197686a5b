/** Takes from a stream by counts of bytes. */
export class PieceReader {
  private readonly source: AsyncIterator<Buffer>
  private left: Buffer = Buffer.alloc(0)

  constructor(content: AsyncIterable<Buffer>) {
    this.source = content[Symbol.asyncIterator]()
  }

  /** In one Buffer. Fewer at the end. */
  async take(count: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.pieces(count)) pieces.push(piece)
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
  }

  /** As they come. Fewer at the end. */
  async *pieces(count: number): AsyncGenerator<Buffer> {
    for (let missing = count; missing > 0; ) {
      const piece = this.left.length > 0 ? this.left : await this.next()
      if (!piece) return
      const taken = piece.subarray(0, missing)
      this.left = piece.subarray(taken.length)
      missing -= taken.length
      yield taken
    }
  }

  /** All that there still is. The stream ends with whoever takes it. */
  async *rest(): AsyncGenerator<Buffer> {
    try {
      const { left } = this
      this.left = Buffer.alloc(0)
      if (left.length > 0) yield left
      for (let piece = await this.next(); piece; piece = await this.next()) yield piece
    } finally {
      await this.source.return?.()
    }
  }

  private async next(): Promise<Buffer | undefined> {
    const { value, done } = await this.source.next()
    return done ? undefined : value
  }
}
