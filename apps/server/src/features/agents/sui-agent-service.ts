import { setImmediate } from 'node:timers/promises'
import type { AgentLanguage } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import {
  bundleOf,
  draftOfManifest,
  publishMessage,
  readManifest,
  removeMessage,
  type SuiAgent,
  type SuiBundle,
  type SuiGround,
  type SuiHistory,
  type SuiManifest,
  type SuiPage,
  type SuiSecrets,
  type SuiVersion,
} from '@parley/contract/sui-agents'
import { checkHistory, nextProblem } from '@parley/contract/sui-history'
import type { Db } from '../../db/client'
import { suiCrypto } from '../../providers/wallets/sui-crypto'
import { toAgent } from './agent-json'
import type { AgentService } from './agent-service'
import { findOwnSecrets, type IdPage, type Page, type Viewer } from './agent-store'
import { isPossibleId } from './agent-texts'
import { plainWords } from './agent-words'
import { countOwnLocked, deleteOwn, forgetWords, insertAgent, updateOwn } from './agent-write-store'
import type { PictureService } from './picture-service'
import {
  appendVersions,
  findHead,
  type Head,
  listSui,
  listSuiLiked,
  listSuiNamed,
  listSuiOf,
  lockAgent,
  lockHead,
  readSuiAgents,
  readVersions,
  type StoredVersion,
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
  type SuiPublication,
  secretsOf,
  wholeSuiAgent,
} from './sui-publication'

type Deps = {
  db: Db
  agents: AgentService
  pictures: PictureService
  /** This server's name: what is signed for another one is refused here. */
  domain: string
  now: () => number
}

type ListQuery = { page_number: number; page_size: number; lang?: AgentLanguage | undefined }
type Search = { search_terms?: string | undefined; liked?: 'true' | 'false' | undefined }

/**
 * Agents of wallets: docs/agents.md. This server keeps what a wallet signed, and refuses whatever is not signed as the manifest says. Every failure is an
 * AppError of the catalogue.
 */
export class SuiAgentService {
  constructor(private readonly deps: Deps) {}

  async list(viewer: Viewer, { page_number: page, page_size: size, lang, search_terms: typed = '', liked }: ListQuery & Search): Promise<SuiPage> {
    const { db } = this.deps
    if (liked === 'true') return this.shown(viewer, { page, size }, await listSuiLiked(db, viewer, { page, size, lang: undefined }))
    if (typed.trim() === '') return this.shown(viewer, { page, size }, await listSui(db, { page, size, lang }))
    return this.shown(viewer, { page, size }, await this.search(viewer, typed.trim(), { page, size, lang }))
  }

  /** An id, or the address of a wallet, finds what the list shows of it; words find what the person may read. */
  private search(viewer: Viewer, typed: string, page: Page): Promise<IdPage> {
    const { db, agents } = this.deps
    const id = typed.toLowerCase()
    if (/^0x[0-9a-f]{64}$/.test(id)) return listSuiNamed(db, id, { ...page, lang: undefined })
    const own = viewer === undefined ? [] : [{ walletOf: viewer }]
    return agents.search(typed, { ...page, finders: [{ list: 'sui' }, ...own], sort: undefined })
  }

  async ofPerson(viewer: Viewer, { user_id: userId, page_number: page, page_size: size, lang }: ListQuery & { user_id: string }): Promise<SuiPage> {
    const isPerson = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(userId)
    const found = isPerson ? await listSuiOf(this.deps.db, userId, viewer, { page, size, lang }) : { ids: [], total: 0 }
    return this.shown(viewer, { page, size }, found)
  }

  /** Throws agent.private, agent.not-found. */
  async get(viewer: Viewer, id: string): Promise<SuiAgent> {
    const { agent, versions, secrets } = await this.whole(viewer, id)
    const head = versions.at(-1)
    if (!head) throw new AppError('agent.not-found')
    return { agent, head, ...(secrets ? { secrets } : {}) }
  }

  /** Throws agent.private, agent.not-found. */
  async history(viewer: Viewer, id: string): Promise<SuiHistory> {
    const { versions } = await this.whole(viewer, id)
    return { id, versions }
  }

  /** With its secrets for the owner alone. Throws agent.private, agent.not-found. */
  async export(viewer: Viewer, id: string): Promise<SuiBundle> {
    const { agent, versions, secrets } = await this.whole(viewer, id)
    const picture = (await this.deps.pictures.readAt(agent.profileImage)).toString('base64')
    return bundleOf({ id, versions, picture, ...(secrets ? { secrets } : {}) })
  }

