import { authRoutes } from '@parley/contract/auth'
import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyInstance } from 'fastify'
import { handle } from '../../plugins/handle'
import type { ChallengeService } from './challenge-service'
import type { SignInWith } from './identity'

/** Mounts the sign-in with a wallet: a challenge for its address, and the verification of its signature. */
export function registerWalletRoutes(
  app: FastifyInstance,
  { challenges, signIn }: { challenges: ChallengeService; signIn: SignInWith },
): void {
  const options = { permission: 'anyone', perMinute: serverLimits.auth.challengesPerMinutePerAddress } as const
  const challenge = (message: string) => ({ success: true, data: { message } })

  handle(app, authRoutes.ethereumChallenge, options, async ({ params }) =>
    challenge(await challenges.request('ethereum', params.address)),
  )
  handle(app, authRoutes.solanaChallenge, options, async ({ params }) =>
    challenge(await challenges.request('solana', params.address)),
  )
  handle(app, authRoutes.suiChallenge, options, async ({ params }) =>
    challenge(await challenges.request('sui', params.address)),
  )
  handle(app, authRoutes.ethereumVerify, options, async ({ body, request, reply }) =>
    signIn(
      { kind: 'ethereum', address: await challenges.verify('ethereum', body) },
      { deviceId: body.deviceId, request, reply },
    ),
  )
  handle(app, authRoutes.solanaVerify, options, async ({ body, request, reply }) =>
    signIn(
      { kind: 'solana', address: await challenges.verify('solana', body) },
      { deviceId: body.deviceId, request, reply },
    ),
  )
  handle(app, authRoutes.suiVerify, options, async ({ body, request, reply }) =>
    signIn({ kind: 'sui', address: await challenges.verify('sui', body) }, { deviceId: body.deviceId, request, reply }),
  )
}
