import { setImmediate } from 'node:timers/promises'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { draftOfManifest, type SuiAgent, type SuiBundle, type SuiGround } from '@parley/contract/sui-agents'
import { checkHistory, nextProblem } from '@parley/contract/sui-history'
import {
  publishMessage,
  readManifest,
  removeMessage,
  type SuiHistory,
  type SuiManifest,
} from '@parley/contract/sui-manifest'
import type { Db } from '../../db/client'
import { suiCrypto } from '../../providers/wallets/sui-crypto'
import type { AgentService } from './agent-service'
import { isStorableId } from './agent-texts'
import { plainWords } from './agent-words'
import { deleteOwn, deleteUnusedWords, insertAgent, lockAndCountOwn, updateOwn } from './agent-write-store'
import type { PictureService } from './picture-service'
import type { SuiAgentService } from './sui-agent-service'
import {
  appendVersions,
  findHead,
  lockAgent,
  lockHead,
  readVersions,
  type StoredVersion,
  type SuiHead,
  suiAddressOf,
} from './sui-agent-store'
import {
  digests,
  draftOfForm,
  headOf,
  type Publication,
  pictureIn,
  requireSame,
  requireSignature,
  type SuiPublicationForm,
  secretsOf,
  suiAgentRecord,
} from './sui-publication'

type Deps = {
  db: Db
  agents: AgentService
  suiAgents: Pick<SuiAgentService, 'get'>
  pictures: PictureService
  /** This server's domain; a manifest signed for another one is refused. */
  domain: string
  now: () => number
}

/**
 * Creates, changes, imports and deletes agents of wallets: docs/agents.md. Stores only what the wallet signed, and
 * refuses whatever the signed manifest does not describe.
 */
export class SuiPublishService {
  constructor(private readonly deps: Deps) {}

  /** The values that the next manifest has to contain. Throws sui.wallet-needed, agent.image-not-allowed. */
  async ground(userId: string, profileImage: string): Promise<SuiGround> {
    const { pictures, domain, now } = this.deps
    await this.requireWallet(userId)
    const { path, bytes } = await pictures.toFixedBytes(userId, profileImage)
    return { profileImage: path, picture: digests.picture(bytes), domain, now: new Date(now()).toISOString() }
  }

  /**
   * Creates an agent of the person's wallet; with an id, its next version. Throws sui.wallet-needed,
   * sui.foreign-signer, sui.altered, sui.scheme, sui.replayed, sui.stale, sui.history, sui.domain, validation,
   * agent.not-found, agent.limit, agent.image-not-allowed.
   */
  async publish(userId: string, input: SuiPublicationForm, id?: string): Promise<SuiAgent> {
    const { suiAgents, domain, now } = this.deps
    const { form } = input
    const address = await this.requireWallet(userId)
    const manifest = readManifest(form.manifest)
    requireSignature({ address: manifest.address, message: publishMessage(form.manifest), signature: form.signature })
    if (manifest.address !== address) throw new AppError('sui.foreign-signer')
    if (manifest.domain !== domain) throw new AppError('sui.replayed')
    if (Math.abs(Date.parse(manifest.signedAt) - now()) > limits.agents.sui.clockMs) throw new AppError('sui.stale')
    const secrets = secretsOf(input, manifest)
    requireSame(manifest, draftOfForm(form, manifest, secrets), secrets)
    const profileImage = await this.requirePicture(userId, input, manifest)
    const version = {
      version: manifest.version,
      digest: digests.manifest(form.manifest),
      manifest: form.manifest,
      signature: form.signature,
    }
    const publication = { manifest, secrets, versions: [version], profileImage }
    if (id !== undefined) await this.change(userId, id, publication)
    return suiAgents.get(userId, id ?? (await this.create(userId, publication)))
  }

  /**
   * Imports an agent that another server exported, after checking all of its history. Only the agent's own wallet may
   * import it. Throws sui.wallet-needed, sui.foreign-signer, sui.secrets-missing, sui.altered, sui.history, sui.stale,
   * agent.limit.
   */
  async import(userId: string, bundle: SuiBundle): Promise<SuiAgent> {
    const address = await this.requireWallet(userId)
    const { head, stored } = await this.checkHistory(bundle)
    if (head.address !== address) throw new AppError('sui.foreign-signer')
    const { secrets } = bundle
    if (!secrets) throw new AppError('sui.secrets-missing')
    requireSame(head, draftOfManifest({ manifest: head, secrets, profileImage: '' }), secrets)
    const picture = pictureIn(bundle)
    if (digests.picture(picture) !== head.picture) throw new AppError('sui.altered')
    const profileImage = await this.deps.pictures.storeUnchanged(userId, picture)
    await this.store(userId, bundle.id, { manifest: head, secrets, versions: stored, profileImage })
    return this.deps.suiAgents.get(userId, bundle.id)
  }

