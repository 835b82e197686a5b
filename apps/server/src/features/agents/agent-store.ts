import type { AgentLanguage } from '@parley/contract/agents'
import { and, asc, count, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { agentLikes, agentSecrets, agents } from '../../db/schema/agents'
import { suiAgents, suiAnchors } from '../../db/schema/sui-agents'
import { users } from '../../db/schema/users'
import { languageBits } from './agent-texts'

export type AgentRow = typeof agents.$inferSelect
/** The id of the person who reads; undefined for a visitor. */
export type Viewer = string | undefined
export type PageFilter = { page: number; size: number; lang: AgentLanguage | undefined }

/** What anybody may see: nothing of agent_secrets. */
const visibleColumns = {
  id: agents.id,
  source: agents.source,
  userId: agents.userId,
  name: agents.name,
  category: agents.category,
  profileImage: agents.profileImage,
  texts: agents.texts,
  isPrivate: agents.isPrivate,
  isEnabled: agents.isEnabled,
  userPrice: agents.userPrice,
  likes: agents.likes,
  createdAt: agents.createdAt,
  updatedAt: agents.updatedAt,
  creatorName: users.name,
  creatorEmail: users.email,
  sui: {
    address: suiAgents.address,
    version: suiAgents.version,
    digest: suiAgents.digest,
    signedAt: suiAgents.signedAt,
  },
  /** The transaction that anchors the current version. */
  anchor: suiAnchors.transaction,
}

const mayRead = (viewer: Viewer) =>
  or(
    and(eq(agents.source, 'product'), agents.isEnabled),
    and(inArray(agents.source, ['community', 'sui']), eq(agents.isPrivate, false)),
    isOwnedBy(viewer),
  )
const isOwnedBy = (viewer: Viewer) => (viewer === undefined ? sql`false` : eq(agents.userId, viewer))
const mayChatWith = (viewer: Viewer) => or(isOwnedBy(viewer), and(mayRead(viewer), agents.isEnabled))
/** Written as in the partial indexes, so that the planner uses them. */
const isListed = sql`${agents.isListed}`
export const hasLanguage = (lang: AgentLanguage | undefined) =>
  lang === undefined ? undefined : sql`${agents.languageBits} & ${languageBits([lang])} <> 0`

/**
 * Selects visible columns of any agents: the caller adds the condition that limits them to those the viewer may read.
 */
export function selectAgents(db: Db, viewer: Viewer) {
  const likedByMe = viewer === undefined ? sql<boolean>`false` : sql<boolean>`${agentLikes.userId} is not null`
  return db
    .select({ ...visibleColumns, likedByMe })
    .from(agents)
    .leftJoin(users, eq(users.id, agents.userId))
    .leftJoin(suiAgents, eq(suiAgents.agentId, agents.id))
    .leftJoin(suiAnchors, and(eq(suiAnchors.agentId, suiAgents.agentId), eq(suiAnchors.version, suiAgents.version)))
    .leftJoin(
      agentLikes,
      and(eq(agentLikes.agentId, agents.id), viewer === undefined ? sql`false` : eq(agentLikes.userId, viewer)),
    )
}

export type VisibleAgentRow = Awaited<ReturnType<typeof readAgents>>[number]

/** The agents that this viewer may read, in the order of `ids`. */
export async function readAgents(db: Db, viewer: Viewer, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await selectAgents(db, viewer).where(and(inArray(agents.id, [...ids]), mayRead(viewer)))
  return inOrder(rows, ids)
}

export function inOrder<T extends { id: string }>(rows: T[], ids: readonly string[]): T[] {
  const indexes = new Map(ids.map((id, index) => [id, index]))
  return rows.sort((a, b) => (indexes.get(a.id) ?? 0) - (indexes.get(b.id) ?? 0))
}

export type AgentLookup = { kind: 'visible'; row: VisibleAgentRow } | { kind: 'private' } | { kind: 'missing' }

export async function findAgent(db: Db, viewer: Viewer, id: string): Promise<AgentLookup> {
  const [row] = await readAgents(db, viewer, [id])
  if (row) return { kind: 'visible', row }
  // A viewer who knows the id, which cannot be guessed, learns only that the agent is private.
  const [hidden] = await db
    .select({ isPrivate: agents.isPrivate })
    .from(agents)
    .where(and(eq(agents.id, id), eq(agents.isPrivate, true)))
  return hidden ? { kind: 'private' } : { kind: 'missing' }
}

/** The ids of one page, and the total count. */
export type IdPage = { ids: string[]; total: number }

export async function idPage(
  db: Db,
  where: SQL | undefined,
  order: SQL[],
  { page, size }: PageFilter,
): Promise<IdPage> {
  const [rows, [all]] = await Promise.all([
    db
      .select({ id: agents.id })
      .from(agents)
      .where(where)
      .orderBy(...order)
      .limit(size)
      .offset(page * size),
    db.select({ total: count() }).from(agents).where(where),
  ])
  return { ids: rows.map(({ id }) => id), total: all?.total ?? 0 }
}

// Written as in the indexes, with nulls first, although the columns have none.
export const newestFirst = [desc(agents.createdAt), desc(agents.id)]

/** The public, active agents of all people, newest first or by likes. */
export function listCommunity(db: Db, page: PageFilter & { sort: 'likes' | undefined }): Promise<IdPage> {
  return idPage(
    db,
    and(isListed, hasLanguage(page.lang)),
    page.sort === 'likes' ? [desc(agents.likes), ...newestFirst] : newestFirst,
    page,
  )
}

/** The person's own, private and inactive ones too. */
export function listOwn(db: Db, userId: string, page: PageFilter): Promise<IdPage> {
  return idPage(db, and(eq(agents.userId, userId), hasLanguage(page.lang)), newestFirst, page)
}

/** The team's agents, in the order of its list. */
export function listProduct(db: Db, page: PageFilter): Promise<IdPage> {
  return idPage(
    db,
    and(sql`${agents.source} = 'product'`, agents.isEnabled, hasLanguage(page.lang)),
    [asc(agents.createdAt), asc(agents.id)],
    page,
  )
}

/** Listed agents of one creator, those of their wallet too. */
export function listOfCreator(db: Db, creatorId: string, page: PageFilter): Promise<IdPage> {
  const isOfWallet = and(eq(agents.source, 'sui'), eq(agents.isPrivate, false), agents.isEnabled)
  return idPage(
    db,
    and(eq(agents.userId, creatorId), or(isListed, isOfWallet), hasLanguage(page.lang)),
    newestFirst,
    page,
  )
}

export type Secrets = typeof agentSecrets.$inferSelect

/** Undefined for an agent of somebody else. */
export async function findOwnSecrets(db: Db, userId: string, id: string): Promise<Secrets | undefined> {
  const [row] = await db
    .select({ agentId: agentSecrets.agentId, prompts: agentSecrets.prompts, knowledge: agentSecrets.knowledge })
    .from(agentSecrets)
    .innerJoin(agents, and(eq(agents.id, agentSecrets.agentId), eq(agents.userId, userId)))
    .where(eq(agentSecrets.agentId, id))
  return row
}

/** What the model needs of an agent that this viewer may chat with: their own, or a public, active one. */
export async function findForChat(db: Db, viewer: Viewer, id: string) {
  const [row] = await db
    .select({
      userId: agents.userId,
      name: agents.name,
      texts: agents.texts,
      prompts: agentSecrets.prompts,
      knowledge: agentSecrets.knowledge,
    })
    .from(agents)
    .innerJoin(agentSecrets, eq(agentSecrets.agentId, agents.id))
    .where(and(eq(agents.id, id), mayChatWith(viewer)))
  return row
}

/** Whether `findForChat` finds it. */
export async function isForChat(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: agents.id })
    .from(agents)
    .innerJoin(agentSecrets, eq(agentSecrets.agentId, agents.id))
    .where(and(eq(agents.id, id), mayChatWith(viewer)))
  return rows.length > 0
}

