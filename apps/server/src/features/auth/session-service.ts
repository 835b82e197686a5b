import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Tokens } from '@parley/contract/session'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import type { Person } from '../../plugins/people'
import type { Bus } from '../../providers/bus/bus'
import type { AccessTokens } from './access-tokens'
import { insertSession } from './account-secrets-store'
import { type Sessions, sessionsEndedTopic } from './public/sessions'
import { parseRefreshToken, type RefreshTokens } from './refresh-tokens'
import {
  findLiveSession,
  findLiveSessionIds,
  findSession,
  revokeSession,
  revokeSessions,
  rotateSession,
  type Session,
} from './session-store'

type Deps = { db: Db; bus: Bus; accessTokens: AccessTokens; refreshTokens: RefreshTokens; now: () => number }

const dayMs = 86_400_000

/** Sessions and their access and refresh tokens. */
export class SessionService implements Sessions {
  constructor(private readonly deps: Deps) {}

  /**
   * A browser's session gets a secret, which the caller sets as an HttpOnly cookie: tokens stolen by a script cannot be
   * refreshed elsewhere. Throws auth.session-expired when the account's secrets have changed since it was read.
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
   * Returns the next pair of tokens. The newest refresh token rotates the session. The one before it returns the same
   * successor again for ten seconds, for a second tab or a lost response. An older one has been stolen: the session
   * ends. Throws auth.session-expired.
   */
  async refresh(token: string, browserSecret: string | undefined): Promise<Tokens> {
    const { db, now, refreshTokens } = this.deps
    const parsed = parseRefreshToken(token)
    if (!parsed) throw expired()
    // A call that loses the race for a rotation reads the session again.
    for (let attempt = 0; attempt < 3; attempt++) {
      const session = await findSession(db, parsed.sessionId)
      if (!session || !refreshTokens.isGenuine(parsed, session) || !isOwnBrowser(session, browserSecret))
        throw expired()
      if (!(await findLiveSession(db, session, new Date(now())))) throw expired()
      if (parsed.generation === session.generation) {
        if (await rotateSession(db, session, { now: new Date(now()), expiresAt: this.expiry() }))
          return this.tokens(session, refreshTokens.make(session, session.generation + 1))
        continue
      }
      const isRepeat =
        parsed.generation === session.generation - 1 &&
        now() - session.rotatedAt.getTime() <= serverLimits.auth.refreshLeewayMs
      if (isRepeat) return this.tokens(session, refreshTokens.make(session, session.generation))
      if (parsed.generation < session.generation) await this.end(session)
      throw expired()
    }
    throw expired()
  }

  /** Ignores a forged refresh token. */
  async logout(token: string, browserSecret: string | undefined): Promise<void> {
    const parsed = parseRefreshToken(token)
    const session = parsed && (await findSession(this.deps.db, parsed.sessionId))
    if (session && this.deps.refreshTokens.isGenuine(parsed, session) && isOwnBrowser(session, browserSecret))
      await this.end(session)
  }

  /** The person of an access token; undefined where the token is invalid or its session is not live. */
  async authenticate(accessToken: string): Promise<Person | undefined> {
    const { db, accessTokens, now } = this.deps
    const claims = await accessTokens.verify(accessToken)
    const session =
      claims && (await findLiveSession(db, { id: claims.sessionId, userId: claims.userId }, new Date(now())))
    return (
      session && { userId: session.userId, sessionId: session.id, authenticatedAt: session.authenticatedAt.getTime() }
    )
  }

  liveOf(sessionIds: string[]): Promise<Set<string>> {
    return findLiveSessionIds(this.deps.db, sessionIds, new Date(this.deps.now()))
  }

  async endAll(userId: string): Promise<void> {
    await revokeSessions(this.deps.db, userId, undefined, new Date(this.deps.now()))
    await this.announceEnd(userId)
  }

  async announceEnd(userId: string): Promise<void> {
    await this.deps.bus.publish(sessionsEndedTopic, userId)
  }

  private async end({ id, userId }: Pick<Session, 'id' | 'userId'>): Promise<void> {
    await revokeSession(this.deps.db, id, new Date(this.deps.now()))
    await this.announceEnd(userId)
  }

  private async tokens({ id, userId }: Pick<Session, 'id' | 'userId'>, refreshToken: string): Promise<Tokens> {
    const accessToken = await this.deps.accessTokens.sign({ userId, sessionId: id })
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'bearer',
      expires_in: serverLimits.auth.accessTokenSeconds,
    }
  }

  private expiry(): Date {
    return new Date(this.deps.now() + serverLimits.auth.refreshTokenDays * dayMs)
  }
}

const expired = (): AppError => new AppError('auth.session-expired')
const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex')

function isOwnBrowser({ browserHash }: Session, secret: string | undefined): boolean {
  return browserHash === null || (secret !== undefined && hash(secret) === browserHash)
}
