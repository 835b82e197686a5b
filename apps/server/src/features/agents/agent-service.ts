import type { Agent, AgentDraft, AgentLanguage, AgentPage, Likes, OwnAgent, SeenAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { saveAgentFiles } from '../sources/public/agent-knowledge'
import { toAgent, toOwnAgent } from './agent-json'
import { agentRecord } from './agent-record'
import { canFindSimilar, searchAgents, similarWords } from './agent-search-store'
import {
  type AgentLookup,
  countLikes,
  deleteLike,
  deleteLikesOf,
  findAgent,
  findOwnSecrets,
  type IdPage,
  insertLike,
  listCommunity,
  listOfCreator,
  listOwn,
  listProduct,
  readAgents,
  type Viewer,
  type VisibleAgentRow,
} from './agent-store'
import { isStorableId } from './agent-texts'
import { agentQuery, type Finder, mistypableTerms, plainWords, searchTerms } from './agent-words'
import {
  deleteAllOwn,
  deleteOwn,
  deleteUnusedWords,
  disownPublic,
  insertAgent,
  lockAndCountOwn,
  lockOwn,
  updateOwn,
} from './agent-write-store'
import type { PictureService } from './picture-service'

type Deps = { db: Db; pictures: PictureService; now: () => number }

/** `page_number` starts at 0. Blank `search_terms` list everything. */
export type AgentListQuery = {
  page_number?: number | undefined
  page_size: number
  lang?: AgentLanguage | undefined
  search_terms?: string | undefined
  sort?: 'likes' | undefined
}

/** The agents that people create, and the lists of all agents. */
export class AgentService {
  private hasSimilarity: boolean | undefined

  constructor(private readonly deps: Deps) {}

  /** The public, active agents of all people. */
  community(viewer: Viewer, query: AgentListQuery): Promise<AgentPage> {
    return this.list(viewer, query, { list: 'community' }, (page) =>
      listCommunity(this.deps.db, { ...page, sort: query.sort }),
    )
  }

  /** Ignores `lang`, so that people see all of their own agents. */
  mine(userId: string, query: AgentListQuery): Promise<AgentPage> {
    return this.list(userId, { ...query, lang: undefined }, { ownerId: userId }, (page) =>
      listOwn(this.deps.db, userId, page),
    )
  }

  product(viewer: Viewer, query: AgentListQuery): Promise<AgentPage> {
    return this.list(viewer, query, { list: 'product' }, (page) => listProduct(this.deps.db, page))
  }

  /** The newest public, active agents of one creator. */
  async ofCreator(
    viewer: Viewer,
    { user_id: creatorId, lang }: { user_id: string; lang?: AgentLanguage | undefined },
  ): Promise<AgentPage> {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(creatorId)) return { assistants: [], total_count: 0 }
    return this.pageOf(
      viewer,
      await listOfCreator(this.deps.db, creatorId, { page: 0, size: limits.agents.maxPage, lang }),
    )
  }

  /** The owner's includes the prompt. Throws agent.private, agent.not-found. */
  async get(viewer: Viewer, id: string): Promise<SeenAgent> {
    const row = await this.require(viewer, id)
    return viewer !== undefined && row.userId === viewer ? this.own(viewer, row) : toAgent(row)
  }

  /**
   * Creates an agent, or with `_id` changes the person's own. Throws validation, agent.not-found, agent.limit,
   * agent.image-not-allowed, agent.file-gone, agent.too-many-files.
   */
  async save(userId: string, draft: AgentDraft): Promise<OwnAgent> {
    const id = draft._id === undefined ? await this.create(userId, draft) : await this.change(userId, draft._id, draft)
    return this.own(userId, await this.require(userId, id))
  }

  /** Throws agent.not-found for an agent of somebody else. */
  async remove(userId: string, id: string): Promise<void> {
    const { db, pictures } = this.deps
    const row = await this.requireOwn(userId, id)
    if (!(await deleteOwn(db, userId, id))) throw new AppError('agent.not-found')
    await deleteUnusedWords(db, plainWords(row))
    await pictures.deleteUnused(userId, [row.profileImage])
  }

  /** Idempotent. Throws not-found for another person's `userId`, agent.private, agent.not-found. */
  async like(userId: string, like: { assistantId: string; userId: string }): Promise<Likes> {
    const { db, now } = this.deps
    requireSelf(userId, like.userId)
    await this.require(userId, like.assistantId)
    await insertLike(db, userId, like.assistantId, new Date(now()))
    const { likes, likedByMe } = await this.require(userId, like.assistantId)
    return { likes, likedByMe }
  }

  /** Also removes the like of an agent that has become private. Throws as `like` does. */
  async unlike(userId: string, like: { assistantId: string; userId: string }): Promise<Likes> {
    const { db } = this.deps
    requireSelf(userId, like.userId)
    const wasLiked = isStorableId(like.assistantId) && (await deleteLike(db, userId, like.assistantId))
    if (!wasLiked) await this.require(userId, like.assistantId)
    return { likes: (await countLikes(db, like.assistantId)) ?? 0, likedByMe: false }
  }

  /**
   * Before an account is deleted: deletes its likes, which corrects the counts, and its agents. `keepsPublic` keeps the
   * public, active ones without an owner; a drawn face replaces an uploaded picture, which is deleted with the account.
   */
  async forget(userId: string, { keepsPublic }: { keepsPublic: boolean }): Promise<void> {
    const { db } = this.deps
    await deleteLikesOf(db, userId)
    if (keepsPublic) await disownPublic(db, userId)
    await deleteUnusedWords(db, [...new Set((await deleteAllOwn(db, userId)).flatMap(plainWords))])
  }

  private async list(
    viewer: Viewer,
    { page_number: page = 0, page_size: size, lang, search_terms: input, sort }: AgentListQuery,
    finder: Finder,
    listAll: (page: { page: number; size: number; lang: AgentLanguage | undefined }) => Promise<IdPage>,
  ): Promise<AgentPage> {
    if (input === undefined || input.trim() === '') return this.pageOf(viewer, await listAll({ page, size, lang }))
    return this.pageOf(viewer, await this.search(input, { finders: [finder], lang, sort, page, size }))
  }

  /** Agents that contain all terms; where there are none, those that contain words similar to them. */
  async search(
    input: string,
    {
      finders,
      lang,
      ...rest
    }: {
      finders: readonly Finder[]
      lang: AgentLanguage | undefined
      sort: 'likes' | undefined
      page: number
      size: number
    },
  ): Promise<IdPage> {
    const { db } = this.deps
    const terms = searchTerms(input)
    if (terms.length === 0) return { ids: [], total: 0 }
    const found = await searchAgents(db, { query: agentQuery(terms, { finders, lang }), ...rest })
    if (found.total > 0 || !(await this.canFindSimilar())) return found
    const similar = await similarWords(db, mistypableTerms(terms))
    return searchAgents(db, { query: agentQuery(terms, { finders, lang, similar }), ...rest })
  }

  /** Caches the answer; a query that failed is repeated by the next search. */
  private async canFindSimilar(): Promise<boolean> {
    this.hasSimilarity ??= await canFindSimilar(this.deps.db)
    return this.hasSimilarity
  }

  private async pageOf(viewer: Viewer, { ids, total }: IdPage): Promise<AgentPage> {
    const rows = await readAgents(this.deps.db, viewer, ids)
    return { assistants: rows.map((row): Agent => toAgent(row)), total_count: total }
  }

  private async require(viewer: Viewer, id: string): Promise<VisibleAgentRow> {
    const found: AgentLookup = isStorableId(id) ? await findAgent(this.deps.db, viewer, id) : { kind: 'missing' }
    if (found.kind === 'visible') return found.row
    throw new AppError(found.kind === 'private' ? 'agent.private' : 'agent.not-found')
  }

  private async own(userId: string, row: VisibleAgentRow): Promise<OwnAgent> {
    const secrets = await findOwnSecrets(this.deps.db, userId, row.id)
    if (!secrets) throw new AppError('agent.not-found')
    return toOwnAgent(row, secrets)
  }

  private async create(userId: string, draft: AgentDraft): Promise<string> {
    const { db, pictures, now } = this.deps
    const profileImage = await pictures.requireUsable(userId, draft.profileImage)
    const record = agentRecord({
      id: uuidv7(),
      userId,
      draft: { ...draft, profileImage },
      before: undefined,
      now: new Date(now()),
    })
    await db.transaction(async (tx) => {
      if ((await lockAndCountOwn(tx, userId)) >= serverLimits.agents.perPerson) throw new AppError('agent.limit')
      await insertAgent(tx, record)
      await saveAgentFiles(tx, { ownerId: userId, agentId: record.row.id, fileIds: draft.knowledgeFiles ?? [] })
    })
    return record.row.id
  }

  private async change(userId: string, id: string, draft: AgentDraft): Promise<string> {
    const { db, pictures, now } = this.deps
    const row = await this.requireOwn(userId, id)
    const profileImage =
      draft.profileImage === row.profileImage
        ? row.profileImage
        : await pictures.requireUsable(userId, draft.profileImage)
    const replaced = await db.transaction(async (tx) => {
      const before = await lockOwn(tx, userId, id)
      const secrets = await findOwnSecrets(tx, userId, id)
      if (!before || !secrets) throw new AppError('agent.not-found')
      const record = agentRecord({
        id,
        userId,
        draft: { ...draft, profileImage },
        before: { ...before, knowledge: secrets.knowledge },
        now: new Date(now()),
      })
      await updateOwn(tx, userId, record)
      const { knowledgeFiles: fileIds } = draft
      if (fileIds) await saveAgentFiles(tx, { ownerId: userId, agentId: id, fileIds })
      const kept = new Set(record.words)
      return { words: plainWords(before).filter((word) => !kept.has(word)), profileImage: before.profileImage }
    })
    await deleteUnusedWords(db, replaced.words)
    if (replaced.profileImage !== profileImage) await pictures.deleteUnused(userId, [replaced.profileImage])
    return id
  }

  /**
   * Throws agent.not-found for an agent of somebody else, whether or not it exists; sui.signature-needed for a wallet's
   * agent, which only signatures change (SuiPublishService).
   */
  private async requireOwn(userId: string, id: string): Promise<VisibleAgentRow> {
    const [row] = isStorableId(id) ? await readAgents(this.deps.db, userId, [id]) : []
    if (row?.userId !== userId) throw new AppError('agent.not-found')
    if (row.source === 'sui') throw new AppError('sui.signature-needed')
    return row
  }
}

/** Nobody likes in another person's name. */
function requireSelf(userId: string, requestedId: string): void {
  if (requestedId !== userId) throw new AppError('not-found')
}
