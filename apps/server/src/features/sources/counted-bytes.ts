import { createHash } from 'node:crypto'
import { AppError } from '@parley/contract/errors'

/** Counts what passes, and hashes it; throws where it is more than there may be. */
export class CountedBytes {
  bytes = 0
  private readonly hash = createHash('sha256')

  constructor(
    private readonly max: number,
    private readonly code: 'source.too-large' | 'source.upload-damaged',
  ) {}

  get sha256(): string {
    return this.hash.copy().digest('hex')
  }

  async *of(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of content) {
      this.bytes += piece.length
      if (this.bytes > this.max) throw new AppError(this.code)
      this.hash.update(piece)
      yield piece
    }
  }
}
