import type { SignIn } from '@parley/contract/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An identity proven by a provider's token or a wallet's signature. */
export type Identity =
  | {
      kind: 'google'
      sub: string
      email: string
      name?: string | undefined
      givenName?: string | undefined
      familyName?: string | undefined
      picture?: string | undefined
    }
  | { kind: 'ethereum' | 'solana' | 'sui'; address: string }

/** Starts a session for the identity's account, which it creates the first time, and sets the browser's cookie. */
export type SignInWith = (
  identity: Identity,
  call: { deviceId: string | undefined; request: FastifyRequest; reply: FastifyReply },
) => Promise<SignIn>
