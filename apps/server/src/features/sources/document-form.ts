import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import type { FastifyRequest } from 'fastify'

/** Of a file, with what a form has around it. */
export const formBytes = limits.sources.maxFileBytes + 64 * 1024

/** Counted while it is stored; `fileSize` would cut it off without a word. */
export const formLimits = { fileSize: formBytes, files: 1, fields: 4, fieldSize: 1_000, parts: 5, headerPairs: 50 }

/** The field `document` of a form, while it arrives. Throws validation, source.too-large. */
export async function documentOf(request: FastifyRequest): Promise<{ name: string; content: AsyncIterable<Buffer> }> {
  if (!request.isMultipart()) throw new AppError('validation')
  // Refused before it has arrived.
  if (Number(request.headers['content-length'] ?? 0) > formBytes) throw new AppError('source.too-large')
  const part = await request.file().catch((error: unknown) => {
    // The parser throws plain errors for any malformed form.
    throw new AppError('validation', { cause: error })
  })
  if (part?.fieldname !== 'document') throw new AppError('validation')
  return { name: part.filename, content: part.file }
}
