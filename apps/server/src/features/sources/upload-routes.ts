import multipart from '@fastify/multipart'
import { serverLimits } from '@parley/contract/limits/server'
import { sourceRoutes } from '@parley/contract/sources'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import { documentOf, formBytes, formLimits } from './document-form'
import type { UploadService } from './upload-service'

const person = { permission: 'person' } as const

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
    await scope.register(multipart, { limits: formLimits })
    // The bytes stay in the socket until the handler takes them.
    scope.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null))
    handle(
      scope,
      sourceRoutes.upload,
      { ...person, bodyBytes: formBytes },
      async ({ person: { userId: actorId }, params, request }) => {
        const { name, content } = await documentOf(request)
        return uploads.store({ actorId, channelId: params.id }, name, content)
      },
    )
    handle(
      scope,
      sourceRoutes.continueUpload,
      { ...person, bodyBytes: formBytes },
      ({ person: { userId: actorId }, params, query: { offset }, request }) =>
        uploads.continue({ actorId, uploadId: params.id }, { offset, content: request.raw }),
    )
  })
}

async function* streamOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

/** The beginning of its first line. */
const titleOf = (text: string): string =>
  (text.trim().split('\n')[0] ?? '').replace(/[/\\]/g, ' ').slice(0, 60).trim() || 'text'
