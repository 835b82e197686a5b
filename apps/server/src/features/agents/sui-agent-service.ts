import type { AgentLanguage } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { bundleOf, type SuiAgent, type SuiBundle, type SuiPage } from '@parley/contract/sui-agents'
import type { SuiHistory, SuiSecrets, SuiVersion } from '@parley/contract/sui-manifest'
import type { Db } from '../../db/client'
import { toAgent } from './agent-json'
import type { AgentService } from './agent-service'
import { findOwnSecrets, type IdPage, type PageFilter, type Viewer } from './agent-store'
import type { PictureService } from './picture-service'
import {
  findHead,
  listSui,
  listSuiByIdOrWallet,
  listSuiLiked,
  listSuiOfPerson,
  readSuiAgents,
  readVersions,
} from './sui-agent-store'

type Deps = { db: Db; agents: AgentService; pictures: PictureService }

type ListQuery = { page_number: number; page_size: number; lang?: AgentLanguage | undefined }
type Search = { search_terms?: string | undefined; liked?: 'true' | 'false' | undefined }

/** An agent with its signed history; `secrets` only for its owner. */
type AgentWithHistory = { agent: SuiAgent['agent']; versions: SuiVersion[]; secrets: SuiSecrets | undefined }

/** Lists and reads agents of wallets: docs/agents.md. */
export class SuiAgentService {
  constructor(private readonly deps: Deps) {}

  async list(
    viewer: Viewer,
    { page_number: page, page_size: size, lang, search_terms: input = '', liked }: ListQuery & Search,
  ): Promise<SuiPage> {
    const { db } = this.deps
    if (liked === 'true')
      return this.pageOf(viewer, { page, size }, await listSuiLiked(db, viewer, { page, size, lang: undefined }))
    if (input.trim() === '') return this.pageOf(viewer, { page, size }, await listSui(db, { page, size, lang }))
    return this.pageOf(viewer, { page, size }, await this.search(viewer, input.trim(), { page, size, lang }))
  }

  /** An id or a wallet's address finds all listed agents; words find only those the viewer may read. */
  private search(viewer: Viewer, input: string, page: PageFilter): Promise<IdPage> {
    const { db, agents } = this.deps
    const idOrAddress = input.toLowerCase()
    if (/^0x[0-9a-f]{64}$/.test(idOrAddress)) return listSuiByIdOrWallet(db, idOrAddress, { ...page, lang: undefined })
    const own = viewer === undefined ? [] : [{ walletOf: viewer }]
    return agents.search(input, { ...page, finders: [{ list: 'sui' }, ...own], sort: undefined })
  }

  async ofPerson(
    viewer: Viewer,
    { user_id: userId, page_number: page, page_size: size, lang }: ListQuery & { user_id: string },
  ): Promise<SuiPage> {
    const isPerson = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(userId)
    const found = isPerson
      ? await listSuiOfPerson(this.deps.db, userId, viewer, { page, size, lang })
      : { ids: [], total: 0 }
    return this.pageOf(viewer, { page, size }, found)
  }

  /** Throws agent.private, agent.not-found. */
  async get(viewer: Viewer, id: string): Promise<SuiAgent> {
    const { agent, versions, secrets } = await this.withHistory(viewer, id)
    const head = versions.at(-1)
    if (!head) throw new AppError('agent.not-found')
    return { agent, head, ...(secrets ? { secrets } : {}) }
  }

  /** Throws agent.private, agent.not-found. */
  async history(viewer: Viewer, id: string): Promise<SuiHistory> {
    const { versions } = await this.withHistory(viewer, id)
    return { id, versions }
  }

  /** Includes the secrets for the owner. Throws agent.private, agent.not-found. */
  async export(viewer: Viewer, id: string): Promise<SuiBundle> {
    const { agent, versions, secrets } = await this.withHistory(viewer, id)
    const picture = (await this.deps.pictures.readAt(agent.profileImage)).toString('base64')
    return bundleOf({ id, versions, picture, ...(secrets ? { secrets } : {}) })
  }

  private async pageOf(
    viewer: Viewer,
    { page, size }: { page: number; size: number },
    { ids, total }: IdPage,
  ): Promise<SuiPage> {
    const data = (await readSuiAgents(this.deps.db, viewer, ids)).map(toAgent)
    return { data, pagination: { totalAssistants: total, hasNextPage: (page + 1) * size < total } }
  }

  private async withHistory(viewer: Viewer, id: string): Promise<AgentWithHistory> {
    const { db, agents } = this.deps
    const agent = await agents.get(viewer, id)
    const [head, versions] = await Promise.all([findHead(db, id), readVersions(db, id)])
    if (!head) throw new AppError('agent.not-found')
    const stored = viewer !== undefined && agent.userId === viewer ? await findOwnSecrets(db, viewer, id) : undefined
    return {
      agent,
      versions: versions.map(({ manifest, signature }) => ({ manifest, signature })),
      secrets: stored && { salt: head.salt, prompts: stored.prompts, knowledge: stored.knowledge },
    }
  }
}
