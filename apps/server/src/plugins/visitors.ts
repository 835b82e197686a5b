import { randomBytes } from 'node:crypto'
import cookie from '@fastify/cookie'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Secrets } from '../secrets'

declare module 'fastify' {
  interface FastifyInstance {
    visitors: Visitors
  }
}

const visitorCookie = 'parley.anon'
const purpose = 'anonymous-cookie'

type Visitors = {
  /** `anon:{id}` of a valid cookie. */
  identify(request: FastifyRequest): string | undefined
  /** The same; whoever has no valid cookie gets a new one. */
  ensure(request: FastifyRequest, reply: FastifyReply): string
}

/**
 * Tells anonymous people apart by a signed cookie that says nothing about them: a random id, for rate limits and for
 * resuming one's own answers.
 */
export async function registerVisitors(
  app: FastifyInstance,
  { secrets, isSecure }: { secrets: Secrets; isSecure: boolean },
): Promise<void> {
  await app.register(cookie)

  const identify = (request: FastifyRequest): string | undefined => {
    const id = verify(secrets, request.cookies[visitorCookie])
    return id === undefined ? undefined : `anon:${id}`
  }

  app.decorate('visitors', {
    identify,
    ensure(request, reply) {
      const known = identify(request)
      if (known !== undefined) return known
      const id = randomBytes(16).toString('base64url')
      reply.setCookie(visitorCookie, `${id}.${secrets.sign(purpose, id)}`, {
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure,
        path: '/',
        maxAge: serverLimits.anonymous.cookieDays * 86_400,
      })
      return `anon:${id}`
    },
  })
}

function verify(secrets: Secrets, value: string | undefined): string | undefined {
  const [id, signature, ...rest] = (value ?? '').split('.')
  if (!id || !signature || rest.length > 0) return undefined
  return secrets.verify(purpose, id, signature) ? id : undefined
}
