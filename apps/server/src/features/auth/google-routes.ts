import { randomBytes } from 'node:crypto'
import { authRoutes } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { Google } from '../../providers/google'
import type { ChallengeService } from './challenge-service'
import type { SignInWith } from './identity'

type Deps = { google: Google | undefined; challenges: ChallengeService; signIn: SignInWith; publicUrl: string }

/** Mounts the sign-in with Google: the URL of its page, and the verification of the ID token. */
export function registerGoogleRoutes(app: FastifyInstance, { google, challenges, signIn, publicUrl }: Deps): void {
  const options = { permission: 'anyone', perMinute: serverLimits.auth.challengesPerMinutePerAddress } as const
  const configured = (): Google => {
    if (!google) throw new AppError('auth.google-not-configured')
    return google
  }

  handle(app, authRoutes.googleStart, options, async () => {
    const state = randomBytes(24).toString('base64url')
    const start = configured()
    const url = await start
      .startUrl({ redirectUri: `${publicUrl}/google-callback.html`, state, nonce: await challenges.nonce() })
      .catch((cause: unknown) => {
        throw new AppError('auth.google', { cause, status: 502 })
      })
    return { url, state }
  })
  handle(app, authRoutes.googleLogin, options, async ({ body, request, reply }) => {
    const identity = await configured().verify(body.token)
    // The nonce is used up, so that a leaked token cannot be replayed.
    if (!identity || !(await challenges.takeNonce(identity.nonce))) throw new AppError('auth.google')
    return signIn({ kind: 'google', ...identity }, { deviceId: body.deviceId, request, reply })
  })
}
