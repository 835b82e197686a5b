import { bcs } from '@mysten/sui/bcs'
import { SuiClient } from '@mysten/sui/client'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1'
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1'
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions'
import type { SuiAgent } from '@parley/contract/sui-agents'
import { type AnchorClaim, anchorIn, anchorProblem, anchorTransaction, type SuiAnchors } from '@parley/contract/sui-anchor'
import { base58 } from '@scure/base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../db/client'
import { suiCrypto } from '../../providers/wallets/sui-crypto'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { Client } from '../../testing/person'
import { type SuiNodeStandIn, startSuiNode } from '../../testing/sui-node-stand-in'
import { SuiPerson, suiTestDigests, walletOf } from '../../testing/sui-people'

const tools = { sui: suiCrypto, toBase58: (bytes: Uint8Array) => base58.encode(bytes) }
const claim: AnchorClaim = {
  package: `0x${'a1'.repeat(32)}`,
  author: new Ed25519Keypair().toSuiAddress(),
  agent: `0x${'b2'.repeat(32)}`,
  version: 300,
  manifest: 'c3'.repeat(32),
}
const coin = { objectId: `0x${'c0'.repeat(32)}`, version: '1', digest: '11111111111111111111111111111111' }

/** The bytes that a wallet makes of it with the Sui library. */
async function builtBy(transaction: Transaction, sender: string): Promise<Uint8Array> {
  transaction.setSenderIfNotSet(sender)
  transaction.setGasPayment([coin])
  transaction.setGasPrice(1_000)
  transaction.setGasBudget(5_000_000)
  return transaction.build()
}

describe('the transaction that a wallet is asked for', () => {
  it('is one call of the operator’s package with agent, version and digest, as the wallet library decodes its bytes', async () => {
    const bytes = await builtBy(Transaction.from(anchorTransaction(claim)), claim.author)
    const { sender, commands, inputs, expiration } = Transaction.from(bytes).getData()
    expect([sender, expiration]).toEqual([claim.author, { $kind: 'None', None: true }])
    expect(commands).toMatchObject([
      { MoveCall: { package: claim.package, module: 'anchor', function: 'publish', typeArguments: [], arguments: [{ Input: 0 }, { Input: 1 }, { Input: 2 }] } },
    ])
    const plain = inputs.map(({ Pure }) => Buffer.from(Pure?.bytes ?? '', 'base64').toString('hex'))
    expect(plain).toEqual(['b2'.repeat(32), '2c01000000000000', `20${'c3'.repeat(32)}`])
    expect(anchorIn(Buffer.from(bytes).toString('base64'))).toEqual(claim)
  })

  it('proves what its wallet published, whoever shows it, and nothing else', async () => {
    for (const wallet of [new Ed25519Keypair(), new Secp256k1Keypair(), new Secp256r1Keypair()]) {
      const own = { ...claim, author: wallet.toSuiAddress() }
      const data = await builtBy(Transaction.from(anchorTransaction(own)), own.author)
      const { signature } = await wallet.signTransaction(data)
      const proof = { transaction: TransactionDataBuilder.getDigestFromBytes(data), bytes: Buffer.from(data).toString('base64'), signature }
      expect(anchorProblem(proof, own, tools)).toBeUndefined()
      const others: AnchorClaim[] = [
        { ...own, package: claim.agent },
        { ...own, agent: claim.package },
        { ...own, version: 301 },
        { ...own, manifest: 'c4'.repeat(32) },
      ]
      for (const other of others) expect(anchorProblem(proof, other, tools)).toBe('sui.anchor-other')
      expect(anchorProblem(proof, { ...own, author: claim.author }, tools)).toBe('sui.anchor-foreign')
      const stranger = await new Ed25519Keypair().signTransaction(data)
      expect(anchorProblem({ ...proof, signature: stranger.signature }, own, tools)).toBe('sui.anchor-foreign')
      expect(anchorProblem({ ...proof, transaction: proof.transaction.replace(/^./, (first) => (first === '2' ? '3' : '2')) }, own, tools)).toBe(
        'sui.anchor-other',
      )
      const bent = Buffer.from(data.with(-2, 1)).toString('base64')
      expect(anchorProblem({ ...proof, bytes: bent }, own, tools)).toBe('sui.anchor-other')
    }
  })

  it('is not read from one that does more than that', async () => {
    const more = Transaction.from(anchorTransaction(claim))
    more.moveCall({ target: `${claim.package}::anchor::publish`, arguments: [more.pure.u64(1)] })
    expect(anchorIn(Buffer.from(await builtBy(more, claim.author)).toString('base64'))).toBeUndefined()
    const twice = JSON.parse(anchorTransaction(claim)) as { commands: unknown[] }
    twice.commands.push(...twice.commands)
    expect(anchorIn(Buffer.from(await builtBy(Transaction.from(JSON.stringify(twice)), claim.author)).toString('base64'))).toBeUndefined()
    const coins = new Transaction()
    coins.transferObjects([coins.gas], claim.agent)
    expect(anchorIn(Buffer.from(await builtBy(coins, claim.author)).toString('base64'))).toBeUndefined()
    for (const text of ['', 'AAAA', '!']) expect(anchorIn(text)).toBeUndefined()
  })
})

