import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentDraft } from './agents'
import { draftOfManifest, isSuiPerson, type SuiPlace, suiVersionOf } from './sui-agents'
import { checkHistory } from './sui-history'
import {
  publishMessage,
  readManifest,
  removeMessage,
  type SuiManifest,
  suiDigests,
  writeManifest,
} from './sui-manifest'
import { checkSuiSignature, type SuiCrypto } from './sui-signature'

// Any hash of 32 bytes will do for what is promised here; the server's and the browser's own are tried with signatures
// of the wallet library.
function blake2b256(bytes: Uint8Array): Uint8Array {
  const hash = new Uint32Array(8).fill(2_166_136_261).map((basis, place) => basis ^ place)
  for (const byte of bytes)
    for (const place of hash.keys()) hash[place] = Math.imul((hash[place] ?? 0) ^ byte, 16_777_619 + 2 * place)
  return new Uint8Array(hash.buffer)
}
const sui: SuiCrypto = { blake2b256, verify: { Ed25519: () => false, Secp256k1: () => false, Secp256r1: () => false } }
const digests = suiDigests(sui)

const address = `0x${'ab'.repeat(32)}`
const picture = 'cd'.repeat(32)
const place: SuiPlace = {
  origin: 'parley.example',
  domain: 'parley.example',
  address,
  version: 1,
  previous: null,
  signedAt: '2026-11-23T05:21:49.000Z',
  picture,
  userPrice: 100,
}
const draft: AgentDraft = {
  name: 'Move Auditor',
  category: 'Assistant',
  language: 'en',
  role: 'Reads Move packages',
  about: 'Points at lines.',
  prompt: 'You read Move.',
  knowledge: 'Objects.',
  profileImage: '/api/faces/a.svg',
  private: false,
  enabled: true,
  languages: [
    { language: 'pt', role: 'Lê pacotes', about: 'Aponta linhas.', prompt: 'Você lê Move.', defaultGreetings: '' },
  ],
}
const salt = '0'.repeat(32)
const made = () => suiVersionOf(draft, place, salt, digests)

