import { AppError } from '@parley/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    people: People
  }
}

/**
 * A signed-in person, as proved by an access token whose session is not over. `authenticatedAt`: when they last proved
 * who they are (ms).
 */
export type Person = { userId: string; sessionId: string; authenticatedAt: number }

type People = {
  /**
   * Who sent the request; undefined without an access token. Throws unauthenticated for one that is not good: it must
   * not pass for nobody.
   */
  identify(request: FastifyRequest): Promise<Person | undefined>
  /** Whose token it is by its signature alone, without a look at the session: for counters. */
  claimedId(request: FastifyRequest): Promise<string | undefined>
}

export const subjectOf = ({ userId }: Pick<Person, 'userId'>): string => `user:${userId}`

/** The person of a subject; undefined for an anonymous one. */
export const userIdOf = (subject: string): string | undefined =>
  subject.startsWith('user:') ? subject.slice('user:'.length) : undefined

/**
 * `authenticate` answers the person of an access token, or undefined when it is not good, its session is over or its
 * account blocked.
 */
export function registerPeople(
  app: FastifyInstance,
  authenticate: (accessToken: string) => Promise<Person | undefined>,
  claimedId: (accessToken: string) => Promise<string | undefined>,
): void {
  app.decorate('people', {
    async claimedId(request) {
      const token = bearer(request.headers.authorization ?? '')
      return token === undefined ? undefined : claimedId(token)
    },
    async identify(request) {
      const { authorization } = request.headers
      if (authorization === undefined) return undefined
      const token = bearer(authorization)
      const person = token === undefined ? undefined : await authenticate(token)
      if (!person) throw new AppError('unauthenticated')
      return person
    },
  })
}

const bearer = (authorization: string): string | undefined => /^Bearer (\S+)$/i.exec(authorization)?.[1]
