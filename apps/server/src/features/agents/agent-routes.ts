import multipart from '@fastify/multipart'
import { agentRoutes, UploadedImage, uploadImagePath } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { route } from '@parley/contract/route'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { handle } from '../../plugins/handle'
import { pngOf } from '../../providers/pictures'
import type { AgentService } from './agent-service'
import { drawFace } from './faces'
import type { PictureService } from './picture-service'

const upload = route({
  method: 'POST',
  path: uploadImagePath,
  response: UploadedImage,
  summary: "Uploads a picture for one's agents: multipart with one file of at most 2 MB; JPEG, PNG, WebP or GIF",
})

export async function registerAgentRoutes(
  app: FastifyInstance,
  agents: AgentService,
  pictures: PictureService,
): Promise<void> {
  const anyone = { permission: 'anyone' } as const
  const person = { permission: 'person' } as const
  /** A signed-in viewer sees their likes and their own agents. Sets no cookie for others. */
  const viewerOf = async (request: FastifyRequest): Promise<string | undefined> =>
    (await app.people.identify(request))?.userId

  handle(app, agentRoutes.community, anyone, async ({ query, request }) =>
    agents.community(await viewerOf(request), query),
  )
  handle(app, agentRoutes.mine, person, ({ person: { userId }, query }) => agents.mine(userId, query))
  handle(app, agentRoutes.product, anyone, async ({ query, request }) => agents.product(await viewerOf(request), query))
  handle(app, agentRoutes.ofCreator, anyone, async ({ query, request }) =>
    agents.ofCreator(await viewerOf(request), query),
  )
  handle(app, agentRoutes.get, anyone, async ({ query, request }) =>
    agents.get(await viewerOf(request), query.assistant_id),
  )
  handle(
    app,
    agentRoutes.save,
    { ...person, perMinute: serverLimits.agents.savesPerMinute },
    ({ person: { userId }, body }) => agents.save(userId, body),
  )
  handle(
    app,
    agentRoutes.like,
    { ...person, perMinute: serverLimits.agents.likesPerMinute },
    ({ person: { userId }, body }) => agents.like(userId, body),
  )
  handle(
    app,
    agentRoutes.unlike,
    { ...person, perMinute: serverLimits.agents.likesPerMinute },
    ({ person: { userId }, body }) => agents.unlike(userId, body),
  )
  handle(
    app,
    agentRoutes.remove,
    { ...person, perMinute: serverLimits.agents.savesPerMinute },
    ({ person: { userId }, params }) => agents.remove(userId, params.id),
  )
  handle(
    app,
    agentRoutes.images,
    { ...person, perMinute: serverLimits.agents.imagesPerMinute },
    async ({ person: { userId } }) => ({
      data: (await pictures.suggestions(userId)).map((url) => ({ url })),
    }),
  )

  // In a scope of its own, so that no other route accepts multipart forms.
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: {
        fileSize: limits.agents.maxPictureBytes,
        files: 1,
        fields: 4,
        fieldSize: 1_000,
        parts: 5,
        headerPairs: 50,
      },
    })
    handle(
      scope,
      upload,
      {
        ...person,
        perMinute: serverLimits.agents.uploadsPerMinute,
        bodyBytes: limits.agents.maxPictureBytes + 64 * 1024,
      },
      async ({ person: { userId }, request }) => ({ url: await pictures.store(userId, await fileOf(request)) }),
    )
  })
  registerPictureFiles(app, pictures)
}

/** Pictures are public and immutable; the CSP keeps an opened file from being anything but a picture. */
function registerPictureFiles(app: FastifyInstance, pictures: PictureService): void {
  const forever = 'public, max-age=31536000, immutable'
  const alone = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
  const options = { schema: { hide: true }, config: { rateLimit: { max: serverLimits.agents.facesPerMinute } } }

  app.get('/api/pictures/:id', options, async (request, reply) => {
    const { id } = z.parse(z.object({ id: z.string() }), request.params)
    const bytes = await pictures.read(id)
    return reply
      .type('image/webp')
      .header('cache-control', forever)
      .header('content-security-policy', alone)
      .send(bytes)
  })
  app.get('/api/faces/:name', options, async (request, reply) => {
    const { name } = z.parse(z.object({ name: z.string() }), request.params)
    const isPng = name.endsWith('.png')
    const svg = drawFace(name.replace(/\.png$/, '.svg'))
    if (svg === undefined) throw new AppError('not-found')
    if (isPng)
      return reply
        .type('image/png')
        .header('cache-control', forever)
        .header('content-security-policy', alone)
        .send(await pngOf(svg))
    return reply
      .type('image/svg+xml')
      .header('cache-control', forever)
      .header('content-security-policy', alone)
      .send(svg)
  })
}

async function fileOf(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw new AppError('validation')
  try {
    const file = await request.file()
    if (file) return await file.toBuffer()
  } catch (error) {
    const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413
    // The parser throws plain errors for any other malformed form.
    throw new AppError(isTooLarge ? 'picture.too-large' : 'validation', { cause: error })
  }
  throw new AppError('validation')
}
