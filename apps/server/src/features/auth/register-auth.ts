import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client'
import type { Env } from '../../env'
import { addressHasher } from '../../plugins/address'
import { registerPeople } from '../../plugins/people'
import type { Bus } from '../../providers/bus'
import type { Egress } from '../../providers/egress'
import { createGoogle } from '../../providers/google'
import type { Mail } from '../../providers/mail'
import { createVerifySignature } from '../../providers/wallets/verify-signature'
import type { Secrets } from '../../secrets'
import { createAccessTokens } from './access-tokens'
import { AccountService } from './account-service'
import { createAttemptLimits } from './attempt-limits'
import { createAuthMails } from './auth-mails'
import { registerAuthRoutes } from './auth-routes'
import { ChallengeService } from './challenge-service'
import { deleteExpiredChallenges } from './challenge-store'
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
  bus: Bus
  egress: Egress
  mail: Mail
  onAccountRemoved: (subject: string, wish: { keepsAgents: boolean }) => Promise<void>
  /** Before each session of somebody. */
  onOpened: (account: { id: string; kind: string; email: string; emailConfirmedAt: Date | null }) => Promise<void>
  now: () => number
}

const sweepEveryMs = 10 * 60_000
const keepEndedMs = 7 * 86_400_000

/** Everything about who somebody is: accounts, sessions, wallets, Google. Answers the sessions, for whoever holds something open in a person's name. */
export function registerAuth(
  app: FastifyInstance,
  { env, secrets, countersKey, db, bus, egress, mail, onAccountRemoved, onOpened, now }: Deps,
): SessionService {
  const accessTokens = createAccessTokens(secrets, now)
  const sessions = new SessionService({ db, bus, accessTokens, refreshTokens: createRefreshTokens(secrets), now })
  registerPeople(
    app,
    (token) => sessions.authenticate(token),
    async (token) => (await accessTokens.verify(token))?.userId,
  )
  const { publicUrl, isEmailConfirmationRequired: isConfirmationRequired } = env
  const accounts = new AccountService({
    db,
    sessions,
    mails: createAuthMails({ mail, publicUrl, log: app.log }),
    attempts: createAttemptLimits({ bus, countersKey, scale: env.rateLimitScale }),
    passwords: argonPasswords,
    isConfirmationRequired,
    hasUniformErrors: env.hasUniformAuthErrors,
    onRemoved: onAccountRemoved,
    onOpened,
    log: app.log,
    now,
  })
  const pending = new Set<Promise<void>>()
  const later = (reply: FastifyReply, work: () => Promise<void>): void => {
    const done = new Promise<void>((resolve) => reply.raw.once('close', resolve))
      .then(work)
      .catch((error: unknown) => app.log.error({ err: error }, 'what follows an answer failed'))
      .finally(() => pending.delete(done))
    pending.add(done)
  }
  app.addHook('onClose', async () => void (await Promise.all(pending)))
  const hashAddress = addressHasher(countersKey)
  const addressOf = (request: FastifyRequest): string => hashAddress(request.ip, now())
  const signIn = registerAuthRoutes(app, { accounts, sessions, publicUrl, isConfirmationRequired, addressOf, later })
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

  const sweep = setInterval(() => {
    Promise.all([accounts.sweep(), deleteOldSessions(db, new Date(now() - keepEndedMs)), deleteExpiredChallenges(db, new Date(now()))]).catch(
      (error: unknown) => app.log.warn({ err: error }, 'sweeping accounts failed'),
    )
  }, sweepEveryMs)
  sweep.unref()
  app.addHook('onClose', async () => clearInterval(sweep))
  return sessions
}
