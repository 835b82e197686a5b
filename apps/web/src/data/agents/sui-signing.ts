// Changes that the owner of a wallet makes to its agents: the wallet signs each, and the server verifies it.
import type { AgentDraft } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import {
  createSuiPath,
  SuiAgent,
  type SuiPlace,
  suiRoutes,
  suiVersionOf,
  updateSuiPath,
} from '@parley/contract/sui-agents'
import {
  publishMessage,
  removeMessage,
  type SuiManifest,
  type SuiSecrets,
  writeManifest,
} from '@parley/contract/sui-manifest'
import { toHex } from '@parley/contract/sui-signature'
import { api } from '../api/api'
import { sendForm } from '../api/upload'
import { bytesAt } from '../http/bytes-at'
import { storedSession } from '../session/stored-session'
import { WalletMissingError } from '../wallets/wallet-missing-error'
import { connectSui } from '../wallets/wallet-standard'
import { refetchAgents } from './agent-queries'
import { digests } from './sui-crypto'

/**
 * missing: this browser has no wallet. other: the wallet has another account than the signed-in one. refused: the
 * person did not sign. unable: the wallet cannot send transactions.
 */
export class SuiSigningError extends Error {
  override name = 'SuiSigningError'
  constructor(
    readonly reason: 'missing' | 'other' | 'refused' | 'unable',
    options?: ErrorOptions,
  ) {
    super(reason, options)
  }
}

type Signer = {
  address: string
  sign: (message: string) => Promise<string>
  send: (transaction: string, network: string) => Promise<string>
}

/** Connects the wallet of the signed-in account. Throws SuiSigningError. */
export async function signer(): Promise<Signer> {
  const address = signedInAddress()
  const wallet = await connectSui().catch((error: unknown) => {
    throw new SuiSigningError(error instanceof WalletMissingError ? 'missing' : 'refused', { cause: error })
  })
  if (fullAddress(wallet.address) !== address) throw new SuiSigningError('other')
  const refused = (error: unknown): never => {
    throw new SuiSigningError('refused', { cause: error })
  }
  const send = (transaction: string, network: string): Promise<string> => {
    if (!wallet.send) throw new SuiSigningError('unable')
    return wallet.send(transaction, network).catch(refused)
  }
  return { address, sign: (message) => wallet.sign(message).catch(refused), send }
}

/** The address in the account's e-mail; of an account without a wallet it is some other text. */
export const signedInAddress = (): string => storedSession()?.user.email.split('@')[0]?.toLowerCase() ?? ''

const fullAddress = (address: string): string => `0x${address.replace(/^0x/i, '').toLowerCase().padStart(64, '0')}`

/** Creates an agent, or publishes the next version of `before`. Throws SuiSigningError and AppError. */
export async function publishSuiAgent(
  draft: AgentDraft,
  { userPrice, before }: { userPrice: number; before?: SuiAgent | undefined },
): Promise<SuiAgent> {
  const { address, sign } = await signer()
  const ground = await api(suiRoutes.ground, { body: { profileImage: draft.profileImage } })
  await requirePicture(ground)
  const last = before && manifestOf(before)
  const place: SuiPlace = {
    origin: last?.origin ?? ground.domain,
    domain: ground.domain,
    address,
    version: (last?.version ?? 0) + 1,
    previous: before ? digests.manifest(before.head.manifest) : null,
    signedAt: ground.now,
    picture: ground.picture,
    userPrice,
  }
  const salt = before?.secrets?.salt ?? toHex(crypto.getRandomValues(new Uint8Array(16)))
  const { manifest, secrets } = suiVersionOf(draft, place, salt, digests)
  const json = writeManifest(manifest)
  const form = formOf({
    manifest,
    secrets,
    json,
    signature: await sign(publishMessage(json)),
    profileImage: ground.profileImage,
  })
  const id = before?.agent._id
  const answer = await (id === undefined
    ? sendForm('POST', createSuiPath, form, SuiAgent)
    : sendForm('PUT', updateSuiPath.replace(':id', encodeURIComponent(id)), form, SuiAgent))
  refetchAgents()
  return answer
}

/** Verifies the digest of the picture that the server serves: the wallet must not sign another one. */
async function requirePicture({ profileImage, picture }: { profileImage: string; picture: string }): Promise<void> {
  if (digests.picture(await bytesAt(profileImage)) !== picture) throw new AppError('sui.altered')
}

type SignedVersion = {
  manifest: SuiManifest
  secrets: SuiSecrets
  json: string
  signature: string
  profileImage: string
}

function formOf({ manifest, secrets, json, signature, profileImage }: SignedVersion): FormData {
  const { language = 'en', role = '', about = '', defaultGreetings = '' } = manifest.languages[0] ?? {}
  const { [language]: prompt = '', ...prompts } = secrets.prompts
  const fields = {
    ...{
      manifest: json,
      signature,
      salt: secrets.salt,
      name: manifest.name,
      language,
      role,
      about,
      defaultGreetings,
      category: manifest.category,
    },
    ...{
      isPrivate: String(manifest.private),
      enabled: String(manifest.enabled),
      userPrice: String(manifest.userPrice),
      profileImage,
    },
    ...{ prompt, prompts: JSON.stringify(prompts) },
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (secrets.knowledge !== '')
    form.append('knowledge', new Blob([secrets.knowledge], { type: 'text/plain' }), 'knowledge.txt')
  return form
}

export const manifestOf = ({ head }: SuiAgent): SuiManifest => JSON.parse(head.manifest) as SuiManifest

/** Deletes an agent of the wallet. Throws SuiSigningError and AppError. */
export async function removeSuiAgent(answer: SuiAgent): Promise<void> {
  const { sign } = await signer()
  const id = answer.agent._id
  const { domain } = await api(suiRoutes.ground, { body: { profileImage: answer.agent.profileImage } })
  const signature = await sign(removeMessage({ domain, id, head: digests.manifest(answer.head.manifest) }))
  await api(suiRoutes.remove, { params: { id }, body: { signature } })
  refetchAgents()
}

/** The agent's history as a file, named after its id. */
export async function suiBundleFile(id: string): Promise<{ blob: Blob; name: string }> {
  const bundle = await api(suiRoutes.export, { params: { id }, answerMs: webLimits.calls.slowAnswerMs })
  return {
    blob: new Blob([`${JSON.stringify(bundle, undefined, 2)}\n`], { type: 'application/json' }),
    name: `${id.slice(0, 10)}.parley-sui-agent.json`,
  }
}