  /** What the next manifest has to say. Throws sui.wallet-needed, agent.image-not-allowed. */
  async ground(userId: string, profileImage: string): Promise<SuiGround> {
    const { pictures, domain, now } = this.deps
    await this.requireWallet(userId)
    const { path, bytes } = await pictures.fixed(userId, profileImage)
    return { profileImage: path, picture: digests.picture(bytes), domain, now: new Date(now()).toISOString() }
  }

  /** Makes an agent of the person's wallet; with an id, the next version of it. */
  async publish(userId: string, publication: SuiPublication, id?: string): Promise<SuiAgent> {
    const { form } = publication
    const address = await this.requireWallet(userId)
    const manifest = readManifest(form.manifest)
    requireSignature({ address: manifest.address, message: publishMessage(form.manifest), signature: form.signature })
    if (manifest.address !== address) throw new AppError('sui.foreign-signer')
    if (manifest.domain !== this.deps.domain) throw new AppError('sui.replayed')
    if (Math.abs(Date.parse(manifest.signedAt) - this.deps.now()) > limits.agents.sui.clockMs) throw new AppError('sui.stale')
    const secrets = secretsOf(publication, manifest)
    requireSame(manifest, draftOfForm(form, manifest, secrets), secrets)
    const profileImage = await this.requirePicture(userId, publication, manifest)
    const version = { version: manifest.version, digest: digests.manifest(form.manifest), manifest: form.manifest, signature: form.signature }
    const made = { manifest, secrets, versions: [version], profileImage }
    return this.get(userId, id === undefined ? await this.create(userId, made) : await this.change(userId, id, made))
  }

  /** Takes an agent over as another server exported it: all of it is checked anew. Only its own wallet may bring it. */
  async import(userId: string, bundle: SuiBundle): Promise<SuiAgent> {
    const address = await this.requireWallet(userId)
    const { head, stored } = await this.checked(bundle)
    if (head.address !== address) throw new AppError('sui.foreign-signer')
    const { secrets } = bundle
    if (!secrets) throw new AppError('sui.secrets-missing')
    requireSame(head, draftOfManifest({ manifest: head, secrets, profileImage: '' }), secrets)
    const picture = pictureIn(bundle)
    if (digests.picture(picture) !== head.picture) throw new AppError('sui.altered')
    const profileImage = await this.deps.pictures.keepSigned(userId, picture)
    await this.takeOver(userId, bundle.id, { manifest: head, secrets, versions: stored, profileImage })
    return this.get(userId, bundle.id)
  }

  /** Throws agent.not-found for anybody else's, sui.altered and sui.foreign-signer for a signature that is not its wallet's. */
  async remove(userId: string, id: string, signature: string): Promise<void> {
    const { db, domain, pictures } = this.deps
    const { agent } = await this.whole(userId, id)
    const head = await findHead(db, id)
    if (agent.userId !== userId || !head) throw new AppError('agent.not-found')
    requireSignature({ address: head.address, message: removeMessage({ domain, id, head: head.digest }), signature })
    if (!(await deleteOwn(db, userId, id))) throw new AppError('agent.not-found')
    await forgetWords(db, plainWords({ name: agent.name, texts: agent.languages }))
    await pictures.forget(userId, [agent.profileImage])
  }

  private async shown(viewer: Viewer, { page, size }: { page: number; size: number }, { ids, total }: IdPage): Promise<SuiPage> {
    const data = (await readSuiAgents(this.deps.db, viewer, ids)).map(toAgent)
    return { data, pagination: { totalAssistants: total, hasNextPage: (page + 1) * size < total } }
  }

  private async whole(viewer: Viewer, id: string): Promise<{ agent: SuiAgent['agent']; versions: SuiVersion[]; secrets: SuiSecrets | undefined }> {
    const { db, agents } = this.deps
    const agent = await agents.get(viewer, id)
    const [head, versions] = await Promise.all([findHead(db, id), readVersions(db, id)])
    if (!head) throw new AppError('agent.not-found')
    const kept = viewer !== undefined && agent.userId === viewer ? await findOwnSecrets(db, viewer, id) : undefined
    return {
      agent,
      versions: versions.map(({ manifest, signature }) => ({ manifest, signature })),
      secrets: kept && { salt: head.salt, prompts: kept.prompts, knowledge: kept.knowledge },
    }
  }

