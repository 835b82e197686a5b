// Agents of wallets as their owners sign them in this browser, with real key pairs.
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Agent, AgentDraft } from '@parley/contract/agents'
import { type SuiPlace, suiVersionOf } from '@parley/contract/sui-agents'
import { publishMessage, type SuiHistory, writeManifest } from '@parley/contract/sui-manifest'
import { suiDigest, toHex } from '@parley/contract/sui-signature'
import { digests, suiCrypto } from '../data/agents/sui-crypto'
import { toBase58 } from '../lib/base58'

export function aWallet() {
  const { secretKey, publicKey } = ed25519.keygen()
  const signDigest = (digest: Uint8Array) =>
    btoa(String.fromCharCode(0, ...ed25519.sign(digest, secretKey), ...publicKey))
  return {
    address: `0x${toHex(suiCrypto.blake2b256(Uint8Array.of(0, ...publicKey)))}`,
    sign: (message: string) => signDigest(suiDigest(message, suiCrypto)),
    signDigest,
  }
}

export const signedPicture = new TextEncoder().encode('a picture')
const salt = '0'.repeat(32)
const draft: AgentDraft = {
  ...{
    name: 'Move Auditor',
    category: 'Assistant',
    language: 'en',
    role: 'Reads Move',
    about: 'Points at lines.',
    prompt: 'Read.',
    knowledge: 'Objects.',
  },
  ...{ profileImage: '/api/pictures/1', private: false, enabled: true },
}

/** An agent of two versions, as an honest server shows it. */
export function aSignedAgent(wallet = aWallet()) {
  const place: SuiPlace = {
    ...{ origin: 'parley.example', domain: 'parley.example', address: wallet.address, version: 1, previous: null },
    ...{ signedAt: '2026-11-23T05:21:49.000Z', picture: digests.picture(signedPicture), userPrice: 100 },
  }
  const version = (fields: Partial<AgentDraft>, more: Partial<SuiPlace>) => {
    const { manifest, secrets } = suiVersionOf({ ...draft, ...fields }, { ...place, ...more }, salt, digests)
    const json = writeManifest(manifest)
    return { manifest: json, signature: wallet.sign(publishMessage(json)), secrets }
  }
  const first = version({}, {})
  const second = version(
    { name: 'Auditor', prompt: 'Read well.' },
    { version: 2, previous: digests.manifest(first.manifest) },
  )
  const id = digests.id(first.manifest, wallet.address)
  const history: SuiHistory = {
    id,
    versions: [first, second].map(({ manifest, signature }) => ({ manifest, signature })),
  }
  const texts = { language: 'en' as const, role: 'Reads Move', about: 'Points at lines.', defaultGreetings: 'Hi' }
  const agent: Agent = {
    ...{
      _id: id,
      source: 'sui',
      name: 'Auditor',
      category: 'Assistant',
      userId: null,
      userName: '0x',
      profileImage: '/api/pictures/1',
      ...texts,
    },
    ...{
      languages: [texts],
      private: false,
      enabled: true,
      userPrice: 100,
      likes: 0,
      likedByMe: false,
      created_at: '',
      updated_at: '',
    },
    sui: { address: wallet.address, version: 2, digest: '', signedAt: '' },
  }
  return { agent, history, secrets: second.secrets, version, wallet }
}

type Wallet = ReturnType<typeof aWallet>
export const anchoring = { package: `0x${'a1'.repeat(32)}`, network: 'mainnet' } as const

/** The anchor of a version, as a server shows it. `signer`: who signs instead of its wallet. */
export function anAnchor({
  id,
  version,
  manifest,
  wallet,
  signer = wallet,
}: {
  id: string
  version: number
  manifest: string
  wallet: Wallet
  signer?: Wallet
}) {
  const bytes = transactionBytes({ agent: id, version, manifest: digests.manifest(manifest), author: wallet.address })
  return {
    ...signedTransaction(bytes, signer),
    version,
    checkpoint: '7',
    at: '2026-11-23T06:00:00.000Z',
    chain: 'confirmed',
  }
}

const bytesOf = (hex: string): number[] =>
  (hex.replace('0x', '').match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
const named = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)]

/** What a wallet makes of the page's transaction, in the encoding of the chain; its fees are made up. */
function transactionBytes({
  agent,
  version,
  manifest,
  author,
}: {
  agent: string
  version: number
  manifest: string
  author: string
}): Uint8Array {
  const inputs = [bytesOf(agent), [version, 0, 0, 0, 0, 0, 0, 0], [32, ...bytesOf(manifest)]]
  const call = [
    0,
    ...bytesOf(anchoring.package),
    ...named('anchor'),
    ...named('publish'),
    0,
    3,
    1,
    0,
    0,
    1,
    1,
    0,
    1,
    2,
    0,
  ]
  return Uint8Array.from([
    0,
    0,
    3,
    ...inputs.flatMap((input) => [0, input.length, ...input]),
    1,
    ...call,
    ...bytesOf(author),
    0,
    ...new Uint8Array(49),
  ])
}

function signedTransaction(bytes: Uint8Array, wallet: Wallet) {
  const prefix = new TextEncoder().encode('TransactionData::')
  const transaction = toBase58(suiCrypto.blake2b256(Uint8Array.of(...prefix, ...bytes)))
  return {
    transaction,
    bytes: btoa(String.fromCharCode(...bytes)),
    signature: wallet.signDigest(suiCrypto.blake2b256(Uint8Array.of(0, 0, 0, ...bytes))),
  }
}
