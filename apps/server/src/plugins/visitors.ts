import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import cookie from '@fastify/cookie'
import { limits } from '@parley/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    visitors: Visitors
  }
}

const visitorCookie = 'parley.anon'

type Visitors = {
  /** `anon:{id}` of a valid cookie. */
  identify(request: FastifyRequest): string | undefined
  /** The same; whoever has no valid cookie gets a new one. */
  ensure(request: FastifyRequest, reply: FastifyReply): string
}

/** Tells anonymous people apart by a signed cookie that says nothing about them: a random id, for rate limits and for resuming one's own answers. */
export async function registerVisitors(app: FastifyInstance, options: { secret: string; isSecure: boolean }): Promise<void> {
  await app.register(cookie)
  const key = deriveKey(options.secret, 'anonymous-cookie')

  const identify = (request: FastifyRequest): string | undefined => {
    const id = verify(key, request.cookies[visitorCookie])
    return id === undefined ? undefined : `anon:${id}`
  }

  app.decorate('visitors', {
    identify,
    ensure(request, reply) {
      const known = identify(request)
      if (known !== undefined) return known
      const id = randomBytes(16).toString('base64url')
      reply.setCookie(visitorCookie, `${id}.${sign(key, id)}`, {
        httpOnly: true,
        sameSite: 'lax',
        secure: options.isSecure,
        path: '/',
        maxAge: limits.anonymous.cookieDays * 86_400,
      })
      return `anon:${id}`
    },
  })
}

/** A key of its own for each purpose, so that no signature of one can pass for another. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `parley:${purpose}`, 32))
}

function sign(key: Buffer, id: string): string {
  return createHmac('sha256', key).update(id).digest('base64url')
}

function verify(key: Buffer, value: string | undefined): string | undefined {
  const [id, signature, ...rest] = (value ?? '').split('.')
  if (!id || !signature || rest.length > 0) return undefined
  const expected = Buffer.from(sign(key, id))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given) ? id : undefined
}
