import multipart from '@fastify/multipart'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { sourceRoutes } from '@parley/contract/sources'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { handle } from '../../plugins/handle'
import type { UploadService } from './upload-service'

const person = { permission: 'person' } as const
/** With what a form has around its file. */
const bodyBytes = limits.sources.maxFileBytes + 64 * 1024

export async function registerUploadRoutes(app: FastifyInstance, uploads: UploadService): Promise<void> {
  handle(app, sourceRoutes.beginUpload, person, ({ person: { userId }, body }) => uploads.begin(userId, body))
  handle(app, sourceRoutes.readUpload, person, ({ person: { userId: actorId }, params }) =>
    uploads.read({ actorId, uploadId: params.id }),
  )
  handle(app, sourceRoutes.cancelUpload, person, ({ person: { userId: actorId }, params }) =>
    uploads.cancel({ actorId, uploadId: params.id }),
  )
  handle(
    app,
    sourceRoutes.text,
    { ...person, bodyBytes: serverLimits.sources.textBodyBytes },
    async ({ person: { userId: actorId }, body: { text, channelId } }) => {
      const content = [Buffer.from(text)]
      const { id } = await uploads.store({ actorId, channelId }, `${titleOf(text)}.txt`, streamOf(content))
      return { documents: [{ id }] }
    },
  )

  // In a scope of its own, so that no other route accepts forms and bytes.
  await app.register(async (scope) => {
    // Counted while it is stored; `fileSize` would cut it off without a word.
    await scope.register(multipart, {
      limits: { fileSize: bodyBytes, files: 1, fields: 4, fieldSize: 1_000, parts: 5, headerPairs: 50 },
    })
    // The bytes stay in the socket until the handler takes them.
    scope.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null))
    handle(
      scope,
      sourceRoutes.upload,
      { ...person, bodyBytes },
      async ({ person: { userId: actorId }, params, request }) => {
        const { name, content } = await documentOf(request)
        return uploads.store({ actorId, channelId: params.id }, name, content)
      },
    )
    handle(
      scope,
      sourceRoutes.continueUpload,
      { ...person, bodyBytes },
      ({ person: { userId: actorId }, params, query: { offset }, request }) =>
        uploads.continue({ actorId, uploadId: params.id }, { offset, content: request.raw }),
    )
  })
}

/** The field `document` of a form, while it arrives. */
async function documentOf(request: FastifyRequest): Promise<{ name: string; content: AsyncIterable<Buffer> }> {
  if (!request.isMultipart()) throw new AppError('validation')
  // Refused before it has arrived.
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) throw new AppError('source.too-large')
  const part = await request.file().catch((error: unknown) => {
    // The parser throws plain errors for any malformed form.
    throw new AppError('validation', { cause: error })
  })
  if (part?.fieldname !== 'document') throw new AppError('validation')
  return { name: part.filename, content: part.file }
}

async function* streamOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

/** The beginning of its first line. */
const titleOf = (text: string): string =>
  (text.trim().split('\n')[0] ?? '').replace(/[/\\]/g, ' ').slice(0, 60).trim() || 'text'
