import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import type { Egress } from './egress'

type GoogleIdentity = {
  sub: string
  email: string
  name?: string | undefined
  givenName?: string | undefined
  familyName?: string | undefined
  picture?: string | undefined
  nonce: string
}

export interface Google {
  /** The provider's page for the popup. */
  startUrl(options: { redirectUri: string; state: string; nonce: string }): Promise<string>
  /** Who a good ID token names; undefined for one that is not. Its nonce is the caller's to check. */
  verify(idToken: string): Promise<GoogleIdentity | undefined>
}

type Options = {
  clientId: string
  issuer: string | undefined
  jwksUrl: string | undefined
  egress: Egress
  now: () => number
}

const defaultIssuer = 'https://accounts.google.com'
const fetchMs = 10_000
const refetchMs = 60_000
// A key that the provider withdrew is believed no longer than this.
const keysAgeMs = 10 * 60_000
const trustMs = 24 * 60 * 60_000

const Discovery = z.object({ authorization_endpoint: z.url(), jwks_uri: z.url() })
const KeySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) })
const Claims = z.object({
  sub: z.string().check(z.minLength(1)),
  email: z.string(),
  email_verified: z.union([z.literal(true), z.literal('true')]),
  nonce: z.string(),
  name: z.optional(z.string()),
  given_name: z.optional(z.string()),
  family_name: z.optional(z.string()),
  picture: z.optional(z.string()),
})

/** Sign-in with Google, or any provider that speaks OpenID Connect: an ID token with a nonce, in a popup. */
export function createGoogle({ clientId, issuer = defaultIssuer, jwksUrl, egress, now }: Options): Google {
  const fetchJson = async (address: string): Promise<unknown> => {
    const { origin, pathname, search } = new URL(address)
    const response = await egress.service({ baseUrl: origin })(`${pathname}${search}`, {
      signal: AbortSignal.timeout(fetchMs),
    })
    if (!response.isOk) throw new Error(`the sign-in provider answered ${response.status}`)
    return JSON.parse(await response.text())
  }
  let discovered: Promise<z.infer<typeof Discovery>> | undefined
  const discovery = (): Promise<z.infer<typeof Discovery>> => {
    discovered ??= fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`).then((json) =>
      z.parse(Discovery, json),
    )
    discovered.catch(() => {
      discovered = undefined
    })
    return discovered
  }
  let keys: { set: JSONWebKeySet; at: number } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let fetching: Promise<JSONWebKeySet> | undefined
  const fetchKeys = async (): Promise<JSONWebKeySet> => {
    triedAt = now()
    try {
      const set = z.parse(KeySet, await fetchJson(jwksUrl ?? (await discovery()).jwks_uri)) as JSONWebKeySet
      keys = { set, at: now() }
      return set
    } catch (error) {
      // A provider that is away for a while locks nobody out.
      if (keys && now() - keys.at < trustMs) return keys.set
      throw error
    }
  }
  /**
   * The provider's keys as they were at most `maxAgeMs` ago. Once there are keys it is asked not more than once a
   * minute, whatever tokens people make up.
   */
  const keySet = async (maxAgeMs: number): Promise<JSONWebKeySet> => {
    if (keys && now() - keys.at <= maxAgeMs) return keys.set
    if (!fetching && keys && now() - triedAt < refetchMs && now() - keys.at < trustMs) return keys.set
    fetching ??= fetchKeys().finally(() => {
      fetching = undefined
    })
    return fetching
  }
  /** The provider changes its keys: an unknown one makes us look again. */
  const claimsOf = async (idToken: string): Promise<JWTPayload> => {
    const options = {
      issuer: issuer === defaultIssuer ? [issuer, 'accounts.google.com'] : issuer,
      audience: clientId,
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      requiredClaims: ['exp', 'sub', 'nonce'],
      currentDate: new Date(now()),
    }
    const verify = async (set: JSONWebKeySet) => (await jwtVerify(idToken, createLocalJWKSet(set), options)).payload
    const known = await keySet(keysAgeMs)
    try {
      return await verify(known)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY')) throw error
      const newer = await keySet(refetchMs)
      if (newer === known) throw error
      return verify(newer)
    }
  }
  return {
    async startUrl({ redirectUri, state, nonce }) {
      const url = new URL((await discovery()).authorization_endpoint)
      const parameters = {
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'id_token',
        response_mode: 'fragment',
        scope: 'openid email profile',
        prompt: 'select_account',
        state,
        nonce,
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    async verify(idToken) {
      const claims = z.safeParse(Claims, await claimsOf(idToken).catch(() => undefined))
      if (!claims.success) return undefined
      const { sub, email, nonce, name, given_name: givenName, family_name: familyName, picture } = claims.data
      return {
        sub,
        email,
        nonce,
        name,
        givenName,
        familyName,
        picture: picture?.startsWith('https:') ? picture : undefined,
      }
    },
  }
}