  /** Throws agent.private, agent.not-found; sui.altered, sui.foreign-signer for a signature of another wallet. */
  async remove(userId: string, id: string, signature: string): Promise<void> {
    const { db, domain, pictures, agents } = this.deps
    const agent = await agents.get(userId, id)
    const head = await findHead(db, id)
    if (agent.userId !== userId || !head) throw new AppError('agent.not-found')
    requireSignature({ address: head.address, message: removeMessage({ domain, id, head: head.digest }), signature })
    if (!(await deleteOwn(db, userId, id))) throw new AppError('agent.not-found')
    await deleteUnusedWords(db, plainWords({ name: agent.name, texts: agent.languages }))
    await pictures.deleteUnused(userId, [agent.profileImage])
  }

  /** The address of the person's verified wallet [AG-091]. */
  private async requireWallet(userId: string): Promise<string> {
    const address = await suiAddressOf(this.deps.db, userId)
    if (address === undefined) throw new AppError('sui.wallet-needed')
    return address
  }

  private async requirePicture(
    userId: string,
    { form, avatar }: SuiPublicationForm,
    manifest: SuiManifest,
  ): Promise<string> {
    const { pictures } = this.deps
    if (avatar) {
      if (digests.picture(avatar) !== manifest.picture) throw new AppError('sui.altered')
      return pictures.storeUnchanged(userId, avatar)
    }
    const path = await pictures.requireUsable(userId, form.profileImage)
    if (digests.picture(await pictures.readAt(path)) !== manifest.picture) throw new AppError('sui.altered')
    return path
  }

  private async create(userId: string, publication: Publication): Promise<string> {
    const { manifest, versions } = publication
    if (manifest.version !== 1 || manifest.previous !== null) throw new AppError('sui.history')
    if (manifest.origin !== manifest.domain) throw new AppError('sui.domain')
    const id = digests.id(versions[0]?.manifest ?? '', manifest.address)
    await this.deps.db.transaction(async (tx) => {
      await this.insert(tx, userId, id, publication)
    })
    return id
  }

  private async insert(tx: Db, userId: string, id: string, publication: Publication): Promise<void> {
    if ((await lockAndCountOwn(tx, userId)) >= serverLimits.agents.perPerson) throw new AppError('agent.limit')
    if (await findHead(tx, id)) throw new AppError('sui.stale')
    const at = new Date(this.deps.now())
    await insertAgent(tx, suiAgentRecord({ id, userId, publication, createdAt: at, now: at }))
    await appendVersions(tx, headOf(id, publication), publication.versions)
  }

  private async change(userId: string, id: string, publication: Publication): Promise<void> {
    await this.replace(userId, id, publication, (head, stored) => {
      if (publication.manifest.version <= head.version) throw new AppError('sui.stale')
      const problem = nextProblem(publication.manifest, {
        digest: head.digest,
        manifest: readManifest(stored.at(-1)?.manifest ?? ''),
      })
      if (problem) throw new AppError(problem)
      return publication.versions
    })
  }

  /** Inserts the agent, or appends the versions that follow those stored here. */
  private async store(userId: string, id: string, publication: Publication): Promise<void> {
    const { db } = this.deps
    if (!(await findHead(db, id))) return db.transaction((tx) => this.insert(tx, userId, id, publication))
    await this.replace(userId, id, publication, (head, stored) => {
      const isSame = stored.every(({ digest }, index) => (publication.versions[index]?.digest ?? digest) === digest)
      if (!isSame) throw new AppError('sui.history')
      if (publication.manifest.version <= head.version) throw new AppError('sui.stale')
      return publication.versions.slice(stored.length)
    })
  }

  /** `newVersions` checks the versions against the stored ones and returns those to append. Throws agent.not-found. */
  private async replace(
    userId: string,
    id: string,
    publication: Publication,
    newVersions: (head: SuiHead, stored: StoredVersion[]) => StoredVersion[],
  ): Promise<void> {
    const { db, pictures, now } = this.deps
    if (!isStorableId(id)) throw new AppError('agent.not-found')
    const replaced = await db.transaction(async (tx) => {
      const agent = await lockAgent(tx, id)
      const head = await lockHead(tx, id)
      if (agent?.userId !== userId || !head) throw new AppError('agent.not-found')
      const versions = newVersions(head, await readVersions(tx, id))
      const record = suiAgentRecord({ id, userId, publication, createdAt: agent.createdAt, now: new Date(now()) })
      await updateOwn(tx, userId, record)
      await appendVersions(tx, headOf(id, publication), versions)
      const kept = new Set(record.words)
      return { words: plainWords(agent).filter((word) => !kept.has(word)), profileImage: agent.profileImage }
    })
    await deleteUnusedWords(db, replaced.words)
    if (replaced.profileImage !== publication.profileImage) await pictures.deleteUnused(userId, [replaced.profileImage])
  }

  /** Yields to the event loop after each version, whose check takes milliseconds. */
  private async checkHistory({ id, versions }: SuiHistory): Promise<{ head: SuiManifest; stored: StoredVersion[] }> {
    const stored: StoredVersion[] = []
    let head: SuiManifest | undefined
    for (const { manifest, digest, problem } of checkHistory({ id, versions }, { sui: suiCrypto, digests })) {
      if (problem) throw new AppError(problem)
      const version = versions[stored.length]
      if (version) stored.push({ version: stored.length + 1, digest, ...version })
      head = manifest
      await setImmediate()
    }
    if (!head) throw new AppError('sui.manifest')
    return { head, stored }
  }
}
