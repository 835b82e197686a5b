import type { Agent } from '@parley/contract/agents'
import { publishMessage, type SuiHistory, type SuiManifest, writeManifest } from '@parley/contract/sui-manifest'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { anAnchor, anchoring, aSignedAgent, aWallet, signedPicture } from '../../testing/signed-agent'
import { digests } from './sui-crypto'
import { type Progress, verifySuiAgent } from './sui-verify'

afterEach(() => vi.unstubAllGlobals())

type Served = Pick<ReturnType<typeof aSignedAgent>, 'agent' | 'history'> & {
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
    if (url.startsWith('/v1/sui/assistant/'))
      return Response.json({ agent, head: history.versions.at(-1), ...(secrets ? { secrets } : {}) })
    return bytes ? new Response(bytes) : new Response('', { status: 404 })
  })
}

async function verify(served: Served) {
  serve({ bytes: signedPicture, ...served })
  const steps: Progress[] = []
  return {
    steps,
    found: await verifySuiAgent(served.agent, {
      onProgress: (step) => steps.push(step),
      signal: new AbortController().signal,
      anchoring,
    }),
  }
}

describe('an agent of a wallet is recomputed in the reader’s browser', () => {
  it('and what is right is said of each version, with what it changed; prompt and knowledge are told as not checked', async () => {
    const { agent, history } = aSignedAgent()
    const { found, steps } = await verify({ agent, history })
    expect(found).toMatchObject({ shown: 'good', picture: 'good', secrets: 'unknown', isForged: false })
    expect(found.versions.map(({ version, scheme, problem, changed }) => [version, scheme, problem, changed])).toEqual([
      [2, 'Ed25519', undefined, ['name', 'prompt']],
      [1, 'Ed25519', undefined, []],
    ])
    expect(steps).toEqual([0, 1, 2].map((done) => ({ done, total: 2 })))
  })

  it('by its owner with prompt and knowledge', async () => {
    const { agent, history, secrets } = aSignedAgent()
    expect((await verify({ agent, history, secrets })).found.secrets).toBe('good')
    expect((await verify({ agent, history, secrets: { ...secrets, knowledge: 'Another' } })).found).toMatchObject({
      secrets: 'bad',
      isForged: true,
    })
  })

  it('and a server that shows something else than was signed is found out', async () => {
    const { agent, history } = aSignedAgent()
    const others: Partial<Agent>[] = [
      { name: 'Another' },
      { private: true },
      { userPrice: 1 },
      { languages: [{ language: 'en', role: 'Another', about: 'Points at lines.', defaultGreetings: 'Hi' }] },
      { sui: { address: aWallet().address, version: 2, digest: '', signedAt: '' } },
    ]
    for (const other of others)
      expect((await verify({ agent: { ...agent, ...other }, history })).found).toMatchObject({
        shown: 'bad',
        isForged: true,
      })
    expect((await verify({ agent, history, bytes: new TextEncoder().encode('another') })).found).toMatchObject({
      picture: 'bad',
      isForged: true,
    })
    expect((await verify({ agent, history, bytes: undefined })).found).toMatchObject({
      picture: 'unknown',
      isForged: false,
    })
  })

  it('and a history that its wallet did not sign is told with the version that is wrong', async () => {
    const { agent, history, version } = aSignedAgent()
    const [first = { manifest: '', signature: '' }, second = first] = history.versions
    const problems = async (versions: SuiHistory['versions'], id = agent._id) =>
      (await verify({ agent: { ...agent, _id: id }, history: { id, versions } })).found.versions
        .map(({ problem }) => problem)
        .reverse()
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
    const { agent, history } = aSignedAgent()
    const { found } = await verify({ agent, history })
    expect(found.versions.map(({ version, missing }) => [version, missing])).toEqual([
      [2, []],
      [1, ['prompt']],
    ])
  })

  it('and so is the transaction that anchors it: its wallet’s, of this version, as far as the chain confirms it', async () => {
    const { agent, history, wallet } = aSignedAgent()
    const manifest = history.versions[1]?.manifest ?? ''
    const anchor = (chain: string, of: Partial<Parameters<typeof anAnchor>[0]> = {}) => ({
      ...anAnchor({ id: agent._id, version: 2, manifest, wallet, ...of }),
      chain,
    })
    const found = async (anchors: unknown[] | undefined) => (await verify({ agent, history, anchors })).found
    expect(await found([])).toMatchObject({ anchors: 'none', isForged: false })
    expect(await found(undefined)).toMatchObject({ anchors: 'away', isForged: false })
    const confirmed = await found([anchor('confirmed')])
    expect(confirmed).toMatchObject({ anchors: 'some', isForged: false, versions: [{ anchor: { mark: 'good' } }, {}] })
    expect(confirmed.versions[1]?.anchor).toBeUndefined()
    for (const chain of ['missing', 'away']) {
      expect(await found([anchor(chain)])).toMatchObject({
        isForged: false,
        versions: [{ anchor: { mark: 'unknown', chain } }, {}],
      })
    }
    for (const forged of [
      anchor('confirmed', { signer: aWallet() }),
      anchor('confirmed', { manifest: 'another' }),
      { ...anchor('confirmed'), version: 1 },
    ]) {
      expect((await found([forged])).isForged).toBe(true)
    }
  })
})
