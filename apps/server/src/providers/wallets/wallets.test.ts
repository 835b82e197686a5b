import { createServer } from 'node:http'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startLocalChain } from '../../testing/local-chain'
import { ethereumSigner, type SuiScheme, solanaSigner, suiSigner } from '../../testing/wallet-signers'
import { createEgress } from '../egress'
import { createVerifySignature, suiDigest } from './verify-signature'
import { type WalletKind, walletAddress } from './wallet-address'

const verify = createVerifySignature({ egress: createEgress(), baseRpc: undefined, chainId: 31_337 })
const signers = [
  { name: 'ethereum', make: ethereumSigner },
  { name: 'solana', make: solanaSigner },
  ...(['ed25519', 'secp256k1', 'secp256r1'] satisfies SuiScheme[]).map((scheme) => ({
    name: `sui ${scheme}`,
    make: () => suiSigner(scheme),
  })),
]
const message = 'Sign in to Parley, com acentos: ação ✓'

describe.each(signers)('a signature of $name', ({ make }) => {
  it('proves its own address and message, and nothing else', async () => {
    const signer = make()
    const address = walletAddress(signer.kind, signer.address) ?? ''
    const signature = await signer.sign(message)
    expect(await verify(signer.kind, { address, message, signature })).toBe(true)
    expect(await verify(signer.kind, { address, message: `${message}!`, signature })).toBe(false)
    const stranger = make()
    expect(
      await verify(signer.kind, { address: walletAddress(signer.kind, stranger.address) ?? '', message, signature }),
    ).toBe(false)
    expect(await verify(signer.kind, { address, message, signature: await stranger.sign(message) })).toBe(false)
  })

  it('is not made of whatever else is sent', async () => {
    const signer = make()
    const address = walletAddress(signer.kind, signer.address) ?? ''
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.uint8Array({ maxLength: 150 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
        ),
        async (signature) => {
          expect(await verify(signer.kind, { address, message, signature })).toBe(false)
        },
      ),
      { numRuns: 50 },
    )
  })
})

it('a Solana key of small order proves nothing: its "signature" would fit every message', async () => {
  const key = new Uint8Array(32)
  key[0] = 1
  const forged = new Uint8Array(64)
  forged[0] = 1
  expect(ed25519.verify(forged, new TextEncoder().encode(message), key)).toBe(true)
  expect(await verify('solana', { address: base58.encode(key), message, signature: base58.encode(forged) })).toBe(false)
})

it('a contract wallet is asked on the chain (EIP-1271), where there is one', async () => {
  const chain = await startLocalChain()
  onTestFinished(() => chain.close())
  const owner = ethereumSigner()
  const wallet = (await chain.deployWallet(owner.address)).toLowerCase()
  const withChain = createVerifySignature({ egress: createEgress(), baseRpc: chain.url, chainId: 31_337 })
  const signature = await owner.sign(message)
  expect(await withChain('ethereum', { address: wallet, message, signature })).toBe(true)
  expect(await withChain('ethereum', { address: wallet, message: 'another', signature })).toBe(false)
  expect(
    await withChain('ethereum', { address: wallet, message, signature: await ethereumSigner().sign(message) }),
  ).toBe(false)
  expect(await verify('ethereum', { address: wallet, message, signature })).toBe(false)
  const named = createVerifySignature({ egress: createEgress(), baseRpc: chain.url, chainId: 8453 })
  expect(await named('ethereum', { address: wallet, message, signature }), 'the signed text names another chain').toBe(
    false,
  )
})

it('a chain that fails is asked once, and proves nothing', async () => {
  let calls = 0
  let answer = { status: 200, body: '' }
  const rpc = createServer((_request, response) => {
    calls += 1
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  await new Promise<void>((resolve) => rpc.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    rpc.closeAllConnections()
    rpc.close()
  })
  const listening = rpc.address()
  if (listening === null || typeof listening === 'string') throw new Error('the chain does not listen')
  const withChain = createVerifySignature({
    egress: createEgress(),
    baseRpc: `http://127.0.0.1:${listening.port}/rpc?key=k`,
    chainId: 31_337,
  })
  const [wallet, stranger] = [ethereumSigner(), ethereumSigner()]
  const signed = { address: wallet.address.toLowerCase(), message, signature: await stranger.sign(message) }
  const failures = [
    { status: 503, body: 'busy' },
    { status: 200, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal"}}' },
    { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":{"is":"no hex"}}' },
    { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":"0x"}' },
    { status: 200, body: '[]' },
  ]
  for (const failure of failures) {
    answer = failure
    calls = 0
    expect(await withChain('ethereum', signed), failure.body).toBe(false)
    expect(calls, failure.body).toBe(1)
  }
  // Whoever proves it by the key alone needs no chain.
  calls = 0
  expect(await withChain('ethereum', { ...signed, signature: await wallet.sign(message) })).toBe(true)
  expect(calls).toBe(0)
})

// The signers of the tests use this very function; these values come from another implementation: Python's
// hashlib.blake2b over 3, 0, 0, the length, the text.
it.each([
  [5, '85a86e8185c2b23f1205653692c72696fd5aa729c5927efda572a2fd7e10ec66'],
  [127, 'af427b726c6342e2f3bbdfa9380a20318a50d94646e4887c8a9ae2f5432daf0d'],
  [128, '404318b180e783e615a5ce61ebed0b367e510e5d7901f1eb2a5e8f40d10e544c'],
  [3999, '7aa09481940ef9e4041f96276d96dd960e39e5f94bdeded780357193ea7638eb'],
])('a Sui wallet signs this hash of a message of %i letters', (length, digest) => {
  expect(Buffer.from(suiDigest('a'.repeat(length))).toString('hex')).toBe(digest)
})

it('an address has one spelling, and what is none is refused', () => {
  const { address } = ethereumSigner()
  expect(walletAddress('ethereum', address)).toBe(address.toLowerCase())
  expect(walletAddress('ethereum', address.toLowerCase())).toBe(address.toLowerCase())
  expect(walletAddress('ethereum', `0x${address.slice(2).toUpperCase()}`)).toBe(address.toLowerCase())
  expect(walletAddress('sui', '0x2')).toBe(`0x${'0'.repeat(63)}2`)
  expect(walletAddress('sui', `0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  const refused: [WalletKind, string][] = [
    ['ethereum', '0x123'],
    ['ethereum', address.slice(2)],
    ['ethereum', `${address}\n`],
    ['ethereum', ''],
    ['sui', '0x'],
    ['solana', ''],
    ['solana', base58.encode(new Uint8Array(31).fill(7))],
    ['solana', 'short'],
    ['solana', `${'1'.repeat(31)}0`],
    ['solana', `${base58.encode(new Uint8Array(33).fill(7))}`],
    ['sui', 'sui'],
    ['sui', `0x${'g'.repeat(64)}`],
    ['sui', `0x${'a'.repeat(65)}`],
  ]
  for (const [kind, text] of refused) expect(walletAddress(kind, text), `${kind} ${text}`).toBeUndefined()
})