export async function languageOfPerson(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db.select({ language: users.language }).from(users).where(eq(users.id, userId))
  return row?.language
}

/** Idempotent. Has no effect on an agent that this person may not read. */
export async function insertLike(db: Db, userId: string, id: string, now: Date): Promise<void> {
  await db.execute(sql`
    insert into agent_likes (agent_id, user_id, created_at)
    select ${agents.id}, ${userId}::uuid, ${now.toISOString()}::timestamptz from ${agents} where ${agents.id} = ${id} and ${mayRead(userId)}
    on conflict do nothing`)
}

/** False when there was no like. */
export async function deleteLike(db: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(agentLikes).where(and(eq(agentLikes.agentId, id), eq(agentLikes.userId, userId)))
  return rowCount === 1
}

/** Does not check who may read the agent. */
export async function countLikes(db: Db, id: string): Promise<number | undefined> {
  const [row] = await db.select({ likes: agents.likes }).from(agents).where(eq(agents.id, id))
  return row?.likes
}

/** Locks the liked agents in the order of their ids first, so that two concurrent calls cannot deadlock. */
export async function deleteLikesOf(db: Db, userId: string): Promise<void> {
  await db.execute(sql`
    with liked as materialized (
      select id from agents where id in (select agent_id from agent_likes where user_id = ${userId}::uuid) order by id for update)
    delete from agent_likes where user_id = ${userId}::uuid and agent_id in (select id from liked)`)
}

export async function productHashes(db: Db): Promise<Map<string, { contentHash: string | null; isEnabled: boolean }>> {
  const rows = await db
    .select({ id: agents.id, contentHash: agents.contentHash, isEnabled: agents.isEnabled })
    .from(agents)
    .where(and(eq(agents.source, 'product'), isNull(agents.userId)))
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
