import type { AgentLanguage } from '@parley/contract/agents'
import { and, asc, count, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { agentLikes, agentSecrets, agents, suiAgents, suiAnchors } from '../../db/agents-schema'
import type { Db } from '../../db/client'
import { users } from '../../db/schema'
import { languageBits } from './agent-texts'

export type AgentRow = typeof agents.$inferSelect
/** Who looks: a person, or nobody that is known. */
export type Viewer = string | undefined
export type Page = { page: number; size: number; lang: AgentLanguage | undefined }

/** What strangers may see; nothing of agent_secrets is in it. */
const shown = {
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
  sui: { address: suiAgents.address, version: suiAgents.version, digest: suiAgents.digest, signedAt: suiAgents.signedAt },
  /** The transaction that anchors the version which is shown. */
  anchor: suiAnchors.transaction,
}

const mayRead = (viewer: Viewer) =>
  or(and(eq(agents.source, 'product'), agents.isEnabled), and(inArray(agents.source, ['community', 'sui']), eq(agents.isPrivate, false)), isOwnedBy(viewer))
const isOwnedBy = (viewer: Viewer) => (viewer === undefined ? sql`false` : eq(agents.userId, viewer))
/** As the partial indexes say it. */
const isListed = sql`${agents.isListed}`
export const speaks = (lang: AgentLanguage | undefined) => (lang === undefined ? undefined : sql`${agents.languageBits} & ${languageBits([lang])} <> 0`)

/** Of all agents, whoever may read them: each caller says which. */
export function readable(db: Db, viewer: Viewer) {
  const likedByMe = viewer === undefined ? sql<boolean>`false` : sql<boolean>`${agentLikes.userId} is not null`
  return db
    .select({ ...shown, likedByMe })
    .from(agents)
    .leftJoin(users, eq(users.id, agents.userId))
    .leftJoin(suiAgents, eq(suiAgents.agentId, agents.id))
    .leftJoin(suiAnchors, and(eq(suiAnchors.agentId, suiAgents.agentId), eq(suiAnchors.version, suiAgents.version)))
    .leftJoin(agentLikes, and(eq(agentLikes.agentId, agents.id), viewer === undefined ? sql`false` : eq(agentLikes.userId, viewer)))
}

export type SeenRow = Awaited<ReturnType<typeof readAgents>>[number]

/** Those of `ids` that this viewer may read, in their order. */
export async function readAgents(db: Db, viewer: Viewer, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await readable(db, viewer).where(and(inArray(agents.id, [...ids]), mayRead(viewer)))
  return inOrder(rows, ids)
}

export function inOrder<T extends { id: string }>(rows: T[], ids: readonly string[]): T[] {
  const places = new Map(ids.map((id, index) => [id, index]))
  return rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
}

export type Found = { kind: 'seen'; row: SeenRow } | { kind: 'private' } | { kind: 'missing' }

/** One agent as this viewer may have it. */
export async function findAgent(db: Db, viewer: Viewer, id: string): Promise<Found> {
  const [row] = await readAgents(db, viewer, [id])
  if (row) return { kind: 'seen', row }
  // Whoever knows its id, which cannot be guessed, is told that it is private: nothing but that leaves the database.
  const [hidden] = await db
    .select({ isPrivate: agents.isPrivate })
    .from(agents)
    .where(and(eq(agents.id, id), eq(agents.isPrivate, true)))
  return hidden ? { kind: 'private' } : { kind: 'missing' }
}

/** Ids of one page and how many there are in all. */
export type IdPage = { ids: string[]; total: number }

export async function idPage(db: Db, where: SQL | undefined, order: SQL[], { page, size }: Page): Promise<IdPage> {
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

// As the indexes say it: nulls, which there are none of, first.
export const newest = [desc(agents.createdAt), desc(agents.id)]

/** Everybody's listed agents, newest first or by likes. */
export function listCommunity(db: Db, page: Page & { sort: 'likes' | undefined }): Promise<IdPage> {
  return idPage(db, and(isListed, speaks(page.lang)), page.sort === 'likes' ? [desc(agents.likes), ...newest] : newest, page)
}

/** The person's own, private and inactive ones too. */
export function listOwn(db: Db, userId: string, page: Page): Promise<IdPage> {
  return idPage(db, and(eq(agents.userId, userId), speaks(page.lang)), newest, page)
}

/** The team's, in its own order. */
export function listProduct(db: Db, page: Page): Promise<IdPage> {
  return idPage(db, and(sql`${agents.source} = 'product'`, agents.isEnabled, speaks(page.lang)), [asc(agents.createdAt), asc(agents.id)], page)
}

/** Listed agents of one creator, those of their wallet too. */
export function listOfCreator(db: Db, creatorId: string, page: Page): Promise<IdPage> {
  const isOfWallet = and(eq(agents.source, 'sui'), eq(agents.isPrivate, false), agents.isEnabled)
  return idPage(db, and(eq(agents.userId, creatorId), or(isListed, isOfWallet), speaks(page.lang)), newest, page)
}

export type Secrets = typeof agentSecrets.$inferSelect

/** Of the person's own agent; undefined for anybody else's. */
export async function findOwnSecrets(db: Db, userId: string, id: string): Promise<Secrets | undefined> {
  const [row] = await db
    .select({ agentId: agentSecrets.agentId, prompts: agentSecrets.prompts, knowledge: agentSecrets.knowledge })
    .from(agentSecrets)
    .innerJoin(agents, and(eq(agents.id, agentSecrets.agentId), eq(agents.userId, userId)))
    .where(eq(agentSecrets.agentId, id))
  return row
}

/** An agent that this person may chat with, with what goes to the model: their own, or an enabled one that is not private. */
export async function findForChat(db: Db, viewer: Viewer, id: string) {
  const [row] = await db
    .select({ name: agents.name, texts: agents.texts, prompts: agentSecrets.prompts, knowledge: agentSecrets.knowledge })
    .from(agents)
    .innerJoin(agentSecrets, eq(agentSecrets.agentId, agents.id))
    .where(and(eq(agents.id, id), or(isOwnedBy(viewer), and(mayRead(viewer), agents.isEnabled))))
  return row
}

/** The language of a person's account. */
export async function languageOfPerson(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db.select({ language: users.language }).from(users).where(eq(users.id, userId))
  return row?.language
}

/** Likes an agent that this person may read. Once: another call changes nothing. */
export async function insertLike(db: Db, userId: string, id: string, now: Date): Promise<void> {
  await db.execute(sql`
    insert into agent_likes (agent_id, user_id, created_at)
    select ${agents.id}, ${userId}::uuid, ${now.toISOString()}::timestamptz from ${agents} where ${agents.id} = ${id} and ${mayRead(userId)}
    on conflict do nothing`)
}

/** Whether there was one. */
export async function deleteLike(db: Db, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(agentLikes).where(and(eq(agentLikes.agentId, id), eq(agentLikes.userId, userId)))
  return rowCount === 1
}

/** The count of an agent, whoever may read it. */
export async function countLikes(db: Db, id: string): Promise<number | undefined> {
  const [row] = await db.select({ likes: agents.likes }).from(agents).where(eq(agents.id, id))
  return row?.likes
}

/** All that a person liked. Their agents are locked first, in one order: two accounts that go at once wait for each other in turn. */
export async function deleteLikesOf(db: Db, userId: string): Promise<void> {
  await db.execute(sql`
    with liked as materialized (
      select id from agents where id in (select agent_id from agent_likes where user_id = ${userId}::uuid) order by id for update)
    delete from agent_likes where user_id = ${userId}::uuid and agent_id in (select id from liked)`)
}

/** Product agents as the database has them. */
export async function productHashes(db: Db): Promise<Map<string, { contentHash: string | null; isEnabled: boolean }>> {
  const rows = await db
    .select({ id: agents.id, contentHash: agents.contentHash, isEnabled: agents.isEnabled })
    .from(agents)
    .where(and(eq(agents.source, 'product'), isNull(agents.userId)))
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}
