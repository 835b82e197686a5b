import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { users } from '../../db/schema/users'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { Client } from '../../testing/person'
import { ethereumSigner, solanaSigner, suiSigner, type WalletSigner } from '../../testing/wallet-signers'

const makers = { ethereum: ethereumSigner, solana: solanaSigner, sui: () => suiSigner() }
const domains = { ethereum: 'erc20', solana: 'solana', sui: 'sui' }
const kinds = ['ethereum', 'solana', 'sui'] as const
const cases = databases.flatMap((database) => kinds.map((kind) => ({ database, kind })))

const Challenge = z.object({ success: z.literal(true), data: z.object({ message: z.string() }) })

async function challengeOf(app: TestApp, { kind, address }: WalletSigner): Promise<string> {
  const { body } = await new Client(app).post(`/api/auth/web3/${kind}/requestChallenge/${address}`, undefined)
  return z.parse(Challenge, body).data.message
}

function verify(app: TestApp, { kind, address }: WalletSigner, message: string, signature: string) {
  return new Client(app).post(`/api/auth/web3/${kind}/verifyChallenge`, {
    message,
    signature,
    ...(kind === 'ethereum' ? {} : { address }),
  })
}

describe.each(cases)('signing in with $kind on $database', ({ database, kind }) => {
  it('names this server, the address, a nonce and an end; signed, it makes an account of unlimited use, once [AG-166, AG-167, AG-168, CH-006]', async () => {
    const app = await buildTestApp({ kind: database })
    const wallet = makers[kind]()
    const message = await challengeOf(app, wallet)
    expect(message).toMatch(/^localhost(?::\d+)? wants you to sign in with your \w+ account:\n/)
    expect(message).toContain(wallet.address)
    // Where contract wallets are asked: at the same address of another chain there may be somebody else's.
    expect(message).toContain(`\nChain ID: ${kind === 'ethereum' ? 8453 : 'mainnet'}\n`)
    expect(message).toMatch(
      /\nURI: http:\/\/localhost:\d+\nVersion: 1\nChain ID: \w+\nNonce: [0-9a-f]{32}\nIssued At: .+Z\nExpiration Time: .+Z$/,
    )
    const { status, body } = await verify(app, wallet, message, await wallet.sign(message))
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        access_token: expect.any(String),
        user: {
          email: `${wallet.address.toLowerCase() === wallet.address ? wallet.address : kind === 'ethereum' ? wallet.address.toLowerCase() : wallet.address}@${domains[kind]}`,
          app_metadata: { kind },
        },
      },
    })
    const again = await challengeOf(app, wallet)
    await verify(app, wallet, again, await wallet.sign(again))
    expect(await app.db.select().from(users)).toHaveLength(1)
  })

  it('is refused when the message comes again, also fifty times at once', async () => {
    const app = await buildTestApp({ kind: database, env: { RATE_LIMIT_SCALE: '0' } })
    const wallet = makers[kind]()
    const message = await challengeOf(app, wallet)
    const signature = await wallet.sign(message)
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(app, wallet, message, signature)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await verify(app, wallet, message, signature)).toMatchObject({
      status: 401,
      body: { code: 'auth.wallet-challenge' },
    })
  })

  it('is refused for an expired, an altered, or a message of another site, however well it is signed', async () => {
    let ahead = 0
    const app = await buildTestApp({ kind: database, now: () => Date.now() + ahead })
    const wallet = makers[kind]()
    const refused = { status: 401, body: { code: 'auth.wallet-challenge' } }
    const message = await challengeOf(app, wallet)
    const altered = [
      message.replace(/^localhost/, 'evil.example'),
      message.replace(/Nonce: \w{8}/, 'Nonce: 00000000'),
      `${message} `,
      message.replace('Version: 1', 'Version: 2'),
    ]
    for (const other of altered)
      expect(await verify(app, wallet, other, await wallet.sign(other))).toMatchObject(refused)
    ahead = serverLimits.auth.challengeMinutes * 60_000 + 1
    expect(await verify(app, wallet, message, await wallet.sign(message))).toMatchObject(refused)
  })

  it('is refused with the signature of another wallet, and the message is used up by the attempt [AG-174]', async () => {
    const app = await buildTestApp({ kind: database })
    const wallet = makers[kind]()
    const message = await challengeOf(app, wallet)
    expect(await verify(app, wallet, message, await makers[kind]().sign(message))).toMatchObject({
      status: 401,
      body: {
        code: 'auth.wallet-signature',
        message: 'Signature verification failed on the server. Please try again.',
      },
    })
    expect((await verify(app, wallet, message, await wallet.sign(message))).status).toBe(401)
    expect(await app.db.select().from(users)).toEqual([])
  })

  it('gives no challenge for what is no address, and no more than thirty a minute', async () => {
    const app = await buildTestApp({ kind: database })
    const path = `/api/auth/web3/${kind}/requestChallenge`
    expect(await new Client(app).post(`${path}/nonsense`, undefined)).toMatchObject({
      status: 400,
      body: { code: 'auth.wallet-address' },
    })
    const wallet = makers[kind]()
    let last = await new Client(app).post(`${path}/${wallet.address}`, undefined)
    for (let n = 0; n < serverLimits.auth.challengesPerMinutePerAddress; n++)
      last = await new Client(app).post(`${path}/${wallet.address}`, undefined)
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

it('neither messages nor signatures are in the logs', async () => {
  const app = await buildTestApp()
  const wallet = ethereumSigner()
  const message = await challengeOf(app, wallet)
  const signature = await wallet.sign(message)
  await verify(app, wallet, message, signature)
  for (const secret of [wallet.address, signature, /Nonce: (\w+)/.exec(message)?.[1] ?? 'none'])
    expect(app.logs()).not.toContain(secret)
})
