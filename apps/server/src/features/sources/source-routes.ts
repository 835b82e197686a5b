import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { sourceRoutes } from '@parley/contract/sources'
import type { FastifyInstance } from 'fastify'
import { requestLanguage } from '../../plugins/errors'
import { handle } from '../../plugins/handle'
import { hungUp } from '../../plugins/hung-up'
import type { LinkService } from './link-service'
import type { SourceService } from './source-service'
import type { WebReader } from './web-reader'

const person = { permission: 'person' } as const
const fetching = { ...person, perMinute: serverLimits.sources.fetchesPerMinute }

/** Of a file of anybody's: no browser runs it or takes it for something else. */
const harmless = { 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" }

export function registerSourceRoutes(app: FastifyInstance, sources: SourceService): void {
  handle(app, sourceRoutes.ofChannel, person, ({ person: { userId: actorId }, params: { channelId } }) =>
    sources.ofChannel({ actorId, channelId }),
  )
  handle(app, sourceRoutes.ofUser, person, ({ person: { userId }, params }) => {
    if (params.id !== userId) throw new AppError('not-found')
    return sources.ofPerson(userId)
  })
  handle(app, sourceRoutes.read, person, ({ person: { userId: actorId }, params }) =>
    sources.get({ actorId, sourceId: params.id }),
  )
  handle(app, sourceRoutes.switch, person, ({ person: { userId }, body }) =>
    sources.switch(
      userId,
      body.map(({ id, _id, active: isActive }) => ({ sourceId: id ?? _id ?? '', isActive })),
    ),
  )
  handle(app, sourceRoutes.remove, person, ({ person: { userId: actorId }, params }) =>
    sources.remove({ actorId, sourceId: params.id }),
  )
  handle(app, sourceRoutes.cancel, person, ({ person: { userId: actorId }, params }) =>
    sources.cancel({ actorId, sourceId: params.id }),
  )
  handle(app, sourceRoutes.retry, person, ({ person: { userId: actorId }, params }) =>
    sources.retry({ actorId, sourceId: params.id }),
  )
  handle(app, sourceRoutes.quota, person, ({ person: { userId } }) => sources.quota(userId))
  handle(app, sourceRoutes.urlsOfChannel, person, ({ person: { userId: actorId }, params }) =>
    sources.urls({ actorId, channelId: params.id }),
  )
  handle(app, sourceRoutes.document, person, async ({ person: { userId: actorId }, params, reply }) => {
    const zipped = await sources.document({ actorId, sourceId: params.id })
    reply.type('application/json')
    // Its failures destroy both ends; the answer then ends before its length.
    return streamed(pipeline(zipped, createGunzip(), () => undefined))
  })
  handle(app, sourceRoutes.file, person, async ({ person: { userId: actorId }, params, reply }) => {
    const { name, bytes, content } = await sources.file({ actorId, sourceId: params.id })
    reply
      .type('application/octet-stream')
      .headers(harmless)
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodedName(name)}`)
    return streamed(content)
  })
}

export function registerLinkRoutes(app: FastifyInstance, links: LinkService): void {
  handle(app, sourceRoutes.website, fetching, ({ person: { userId: actorId }, body: { url, channelId } }) =>
    links.add({ actorId, channelId }, url),
  )
  handle(app, sourceRoutes.video, fetching, ({ person: { userId: actorId }, body: { url, channelId } }) =>
    links.add({ actorId, channelId }, url, 'video'),
  )
  handle(app, sourceRoutes.urls, fetching, ({ person: { userId: actorId }, body: { urls, channelId } }) =>
    links.addTo({ actorId, channelId }, urls),
  )
  handle(app, sourceRoutes.videoChannel, fetching, async ({ person: { userId: actorId }, body: { urls } }) => {
    const { channel } = await links.addTo({ actorId, channelId: undefined }, urls, 'video')
    return { channel }
  })
}

export function registerPageRoutes(app: FastifyInstance, web: WebReader): void {
  handle(app, sourceRoutes.fetch, fetching, ({ body: { url }, request, reply }) =>
    web.fetch(url, { signal: hungUp(reply), language: requestLanguage(request) ?? 'en-US' }),
  )
}

/** Bytes that go out as they come, past the schema of the answer. */
const streamed = (stream: Readable): never => stream as never

/** RFC 5987: what `encodeURIComponent` leaves and a header does not take. */
const encodedName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
