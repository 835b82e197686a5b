import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Db } from '../../db/client'
import type { VerifySignature } from '../../providers/wallets/verify-signature'
import { type WalletKind, walletAddress } from '../../providers/wallets/wallet-address'
import { challengeMessage } from './challenge-message'
import { insertChallenge, takeChallenge } from './challenge-store'

type Deps = { db: Db; verifySignature: VerifySignature; publicUrl: string; chainId: number; now: () => number }

const minuteMs = 60_000

/**
 * Challenges that a wallet signs or that Google's token repeats; each can be used once. Stored as a hash of the whole
 * message, so that a changed message matches no challenge.
 */
export class ChallengeService {
  constructor(private readonly deps: Deps) {}

  /** Returns a message to sign within five minutes. Throws auth.wallet-address. */
  async request(kind: WalletKind, text: string): Promise<string> {
    const { db, publicUrl, chainId, now } = this.deps
    const address = walletAddress(kind, text)
    if (address === undefined) throw new AppError('auth.wallet-address')
    const message = challengeMessage({ kind, address, publicUrl, chainId, now: now() })
    await insertChallenge(db, {
      hash: hash(message),
      kind,
      address,
      expiresAt: new Date(now() + serverLimits.auth.challengeMinutes * minuteMs),
    })
    return message
  }

  /**
   * Returns the address that the signature proves. A wrong signature uses the message up, too. Throws
   * auth.wallet-challenge, auth.wallet-signature.
   */
  async verify(
    kind: WalletKind,
    { message, signature, address: claimed }: { message: string; signature: string; address?: string },
  ): Promise<string> {
    const { db, verifySignature, now } = this.deps
    const challenge = await takeChallenge(db, { hash: hash(message), kind }, new Date(now()))
    if (!challenge) throw new AppError('auth.wallet-challenge')
    const { address } = challenge
    const isClaimed = claimed === undefined || walletAddress(kind, claimed) === address
    if (!isClaimed || !(await verifySignature(kind, { address, message, signature })))
      throw new AppError('auth.wallet-signature')
    return address
  }

  /** A random value that Google's ID token must repeat. */
  async nonce(): Promise<string> {
    const { db, now } = this.deps
    const nonce = randomBytes(24).toString('base64url')
    await insertChallenge(db, {
      hash: hash(nonce),
      kind: 'google',
      expiresAt: new Date(now() + serverLimits.auth.googleNonceMinutes * minuteMs),
    })
    return nonce
  }

  async takeNonce(nonce: string): Promise<boolean> {
    const { db, now } = this.deps
    return (await takeChallenge(db, { hash: hash(nonce), kind: 'google' }, new Date(now()))) !== undefined
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
