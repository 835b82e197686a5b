import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1'
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1'
import { MultiSigPublicKey } from '@mysten/sui/multisig'
import { type SuiBundle, type SuiHistory, type SuiManifest, type SuiPage, suiRoutes, writeManifest } from '@parley/contract/sui-agents'
import { checkHistory } from '@parley/contract/sui-history'
import { checkSuiSignature } from '@parley/contract/sui-signature'
import { describe, expect, it } from 'vitest'
import { suiCrypto } from '../../providers/wallets/sui-crypto'
import { aDraft, secretKnowledge, secretPrompt } from '../../testing/agent-drafts'
import { buildTestApp, databaseKind, databases } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'
import { SuiPerson, type SuiWallet, suiTestDigests, walletOf } from '../../testing/sui-people'

const home = { domain: 'parley.example', url: 'https://parley.example' }
const away = { domain: 'other.example', url: 'https://other.example' }

async function anApp(kind: (typeof databases)[number] = databaseKind, { url, keepTables = false } = { ...home, keepTables: false }) {
  return buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0', PUBLIC_URL: url }, keepTables })
}

/** Two of three, one of each scheme. */
function multiSigWallet(): SuiWallet & { signBy(message: string, signers: number[]): Promise<string> } {
  const keys = [new Ed25519Keypair(), new Secp256k1Keypair(), new Secp256r1Keypair()]
  const account = MultiSigPublicKey.fromPublicKeys({ threshold: 2, publicKeys: keys.map((key) => ({ publicKey: key.getPublicKey(), weight: 1 })) })
  const signBy = async (message: string, signers: number[]) => {
    const bytes = new TextEncoder().encode(message)
    const chosen = keys.filter((_, place) => signers.includes(place))
    return account.combinePartialSignatures(await Promise.all(chosen.map(async (key) => (await key.signPersonalMessage(bytes)).signature)))
  }
  return { address: account.toSuiAddress(), sign: (message) => signBy(message, [0, 2]), signBy }
}

const wallets: Record<string, () => SuiWallet> = {
  Ed25519: () => walletOf(new Ed25519Keypair()),
  Secp256k1: () => walletOf(new Secp256k1Keypair()),
  Secp256r1: () => walletOf(new Secp256r1Keypair()),
  MultiSig: multiSigWallet,
}

const codeOf = async (answer: Promise<{ status: number; body: unknown }>): Promise<string> => ((await answer).body as { code?: string }).code ?? 'none'

describe.each(Object.entries(wallets))('a wallet of %s, as the wallet library has it', (scheme, make) => {
  it('proves its own address and message, and nothing else', async () => {
    const wallet = make()
    const message = 'Uma mensagem com ação ✓'.repeat(20)
    const signed = { address: wallet.address, message, signature: await wallet.sign(message) }
    expect(checkSuiSignature(signed, suiCrypto)).toEqual({ isGood: true, scheme })
    expect(checkSuiSignature({ ...signed, message: `${message}!` }, suiCrypto)).toEqual({ isGood: false, reason: 'altered' })
    expect(checkSuiSignature({ ...signed, address: make().address }, suiCrypto)).toEqual({ isGood: false, reason: 'foreign' })
    const bytes = Buffer.from(signed.signature, 'base64')
    for (const place of [5, 40, 64]) {
      const bent = Buffer.from(bytes)
      bent[place] = (bent[place] ?? 0) ^ 1
      expect(checkSuiSignature({ ...signed, signature: bent.toString('base64') }, suiCrypto).isGood, `byte ${place}`).toBe(false)
    }
    expect(checkSuiSignature({ ...signed, signature: Buffer.concat([bytes, Buffer.from([0])]).toString('base64') }, suiCrypto).isGood).toBe(false)
  })

  it('makes an agent that everybody can verify', async () => {
    const app = await anApp()
    const ana = await SuiPerson.signIn(app, make())
    const { agent } = await ana.make()
    const history = (await new Client(app, null).send('GET', `/v1/sui/assistant/${agent._id}/history`)).body as SuiHistory
    expect([...checkHistory(history, { sui: suiCrypto, digests: suiTestDigests })]).toMatchObject([{ scheme, problem: undefined }])
  })
})

