// Checks that a wallet's owner sends what the wallet signed.
import { type AgentDraft, AgentTexts } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { draftOfManifest, type SuiBundle, type SuiForm, suiVersionOf } from '@parley/contract/sui-agents'
import { signatureProblem } from '@parley/contract/sui-history'
import { type SuiManifest, SuiSecrets, suiDigests, writeManifest } from '@parley/contract/sui-manifest'
import { checkSuiSignature, fromBase64, type SuiSigned } from '@parley/contract/sui-signature'
import * as z from 'zod/mini'
import { suiCrypto } from '../../providers/wallets/sui-crypto'
import { languageBits } from './agent-texts'
import { indexEntries, plainWords } from './agent-words'
import type { AgentRecord } from './agent-write-store'
import type { StoredVersion, SuiHead } from './sui-agent-store'

export const digests = suiDigests(suiCrypto)

/** The fields and files of the publication form. */
export type SuiPublicationForm = { form: SuiForm; knowledge: string; avatar: Buffer | undefined }

/** A checked publication; the last of `versions` is the manifest's own. */
export type Publication = {
  manifest: SuiManifest
  secrets: SuiSecrets
  versions: StoredVersion[]
  profileImage: string
}

/** Throws sui.scheme, sui.foreign-signer, sui.altered. */
export function requireSignature(signed: SuiSigned): void {
  const check = checkSuiSignature(signed, suiCrypto)
  if (!check.isGood) throw new AppError(signatureProblem[check.reason])
}

/** Throws validation. */
export function secretsOf({ form, knowledge }: SuiPublicationForm, { languages }: SuiManifest): SuiSecrets {
  const [own] = languages
  const others = promptsIn(form.prompts)
  const parsed = z.safeParse(SuiSecrets, {
    salt: form.salt,
    prompts: { ...others, ...(own ? { [own.language]: form.prompt } : {}) },
    knowledge,
  })
  if (!parsed.success)
    throw new AppError('validation', {
      issues: [{ path: 'prompt', message: 'Prompts and knowledge of this length cannot be kept' }],
    })
  return parsed.data
}

function promptsIn(json: string | undefined): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json ?? '{}')
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed }
  } catch {
    // Reported below like any other invalid field.
  }
  throw new AppError('validation', { issues: [{ path: 'prompts', message: 'No JSON object' }] })
}

/** The draft that the form's fields describe; only the manifest has the texts of other languages. */
export function draftOfForm(
  form: SuiForm,
  manifest: SuiManifest,
  secrets: SuiSecrets,
): AgentDraft & { userPrice: number } {
  const signed = draftOfManifest({ manifest, secrets, profileImage: form.profileImage })
  const { name, role, about, defaultGreetings, category, prompt } = form
  const own = { language: languageIn(form.language), role, about, defaultGreetings, prompt }
  const others = (signed.languages ?? []).slice(1)
  const [isPrivate, enabled] = [form.isPrivate === 'true', form.enabled === 'true']
  return {
    ...signed,
    ...own,
    name,
    category,
    private: isPrivate,
    enabled,
    languages: [own, ...others],
    userPrice: Number(form.userPrice),
  }
}

function languageIn(text: string): AgentTexts['language'] {
  const { data } = z.safeParse(AgentTexts.shape.language, text)
  if (data === undefined) throw new AppError('sui.altered')
  return data
}

/**
 * Requires that the sent draft, cleaned as it will be stored, equals the signed manifest. Throws sui.altered;
 * validation for a text without visible characters.
 */
export function requireSame(
  manifest: SuiManifest,
  draft: AgentDraft & { userPrice?: number },
  secrets: SuiSecrets,
): void {
  const { userPrice = manifest.userPrice } = draft
  const { origin, domain, address, version, previous, signedAt, picture, prompt, knowledge } = manifest
  const signed = { origin, domain, address, version, previous, signedAt, picture, userPrice }
  const sent = suiVersionOf(draft, signed, secrets.salt, digests)
  const isSame = Number.isSafeInteger(userPrice) && writeManifest(sent.manifest) === writeManifest(manifest)
  // The draft contains only prompts of signed languages; the digests refuse any other prompt.
  if (!isSame || digests.prompt(secrets) !== prompt || digests.knowledge(secrets) !== knowledge)
    throw new AppError('sui.altered')
}

/** Throws sui.altered. */
export function pictureIn({ picture }: Pick<SuiBundle, 'picture'>): Buffer {
  try {
    return Buffer.from(fromBase64(picture))
  } catch (error) {
    throw new AppError('sui.altered', { cause: error })
  }
}

type RecordInput = { id: string; userId: string; publication: Publication; createdAt: Date; now: Date }

/** The rows of a wallet's agent, with its texts as they were signed. */
export function suiAgentRecord({ id, userId, publication, createdAt, now }: RecordInput): AgentRecord {
  const { manifest, secrets, profileImage } = publication
  const { name, category, languages: texts } = manifest
  return {
    row: {
      id,
      source: 'sui',
      userId,
      name,
      category,
      profileImage,
      texts,
      languageBits: languageBits(texts.map(({ language }) => language)),
      isPrivate: manifest.private,
      isEnabled: manifest.enabled,
      userPrice: manifest.userPrice,
      createdAt,
      updatedAt: now,
    },
    secrets: { prompts: secrets.prompts, knowledge: secrets.knowledge },
    entries: indexEntries({ name, texts }, [
      { ownerId: userId },
      { walletOf: userId },
      ...(manifest.enabled && !manifest.private ? [{ list: 'sui' } as const] : []),
    ]),
    words: plainWords({ name, texts }),
  }
}

export function headOf(id: string, { manifest, secrets, versions }: Publication): SuiHead {
  const { address, version, signedAt } = manifest
  return {
    agentId: id,
    address,
    version,
    digest: versions.at(-1)?.digest ?? '',
    signedAt: new Date(signedAt),
    salt: secrets.salt,
  }
}
