import { ed25519 } from '@noble/curves/ed25519.js'
import type { Agent, AgentDraft } from '@parley/contract/agents'
import { publishMessage, type SuiHistory, type SuiManifest, type SuiPlace, suiVersionOf, writeManifest } from '@parley/contract/sui-agents'
import { suiDigest, toHex } from '@parley/contract/sui-signature'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toBase58 } from '../../lib/base58'
import { digests, suiCrypto } from './sui-crypto'
import { type Progress, verifySuiAgent } from './sui-verify'

afterEach(() => vi.unstubAllGlobals())

function aWallet() {
  const { secretKey, publicKey } = ed25519.keygen()
  const signDigest = (digest: Uint8Array) => btoa(String.fromCharCode(0, ...ed25519.sign(digest, secretKey), ...publicKey))
  return {
    address: `0x${toHex(suiCrypto.blake2b256(Uint8Array.of(0, ...publicKey)))}`,
    sign: (message: string) => signDigest(suiDigest(message, suiCrypto)),
    signDigest,
  }
}

const picture = new TextEncoder().encode('a picture')
const salt = '0'.repeat(32)
const draft: AgentDraft = {
  ...{ name: 'Move Auditor', category: 'Assistant', language: 'en', role: 'Reads Move', about: 'Points at lines.', prompt: 'Read.', knowledge: 'Objects.' },
  ...{ profileImage: '/api/pictures/1', private: false, enabled: true },
}

/** An agent of two versions, as an honest server shows it. */
function anAgent() {
  const wallet = aWallet()
  const place: SuiPlace = {
    ...{ origin: 'parley.example', domain: 'parley.example', address: wallet.address, version: 1, previous: null },
    ...{ signedAt: '2026-11-23T05:21:49.000Z', picture: digests.picture(picture), userPrice: 100 },
  }
  const version = (fields: Partial<AgentDraft>, more: Partial<SuiPlace>) => {
    const { manifest, secrets } = suiVersionOf({ ...draft, ...fields }, { ...place, ...more }, salt, digests)
    const json = writeManifest(manifest)
    return { manifest: json, signature: wallet.sign(publishMessage(json)), secrets }
  }
  const first = version({}, {})
  const second = version({ name: 'Auditor', prompt: 'Read well.' }, { version: 2, previous: digests.manifest(first.manifest) })
  const id = digests.id(first.manifest, wallet.address)
  const history: SuiHistory = { id, versions: [first, second].map(({ manifest, signature }) => ({ manifest, signature })) }
  const texts = { language: 'en' as const, role: 'Reads Move', about: 'Points at lines.', defaultGreetings: 'Hi' }
  const agent: Agent = {
    ...{ _id: id, source: 'sui', name: 'Auditor', category: 'Assistant', userId: null, userName: '0x', profileImage: '/api/pictures/1', ...texts },
    ...{ languages: [texts], private: false, enabled: true, userPrice: 100, likes: 0, likedByMe: false, created_at: '', updated_at: '' },
    sui: { address: wallet.address, version: 2, digest: '', signedAt: '' },
  }
  return { agent, history, secrets: second.secrets, version, wallet }
}

type Served = Pick<ReturnType<typeof anAgent>, 'agent' | 'history'> & {
  secrets?: unknown
  bytes?: Uint8Array<ArrayBuffer> | undefined
  /** Undefined: the call fails. */
  anchors?: unknown[] | undefined
}

/** A server that answers this. */
function serve({ agent, history, secrets, bytes, anchors }: Served): void {
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/anchors')) return anchors ? Response.json({ anchors }) : new Response('', { status: 503 })
    if (url.endsWith('/history')) return Response.json(history)
    if (url.startsWith('/v1/sui/assistant/')) return Response.json({ agent, head: history.versions.at(-1), ...(secrets ? { secrets } : {}) })
    return bytes ? new Response(bytes) : new Response('', { status: 404 })
  })
}

const anchoring = { package: `0x${'a1'.repeat(32)}`, network: 'mainnet' } as const

async function verify(served: Served) {
  serve({ bytes: picture, ...served })
  const steps: Progress[] = []
  return { steps, found: await verifySuiAgent(served.agent, { onProgress: (step) => steps.push(step), signal: new AbortController().signal, anchoring }) }
}

