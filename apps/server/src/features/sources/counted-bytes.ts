import { createHash } from 'node:crypto'
import { AppError } from '@parley/contract/errors'

/** Counts what passes; throws where it is more than there may be. */
export class CountedBytes {
  bytes = 0

  constructor(
    private readonly max: number,
    private readonly code: 'source.too-large' | 'source.upload-damaged',
  ) {}

  async *of(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of content) {
      this.bytes += piece.length
      if (this.bytes > this.max) throw new AppError(this.code)
      this.take(piece)
      yield piece
    }
  }

  protected take(_piece: Buffer): void {}
}

/** Hashes what passes as well, which costs more than all else that is done with it. */
export class HashedBytes extends CountedBytes {
  private readonly hash = createHash('sha256')

  get sha256(): string {
    return this.hash.copy().digest('hex')
  }

  protected override take(piece: Buffer): void {
    this.hash.update(piece)
  }
}
