// People with wallets of the Sui library, and what their browsers send.
import { randomBytes } from 'node:crypto'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { AgentDraft } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits/shared'
import { type SuiAgent, SuiGround, type SuiPlace, suiVersionOf } from '@parley/contract/sui-agents'
import {
  publishMessage,
  removeMessage,
  type SuiManifest,
  type SuiSecrets,
  suiDigests,
  writeManifest,
} from '@parley/contract/sui-manifest'
import * as z from 'zod/mini'
import { suiCrypto } from '../providers/wallets/sui-crypto'
import { aDraft } from './agent-drafts'
import { Client } from './person'
import type { SuiNodeStandIn } from './sui-node-stand-in'
import type { WalletSigner } from './wallet-signers'

type Place = { call(path: string, init?: RequestInit): Promise<Response>; url: string }
/** What signs personal messages: key pairs of the library, and several of them together. */
export type SuiWallet = { address: string; sign(message: string): Promise<string> }

export const suiTestDigests = suiDigests(suiCrypto)

type Keypair = { toSuiAddress(): string; signPersonalMessage(bytes: Uint8Array): Promise<{ signature: string }> }

export const walletOf = (keypair: Keypair): SuiWallet => ({
  address: keypair.toSuiAddress(),
  sign: async (message) => (await keypair.signPersonalMessage(new TextEncoder().encode(message))).signature,
})

/** A wallet that signs in, signs agents and sends transactions to a node of its own. */
export function sendingWallet(): {
  signer: WalletSigner
  sendTo: (node: SuiNodeStandIn) => (transaction: string) => Promise<string>
} {
  const keypair = new Ed25519Keypair()
  const { address, sign } = walletOf(keypair)
  return {
    signer: { kind: 'sui', address, publicKey: keypair.getPublicKey().toRawBytes(), sign },
    sendTo: (node) => (transaction) => node.send(keypair, transaction),
  }
}

/** Somebody who signed in with a Sui wallet. */
export class SuiPerson extends Client {
  private constructor(
    private readonly app: Place,
    readonly wallet: SuiWallet,
  ) {
    super(app, null)
  }

  static async signIn(app: Place, wallet: SuiWallet = walletOf(new Ed25519Keypair())): Promise<SuiPerson> {
    const person = new SuiPerson(app, wallet)
    const challenge = await person.post(`/api/auth/web3/sui/requestChallenge/${wallet.address}`, {})
    const { message } = (challenge.body as { data: { message: string } }).data
    person.admit(
      await person.post('/api/auth/web3/sui/verifyChallenge', {
        address: wallet.address,
        message,
        signature: await wallet.sign(message),
      }),
    )
    return person
  }

  /**
   * What the browser would have signed of this draft; `place` says otherwise. `before`: the version that it follows.
   */
  async version(
    fields: Partial<AgentDraft> = {},
    { before, ...place }: { before?: SuiAgent } & Partial<SuiPlace> = {},
  ) {
    const draft = aDraft(fields)
    const ground = z.parse(
      SuiGround,
      (await this.post('/v1/sui/assistant/ground', { profileImage: draft.profileImage })).body,
    )
    const last = before && (JSON.parse(before.head.manifest) as SuiManifest)
    const whole: SuiPlace = {
      origin: last?.origin ?? ground.domain,
      domain: ground.domain,
      address: this.wallet.address,
      version: (last?.version ?? 0) + 1,
      previous: before ? suiTestDigests.manifest(before.head.manifest) : null,
      signedAt: ground.now,
      picture: ground.picture,
      userPrice: limits.agents.sui.defaultPrice,
      ...place,
    }
    const { manifest, secrets } = suiVersionOf(
      draft,
      whole,
      before?.secrets?.salt ?? randomBytes(16).toString('hex'),
      suiTestDigests,
    )
    const json = writeManifest(manifest)
    return {
      manifest,
      secrets,
      profileImage: ground.profileImage,
      json,
      signature: await this.wallet.sign(publishMessage(json)),
    }
  }

  /** Sends a version as the form of the page does; `fields` say something else than what was signed. */
  async publish(version: SentVersion, { id, fields = {} }: { id?: string; fields?: Record<string, string> } = {}) {
    const path = id === undefined ? '/v1/sui/assistant/create' : `/v1/sui/assistant/${id}`
    const headers = { authorization: `Bearer ${this.tokens?.access_token}` }
    const response = await this.app.call(path, {
      method: id === undefined ? 'POST' : 'PUT',
      headers,
      body: suiFormOf(version, fields),
    })
    return { status: response.status, body: (await response.json()) as SuiAgent & { code?: string; message?: string } }
  }

  async make(fields: Partial<AgentDraft> = {}): Promise<SuiAgent> {
    const { status, body } = await this.publish(await this.version(fields))
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body
  }

  async change(before: SuiAgent, fields: Partial<AgentDraft>): Promise<SuiAgent> {
    const { status, body } = await this.publish(await this.version(fields, { before }), { id: before.agent._id })
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body
  }

  async remove({ agent, head }: SuiAgent, domain: string) {
    const message = removeMessage({ domain, id: agent._id, head: suiTestDigests.manifest(head.manifest) })
    return this.send('DELETE', `/v1/sui/assistant/${agent._id}`, { signature: await this.wallet.sign(message) })
  }
}

type SentVersion = { manifest: SuiManifest; secrets: SuiSecrets; profileImage: string; json: string; signature: string }

function suiFormOf(
  { manifest, secrets, profileImage, json, signature }: SentVersion,
  fields: Record<string, string>,
): FormData {
  const [own] = manifest.languages
  if (!own) throw new Error('a manifest without a language')
  const { [own.language]: prompt = '', ...prompts } = secrets.prompts
  const said = {
    ...{ manifest: json, signature, salt: secrets.salt, prompt, prompts: JSON.stringify(prompts), profileImage },
    ...{
      name: manifest.name,
      role: own.role,
      about: own.about,
      defaultGreetings: own.defaultGreetings,
      language: own.language,
    },
    ...{
      category: manifest.category,
      isPrivate: String(manifest.private),
      enabled: String(manifest.enabled),
      userPrice: String(manifest.userPrice),
    },
    ...{ userEmail: 'somebody@example.org', userName: 'Somebody' },
    ...fields,
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(said)) form.append(name, value)
  form.append('knowledge', new Blob([fields.knowledge ?? secrets.knowledge], { type: 'text/plain' }), 'knowledge.txt')
  return form
}
