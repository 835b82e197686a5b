import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/client'
import type { Env } from '../../env'
import { registerPeople } from '../../plugins/people'
import type { Bus } from '../../providers/bus'
import type { Egress } from '../../providers/egress'
import { createGoogle } from '../../providers/google'
import type { Mail } from '../../providers/mail'
import { createVerifySignature } from '../../providers/wallets/verify-signature'
import { createAccessTokens } from './access-tokens'
import { AccountService } from './account-service'
import { createAttemptLimits } from './attempt-limits'
import { createAuthMails } from './auth-mails'
import { registerAuthRoutes } from './auth-routes'
import { ChallengeService } from './challenge-service'
import { deleteExpiredChallenges } from './challenge-store'
import { registerGoogleRoutes } from './google-routes'
import { createRefreshTokens } from './refresh-tokens'
import { SessionService } from './session-service'
import { deleteOldSessions } from './session-store'
import { registerWalletRoutes } from './wallet-routes'

type Deps = {
  env: Env
  secrets: readonly [string, ...string[]]
  db: Db
  bus: Bus
  egress: Egress
  mail: Mail
  onAccountRemoved: (subject: string, wish: { keepsAgents: boolean }) => Promise<void>
  /** Before each session of somebody. */
  onOpened: (account: { id: string; kind: string; email: string }) => Promise<void>
  now: () => number
}

const sweepEveryMs = 10 * 60_000
const keepEndedMs = 7 * 86_400_000

/** Everything about who somebody is: accounts, sessions, wallets, Google. Answers the sessions, for whoever holds something open in a person's name. */
export function registerAuth(app: FastifyInstance, { env, secrets, db, bus, egress, mail, onAccountRemoved, onOpened, now }: Deps): SessionService {
  const sessions = new SessionService({ db, bus, accessTokens: createAccessTokens(secrets, now), refreshTokens: createRefreshTokens(secrets), now })
  registerPeople(app, (token) => sessions.authenticate(token))
  const { publicUrl, isEmailConfirmationRequired: isConfirmationRequired } = env
  const accounts = new AccountService({
    db,
    sessions,
    mails: createAuthMails({ mail, publicUrl, log: app.log }),
    attempts: createAttemptLimits({ bus, secret: secrets[0], scale: env.rateLimitScale }),
    isConfirmationRequired,
    hasUniformErrors: env.hasUniformAuthErrors,
    onRemoved: onAccountRemoved,
    onOpened,
    now,
  })
  const signIn = registerAuthRoutes(app, { accounts, sessions, publicUrl, isConfirmationRequired })
  const { clientId, issuer, jwksUrl } = env.google
  const google = clientId === undefined ? undefined : createGoogle({ clientId, issuer, jwksUrl, egress, now })
  const challenges = new ChallengeService({ db, verifySignature: createVerifySignature({ egress, baseRpc: env.baseRpcUrl }), publicUrl, now })
  registerGoogleRoutes(app, { google, challenges, signIn, publicUrl })
  registerWalletRoutes(app, { challenges, signIn })

  const sweep = setInterval(() => {
    Promise.all([accounts.sweep(), deleteOldSessions(db, new Date(now() - keepEndedMs)), deleteExpiredChallenges(db, new Date(now()))]).catch(
      (error: unknown) => app.log.warn({ err: error }, 'sweeping accounts failed'),
    )
  }, sweepEveryMs)
  sweep.unref()
  app.addHook('onClose', async () => clearInterval(sweep))
  return sessions
}