  /** The address of the person's verified wallet [AG-091]. */
  private async requireWallet(userId: string): Promise<string> {
    const address = await suiAddressOf(this.deps.db, userId)
    if (address === undefined) throw new AppError('sui.wallet-needed')
    return address
  }

  private async requirePicture(userId: string, { form, avatar }: SuiPublication, manifest: SuiManifest): Promise<string> {
    const { pictures } = this.deps
    if (avatar) {
      if (digests.picture(avatar) !== manifest.picture) throw new AppError('sui.altered')
      return pictures.keepSigned(userId, avatar)
    }
    const path = await pictures.requireUsable(userId, form.profileImage)
    if (digests.picture(await pictures.readAt(path)) !== manifest.picture) throw new AppError('sui.altered')
    return path
  }

  private async create(userId: string, made: Publication): Promise<string> {
    const { manifest, versions } = made
    if (manifest.version !== 1 || manifest.previous !== null) throw new AppError('sui.history')
    if (manifest.origin !== manifest.domain) throw new AppError('sui.domain')
    const id = digests.id(versions[0]?.manifest ?? '', manifest.address)
    await this.deps.db.transaction(async (tx) => {
      await this.insert(tx, userId, id, made)
    })
    return id
  }

  private async insert(tx: Db, userId: string, id: string, made: Publication): Promise<void> {
    if ((await countOwnLocked(tx, userId)) >= limits.agents.perPerson) throw new AppError('agent.limit')
    if (await findHead(tx, id)) throw new AppError('sui.stale')
    const at = new Date(this.deps.now())
    await insertAgent(tx, wholeSuiAgent({ id, userId, made, createdAt: at, now: at }))
    await appendVersions(tx, headOf(id, made), made.versions)
  }

  private async change(userId: string, id: string, made: Publication): Promise<string> {
    await this.replace(userId, id, made, (head, before) => {
      if (made.manifest.version <= head.version) throw new AppError('sui.stale')
      const problem = nextProblem(made.manifest, { digest: head.digest, manifest: readManifest(before.at(-1)?.manifest ?? '') })
      if (problem) throw new AppError(problem)
      return made.versions
    })
    return id
  }

  /** Here for the first time, or going on from what is here. */
  private async takeOver(userId: string, id: string, made: Publication): Promise<void> {
    const { db } = this.deps
    if (!(await findHead(db, id))) return db.transaction((tx) => this.insert(tx, userId, id, made))
    await this.replace(userId, id, made, (head, before) => {
      const isSame = before.every(({ digest }, place) => (made.versions[place]?.digest ?? digest) === digest)
      if (!isSame) throw new AppError('sui.history')
      if (made.manifest.version <= head.version) throw new AppError('sui.stale')
      return made.versions.slice(before.length)
    })
  }

  /** `next`: what is new of the versions, by those that are there. Throws agent.not-found for anybody else's. */
  private async replace(userId: string, id: string, made: Publication, next: (head: Head, before: StoredVersion[]) => StoredVersion[]): Promise<void> {
    const { db, pictures, now } = this.deps
    if (!isPossibleId(id)) throw new AppError('agent.not-found')
    const replaced = await db.transaction(async (tx) => {
      const agent = await lockAgent(tx, id)
      const head = await lockHead(tx, id)
      if (agent?.userId !== userId || !head) throw new AppError('agent.not-found')
      const versions = next(head, await readVersions(tx, id))
      const whole = wholeSuiAgent({ id, userId, made, createdAt: agent.createdAt, now: new Date(now()) })
      await updateOwn(tx, userId, whole)
      await appendVersions(tx, headOf(id, made), versions)
      const kept = new Set(whole.words)
      return { words: plainWords(agent).filter((word) => !kept.has(word)), profileImage: agent.profileImage }
    })
    await forgetWords(db, replaced.words)
    if (replaced.profileImage !== made.profileImage) await pictures.forget(userId, [replaced.profileImage])
  }

  /** Checks each version; between two of them others have their turn, since each takes milliseconds. */
  private async checked({ id, versions }: SuiHistory): Promise<{ head: SuiManifest; stored: StoredVersion[] }> {
    const stored: StoredVersion[] = []
    let head: SuiManifest | undefined
    for (const { manifest, digest, problem } of checkHistory({ id, versions }, { sui: suiCrypto, digests })) {
      if (problem) throw new AppError(problem)
      const given = versions[stored.length]
      if (given) stored.push({ version: stored.length + 1, digest, ...given })
      head = manifest
      await setImmediate()
    }
    if (!head) throw new AppError('sui.manifest')
    return { head, stored }
  }
}
