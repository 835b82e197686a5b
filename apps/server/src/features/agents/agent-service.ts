import type { Agent, AgentDraft, AgentLanguage, AgentPage, Likes, OwnAgent, SeenAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { toAgent, toOwnAgent } from './agent-json'
import { canFindAlike, searchAgents, wordsAlike } from './agent-search-store'
import {
  countLikes,
  deleteLike,
  deleteLikesOf,
  type Found,
  findAgent,
  findOwnSecrets,
  type IdPage,
  insertLike,
  listCommunity,
  listOfCreator,
  listOwn,
  listProduct,
  readAgents,
  type SeenRow,
  type Viewer,
} from './agent-store'
import { isPossibleId } from './agent-texts'
import { agentQuery, type Finder, mistypable, plainWords, searchTerms } from './agent-words'
import { countOwnLocked, deleteAllOwn, deleteOwn, forgetWords, insertAgent, lockOwn, releasePublic, updateOwn } from './agent-write-store'
import type { PictureService } from './picture-service'
import { wholeAgent } from './whole-agent'

type Deps = { db: Db; pictures: PictureService; now: () => number }

/** page_number from 0. Blank search_terms: no search. */
export type AgentListQuery = {
  page_number?: number | undefined
  page_size: number
  lang?: AgentLanguage | undefined
  search_terms?: string | undefined
  sort?: 'likes' | undefined
}

/** Agents: DECISIONS section 7. Every failure is an AppError of the catalogue. */
export class AgentService {
  private alike: boolean | undefined

  constructor(private readonly deps: Deps) {}

  /** Everybody's public, enabled agents. */
  community(viewer: Viewer, query: AgentListQuery): Promise<AgentPage> {
    return this.list(viewer, query, { list: 'community' }, (page) => listCommunity(this.deps.db, { ...page, sort: query.sort }))
  }

  /** The person's own, in whatever language: nobody loses sight of one that was made in another. */
  mine(userId: string, query: AgentListQuery): Promise<AgentPage> {
    return this.list(userId, { ...query, lang: undefined }, { ownerId: userId }, (page) => listOwn(this.deps.db, userId, page))
  }

  product(viewer: Viewer, query: AgentListQuery): Promise<AgentPage> {
    return this.list(viewer, query, { list: 'product' }, (page) => listProduct(this.deps.db, page))
  }

  /** The newest public, enabled agents of one creator. */
  async ofCreator(viewer: Viewer, { user_id: creatorId, lang }: { user_id: string; lang?: AgentLanguage | undefined }): Promise<AgentPage> {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(creatorId)) return { assistants: [], total_count: 0 }
    return this.shown(viewer, await listOfCreator(this.deps.db, creatorId, { page: 0, size: limits.agents.maxPage, lang }))
  }

  /** One's own with its prompt. Throws agent.private, agent.not-found. */
  async get(viewer: Viewer, id: string): Promise<SeenAgent> {
    const row = await this.require(viewer, id)
    return viewer !== undefined && row.userId === viewer ? this.own(viewer, row) : toAgent(row)
  }

  /** Makes an agent, or changes one's own (`_id`). Throws validation, agent.not-found, agent.limit, agent.image-not-allowed. */
  async save(userId: string, draft: AgentDraft): Promise<OwnAgent> {
    const id = draft._id === undefined ? await this.make(userId, draft) : await this.change(userId, draft._id, draft)
    return this.own(userId, await this.require(userId, id))
  }

  /** Throws agent.not-found for anything but one's own. */
  async remove(userId: string, id: string): Promise<void> {
    const { db, pictures } = this.deps
    const row = await this.requireOwn(userId, id)
    if (!(await deleteOwn(db, userId, id))) throw new AppError('agent.not-found')
    await forgetWords(db, plainWords(row))
    await pictures.forget(userId, [row.profileImage])
  }

  /** Once, however often it is said. Throws not-found for another's name, agent.private, agent.not-found. */
  async like(userId: string, like: { assistantId: string; userId: string }): Promise<Likes> {
    const { db, now } = this.deps
    requireOneself(userId, like.userId)
    await this.require(userId, like.assistantId)
    await insertLike(db, userId, like.assistantId, new Date(now()))
    const { likes, likedByMe } = await this.require(userId, like.assistantId)
    return { likes, likedByMe }
  }

  /** Also of an agent that has become private since. Throws as `like`. */
  async unlike(userId: string, like: { assistantId: string; userId: string }): Promise<Likes> {
    const { db } = this.deps
    requireOneself(userId, like.userId)
    const wasLiked = isPossibleId(like.assistantId) && (await deleteLike(db, userId, like.assistantId))
    if (!wasLiked) await this.require(userId, like.assistantId)
    return { likes: (await countLikes(db, like.assistantId)) ?? 0, likedByMe: false }
  }

  /** Before a person's account goes: their likes, so that all counts are right, their agents, and what only those had. Pictures go with the account.
   * `keepsPublic`: those that are public and active stay as nobody's, with a drawn face where they had a picture. */
  async forget(userId: string, { keepsPublic }: { keepsPublic: boolean }): Promise<void> {
    const { db } = this.deps
    await deleteLikesOf(db, userId)
    if (keepsPublic) await releasePublic(db, userId)
    await forgetWords(db, [...new Set((await deleteAllOwn(db, userId)).flatMap(plainWords))])
  }

  private async list(
    viewer: Viewer,
    { page_number: page = 0, page_size: size, lang, search_terms: typed, sort }: AgentListQuery,
    finder: Finder,
    all: (page: { page: number; size: number; lang: AgentLanguage | undefined }) => Promise<IdPage>,
  ): Promise<AgentPage> {
    if (typed === undefined || typed.trim() === '') return this.shown(viewer, await all({ page, size, lang }))
    return this.shown(viewer, await this.search(typed, { finders: [finder], lang, sort, page, size }))
  }

  /** What is written so; where nothing is, what may have been meant. */
  async search(
    typed: string,
    { finders, lang, ...rest }: { finders: readonly Finder[]; lang: AgentLanguage | undefined; sort: 'likes' | undefined; page: number; size: number },
  ): Promise<IdPage> {
    const { db } = this.deps
    const terms = searchTerms(typed)
    if (terms.length === 0) return { ids: [], total: 0 }
    const found = await searchAgents(db, { query: agentQuery(terms, { finders, lang }), ...rest })
    if (found.total > 0 || !(await this.canFindAlike())) return found
    const meant = await wordsAlike(db, mistypable(terms))
    return searchAgents(db, { query: agentQuery(terms, { finders, lang, meant }), ...rest })
  }

  /** Asked of the database once; one that could not answer is asked again. */
  private async canFindAlike(): Promise<boolean> {
    this.alike ??= await canFindAlike(this.deps.db)
    return this.alike
  }

  private async shown(viewer: Viewer, { ids, total }: IdPage): Promise<AgentPage> {
    const rows = await readAgents(this.deps.db, viewer, ids)
    return { assistants: rows.map((row): Agent => toAgent(row)), total_count: total }
  }

  private async require(viewer: Viewer, id: string): Promise<SeenRow> {
    const found: Found = isPossibleId(id) ? await findAgent(this.deps.db, viewer, id) : { kind: 'missing' }
    if (found.kind === 'seen') return found.row
    throw new AppError(found.kind === 'private' ? 'agent.private' : 'agent.not-found')
  }

  private async own(userId: string, row: SeenRow): Promise<OwnAgent> {
    const secrets = await findOwnSecrets(this.deps.db, userId, row.id)
    if (!secrets) throw new AppError('agent.not-found')
    return toOwnAgent(row, secrets)
  }

  private async make(userId: string, draft: AgentDraft): Promise<string> {
    const { db, pictures, now } = this.deps
    const profileImage = await pictures.requireUsable(userId, draft.profileImage)
    const whole = wholeAgent({ id: uuidv7(), userId, draft: { ...draft, profileImage }, before: undefined, now: new Date(now()) })
    await db.transaction(async (tx) => {
      if ((await countOwnLocked(tx, userId)) >= limits.agents.perPerson) throw new AppError('agent.limit')
      await insertAgent(tx, whole)
    })
    return whole.row.id
  }

  private async change(userId: string, id: string, draft: AgentDraft): Promise<string> {
    const { db, pictures, now } = this.deps
    const row = await this.requireOwn(userId, id)
    const profileImage = draft.profileImage === row.profileImage ? row.profileImage : await pictures.requireUsable(userId, draft.profileImage)
    const replaced = await db.transaction(async (tx) => {
      const before = await lockOwn(tx, userId, id)
      const secrets = await findOwnSecrets(tx, userId, id)
      if (!before || !secrets) throw new AppError('agent.not-found')
      const whole = wholeAgent({ id, userId, draft: { ...draft, profileImage }, before: { ...before, knowledge: secrets.knowledge }, now: new Date(now()) })
      await updateOwn(tx, userId, whole)
      const kept = new Set(whole.words)
      return { words: plainWords(before).filter((word) => !kept.has(word)), profileImage: before.profileImage }
    })
    await forgetWords(db, replaced.words)
    if (replaced.profileImage !== profileImage) await pictures.forget(userId, [replaced.profileImage])
    return id
  }

  /** Somebody else's, private or not, is not found: nothing tells that it is there. One of a wallet is changed by signatures: SuiAgentService. */
  private async requireOwn(userId: string, id: string): Promise<SeenRow> {
    const [row] = isPossibleId(id) ? await readAgents(this.deps.db, userId, [id]) : []
    if (row?.userId !== userId) throw new AppError('agent.not-found')
    if (row.source === 'sui') throw new AppError('sui.signature-needed')
    return row
  }
}

/** Nobody likes in another's name. */
function requireOneself(userId: string, named: string): void {
  if (named !== userId) throw new AppError('not-found')
}
