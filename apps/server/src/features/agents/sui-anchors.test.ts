import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { SuiAgent } from '@parley/contract/sui-agents'
import { type AnchorClaim, anchorProblem, anchorTransaction, type SuiAnchors } from '@parley/contract/sui-anchor'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../db/client'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { Client } from '../../testing/person'
import { claim, tools } from '../../testing/sui-anchor-claim'
import { type SuiNodeStandIn, startSuiNode } from '../../testing/sui-node-stand-in'
import { SuiPerson, suiTestDigests, walletOf } from '../../testing/sui-people'

let node: SuiNodeStandIn
beforeAll(async () => {
  node = await startSuiNode()
})
afterAll(() => node.close())
beforeEach(() => {
  node.isDown = false
  node.isLagging = false
  node.hasNoCheckpoints = false
})

type Options = { env?: Record<string, string> /** Of another node. */; database?: Database }

async function anApp(
  kind?: (typeof databases)[number],
  { env = { SUI_RPC_URL: node.url, SUI_PACKAGE_ID: node.package }, database }: Options = {},
) {
  const kept = database ? { database, keepTables: true } : {}
  return buildTestApp({
    ...(kind ? { kind } : {}),
    ...kept,
    env: { RATE_LIMIT_SCALE: '0', AUTH_SECRET: 'a secret of these nodes alone, long enough', ...env },
  })
}

/** Somebody with one agent, whose wallet sends what it is asked for. */
async function anAuthor(app: Awaited<ReturnType<typeof anApp>>) {
  const keypair = new Ed25519Keypair()
  const ana = await SuiPerson.signIn(app, walletOf(keypair))
  const made = await ana.make()
  const path = `/v1/sui/assistant/${made.agent._id}/anchors`
  const transactionOf = ({ agent, head }: SuiAgent, other: Partial<AnchorClaim> = {}) =>
    anchorTransaction({
      ...{ package: node.package, author: keypair.toSuiAddress(), agent: agent._id, version: agent.sui?.version ?? 0 },
      manifest: suiTestDigests.manifest(head.manifest),
      ...other,
    })
  return { ana, made, keypair, path, transactionOf }
}

const codeOf = ({ body }: { body: unknown }): string | undefined => (body as { code?: string }).code
const anchorsIn = ({ body }: { body: unknown }): SuiAnchors['anchors'] => (body as SuiAnchors).anchors

describe.each(databases)('anchors of agents on %s', (kind) => {
  it('are kept once the chain shows them, told to whoever may read the agent, and go with it', async () => {
    const app = await anApp(kind)
    const { ana, made, keypair, path, transactionOf } = await anAuthor(app)
    const nobody = new Client(app, null)
    expect((await nobody.send('GET', path)).body).toEqual({ anchors: [] })

    const transaction = await node.send(keypair, transactionOf(made))
    const kept = await ana.post(path, { transaction })
    expect([kept.status, anchorsIn(kept)]).toMatchObject([200, [{ version: 1, transaction, chain: 'confirmed' }]])
    const [anchor] = anchorsIn(await nobody.send('GET', path))
    const { author, agent } = { author: keypair.toSuiAddress(), agent: made.agent._id }
    const manifest = suiTestDigests.manifest(made.head.manifest)
    expect(
      anchor && anchorProblem(anchor, { package: node.package, author, agent, version: 1, manifest }, tools),
    ).toBeUndefined()
    expect(anchor?.checkpoint).toMatch(/^\d+$/)
    expect((await nobody.send('GET', '/v1/sui/public/assistants')).body).toMatchObject({
      data: [{ sui: { version: 1, isAnchored: true } }],
    })

    // Twice, and by a second transaction: the first stays.
    expect(anchorsIn(await ana.post(path, { transaction }))).toHaveLength(1)
    const again = await node.send(keypair, transactionOf(made))
    expect(again).not.toBe(transaction)
    expect(anchorsIn(await ana.post(path, { transaction: again })).map((one) => one.transaction)).toEqual([transaction])

    const changed = await ana.change(made, { name: 'Keeper' })
    expect((await nobody.send('GET', '/v1/sui/public/assistants')).body).not.toMatchObject({
      data: [{ sui: { isAnchored: true } }],
    })
    const second = await node.send(keypair, transactionOf(changed))
    expect(anchorsIn(await ana.post(path, { transaction: second })).map(({ version }) => version)).toEqual([2, 1])
    expect((await ana.remove(changed, new URL('http://localhost:0').host)).status).toBe(204)
    expect(codeOf(await nobody.send('GET', path))).toBe('agent.not-found')
  })
})