describe('an agent of a wallet is recomputed in the reader’s browser', () => {
  it('and what is right is said of each version, with what it changed; prompt and knowledge are told as not checked', async () => {
    const { agent, history } = anAgent()
    const { found, steps } = await verify({ agent, history })
    expect(found).toMatchObject({ shown: 'good', picture: 'good', secrets: 'unknown', isForged: false })
    expect(found.versions.map(({ version, scheme, problem, changed }) => [version, scheme, problem, changed])).toEqual([
      [2, 'Ed25519', undefined, ['name', 'prompt']],
      [1, 'Ed25519', undefined, []],
    ])
    expect(steps).toEqual([0, 1, 2].map((done) => ({ done, total: 2 })))
  })

  it('by its owner with prompt and knowledge', async () => {
    const { agent, history, secrets } = anAgent()
    expect((await verify({ agent, history, secrets })).found.secrets).toBe('good')
    expect((await verify({ agent, history, secrets: { ...secrets, knowledge: 'Another' } })).found).toMatchObject({ secrets: 'bad', isForged: true })
  })

  it('and a server that shows something else than was signed is found out', async () => {
    const { agent, history } = anAgent()
    const others: Partial<Agent>[] = [
      { name: 'Another' },
      { private: true },
      { userPrice: 1 },
      { languages: [{ language: 'en', role: 'Another', about: 'Points at lines.', defaultGreetings: 'Hi' }] },
      { sui: { address: aWallet().address, version: 2, digest: '', signedAt: '' } },
    ]
    for (const other of others) expect((await verify({ agent: { ...agent, ...other }, history })).found).toMatchObject({ shown: 'bad', isForged: true })
    expect((await verify({ agent, history, bytes: new TextEncoder().encode('another') })).found).toMatchObject({ picture: 'bad', isForged: true })
    expect((await verify({ agent, history, bytes: undefined })).found).toMatchObject({ picture: 'unknown', isForged: false })
  })

  it('and a history that its wallet did not sign is told with the version that is wrong', async () => {
    const { agent, history, version } = anAgent()
    const [first = { manifest: '', signature: '' }, second = first] = history.versions
    const problems = async (versions: SuiHistory['versions'], id = agent._id) =>
      (await verify({ agent: { ...agent, _id: id }, history: { id, versions } })).found.versions.map(({ problem }) => problem).reverse()
    const altered = writeManifest({ ...(JSON.parse(second.manifest) as SuiManifest), name: 'Forged' })
    expect(await problems([first, { ...second, manifest: altered }])).toEqual([undefined, 'sui.altered'])
    const stranger = aWallet().sign(publishMessage(second.manifest))
    expect(await problems([first, { ...second, signature: stranger }])).toEqual([undefined, 'sui.foreign-signer'])
    expect(await problems([second])).toEqual(['sui.history'])
    expect(await problems([first, second], `0x${'ab'.repeat(32)}`)).toEqual(['sui.history', undefined])
    const skipped = version({}, { version: 3, previous: digests.manifest(second.manifest) })
    expect(await problems([first, skipped])).toEqual([undefined, 'sui.history'])
  })

  it('and each version names what of it cannot be computed any more', async () => {
    const { agent, history } = anAgent()
    const { found } = await verify({ agent, history })
    expect(found.versions.map(({ version, lost }) => [version, lost])).toEqual([
      [2, []],
      [1, ['prompt']],
    ])
  })

  it('and so is the transaction that anchors it: its wallet’s, of this version, as far as the chain confirms it', async () => {
    const { agent, history, wallet } = anAgent()
    const second = history.versions[1]?.manifest ?? ''
    const anchor = (chain: string, of = wallet, manifest = second) => {
      const bytes = transactionBytes({ agent: agent._id, version: 2, manifest: digests.manifest(manifest), author: wallet.address })
      return { ...signedTransaction(bytes, of), version: 2, checkpoint: '7', at: '2026-11-23T06:00:00.000Z', chain }
    }
    const found = async (anchors: unknown[] | undefined) => (await verify({ agent, history, anchors })).found
    expect(await found([])).toMatchObject({ anchors: 'none', isForged: false })
    expect(await found(undefined)).toMatchObject({ anchors: 'away', isForged: false })
    const confirmed = await found([anchor('confirmed')])
    expect(confirmed).toMatchObject({ anchors: 'some', isForged: false, versions: [{ anchor: { mark: 'good' } }, {}] })
    expect(confirmed.versions[1]?.anchor).toBeUndefined()
    for (const chain of ['missing', 'away']) {
      expect(await found([anchor(chain)])).toMatchObject({ isForged: false, versions: [{ anchor: { mark: 'unknown', chain } }, {}] })
    }
    for (const forged of [anchor('confirmed', aWallet()), anchor('confirmed', wallet, 'another'), { ...anchor('confirmed'), version: 1 }]) {
      expect((await found([forged])).isForged).toBe(true)
    }
  })
})

const bytesOf = (hex: string): number[] => (hex.replace('0x', '').match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
const named = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)]

/** What a wallet makes of the page's transaction, in the encoding of the chain; its fees are made up. */
function transactionBytes({ agent, version, manifest, author }: { agent: string; version: number; manifest: string; author: string }): Uint8Array {
  const inputs = [bytesOf(agent), [version, 0, 0, 0, 0, 0, 0, 0], [32, ...bytesOf(manifest)]]
  const call = [0, ...bytesOf(anchoring.package), ...named('anchor'), ...named('publish'), 0, 3, 1, 0, 0, 1, 1, 0, 1, 2, 0]
  return Uint8Array.from([0, 0, 3, ...inputs.flatMap((input) => [0, input.length, ...input]), 1, ...call, ...bytesOf(author), 0, ...new Uint8Array(49)])
}

function signedTransaction(bytes: Uint8Array, wallet: ReturnType<typeof aWallet>) {
  const prefix = new TextEncoder().encode('TransactionData::')
  const transaction = toBase58(suiCrypto.blake2b256(Uint8Array.of(...prefix, ...bytes)))
  return { transaction, bytes: btoa(String.fromCharCode(...bytes)), signature: wallet.signDigest(suiCrypto.blake2b256(Uint8Array.of(0, 0, 0, ...bytes))) }
}
