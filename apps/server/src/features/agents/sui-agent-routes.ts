import multipart, { type MultipartFile } from '@fastify/multipart'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { route } from '@parley/contract/route'
import { createSuiPath, SuiAgent, SuiForm, suiRoutes, updateSuiPath } from '@parley/contract/sui-agents'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { handle } from '../../plugins/handle'
import type { SuiAgentService } from './sui-agent-service'
import type { SuiPublicationForm } from './sui-publication'
import type { SuiPublishService } from './sui-publish-service'

const create = route({
  method: 'POST',
  path: createSuiPath,
  response: SuiAgent,
  status: 201,
  summary:
    "Makes an agent of the person's wallet: multipart with its fields, the signed manifest and files of knowledge",
})
const update = route({
  method: 'PUT',
  path: updateSuiPath,
  params: suiRoutes.get.params,
  response: SuiAgent,
  summary: "Adds the next signed version to an agent of the person's wallet: multipart as for a new one",
})

const { savesPerMinute } = serverLimits.agents
const { maxPictureBytes, sui } = limits.agents
const partBytes = { fileSize: maxPictureBytes, files: 6, fields: 24, fieldSize: 1_000_000, parts: 30, headerPairs: 50 }
/** Limits all parts together. */
const formBytes = 2 * maxPictureBytes

/** Mounts the routes of wallets' agents; those that change an agent also need a signature of its wallet. */
export async function registerSuiAgentRoutes(
  app: FastifyInstance,
  { agents, publishing }: { agents: SuiAgentService; publishing: SuiPublishService },
): Promise<void> {
  const anyone = { permission: 'anyone' } as const
  const person = { permission: 'person', perMinute: savesPerMinute } as const
  const viewerOf = async (request: FastifyRequest): Promise<string | undefined> =>
    (await app.people.identify(request))?.userId

  handle(app, suiRoutes.list, anyone, async ({ query, request }) => agents.list(await viewerOf(request), query))
  handle(app, suiRoutes.ofPerson, anyone, async ({ query, request }) => agents.ofPerson(await viewerOf(request), query))
  handle(app, suiRoutes.get, anyone, async ({ params, request }) => agents.get(await viewerOf(request), params.id))
  handle(app, suiRoutes.history, anyone, async ({ params, request }) =>
    agents.history(await viewerOf(request), params.id),
  )
  handle(app, suiRoutes.export, anyone, async ({ params, request }) =>
    agents.export(await viewerOf(request), params.id),
  )
  handle(app, suiRoutes.ground, person, ({ person: { userId }, body }) => publishing.ground(userId, body.profileImage))
  handle(app, suiRoutes.remove, person, ({ person: { userId }, params, body }) =>
    publishing.remove(userId, params.id, body.signature),
  )
  handle(
    app,
    suiRoutes.import,
    { ...person, perMinute: sui.importsPerMinute, bodyBytes: sui.maxBundleBytes, keepsAnyText: true },
    ({ person: { userId }, body }) => publishing.import(userId, body),
  )

  // In a scope of its own, so that no other route accepts multipart forms.
  await app.register(async (scope) => {
    await scope.register(multipart, { limits: partBytes })
    const options = { ...person, bodyBytes: formBytes }
    handle(scope, create, options, async ({ person: { userId }, request }) =>
      publishing.publish(userId, await publicationOf(request)),
    )
    handle(scope, update, options, async ({ person: { userId }, params, request }) =>
      publishing.publish(userId, await publicationOf(request), params.id),
    )
  })
}

/** Joins several knowledge files in their order, and ignores files with other names. */
async function publicationOf(request: FastifyRequest): Promise<SuiPublicationForm> {
  if (!request.isMultipart()) throw new AppError('validation')
  const fields: Record<string, string> = {}
  const knowledge: string[] = []
  let avatar: Buffer | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else if (part.fieldname === 'avatar') avatar = await part.toBuffer()
      else if (part.fieldname === 'knowledge') knowledge.push(await textOf(part))
      else await part.toBuffer()
    }
  } catch (error) {
    const isTooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413
    // The parser throws plain errors for any other malformed form.
    throw new AppError(isTooLarge ? 'body.too-large' : 'validation', { cause: error })
  }
  const form = z.safeParse(SuiForm, fields)
  if (form.success) return { form: form.data, knowledge: knowledge.join('\n\n'), avatar }
  throw new AppError('validation', {
    issues: form.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  })
}

const textOf = async (file: MultipartFile): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.toBuffer())
