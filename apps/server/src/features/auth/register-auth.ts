import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import type { Env } from '../../env'
import { addressHasher } from '../../plugins/address'
import { registerPeople } from '../../plugins/people'
import type { Bus } from '../../providers/bus/bus'
import type { Egress } from '../../providers/egress'
import { createGoogle } from '../../providers/google'
import type { Mail } from '../../providers/mail'
import { createVerifySignature } from '../../providers/wallets/verify-signature'
import type { Secrets } from '../../secrets'
import { createAccessTokens } from './access-tokens'
import { createAttemptLimits } from './attempt-limits'
import { postAsJobs } from './auth-mail-jobs'
import { createAuthMails } from './auth-mails'
import { registerAuthRoutes } from './auth-routes'
import { ChallengeService } from './challenge-service'
import { deleteExpiredChallenges } from './challenge-store'
import { type AccountDeps, createAccountServices } from './create-account-services'
import { registerGoogleRoutes } from './google-routes'
import { argonPasswords } from './passwords'
import { createRefreshTokens } from './refresh-tokens'
import { SessionService } from './session-service'
import { deleteOldSessions } from './session-store'
import { registerWalletRoutes } from './wallet-routes'

type Deps = {
  env: Env
  secrets: Secrets
  countersKey: Buffer
  db: Db
  scheduler: Scheduler
  bus: Bus
  egress: Egress
  mail: Mail
  now: () => number
} & Pick<AccountDeps, 'onAccountRemoved' | 'beforeSession'>

const sweepEveryMs = 10 * 60_000
const keepEndedMs = 7 * 86_400_000

/** Mounts accounts, sessions, and the sign-in with wallets and with Google. Returns the sessions. */
export function registerAuth(
  app: FastifyInstance,
  { env, secrets, countersKey, db, scheduler, bus, egress, mail, onAccountRemoved, beforeSession, now }: Deps,
): SessionService {
  const accessTokens = createAccessTokens(secrets, now)
  const sessions = new SessionService({ db, bus, accessTokens, refreshTokens: createRefreshTokens(secrets), now })
  registerPeople(
    app,
    (token) => sessions.authenticate(token),
    async (token) => (await accessTokens.verify(token))?.userId,
  )
  const { publicUrl, isEmailConfirmationRequired: isConfirmationRequired } = env
  const services = createAccountServices({
    db,
    sessions,
    mails: createAuthMails({
      publicUrl,
      post: postAsJobs({ scheduler, secrets, mail, publicUrl, log: app.log, now }),
      now,
    }),
    attempts: createAttemptLimits({ bus, countersKey, scale: env.rateLimitScale }),
    passwords: argonPasswords,
    isConfirmationRequired,
    hasUniformErrors: env.hasUniformAuthErrors,
    onAccountRemoved,
    beforeSession,
    log: app.log,
    now,
  })
  const pending = new Set<Promise<void>>()
  const afterResponse = (reply: FastifyReply, work: () => Promise<void>): void => {
    const done = new Promise<void>((resolve) => reply.raw.once('close', resolve))
      .then(work)
      .catch((error: unknown) => app.log.error({ err: error }, 'what follows an answer failed'))
      .finally(() => pending.delete(done))
    pending.add(done)
  }
  app.addHook('onClose', async () => void (await Promise.all(pending)))
  const hashAddress = addressHasher(countersKey)
  const addressOf = (request: FastifyRequest): string => hashAddress(request.ip, now())
  const signIn = registerAuthRoutes(app, {
    services,
    sessions,
    publicUrl,
    isConfirmationRequired,
    addressOf,
    afterResponse,
  })
  const { clientId, issuer, jwksUrl } = env.google
  const google = clientId === undefined ? undefined : createGoogle({ clientId, issuer, jwksUrl, egress, now })
  const challenges = new ChallengeService({
    db,
    verifySignature: createVerifySignature({ egress, baseRpc: env.baseRpcUrl, chainId: env.baseChainId }),
    publicUrl,
    chainId: env.baseChainId,
    now,
  })
  registerGoogleRoutes(app, { google, challenges, signIn, publicUrl })
  registerWalletRoutes(app, { challenges, signIn })

  scheduler.every('auth.sweep', {
    everyMs: sweepEveryMs,
    run: async () => {
      await services.accounts.sweep()
      await deleteOldSessions(db, new Date(now() - keepEndedMs))
      await deleteExpiredChallenges(db, new Date(now()))
    },
  })
  return sessions
}
