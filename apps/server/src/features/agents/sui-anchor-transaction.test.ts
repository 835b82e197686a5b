import { bcs } from '@mysten/sui/bcs'
import { SuiClient } from '@mysten/sui/client'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { Secp256k1Keypair } from '@mysten/sui/keypairs/secp256k1'
import { Secp256r1Keypair } from '@mysten/sui/keypairs/secp256r1'
import { Transaction, TransactionDataBuilder } from '@mysten/sui/transactions'
import { type AnchorClaim, anchorIn, anchorProblem, anchorTransaction } from '@parley/contract/sui-anchor'
import { describe, expect, it, onTestFinished } from 'vitest'
import { claim, tools } from '../../testing/sui-anchor-claim'
import { startSuiNode } from '../../testing/sui-node-stand-in'

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
      {
        MoveCall: {
          package: claim.package,
          module: 'anchor',
          function: 'publish',
          typeArguments: [],
          arguments: [{ Input: 0 }, { Input: 1 }, { Input: 2 }],
        },
      },
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
      const proof = {
        transaction: TransactionDataBuilder.getDigestFromBytes(data),
        bytes: Buffer.from(data).toString('base64'),
        signature,
      }
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
      expect(
        anchorProblem(
          { ...proof, transaction: proof.transaction.replace(/^./, (first) => (first === '2' ? '3' : '2')) },
          own,
          tools,
        ),
      ).toBe('sui.anchor-other')
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
    expect(
      anchorIn(Buffer.from(await builtBy(Transaction.from(JSON.stringify(twice)), claim.author)).toString('base64')),
    ).toBeUndefined()
    const coins = new Transaction()
    coins.transferObjects([coins.gas], claim.agent)
    expect(anchorIn(Buffer.from(await builtBy(coins, claim.author)).toString('base64'))).toBeUndefined()
    for (const text of ['', 'AAAA', '!']) expect(anchorIn(text)).toBeUndefined()
  })
})

it('the stand-in of a node is one that the Sui library sends to, reads from and waits for', async () => {
  const node = await startSuiNode()
  onTestFinished(() => node.close())
  const keypair = new Ed25519Keypair()
  const own = { ...claim, package: node.package, author: keypair.toSuiAddress() }
  const digest = await node.send(keypair, anchorTransaction(own))
  const client = new SuiClient({ url: node.url })
  const block = await client.waitForTransaction({
    digest,
    options: { showEffects: true, showRawInput: true, showEvents: true },
  })
  expect(block).toMatchObject({
    digest,
    effects: { status: { status: 'success' } },
    checkpoint: expect.stringMatching(/^\d+$/),
  })
  const [sent] = bcs.SenderSignedData.parse(Buffer.from(block.rawTransaction ?? '', 'base64'))
  expect(sent?.intentMessage.value.V1.sender).toBe(own.author)
  const { data, hasNextPage } = await client.queryEvents({
    query: { Sender: own.author },
    limit: 10,
    order: 'descending',
  })
  expect([data.map(({ id, type }) => [id.txDigest, type]), hasNextPage]).toEqual([
    [[digest, `${node.package}::anchor::Anchored`]],
    false,
  ])
  const unknown = client.getTransactionBlock({ digest: '11111111111111111111111111111111' })
  await expect(unknown).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('Could not find the referenced transaction'),
  })
})
