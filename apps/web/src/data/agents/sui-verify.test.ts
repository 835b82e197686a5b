import { ed25519 } from '@noble/curves/ed25519.js'
import type { Agent, AgentDraft } from '@parley/contract/agents'
import { publishMessage, type SuiHistory, type SuiManifest, type SuiPlace, suiVersionOf, writeManifest } from '@parley/contract/sui-agents'
import { suiDigest, toHex } from '@parley/contract/sui-signature'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { digests, suiCrypto } from './sui-crypto'
import { type Progress, verifySuiAgent } from './sui-verify'

afterEach(() => vi.unstubAllGlobals())

function aWallet() {
  const { secretKey, publicKey } = ed25519.keygen()
  return {
    address: `0x${toHex(suiCrypto.blake2b256(Uint8Array.of(0, ...publicKey)))}`,
    sign: (message: string) => btoa(String.fromCharCode(0, ...ed25519.sign(suiDigest(message, suiCrypto), secretKey), ...publicKey)),
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

type Served = Pick<ReturnType<typeof anAgent>, 'agent' | 'history'> & { secrets?: unknown; bytes?: Uint8Array<ArrayBuffer> | undefined }

/** A server that answers this. */
function serve({ agent, history, secrets, bytes }: Served): void {
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/history')) return Response.json(history)
    if (url.startsWith('/v1/sui/assistant/')) return Response.json({ agent, head: history.versions.at(-1), ...(secrets ? { secrets } : {}) })
    return bytes ? new Response(bytes) : new Response('', { status: 404 })
  })
}

async function verify(served: Served) {
  serve({ bytes: picture, ...served })
  const steps: Progress[] = []
  return { steps, found: await verifySuiAgent(served.agent, (step) => steps.push(step), new AbortController().signal) }
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
})
