import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { serverLimits } from '@parley/contract/limits/server'
import { product } from '@parley/contract/product'
import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { Secrets } from '../../secrets'

export type AccessTokens = {
  sign(claims: { userId: string; sessionId: string }): Promise<string>
  /** Undefined for a token that is forged, expired or of another server. */
  verify(token: string): Promise<{ userId: string; sessionId: string } | undefined>
}

const algorithm = 'EdDSA'
const pkcs8Ed25519 = Buffer.from('302e020100300506032b657004220420', 'hex')
const Claims = z.object({ sub: z.uuid(), sid: z.uuid(), typ: z.literal('access'), exp: z.int() })
/** So many tokens that were found good are known by themselves: a person's calls carry the same one for minutes. */
const mostKnown = 10_000

/**
 * JWTs that expire after 15 minutes. The newest secret signs; a token names its key, so that tokens signed with older
 * secrets stay valid until they expire.
 */
export function createAccessTokens(secrets: Secrets, now: () => number): AccessTokens {
  const [newest, ...others] = secrets.keys('access-token')
  const [signing, older] = [signingKey(newest), others.map(signingKey)]
  const keys = new Map([signing, ...older].map((key) => [key.kid, key.publicKey]))
  /** By the whole token, its signature with it; the one that came first is the first. */
  const known = new Map<string, { userId: string; sessionId: string; expiresAt: number }>()
  const keep = (token: string, found: { userId: string; sessionId: string; expiresAt: number }): void => {
    const [oldest] = known.keys()
    if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest)
    known.set(token, found)
  }
  return {
    sign({ userId, sessionId }) {
      const issuedAt = Math.floor(now() / 1000)
      return new SignJWT({ sid: sessionId, typ: 'access' })
        .setProtectedHeader({ alg: algorithm, kid: signing.kid })
        .setIssuer(product.slug)
        .setAudience(product.slug)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + serverLimits.auth.accessTokenSeconds)
        .sign(signing.privateKey)
    },
    async verify(token) {
      const found = known.get(token)
      if (found && Math.floor(now() / 1000) < found.expiresAt)
        return { userId: found.userId, sessionId: found.sessionId }
      known.delete(token)
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid }) => {
            const key = keys.get(kid ?? '')
            if (!key) throw new Error('unknown key')
            return key
          },
          {
            algorithms: [algorithm],
            issuer: product.slug,
            audience: product.slug,
            currentDate: new Date(now()),
            requiredClaims: ['exp', 'sub', 'sid'],
          },
        )
        const { sub: userId, sid: sessionId, exp } = z.parse(Claims, payload)
        keep(token, { userId, sessionId, expiresAt: exp })
        return { userId, sessionId }
      } catch {
        return undefined
      }
    },
  }
}

function signingKey(seed: Buffer) {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Ed25519, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey)
  const kid = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url')
    .slice(0, 16)
  return { kid, privateKey, publicKey }
}
