import type { SuiBundle } from '@parley/contract/sui-agents'
import { checkHistory } from '@parley/contract/sui-history'
import { type SuiHistory, type SuiManifest, writeManifest } from '@parley/contract/sui-manifest'
import { describe, expect, it } from 'vitest'
import { suiCrypto } from '../../providers/wallets/sui-crypto'
import { aDraft, secretPrompt } from '../../testing/agent-drafts'
import { databaseKind } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'
import { aSuiApp, away, codeOf, home } from '../../testing/sui-calls'
import { SuiPerson, suiTestDigests } from '../../testing/sui-people'

describe('an agent of a wallet', () => {
  it('is made by whoever signed in with a Sui wallet, and changed by its signature alone [AG-091, AG-092]', async () => {
    const app = await aSuiApp()
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
    const app = await aSuiApp()
    const ana = await SuiPerson.signIn(app)
    const version = await ana.version()
    const { profileImage } = await ana.version({ profileImage: '/api/faces/other.svg' })
    const altered: Record<string, string> = {
      ...{
        name: 'Another',
        role: 'Another',
        about: 'Another',
        defaultGreetings: 'Another',
        language: 'pt',
        category: 'Another',
      },
      ...{
        isPrivate: 'true',
        enabled: 'false',
        userPrice: '0.5',
        prompt: 'Another',
        prompts: '{"pt":"Another"}',
        knowledge: 'Another',
      },
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
    expect((await ana.publish({ ...unclean, signature: await signed(ana, unclean.json) })).body.code).toBe(
      'sui.altered',
    )
    expect((await ana.publish({ ...version, json: ` ${version.json}` })).body.code).toBe('sui.manifest')
    expect((await ana.publish(version)).status).toBe(201)
    expect((await ana.publish(version)).body.code).toBe('sui.stale')
  })

  it('is refused of a foreign signer, for another server, with a replaced history and as a stale version, each with its text', async () => {
    const app = await aSuiApp()
    const [ana, eve] = [await SuiPerson.signIn(app), await SuiPerson.signIn(app)]
    const made = await ana.make()
    const id = made.agent._id
    const refused = async (
      person: SuiPerson,
      version: Parameters<SuiPerson['publish']>[0],
      at: { id?: string } = { id },
    ) => (await person.publish(version, at)).body

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
    expect(await refused(ana, await ana.version({}, { version: 2, previous: 'ab'.repeat(32) }), {})).toMatchObject({
      code: 'sui.history',
    })
    expect(
      await refused(ana, await ana.version({}, { before: made, signedAt: '2020-01-01T00:00:00.000Z' })),
    ).toMatchObject({ code: 'sui.stale' })

    const rival = await ana.version({ name: 'Rival' }, { before: made })
    const outcomes = (await Promise.all([next, rival].map((version) => ana.publish(version, { id })))).map(
      ({ status, body }) => [status, body.code],
    )
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
    const app = await aSuiApp()
    const ana = await SuiPerson.signIn(app)
    const made = await ana.make()
    const id = made.agent._id
    const second = await ana.change(made, { name: 'Keeper' })
    const bundle = (await ana.send('GET', `/v1/sui/assistant/${id}/export`)).body as SuiBundle
    const stranger = (await new Client(app, null).send('GET', `/v1/sui/assistant/${id}/export`)).body as SuiBundle

    const other = await aSuiApp(databaseKind, { ...away, keepTables: false })
    const there = await SuiPerson.signIn(other, ana.wallet)
    const eve = await SuiPerson.signIn(other)
    const first = JSON.parse(made.head.manifest) as SuiManifest
    const replay = {
      ...(await there.version()),
      manifest: first,
      json: made.head.manifest,
      signature: made.head.signature,
    }
    expect((await there.publish(replay)).body.code).toBe('sui.replayed')

    const refusals: [string, SuiPerson, SuiBundle][] = [
      ['sui.foreign-signer', eve, bundle],
      ['sui.secrets-missing', there, stranger],
      ['sui.history', there, { ...bundle, versions: bundle.versions.slice(1) }],
      ['sui.history', there, { ...bundle, versions: bundle.versions.toReversed() }],
      ['sui.history', there, { ...bundle, id: `0x${'ab'.repeat(32)}` }],
      [
        'sui.altered',
        there,
        { ...bundle, versions: bundle.versions.map((version) => ({ ...version, signature: made.head.signature })) },
      ],
      ['sui.altered', there, { ...bundle, picture: Buffer.from('RIFF').toString('base64') }],
      ['sui.altered', there, { ...bundle, secrets: bundle.secrets && { ...bundle.secrets, knowledge: 'Another' } }],
    ]
    for (const [code, person, given] of refusals)
      expect(await codeOf(person.post('/v1/sui/assistant/import', given))).toBe(code)

    const taken = await there.post('/v1/sui/assistant/import', bundle)
    expect(taken).toMatchObject({
      status: 201,
      body: { agent: { _id: id, name: 'Keeper', prompt: secretPrompt, sui: second.agent.sui } },
    })
    const history = (await eve.send('GET', `/v1/sui/assistant/${id}/history`)).body as SuiHistory
    expect(history).toEqual({ id, versions: bundle.versions })
    expect(
      [...checkHistory(history, { sui: suiCrypto, digests: suiTestDigests })].map(({ problem }) => problem),
    ).toEqual([undefined, undefined])
    const picture = await other.call((taken.body as typeof second).agent.profileImage)
    expect(suiTestDigests.picture(Buffer.from(await picture.arrayBuffer()))).toBe(
      (JSON.parse(second.head.manifest) as SuiManifest).picture,
    )

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