it('a multisig proves nothing with too few signers, and one of zkLogin is refused with its own text', async () => {
  const wallet = multiSigWallet()
  const few = { address: wallet.address, message: 'm', signature: await wallet.signBy('m', [1]) }
  expect(checkSuiSignature(few, suiCrypto)).toEqual({ isGood: false, reason: 'altered' })

  const app = await anApp()
  const ana = await SuiPerson.signIn(app)
  const version = await ana.version()
  const signature = Buffer.from([5, ...new Uint8Array(400)]).toString('base64')
  const { status, body } = await ana.publish({ ...version, signature })
  expect([status, body.code]).toEqual([400, 'sui.scheme'])
  expect(body.message).toBe('This kind of signature cannot be checked here. Sign with Ed25519, Secp256k1, Secp256r1 or a multisig of these.')
})

describe.each(databases)('agents of wallets on %s', (kind) => {
  it('are made, listed, read, liked, changed and deleted [AG-093, AG-094, AG-095]', async () => {
    const app = await anApp(kind)
    const [ana, eve, nobody] = [await SuiPerson.signIn(app), await aPerson(app, 'eve@example.org', null), new Client(app, null)]
    const made = await ana.make({ languages: [{ language: 'pt', role: 'Conhece a costa', about: 'Sabe de faróis.', prompt: 'Você conhece faróis.' }] })
    const { agent } = made
    expect(agent).toMatchObject({ source: 'sui', name: 'Lighthouse keeper', userPrice: 100, prompt: secretPrompt, knowledge: secretKnowledge })
    expect(agent._id).toBe(suiTestDigests.id(made.head.manifest, ana.wallet.address))
    expect(agent.userName).toBe(`${ana.wallet.address.slice(0, 6)}…${ana.wallet.address.slice(-4)}`)
    expect(agent.sui).toMatchObject({ address: ana.wallet.address, version: 1, digest: suiTestDigests.manifest(made.head.manifest) })

    const changed = await ana.change(made, { name: 'Keeper' })
    expect(changed.agent).toMatchObject({ _id: agent._id, name: 'Keeper', created_at: agent.created_at, sui: { version: 2 } })
    expect((changed.agent as { languages: { language: string }[] }).languages.map(({ language }) => language)).toEqual(['en'])

    for (const person of [eve, nobody]) {
      const list = await person.send('GET', '/v1/sui/public/assistants')
      expect(list.body).toMatchObject({
        data: [{ _id: agent._id, name: 'Keeper', sui: { version: 2 } }],
        pagination: { totalAssistants: 1, hasNextPage: false },
      })
      const one = await person.send('GET', `/v1/sui/assistant/${agent._id}`)
      for (const text of [JSON.stringify(list.body), JSON.stringify(one.body)]) {
        expect(text).not.toContain('CANARY')
        expect(text).not.toContain(changed.secrets?.salt)
      }
      expect((await person.send('GET', `/v1/assistant?assistant_id=${agent._id}`)).body).toMatchObject({ name: 'Keeper', source: 'sui' })
      const bundle = await person.send('GET', `/v1/sui/assistant/${agent._id}/export`)
      expect(bundle.body).toMatchObject({ id: agent._id, versions: [{}, {}] })
      expect(bundle.body).not.toHaveProperty('secrets')
    }
    const like = await eve.post('/v1/assistants/likes', { assistantId: agent._id, userId: eve.answer.user.id })
    expect(like.body).toEqual({ likes: 1, likedByMe: true })
    const own = (await nobody.send('GET', `/v1/sui/public/user-assistants?user_id=${agent.userId}`)).body as SuiPage
    expect(own).toMatchObject({ data: [{ _id: agent._id }], pagination: { totalAssistants: 1 } })

    expect(await codeOf(eve.send('DELETE', `/v1/sui/assistant/${agent._id}`, { signature: '' }))).toBe('agent.not-found')
    // Signed for another server, and of a version that is not the last.
    expect(await codeOf(ana.remove(changed, away.domain))).toBe('sui.altered')
    expect(await codeOf(ana.remove(made, home.domain))).toBe('sui.altered')
    expect((await ana.remove(changed, home.domain)).status).toBe(204)
    expect((await nobody.send('GET', `/v1/sui/assistant/${agent._id}`)).body).toMatchObject({ code: 'agent.not-found' })
  })

  it('are paged by twenty, newest first, and a private one of somebody else has no words [AG-096, AG-097]', async () => {
    const app = await anApp(kind)
    const [ana, eve] = [await SuiPerson.signIn(app), await SuiPerson.signIn(app)]
    const hidden = await ana.make({ private: true, name: 'CANARY-NAME' })
    const off = await ana.make({ enabled: false })
    for (let n = 0; n < 2; n++) await eve.make({ name: `Agent ${n}` })
    expect(suiRoutes.list.query.parse({}).page_size).toBe(20)
    const page = async (person: Client, query: string) => (await person.send('GET', `/v1/sui/public/assistants?page_size=2&${query}`)).body as SuiPage
    const first = await page(eve, 'page_number=0')
    expect([first.data.length, first.data[0]?.name, first.pagination]).toEqual([2, 'Agent 1', { totalAssistants: 3, hasNextPage: true }])
    const last = await page(eve, 'page_number=1')
    expect(last.pagination).toEqual({ totalAssistants: 3, hasNextPage: false })
    expect(last.data).toMatchObject([{ _id: hidden.agent._id, name: '', role: '', about: '', profileImage: '', private: true, sui: { version: 1 } }])
    expect(JSON.stringify(last)).not.toContain('CANARY')
    expect((await page(ana, 'page_number=1')).data).toMatchObject([{ name: 'CANARY-NAME' }])
    const mine = (await ana.send('GET', `/v1/sui/public/user-assistants?user_id=${off.agent.userId}`)).body as SuiPage
    expect(mine.data.map(({ _id }) => _id)).toEqual([off.agent._id, hidden.agent._id])
    for (const path of ['', '/history', '/export'])
      expect((await eve.send('GET', `/v1/sui/assistant/${hidden.agent._id}${path}`)).body).toMatchObject({ code: 'agent.private' })
  })
})

