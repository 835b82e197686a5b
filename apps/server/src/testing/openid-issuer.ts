import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'

type Person = { sub: string; email: string; email_verified?: boolean; name?: string; picture?: string }

/** A claim that is undefined is left out of the token. */
type Claims = { [name in keyof JWTPayload]?: JWTPayload[name] | undefined }

export interface OpenIdIssuer {
  readonly url: string
  readonly clientId: string
  /** Whom the sign-in page lets in; undefined: the person refuses. */
  person: Person | undefined
  /** Whether it answers 503 to everything. */
  isDown: boolean
  /** How often its keys were asked for. */
  readonly keyRequests: number
  /** A token as the provider signs it, changed where a test says so. */
  token(claims: Claims, options?: { key?: 'own' | 'foreign' | 'none'; expiresInS?: number }): Promise<string>
  /** New keys; the old ones are no longer published. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

/** An OpenID provider of one's own: discovery, keys, and a page that sends the person back with an ID token. */
export async function startOpenIdIssuer(): Promise<OpenIdIssuer> {
  const clientId = 'parley-test-client'
  const newPair = async () => ({
    kid: randomBytes(4).toString('hex'),
    ...(await generateKeyPair('ES256', { extractable: true })),
  })
  let pair = await newPair()
  let keyRequests = 0
  const server = createServer((request, response) => {
    if (request.url === '/keys') keyRequests += 1
    if (issuer.isDown) return void response.writeHead(503).end('down')
    answer(new URL(request.url ?? '/', issuer.url)).then(
      ({ location, json }) => {
        if (location !== undefined) return response.writeHead(302, { location }).end()
        return response
          .writeHead(json === undefined ? 404 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(json ?? {}))
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const answer = async (url: URL): Promise<{ location?: string; json?: unknown }> => {
    if (url.pathname === '/.well-known/openid-configuration')
      return {
        json: { issuer: issuer.url, authorization_endpoint: `${issuer.url}/authorize`, jwks_uri: `${issuer.url}/keys` },
      }
    if (url.pathname === '/keys')
      return { json: { keys: [{ ...(await exportJWK(pair.publicKey)), kid: pair.kid, alg: 'ES256', use: 'sig' }] } }
    if (url.pathname !== '/authorize') return {}
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    const state = url.searchParams.get('state') ?? ''
    const { person } = issuer
    const result = person
      ? { id_token: await issuer.token({ ...person, nonce: url.searchParams.get('nonce') ?? '' }), state }
      : { error: 'access_denied', state }
    back.hash = new URLSearchParams(result).toString()
    return { location: back.href }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the issuer does not listen')
  const issuer: OpenIdIssuer = {
    url: `http://127.0.0.1:${address.port}`,
    clientId,
    person: { sub: 'google-1', email: 'ana@gmail.com', email_verified: true, name: 'Ana Souza' },
    isDown: false,
    get keyRequests() {
      return keyRequests
    },
    async token(claims, { key = 'own', expiresInS = 300 } = {}) {
      const payload = {
        iss: issuer.url,
        aud: clientId,
        email_verified: true,
        exp: Math.floor(Date.now() / 1000) + expiresInS,
        ...claims,
      } as JWTPayload
      if (key === 'none') return new UnsecuredJWT(payload).encode()
      const { privateKey } = key === 'own' ? pair : await newPair()
      return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: pair.kid }).setIssuedAt().sign(privateKey)
    },
    async rotateKeys() {
      pair = await newPair()
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return issuer
}
