import { decodeProtectedHeader, SignJWT } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { type OpenIdIssuer, startOpenIdIssuer } from '../testing/openid-issuer'
import { createEgress } from './egress'
import { createGoogle, type Google } from './google'

const ana = { sub: 'google-1', email: 'ana@gmail.com', nonce: 'n-1' }
const minuteMs = 60_000

type Setup = { issuer: OpenIdIssuer; google: Google; wait(ms: number): void; isGood(token: string): Promise<boolean> }

async function aGoogle(): Promise<Setup> {
  const issuer = await startOpenIdIssuer()
  onTestFinished(() => issuer.close())
  let ahead = 0
  const google = createGoogle({
    clientId: issuer.clientId,
    issuer: issuer.url,
    jwksUrl: undefined,
    egress: createEgress(),
    now: () => Date.now() + ahead,
  })
  return {
    issuer,
    google,
    wait(ms) {
      ahead += ms
    },
    isGood: async (token) => (await google.verify(token)) !== undefined,
  }
}

/** A token that is still good after the clock was put ahead. */
const lasting = (issuer: OpenIdIssuer): Promise<string> => issuer.token(ana, { expiresInS: 86_400 })

it('asks the provider for an ID token of a chosen account [AG-155]', async () => {
  const { google, issuer } = await aGoogle()
  const url = new URL(
    await google.startUrl({ redirectUri: 'https://parley.example/google-callback.html', state: 's-1', nonce: 'n-1' }),
  )
  expect(url.origin + url.pathname).toBe(`${issuer.url}/authorize`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: issuer.clientId,
    redirect_uri: 'https://parley.example/google-callback.html',
    response_type: 'id_token',
    response_mode: 'fragment',
    scope: 'openid email profile',
    prompt: 'select_account',
    state: 's-1',
    nonce: 'n-1',
  })
})

it('comes back from the provider with a token that names the person and repeats the nonce', async () => {
  const { google, issuer } = await aGoogle()
  issuer.person = {
    sub: 'g-9',
    email: 'rui@gmail.com',
    email_verified: true,
    name: 'Rui Lima',
    picture: 'https://example.org/rui.png',
  }
  const start = await google.startUrl({
    redirectUri: 'https://parley.example/google-callback.html',
    state: 's-9',
    nonce: 'n-9',
  })
  const back = new URL((await fetch(start, { redirect: 'manual' })).headers.get('location') ?? '')
  const answer = new URLSearchParams(back.hash.slice(1))
  expect(back.origin + back.pathname).toBe('https://parley.example/google-callback.html')
  expect(answer.get('state')).toBe('s-9')
  expect(await google.verify(answer.get('id_token') ?? '')).toMatchObject({
    sub: 'g-9',
    email: 'rui@gmail.com',
    name: 'Rui Lima',
    picture: 'https://example.org/rui.png',
    nonce: 'n-9',
  })
})

it('shows no picture but one from https', async () => {
  const { google, issuer } = await aGoogle()
  for (const picture of ['http://example.org/a.png', 'javascript:alert(1)', 'data:image/svg+xml,x'])
    expect(await google.verify(await issuer.token({ ...ana, picture }))).toMatchObject({
      sub: ana.sub,
      picture: undefined,
    })
})

it('believes nobody else and nothing else [AG-159]', async () => {
  const { issuer, isGood } = await aGoogle()
  const good = await issuer.token(ana)
  expect(await isGood(good)).toBe(true)
  const { kid = '' } = decodeProtectedHeader(good)
  const [header = '', payload = '', signature = ''] = good.split('.')
  const withClaims = (claims: object) =>
    `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
  const { nonce: _nonce, ...withoutNonce } = ana
  const bad = {
    'another audience': await issuer.token({ ...ana, aud: 'somebody-else' }),
    'another issuer': await issuer.token({ ...ana, iss: 'https://evil.example' }),
    expired: await issuer.token(ana, { expiresInS: -1 }),
    'without end': await issuer.token({ ...ana, exp: undefined }),
    unsigned: await issuer.token(ana, { key: 'none' }),
    'a foreign key under a known name': await issuer.token(ana, { key: 'foreign' }),
    'a shared secret in place of a key': await new SignJWT({
      ...ana,
      iss: issuer.url,
      aud: issuer.clientId,
      email_verified: true,
    })
      .setProtectedHeader({ alg: 'HS256', kid })
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode('a secret that somebody made up, long enough')),
    'altered claims': withClaims({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'google-2' }),
    'without nonce': await issuer.token(withoutNonce),
    'without sub': await issuer.token({ ...ana, sub: undefined }),
    'an empty sub': await issuer.token({ ...ana, sub: '' }),
    'an address nobody proved': await issuer.token({ ...ana, email_verified: false }),
    nonsense: 'not.a.token',
    nothing: '',
  }
  for (const [name, token] of Object.entries(bad)) expect(await isGood(token), name).toBe(false)
})

it('asks for the keys once, however many people come at once', async () => {
  const { issuer, isGood } = await aGoogle()
  const token = await issuer.token(ana)
  expect(await Promise.all(Array.from({ length: 20 }, () => isGood(token)))).toEqual(
    Array.from({ length: 20 }, () => true),
  )
  expect(issuer.keyRequests).toBe(1)
})

it('asks again for a key it does not know, not more than once a minute', async () => {
  const { issuer, isGood, wait } = await aGoogle()
  expect(await isGood(await issuer.token(ana))).toBe(true)
  await issuer.rotateKeys()
  const token = await lasting(issuer)
  expect(await isGood(token)).toBe(false)
  wait(minuteMs + 1)
  expect(await Promise.all(Array.from({ length: 20 }, () => isGood(token)))).toEqual(
    Array.from({ length: 20 }, () => true),
  )
  expect(issuer.keyRequests).toBe(2)
})

it('asks a provider that is down once a minute, and goes on with the keys it has', async () => {
  const { issuer, isGood, wait } = await aGoogle()
  const known = await lasting(issuer)
  expect(await isGood(known)).toBe(true)
  await issuer.rotateKeys()
  const unknown = await lasting(issuer)
  issuer.isDown = true
  wait(minuteMs + 1)
  for (let n = 0; n < 5; n++) expect(await isGood(unknown)).toBe(false)
  expect(issuer.keyRequests).toBe(2)
  expect(await isGood(known)).toBe(true)
  issuer.isDown = false
  wait(minuteMs + 1)
  expect(await isGood(unknown)).toBe(true)
})

it('stops believing a key that the provider withdrew', async () => {
  const { issuer, isGood, wait } = await aGoogle()
  const withdrawn = await lasting(issuer)
  expect(await isGood(withdrawn)).toBe(true)
  await issuer.rotateKeys()
  wait(10 * minuteMs + 1)
  expect(await isGood(withdrawn)).toBe(false)
})

it('begins again when the provider is back', async () => {
  const { google, issuer, isGood } = await aGoogle()
  const token = await issuer.token(ana)
  const start = () =>
    google.startUrl({ redirectUri: 'https://parley.example/google-callback.html', state: 's', nonce: 'n' })
  issuer.isDown = true
  await expect(start()).rejects.toThrow('503')
  expect(await isGood(token)).toBe(false)
  issuer.isDown = false
  expect(await start()).toContain(issuer.url)
  expect(await isGood(token)).toBe(true)
})
