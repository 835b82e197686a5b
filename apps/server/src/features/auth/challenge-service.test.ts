import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../db/client'
import { signInChallenges } from '../../db/schema/auth'
import { createEgress } from '../../providers/egress'
import { createVerifySignature } from '../../providers/wallets/verify-signature'
import { walletAddress } from '../../providers/wallets/wallet-address'
import { databases } from '../../testing/build-test-app'
import { emptyTables, testDatabase } from '../../testing/test-databases'
import { ethereumSigner, solanaSigner, suiSigner } from '../../testing/wallet-signers'
import { ChallengeService } from './challenge-service'
import { deleteExpiredChallenges } from './challenge-store'

const verifySignature = createVerifySignature({ egress: createEgress(), baseRpc: undefined, chainId: 8453 })
const minuteMs = 60_000
const makers = { ethereum: ethereumSigner, solana: solanaSigner, sui: () => suiSigner('secp256k1') }
const cases = databases.flatMap((database) =>
  (['ethereum', 'solana', 'sui'] as const).map((kind) => ({ database, kind })),
)

async function aService(
  database: (typeof databases)[number],
): Promise<{ db: Db; challenges: ChallengeService; wait(ms: number): void }> {
  const { db } = await testDatabase(database)
  await emptyTables(db)
  let time = Date.now()
  const challenges = new ChallengeService({
    db,
    verifySignature,
    publicUrl: 'https://parley.example',
    chainId: 8453,
    now: () => time,
  })
  return {
    db,
    challenges,
    wait(ms) {
      time += ms
    },
  }
}

/** The catalogue's code of a refusal, or what was answered instead. */
const outcome = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error)))

describe.each(cases)('a challenge for $kind on $database', ({ database, kind }) => {
  it('proves the address it was asked for, once', async () => {
    const { db, challenges } = await aService(database)
    const wallet = makers[kind]()
    const message = await challenges.request(kind, wallet.address)
    const proof = { message, signature: await wallet.sign(message) }
    expect(await challenges.verify(kind, proof)).toBe(kind === 'solana' ? wallet.address : wallet.address.toLowerCase())
    expect(await outcome(challenges.verify(kind, proof))).toBe('auth.wallet-challenge')
    expect(await db.select().from(signInChallenges)).toEqual([])
  })

  it('lets one in of fifty who come with it at the same time', async () => {
    const { challenges } = await aService(database)
    const wallet = makers[kind]()
    const message = await challenges.request(kind, wallet.address)
    const signature = await wallet.sign(message)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => outcome(challenges.verify(kind, { message, signature }))),
    )
    expect(answers.filter((answer) => answer !== 'auth.wallet-challenge')).toEqual([
      walletAddress(kind, wallet.address),
    ])
  })

  it('is used up by a wrong signature [AG-174]', async () => {
    const { challenges } = await aService(database)
    const [wallet, stranger] = [makers[kind](), makers[kind]()]
    const message = await challenges.request(kind, wallet.address)
    expect(await outcome(challenges.verify(kind, { message, signature: await stranger.sign(message) }))).toBe(
      'auth.wallet-signature',
    )
    expect(await outcome(challenges.verify(kind, { message, signature: await wallet.sign(message) }))).toBe(
      'auth.wallet-challenge',
    )
  })

  it('is not for who names another address than the one that signed', async () => {
    const { challenges } = await aService(database)
    const [wallet, victim] = [makers[kind](), makers[kind]()]
    const message = await challenges.request(kind, wallet.address)
    const proof = { message, signature: await wallet.sign(message), address: victim.address }
    expect(await outcome(challenges.verify(kind, proof))).toBe('auth.wallet-signature')
  })

  it('ends after its minutes, to the millisecond', async () => {
    const { challenges, wait } = await aService(database)
    const wallet = makers[kind]()
    const [early, late] = [
      await challenges.request(kind, wallet.address),
      await challenges.request(kind, wallet.address),
    ]
    wait(serverLimits.auth.challengeMinutes * minuteMs - 1)
    expect(await outcome(challenges.verify(kind, { message: early, signature: await wallet.sign(early) }))).toBe(
      walletAddress(kind, wallet.address),
    )
    wait(1)
    expect(await outcome(challenges.verify(kind, { message: late, signature: await wallet.sign(late) }))).toBe(
      'auth.wallet-challenge',
    )
  })

  it('is never given twice, and not for what is no address', async () => {
    const { db, challenges } = await aService(database)
    const { address } = makers[kind]()
    expect(new Set(await Promise.all(Array.from({ length: 10 }, () => challenges.request(kind, address)))).size).toBe(
      10,
    )
    await emptyTables(db)
    for (const text of [
      '',
      ' ',
      'nonsense',
      `${address} `,
      `${address}\n`,
      `${address}0`,
      base58.encode(new Uint8Array(31).fill(7)),
    ])
      expect(await outcome(challenges.request(kind, text)), JSON.stringify(text)).toBe('auth.wallet-address')
    expect(await db.select().from(signInChallenges)).toEqual([])
  })
})

describe.each(databases)('challenges on %s', (database) => {
  it('are good for their own chain only', async () => {
    const { challenges } = await aService(database)
    const wallet = ethereumSigner()
    const message = await challenges.request('ethereum', wallet.address)
    const proof = { message, signature: await wallet.sign(message) }
    for (const kind of ['solana', 'sui'] as const)
      expect(await outcome(challenges.verify(kind, proof))).toBe('auth.wallet-challenge')
    expect(await challenges.verify('ethereum', proof)).toBe(wallet.address.toLowerCase())
  })

  it('are not kept in words: the table has a hash, the address and the end', async () => {
    const { db, challenges } = await aService(database)
    const message = await challenges.request('solana', solanaSigner().address)
    const nonce = await challenges.nonce()
    const kept = JSON.stringify(await db.select().from(signInChallenges))
    for (const secret of [/Nonce: (\w{32})/.exec(message)?.[1] ?? 'none', nonce]) expect(kept).not.toContain(secret)
  })

  it('take a nonce of Google once, until its end, and no wallet’s message in its place', async () => {
    const { challenges, wait } = await aService(database)
    const nonce = await challenges.nonce()
    const taken = await Promise.all(Array.from({ length: 20 }, () => challenges.takeNonce(nonce)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await challenges.takeNonce(await challenges.request('solana', solanaSigner().address))).toBe(false)
    expect(await challenges.takeNonce('made-up')).toBe(false)
    const late = await challenges.nonce()
    wait(serverLimits.auth.googleNonceMinutes * minuteMs)
    expect(await challenges.takeNonce(late)).toBe(false)
  })

  it('are swept away when they are over, and not before', async () => {
    const { db, challenges, wait } = await aService(database)
    const start = Date.now()
    await challenges.request('solana', solanaSigner().address)
    wait(2 * minuteMs)
    await challenges.request('sui', suiSigner().address)
    await deleteExpiredChallenges(db, new Date(start + (serverLimits.auth.challengeMinutes + 1) * minuteMs))
    expect((await db.select().from(signInChallenges)).map(({ kind }) => kind)).toEqual(['sui'])
  })
})