it('the stand-in of a node is one that the Sui library sends to, reads from and waits for', async () => {
  const keypair = new Ed25519Keypair()
  const own = { ...claim, package: node.package, author: keypair.toSuiAddress() }
  const digest = await node.send(keypair, anchorTransaction(own))
  const client = new SuiClient({ url: node.url })
  const block = await client.waitForTransaction({ digest, options: { showEffects: true, showRawInput: true, showEvents: true } })
  expect(block).toMatchObject({ digest, effects: { status: { status: 'success' } }, checkpoint: expect.stringMatching(/^\d+$/) })
  const [sent] = bcs.SenderSignedData.parse(Buffer.from(block.rawTransaction ?? '', 'base64'))
  expect(sent?.intentMessage.value.V1.sender).toBe(own.author)
  const { data, hasNextPage } = await client.queryEvents({ query: { Sender: own.author }, limit: 10, order: 'descending' })
  expect([data.map(({ id, type }) => [id.txDigest, type]), hasNextPage]).toEqual([[[digest, `${node.package}::anchor::Anchored`]], false])
  const unknown = client.getTransactionBlock({ digest: '11111111111111111111111111111111' })
  await expect(unknown).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('Could not find the referenced transaction') })
})

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

async function anApp(kind?: (typeof databases)[number], { env = { SUI_RPC_URL: node.url, SUI_PACKAGE_ID: node.package }, database }: Options = {}) {
  const kept = database ? { database, keepTables: true } : {}
  return buildTestApp({ ...(kind ? { kind } : {}), ...kept, env: { RATE_LIMIT_SCALE: '0', AUTH_SECRET: 'a secret of these nodes alone, long enough', ...env } })
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
    expect(anchor && anchorProblem(anchor, { package: node.package, author, agent, version: 1, manifest }, tools)).toBeUndefined()
    expect(anchor?.checkpoint).toMatch(/^\d+$/)
    expect((await nobody.send('GET', '/v1/sui/public/assistants')).body).toMatchObject({ data: [{ sui: { version: 1, isAnchored: true } }] })

    // Twice, and by a second transaction: the first stays.
    expect(anchorsIn(await ana.post(path, { transaction }))).toHaveLength(1)
    const again = await node.send(keypair, transactionOf(made))
    expect(again).not.toBe(transaction)
    expect(anchorsIn(await ana.post(path, { transaction: again })).map((one) => one.transaction)).toEqual([transaction])

    const changed = await ana.change(made, { name: 'Keeper' })
    expect((await nobody.send('GET', '/v1/sui/public/assistants')).body).not.toMatchObject({ data: [{ sui: { isAnchored: true } }] })
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
    const short = anchorTransaction({ ...claim, package: node.package, author: keypair.toSuiAddress(), agent: made.agent._id, version: 1 })
    const failing = short.replace(JSON.stringify(Buffer.from([32, ...Buffer.from('c3'.repeat(32), 'hex')]).toString('base64')), JSON.stringify('AA=='))
    const refusals: [Promise<string>, string, string][] = [
      [node.send(keypair, failing), 'sui.anchor-failed', 'This transaction failed on the chain, so it anchors nothing.'],
      [node.send(eve, transactionOf(made, { author: eve.toSuiAddress() })), 'sui.anchor-foreign', 'This transaction was sent by another wallet.'],
      ...[{ package: claim.package }, { manifest: claim.manifest }, { agent: claim.agent }, { version: 2 }].map(
        (other) =>
          [node.send(keypair, transactionOf(made, other)), 'sui.anchor-other', 'This transaction anchors something else than a version of this agent.'] as [
            Promise<string>,
            string,
            string,
          ],
      ),
    ]
    for (const [sent, code, message] of refusals) {
      for (const _ of ['once', 'twice']) expect((await ana.post(path, { transaction: await sent })).body).toMatchObject({ code, message })
    }
    expect(anchorsIn(await ana.send('GET', path))).toEqual([])
    // Looking for what was sent finds none of them either.
    expect(anchorsIn(await ana.post(path, {}))).toEqual([])
  })

  it('waits for a node that lags behind, and is told apart from one that is away', async () => {
    const app = await anApp()
    const { ana, made, keypair, path, transactionOf } = await anAuthor(app)
    await node.send(new Ed25519Keypair(), transactionOf(made, { author: claim.author })).catch(() => 'signed by nobody: not executed')
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
      expect([away.status, away.body]).toMatchObject([503, { code: 'sui.chain-away', message: 'The chain cannot be reached. Try again in a moment.' }])
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
    expect(anchorsIn(await ana.post(path, {})).map((anchor) => [anchor.version, anchor.transaction])).toEqual([[1, transaction]])
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
    const moved = await anApp(undefined, { env: { SUI_RPC_URL: node.url, SUI_PACKAGE_ID: claim.package }, database: app.database })
    const there = await SuiPerson.signIn(moved, ana.wallet)
    expect((await there.send('GET', '/v1/sui/public/assistants')).body).not.toMatchObject({ data: [{ sui: { isAnchored: true } }] })
    const other = await node.send(keypair, transactionOf(made, { package: claim.package }))
    expect(anchorsIn(await there.post(path, { transaction: other }))).toMatchObject([{ transaction: other }])
    const back = await anApp(undefined, { env: { SUI_RPC_URL: node.url, SUI_PACKAGE_ID: node.package }, database: app.database })
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
    expect((await eve.send('GET', '/api/config')).body).toMatchObject({ suiAnchoring: { package: node.package, network: 'mainnet' } })

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