describe('an anchor', () => {
  it('is refused of a failed transaction, a foreign sender, another package, another digest and another agent, each with its text', async () => {
    const app = await anApp()
    const { ana, made, keypair, path, transactionOf } = await anAuthor(app)
    const eve = new Ed25519Keypair()
    const short = anchorTransaction({
      ...claim,
      package: node.package,
      author: keypair.toSuiAddress(),
      agent: made.agent._id,
      version: 1,
    })
    const failing = short.replace(
      JSON.stringify(Buffer.from([32, ...Buffer.from('c3'.repeat(32), 'hex')]).toString('base64')),
      JSON.stringify('AA=='),
    )
    const refusals: [Promise<string>, string, string][] = [
      [
        node.send(keypair, failing),
        'sui.anchor-failed',
        'This transaction failed on the chain, so it anchors nothing.',
      ],
      [
        node.send(eve, transactionOf(made, { author: eve.toSuiAddress() })),
        'sui.anchor-foreign',
        'This transaction was sent by another wallet.',
      ],
      ...[{ package: claim.package }, { manifest: claim.manifest }, { agent: claim.agent }, { version: 2 }].map(
        (other) =>
          [
            node.send(keypair, transactionOf(made, other)),
            'sui.anchor-other',
            'This transaction anchors something else than a version of this agent.',
          ] as [Promise<string>, string, string],
      ),
    ]
    for (const [sent, code, message] of refusals) {
      for (const _ of ['once', 'twice'])
        expect((await ana.post(path, { transaction: await sent })).body).toMatchObject({ code, message })
    }
    expect(anchorsIn(await ana.send('GET', path))).toEqual([])
    // Looking for what was sent finds none of them either.
    expect(anchorsIn(await ana.post(path, {}))).toEqual([])
  })

  it('waits for a node that lags behind, and is told apart from one that is away', async () => {
    const app = await anApp()
    const { ana, made, keypair, path, transactionOf } = await anAuthor(app)
    await node
      .send(new Ed25519Keypair(), transactionOf(made, { author: claim.author }))
      .catch(() => 'signed by nobody: not executed')
    node.isLagging = true
    const transaction = await node.send(keypair, transactionOf(made))
    for (const _ of ['once', 'twice']) {
      expect((await ana.post(path, { transaction })).body).toMatchObject({
        code: 'sui.anchor-pending',
        message: 'The chain does not show this transaction yet. Try again in a moment.',
      })
    }
    node.isDown = true
    for (const _ of ['once', 'twice']) {
      const away = await ana.post(path, { transaction })
      expect([away.status, away.body]).toMatchObject([
        503,
        { code: 'sui.chain-away', message: 'The chain cannot be reached. Try again in a moment.' },
      ])
    }
    node.isDown = false
    node.isLagging = false
    node.hasNoCheckpoints = true
    expect(codeOf(await ana.post(path, { transaction }))).toBe('sui.anchor-pending')
    node.hasNoCheckpoints = false
    expect(anchorsIn(await ana.post(path, { transaction }))).toMatchObject([{ transaction, chain: 'confirmed' }])
    node.isDown = true
    expect(anchorsIn(await ana.send('GET', path))).toMatchObject([{ transaction, chain: 'away' }])
    node.isDown = false
    expect(anchorsIn(await ana.send('GET', path))).toMatchObject([{ transaction, chain: 'confirmed' }])
  })

  it('that was sent, and of which this server never heard, is found on the chain', async () => {
    const app = await anApp()
    const { ana, made, keypair, path, transactionOf } = await anAuthor(app)
    const other = await ana.make({ name: 'Other' })
    await node.send(keypair, transactionOf(other))
    const transaction = await node.send(keypair, transactionOf(made))
    await node.send(keypair, transactionOf(made))
    const calls = node.calls
    expect(anchorsIn(await ana.post(path, {})).map((anchor) => [anchor.version, anchor.transaction])).toEqual([
      [1, transaction],
    ])
    // Its events, the two transactions that name this agent, and once more the one that is kept.
    expect(node.calls - calls).toBe(4)
    node.isDown = true
    expect(codeOf(await ana.post(path, {}))).toBe('sui.chain-away')
  })

  it('of another package, such as that of a test network, is none any more, and is found again with the package', async () => {
    const app = await anApp()
    const { ana, made, keypair, path, transactionOf } = await anAuthor(app)
    const transaction = await node.send(keypair, transactionOf(made))
    await ana.post(path, { transaction })
    const moved = await anApp(undefined, {
      env: { SUI_RPC_URL: node.url, SUI_PACKAGE_ID: claim.package },
      database: app.database,
    })
    const there = await SuiPerson.signIn(moved, ana.wallet)
    expect((await there.send('GET', '/v1/sui/public/assistants')).body).not.toMatchObject({
      data: [{ sui: { isAnchored: true } }],
    })
    const other = await node.send(keypair, transactionOf(made, { package: claim.package }))
    expect(anchorsIn(await there.post(path, { transaction: other }))).toMatchObject([{ transaction: other }])
    const back = await anApp(undefined, {
      env: { SUI_RPC_URL: node.url, SUI_PACKAGE_ID: node.package },
      database: app.database,
    })
    const again = await SuiPerson.signIn(back, ana.wallet)
    expect(anchorsIn(await again.send('GET', path))).toEqual([])
    expect(anchorsIn(await again.post(path, {}))).toMatchObject([{ transaction }])
  })

  it('is its owner’s to record, and nobody’s where the operator has not set it up', async () => {
    const app = await anApp()
    const { made, keypair, path, transactionOf } = await anAuthor(app)
    const transaction = await node.send(keypair, transactionOf(made))
    const eve = await SuiPerson.signIn(app)
    expect(codeOf(await eve.post(path, { transaction }))).toBe('agent.not-found')
    expect(codeOf(await new Client(app, null).post(path, { transaction }))).toBe('unauthenticated')
    expect((await eve.send('GET', '/api/config')).body).toMatchObject({
      suiAnchoring: { package: node.package, network: 'mainnet' },
    })

    const off = await anApp(undefined, { env: {} })
    const author = await anAuthor(off)
    expect((await author.ana.send('GET', '/api/config')).body).not.toHaveProperty('suiAnchoring')
    expect((await author.ana.post(author.path, { transaction })).body).toMatchObject({
      code: 'sui.anchor-off',
      message: 'This server anchors nothing on a chain.',
    })
    expect((await author.ana.send('GET', author.path)).body).toEqual({ anchors: [] })
  })
})