describe('the manifest of a wallet’s agent', () => {
  it('has one spelling, and nothing else is read as one', () => {
    const { manifest } = made()
    const json = writeManifest(manifest)
    expect(readManifest(json)).toEqual(manifest)
    const others = [
      JSON.stringify(manifest, undefined, 1),
      ` ${json}`,
      json.replace('{', '{"extra":1,'),
      json.replace('"enabled":true', '"enabled":true,"enabled":true'),
      json.replace('Move Auditor', '\\u004dove Auditor'),
      JSON.stringify(Object.fromEntries(Object.entries(manifest).reverse())),
      '',
      'null',
      '[]',
    ]
    for (const other of others)
      expect(() => readManifest(other), other).toThrow(expect.objectContaining({ code: 'sui.manifest' }))
  })

  it('has another digest, id and message once any field of it is another', () => {
    const { manifest } = made()
    const json = writeManifest(manifest)
    const changes: { [K in keyof Required<SuiManifest>]: SuiManifest[K] } = {
      format: 'parley-sui-agent/1',
      origin: 'other.example',
      domain: 'other.example',
      address: `0x${'ac'.repeat(32)}`,
      version: 2,
      previous: 'ee'.repeat(32),
      signedAt: '2026-11-23T05:21:50.000Z',
      name: 'Move auditor',
      category: 'Other',
      languages: manifest.languages.slice(0, 1),
      private: true,
      enabled: false,
      userPrice: 101,
      prompt: 'ee'.repeat(32),
      knowledge: 'ee'.repeat(32),
      picture: 'ee'.repeat(32),
    }
    for (const [field, value] of Object.entries(changes)) {
      if (field === 'format') continue
      const other = writeManifest({ ...manifest, [field]: value })
      expect(digests.manifest(other), field).not.toBe(digests.manifest(json))
      expect(digests.id(other, address), field).not.toBe(digests.id(json, address))
      expect(publishMessage(other), field).not.toBe(publishMessage(json))
    }
    expect(digests.id(json, address)).toMatch(/^0x[0-9a-f]{64}$/)
    expect(digests.id(json, changes.address)).not.toBe(digests.id(json, address))
  })

  it('changes its digests of prompt and knowledge with every letter of them, and of their salt', () => {
    const words = fc.tuple(fc.string({ minLength: 1 }), fc.string(), fc.stringMatching(/^[0-9a-f]{32}$/))
    fc.assert(
      fc.property(words, words, ([prompt, knowledge, salt], [otherPrompt, otherKnowledge, otherSalt]) => {
        const [one, other] = [
          { salt, prompts: { en: prompt }, knowledge },
          { salt: otherSalt, prompts: { en: otherPrompt }, knowledge: otherKnowledge },
        ]
        expect(digests.prompt(one) === digests.prompt(other)).toBe(salt === otherSalt && prompt === otherPrompt)
        expect(digests.knowledge(one) === digests.knowledge(other)).toBe(
          salt === otherSalt && knowledge === otherKnowledge,
        )
        expect(digests.prompt(one)).not.toBe(digests.knowledge(one))
      }),
    )
  })

  it('is made of whatever is typed, cleaned as it is kept: the form that it makes makes it again', () => {
    const typed = fc.string({
      unit: fc.constantFrom('a', 'é', '\u0301', '\u200b', '\u202e', '\u1100', '\u1161', '\ud800', '\0', '\r\n', ' '),
    })
    const visible = typed.map((text) => `x${text}`.slice(0, 30))
    fc.assert(
      fc.property(visible, visible, visible, visible, typed, (name, role, about, prompt, defaultGreetings) => {
        const { manifest, secrets } = suiVersionOf(
          { ...draft, name, role, about, prompt, defaultGreetings, languages: [] },
          place,
          salt,
          digests,
        )
        expect(readManifest(writeManifest(manifest))).toEqual(manifest)
        const again = suiVersionOf(draftOfManifest({ manifest, secrets, profileImage: '/p' }), place, salt, digests)
        expect(again).toEqual({ manifest, secrets })
      }),
      { numRuns: 30 },
    )
  })

  it('is signed in words of its own: no message of one kind, server or agent is one of another', () => {
    const { manifest } = made()
    const json = writeManifest(manifest)
    expect(publishMessage(json)).toBe(
      `parley-sui-agent/1 publish\n\nparley.example asks you to sign version 1 of this agent. It moves nothing and gives nobody access.\n\n${json}`,
    )
    const removal = { domain: 'parley.example', id: digests.id(json, address), head: digests.manifest(json) }
    const messages = [
      publishMessage(json),
      publishMessage(writeManifest({ ...manifest, domain: 'other.example' })),
      removeMessage(removal),
      removeMessage({ ...removal, domain: 'other.example' }),
      removeMessage({ ...removal, id: address }),
      removeMessage({ ...removal, head: picture }),
    ]
    expect(new Set(messages).size).toBe(messages.length)
    for (const message of messages) expect(message).not.toContain('wants you to sign in')
  })
})

it('whatever is no signature proves nothing, and a history without one is told so', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String({ maxLength: 400 })), (signature) => {
      expect(checkSuiSignature({ address, message: 'm', signature }, sui)).toMatchObject({ isGood: false })
    }),
  )
  const manifest = writeManifest(made().manifest)
  const versions = [manifest, '{}'].map((json) => ({ manifest: json, signature: '' }))
  expect([...checkHistory({ id: address, versions }, { sui, digests })]).toMatchObject([
    { problem: 'sui.scheme', manifest: { version: 1 } },
    { problem: 'sui.manifest', manifest: undefined },
  ])
})

it('agents are offered to whoever has a Sui wallet: by the kind of the account, by the e-mail where it is unknown [AG-091]', () => {
  const is = (email: string, kind?: 'email' | 'sui' | 'ethereum') =>
    isSuiPerson({ email, app_metadata: kind && { kind } })
  expect(is('ana@sui')).toBe(true)
  expect(is(`0x${'aB'.repeat(32)}@mail.example`)).toBe(true)
  expect(is(`0x${'ab'.repeat(31)}@mail.example`)).toBe(false)
  expect(is('ana@example.org')).toBe(false)
  expect(is('ana@example.org', 'sui')).toBe(true)
  expect(is('ana@sui', 'email')).toBe(false)
  expect(is(`0x${'ab'.repeat(20)}@erc20`, 'ethereum')).toBe(false)
})
