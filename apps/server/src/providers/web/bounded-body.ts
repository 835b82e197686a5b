import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { AppError } from '@parley/contract/errors'

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * A body whole, decompressed. More than `maxBytes`, on the wire or after it, ends it with source.url-too-large at once;
 * more than one layer of compression is refused.
 */
export async function boundedBody(body: Readable, encoding: string, maxBytes: number): Promise<Uint8Array> {
  const name = encoding.trim().toLowerCase()
  const isPlain = name === '' || name === 'identity'
  const decoder = isPlain ? new PassThrough() : decoders[name]?.()
  if (!decoder) {
    discard(body)
    throw new AppError('source.url-type')
  }
  const pieces: Buffer[] = []
  let length = 0
  const collect = new Transform({
    transform(piece: Buffer, _encoding, done) {
      length += piece.length
      if (length <= maxBytes) pieces.push(piece)
      done(length > maxBytes ? new AppError('source.url-too-large') : null)
    },
  })
  await pipeline(body, counted(maxBytes), decoder, collect)
  return Buffer.concat(pieces)
}

/** What comes over the wire is never longer than what it stands for has to be. */
function counted(maxBytes: number): Transform {
  let length = 0
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      length += piece.length
      done(length > maxBytes ? new AppError('source.url-too-large') : null, piece)
    },
  })
}

/** Ends a body that nobody reads. */
export function discard(body: Readable): void {
  body.on('error', () => undefined).destroy()
}