describe('an agent of a wallet', () => {
  it('is made by whoever signed in with a Sui wallet, and changed by its signature alone [AG-091, AG-092]', async () => {
    const app = await anApp()
    const [ana, eve] = [await SuiPerson.signIn(app), await aPerson(app, `${'0x'}${'ab'.repeat(32)}@example.org`, null)]
    const made = await ana.make()
    expect((await eve.post('/v1/sui/assistant/ground', { profileImage: '/api/faces/a.svg' })).body).toMatchObject({
      code: 'sui.wallet-needed',
      message: 'Connect a SUI wallet to create blockchain assistants',
    })
    const forged = aDraft({ _id: made.agent._id, name: 'Forged', profileImage: made.agent.profileImage })
    expect(await codeOf(ana.post('/v1/assistants', forged))).toBe('sui.signature-needed')
    expect(await codeOf(ana.send('DELETE', `/v1/assistants/${made.agent._id}`))).toBe('sui.signature-needed')
    expect((await ana.send('GET', `/v1/sui/assistant/${made.agent._id}`)).body).toEqual(made)
  })

  it('is refused with a field, a prompt, knowledge or a picture that was not signed', async () => {
    const app = await anApp()
    const ana = await SuiPerson.signIn(app)
    const version = await ana.version()
    const { profileImage } = await ana.version({ profileImage: '/api/faces/other.svg' })
    const altered: Record<string, string> = {
      ...{ name: 'Another', role: 'Another', about: 'Another', defaultGreetings: 'Another', language: 'pt', category: 'Another' },
      ...{ isPrivate: 'true', enabled: 'false', userPrice: '0.5', prompt: 'Another', prompts: '{"pt":"Another"}', knowledge: 'Another' },
      ...{ salt: '1'.repeat(32), profileImage },
    }
    for (const [field, value] of Object.entries(altered)) {
      const { status, body } = await ana.publish(version, { fields: { [field]: value } })
      expect([field, status, body.code]).toEqual([field, 400, 'sui.altered'])
    }
    const json = version.json.replace('Lighthouse', 'Lightship ')
    expect((await ana.publish({ ...version, json, manifest: JSON.parse(json) })).body).toMatchObject({
      code: 'sui.altered',
      message: 'Something of this agent was changed after its wallet signed it.',
    })
    const hidden = { ...version.manifest, name: 'Light\u200bhouse' }
    const unclean = { ...version, manifest: hidden, json: writeManifest(hidden) }
    expect((await ana.publish({ ...unclean, signature: await signed(ana, unclean.json) })).body.code).toBe('sui.altered')
    expect((await ana.publish({ ...version, json: ` ${version.json}` })).body.code).toBe('sui.manifest')
    expect((await ana.publish(version)).status).toBe(201)
    expect((await ana.publish(version)).body.code).toBe('sui.stale')
  })

  it('is refused of a foreign signer, for another server, with a replaced history and as a stale version, each with its text', async () => {
    const app = await anApp()
    const [ana, eve] = [await SuiPerson.signIn(app), await SuiPerson.signIn(app)]
    const made = await ana.make()
    const id = made.agent._id
    const refused = async (person: SuiPerson, version: Parameters<SuiPerson['publish']>[0], at: { id?: string } = { id }) =>
      (await person.publish(version, at)).body

    const next = await ana.version({ name: 'Next' }, { before: made })
    expect(await refused(ana, { ...next, signature: await signed(eve, next.json) })).toMatchObject({
      code: 'sui.foreign-signer',
      message: 'This was signed by another wallet.',
    })
    expect(await refused(eve, next)).toMatchObject({ code: 'sui.foreign-signer' })
    expect(await refused(eve, await eve.version({}, { before: made }))).toMatchObject({ code: 'agent.not-found' })

    expect(await refused(ana, await ana.version({}, { before: made, domain: away.domain }))).toMatchObject({
      code: 'sui.replayed',
      message: 'This was signed for another server. Import the agent to keep its id, author and history.',
    })
    expect(await refused(ana, await ana.version({}, { before: made, origin: away.domain }))).toMatchObject({
      code: 'sui.domain',
      message: 'This names another first server than the history of the agent.',
    })
    expect(await refused(ana, await ana.version({}, { origin: away.domain }), {})).toMatchObject({ code: 'sui.domain' })
    for (const place of [{ previous: 'ab'.repeat(32) }, { version: 3 }])
      expect(await refused(ana, await ana.version({}, { before: made, ...place }))).toMatchObject({
        code: 'sui.history',
        message: 'This does not continue the signed history of the agent.',
      })
    expect(await refused(ana, await ana.version({}, { version: 2, previous: 'ab'.repeat(32) }), {})).toMatchObject({ code: 'sui.history' })
    expect(await refused(ana, await ana.version({}, { before: made, signedAt: '2020-01-01T00:00:00.000Z' }))).toMatchObject({ code: 'sui.stale' })

    const rival = await ana.version({ name: 'Rival' }, { before: made })
    const outcomes = (await Promise.all([next, rival].map((version) => ana.publish(version, { id })))).map(({ status, body }) => [status, body.code])
    expect(outcomes.sort()).toEqual([
      [200, undefined],
      [409, 'sui.stale'],
    ])
    expect(await refused(ana, rival)).toMatchObject({
      code: 'sui.stale',
      message: 'There is already this version of the agent, or a newer one. Reload it and try again.',
    })
  })

  it('goes to another server by import alone, with id, author and history, and goes on there', async () => {
    const app = await anApp()
    const ana = await SuiPerson.signIn(app)
    const made = await ana.make()
    const id = made.agent._id
    const second = await ana.change(made, { name: 'Keeper' })
    const bundle = (await ana.send('GET', `/v1/sui/assistant/${id}/export`)).body as SuiBundle
    const stranger = (await new Client(app, null).send('GET', `/v1/sui/assistant/${id}/export`)).body as SuiBundle

    const other = await anApp(databaseKind, { ...away, keepTables: false })
    const there = await SuiPerson.signIn(other, ana.wallet)
    const eve = await SuiPerson.signIn(other)
    const first = JSON.parse(made.head.manifest) as SuiManifest
    const replay = { ...(await there.version()), manifest: first, json: made.head.manifest, signature: made.head.signature }
    expect((await there.publish(replay)).body.code).toBe('sui.replayed')

    const refusals: [string, SuiPerson, SuiBundle][] = [
      ['sui.foreign-signer', eve, bundle],
      ['sui.secrets-missing', there, stranger],
      ['sui.history', there, { ...bundle, versions: bundle.versions.slice(1) }],
      ['sui.history', there, { ...bundle, versions: bundle.versions.toReversed() }],
      ['sui.history', there, { ...bundle, id: `0x${'ab'.repeat(32)}` }],
      ['sui.altered', there, { ...bundle, versions: bundle.versions.map((version) => ({ ...version, signature: made.head.signature })) }],
      ['sui.altered', there, { ...bundle, picture: Buffer.from('RIFF').toString('base64') }],
      ['sui.altered', there, { ...bundle, secrets: bundle.secrets && { ...bundle.secrets, knowledge: 'Another' } }],
    ]
    for (const [code, person, given] of refusals) expect(await codeOf(person.post('/v1/sui/assistant/import', given))).toBe(code)

    const taken = await there.post('/v1/sui/assistant/import', bundle)
    expect(taken).toMatchObject({ status: 201, body: { agent: { _id: id, name: 'Keeper', prompt: secretPrompt, sui: second.agent.sui } } })
    const history = (await eve.send('GET', `/v1/sui/assistant/${id}/history`)).body as SuiHistory
    expect(history).toEqual({ id, versions: bundle.versions })
    expect([...checkHistory(history, { sui: suiCrypto, digests: suiTestDigests })].map(({ problem }) => problem)).toEqual([undefined, undefined])
    const picture = await other.call((taken.body as typeof second).agent.profileImage)
    expect(suiTestDigests.picture(Buffer.from(await picture.arrayBuffer()))).toBe((JSON.parse(second.head.manifest) as SuiManifest).picture)

    expect(await codeOf(there.post('/v1/sui/assistant/import', bundle))).toBe('sui.stale')
    const third = await there.change(taken.body as typeof second, { name: 'Third' })
    expect(JSON.parse(third.head.manifest)).toMatchObject({ origin: home.domain, domain: away.domain, version: 3 })
    // A fork of the same history is not taken over a longer one that differs.
    const forked = { ...bundle, versions: [...bundle.versions, ...(await forkOf(there, second))] }
    expect(await codeOf(there.post('/v1/sui/assistant/import', forked))).toBe('sui.history')
  })
})

const signed = async (person: SuiPerson, json: string): Promise<string> => {
  const { domain, version } = JSON.parse(json) as SuiManifest
  return person.wallet.sign(
    `parley-sui-agent/1 publish\n\n${domain} asks you to sign version ${version} of this agent. It moves nothing and gives nobody access.\n\n${json}`,
  )
}

async function forkOf(person: SuiPerson, before: Parameters<SuiPerson['change']>[0]) {
  const { json: manifest, signature } = await person.version({ name: 'Fork' }, { before })
  return [{ manifest, signature }]
}
