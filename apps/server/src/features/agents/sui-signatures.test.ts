import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1'
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1'
import { MultiSigPublicKey } from '@mysten/sui/multisig'
import { checkHistory } from '@parley/contract/sui-history'
import type { SuiHistory } from '@parley/contract/sui-manifest'
import { checkSuiSignature } from '@parley/contract/sui-signature'
import { describe, expect, it } from 'vitest'
import { suiCrypto } from '../../providers/wallets/sui-crypto'
import { Client } from '../../testing/person'
import { aSuiApp } from '../../testing/sui-calls'
import { SuiPerson, type SuiWallet, suiTestDigests, walletOf } from '../../testing/sui-people'

/** Two of three, one of each scheme. */
function multiSigWallet(): SuiWallet & { signBy(message: string, signers: number[]): Promise<string> } {
  const keys = [new Ed25519Keypair(), new Secp256k1Keypair(), new Secp256r1Keypair()]
  const account = MultiSigPublicKey.fromPublicKeys({
    threshold: 2,
    publicKeys: keys.map((key) => ({ publicKey: key.getPublicKey(), weight: 1 })),
  })
  const signBy = async (message: string, signers: number[]) => {
    const bytes = new TextEncoder().encode(message)
    const chosen = keys.filter((_, place) => signers.includes(place))
    return account.combinePartialSignatures(
      await Promise.all(chosen.map(async (key) => (await key.signPersonalMessage(bytes)).signature)),
    )
  }
  return { address: account.toSuiAddress(), sign: (message) => signBy(message, [0, 2]), signBy }
}

const wallets: Record<string, () => SuiWallet> = {
  Ed25519: () => walletOf(new Ed25519Keypair()),
  Secp256k1: () => walletOf(new Secp256k1Keypair()),
  Secp256r1: () => walletOf(new Secp256r1Keypair()),
  MultiSig: multiSigWallet,
}

describe.each(Object.entries(wallets))('a wallet of %s, as the wallet library has it', (scheme, make) => {
  it('proves its own address and message, and nothing else', async () => {
    const wallet = make()
    const message = 'Uma mensagem com ação ✓'.repeat(20)
    const signed = { address: wallet.address, message, signature: await wallet.sign(message) }
    expect(checkSuiSignature(signed, suiCrypto)).toEqual({ isGood: true, scheme })
    expect(checkSuiSignature({ ...signed, message: `${message}!` }, suiCrypto)).toEqual({
      isGood: false,
      reason: 'altered',
    })
    expect(checkSuiSignature({ ...signed, address: make().address }, suiCrypto)).toEqual({
      isGood: false,
      reason: 'foreign',
    })
    const bytes = Buffer.from(signed.signature, 'base64')
    for (const place of [5, 40, 64]) {
      const bent = Buffer.from(bytes)
      bent[place] = (bent[place] ?? 0) ^ 1
      expect(
        checkSuiSignature({ ...signed, signature: bent.toString('base64') }, suiCrypto).isGood,
        `byte ${place}`,
      ).toBe(false)
    }
    expect(
      checkSuiSignature(
        { ...signed, signature: Buffer.concat([bytes, Buffer.from([0])]).toString('base64') },
        suiCrypto,
      ).isGood,
    ).toBe(false)
  })

  it('makes an agent that everybody can verify', async () => {
    const app = await aSuiApp()
    const ana = await SuiPerson.signIn(app, make())
    const { agent } = await ana.make()
    const history = (await new Client(app, null).send('GET', `/v1/sui/assistant/${agent._id}/history`))
      .body as SuiHistory
    expect([...checkHistory(history, { sui: suiCrypto, digests: suiTestDigests })]).toMatchObject([
      { scheme, problem: undefined },
    ])
  })
})

it('a multisig proves nothing with too few signers, and one of zkLogin is refused with its own text', async () => {
  const wallet = multiSigWallet()
  const few = { address: wallet.address, message: 'm', signature: await wallet.signBy('m', [1]) }
  expect(checkSuiSignature(few, suiCrypto)).toEqual({ isGood: false, reason: 'altered' })

  const app = await aSuiApp()
  const ana = await SuiPerson.signIn(app)
  const version = await ana.version()
  const signature = Buffer.from([5, ...new Uint8Array(400)]).toString('base64')
  const { status, body } = await ana.publish({ ...version, signature })
  expect([status, body.code]).toEqual([400, 'sui.scheme'])
  expect(body.message).toBe(
    'This kind of signature cannot be checked here. Sign with Ed25519, Secp256k1, Secp256r1 or a multisig of these.',
  )
})
