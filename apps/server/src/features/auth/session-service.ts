import { createHash, randomBytes } from 'node:crypto'
import type { Tokens } from '@parley/contract/auth'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import type { Person } from '../../plugins/people'
import type { Bus } from '../../providers/bus'
import type { AccessTokens } from './access-tokens'
import { insertSession } from './account-secrets-store'
import { parseRefreshToken, type RefreshTokens } from './refresh-tokens'
import { findLiveSession, findLiveSessionIds, findSession, revokeSession, revokeSessions, rotateSession, type Session } from './session-store'

type Deps = { db: Db; bus: Bus; accessTokens: AccessTokens; refreshTokens: RefreshTokens; now: () => number }

/** Told to all nodes when sessions of a person end, with the person's id, so that their sockets close at once. */
export const sessionsEndedTopic = 'auth:sessions-ended'

const dayMs = 86_400_000

/** Sessions and their tokens: DECISIONS section 3. */
export class SessionService {
  constructor(private readonly deps: Deps) {}

  /**
   * Begins a session. A browser's gets a secret for its HttpOnly cookie: tokens that a script stole cannot be refreshed elsewhere. The caller sets the
   * cookie to `browserSecret`. Throws auth.session-expired when what opens the account has changed since it was read.
   */
  async start(
    account: { id: string; secretsVersion: number },
    options: { isBrowser: boolean },
  ): Promise<{ tokens: Tokens; sessionId: string; browserSecret: string | undefined }> {
    const { db, now, refreshTokens } = this.deps
    const at = new Date(now())
    const browserSecret = options.isBrowser ? randomBytes(32).toString('base64url') : undefined
    const session = {
      id: uuidv7(),
      userId: account.id,
      salt: randomBytes(32).toString('base64url'),
      rotatedAt: at,
      browserHash: browserSecret === undefined ? null : hash(browserSecret),
      authenticatedAt: at,
      createdAt: at,
      expiresAt: this.expiry(),
    }
    if (!(await insertSession(db, session, account.secretsVersion))) throw expired()
    return { tokens: await this.tokens(session, refreshTokens.make(session, 1)), sessionId: session.id, browserSecret }
  }

  /**
   * The next pair. Of the newest token the session moves on; of the one before it, within ten seconds, the same child is given again (a second tab, a lost
   * answer); any older one means that somebody else has it: the session ends. Throws auth.session-expired.
   */
  async refresh(token: string, browserSecret: string | undefined): Promise<Tokens> {
    const { db, now, refreshTokens } = this.deps
    const parsed = parseRefreshToken(token)
    if (!parsed) throw expired()
    // A call that loses the race for a rotation looks again.
    for (let attempt = 0; attempt < 3; attempt++) {
      const session = await findSession(db, parsed.sessionId)
      if (!session || !refreshTokens.isGenuine(parsed, session) || !isOwnBrowser(session, browserSecret)) throw expired()
      if (!(await findLiveSession(db, session, new Date(now())))) throw expired()
      if (parsed.generation === session.generation) {
        if (await rotateSession(db, session, { now: new Date(now()), expiresAt: this.expiry() }))
          return this.tokens(session, refreshTokens.make(session, session.generation + 1))
        continue
      }
      const isRepeat = parsed.generation === session.generation - 1 && now() - session.rotatedAt.getTime() <= limits.auth.refreshLeewayMs
      if (isRepeat) return this.tokens(session, refreshTokens.make(session, session.generation))
      if (parsed.generation < session.generation) await this.end(session)
      throw expired()
    }
    throw expired()
  }

  /** Ends the session of a refresh token; of a made-up one nothing. */
  async logout(token: string, browserSecret: string | undefined): Promise<void> {
    const parsed = parseRefreshToken(token)
    const session = parsed && (await findSession(this.deps.db, parsed.sessionId))
    if (session && this.deps.refreshTokens.isGenuine(parsed, session) && isOwnBrowser(session, browserSecret)) await this.end(session)
  }

  /** The person of an access token while its session is good. */
  async authenticate(accessToken: string): Promise<Person | undefined> {
    const { db, accessTokens, now } = this.deps
    const claims = await accessTokens.verify(accessToken)
    const session = claims && (await findLiveSession(db, { id: claims.sessionId, userId: claims.userId }, new Date(now())))
    return session && { userId: session.userId, sessionId: session.id, authenticatedAt: session.authenticatedAt.getTime() }
  }

  /** Which of these sessions are good. */
  alive(sessionIds: string[]): Promise<Set<string>> {
    return findLiveSessionIds(this.deps.db, sessionIds, new Date(this.deps.now()))
  }

  /** Ends all sessions of a person. */
  async endAll(userId: string): Promise<void> {
    await revokeSessions(this.deps.db, userId, undefined, new Date(this.deps.now()))
    await this.announceEnd(userId)
  }

  /** Tells all nodes that sessions of a person have ended: which ones, the database knows. */
  async announceEnd(userId: string): Promise<void> {
    await this.deps.bus.publish(sessionsEndedTopic, userId)
  }

  private async end({ id, userId }: Pick<Session, 'id' | 'userId'>): Promise<void> {
    await revokeSession(this.deps.db, id, new Date(this.deps.now()))
    await this.announceEnd(userId)
  }

  private async tokens({ id, userId }: Pick<Session, 'id' | 'userId'>, refreshToken: string): Promise<Tokens> {
    const accessToken = await this.deps.accessTokens.sign({ userId, sessionId: id })
    return { access_token: accessToken, refresh_token: refreshToken, token_type: 'bearer', expires_in: limits.auth.accessTokenSeconds }
  }

  private expiry(): Date {
    return new Date(this.deps.now() + limits.auth.refreshTokenDays * dayMs)
  }
}

const expired = (): AppError => new AppError('auth.session-expired')
const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex')

function isOwnBrowser({ browserHash }: Session, secret: string | undefined): boolean {
  return browserHash === null || (secret !== undefined && hash(secret) === browserHash)
}
