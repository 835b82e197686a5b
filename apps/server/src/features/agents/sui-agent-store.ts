import { and, asc, eq, inArray, or } from 'drizzle-orm'
import { agentLikes, agents, suiAgents, suiVersions } from '../../db/agents-schema'
import type { Db } from '../../db/client'
import { users } from '../../db/schema'
import { type IdPage, idPage, inOrder, newest, type Page, readable, type SeenRow, speaks, type Viewer } from './agent-store'

/** The verified Sui address of an account; undefined for an account of another kind. */
export async function suiAddressOf(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.kind, 'sui')))
  return row?.email.split('@')[0]
}

/** Everybody's active ones, private ones too: `readSuiAgents` takes the words out of those. */
export function listSui(db: Db, page: Page): Promise<IdPage> {
  return idPage(db, and(eq(agents.source, 'sui'), agents.isEnabled, speaks(page.lang)), newest, page)
}

/** Active ones that a person likes, whoever made them. */
export async function listSuiLiked(db: Db, viewer: Viewer, page: Page): Promise<IdPage> {
  if (viewer === undefined) return { ids: [], total: 0 }
  const liked = db.select({ id: agentLikes.agentId }).from(agentLikes).where(eq(agentLikes.userId, viewer))
  return idPage(db, and(eq(agents.source, 'sui'), agents.isEnabled, inArray(agents.id, liked)), newest, page)
}

/** The active one with this id, or those of the wallet with this address. */
export function listSuiNamed(db: Db, name: string, page: Page): Promise<IdPage> {
  const ofWallet = db.select({ id: suiAgents.agentId }).from(suiAgents).where(eq(suiAgents.address, name))
  return idPage(db, and(eq(agents.source, 'sui'), agents.isEnabled, or(eq(agents.id, name), inArray(agents.id, ofWallet))), newest, page)
}

/** Those of one person; for themselves the inactive ones too. */
export function listSuiOf(db: Db, userId: string, viewer: Viewer, page: Page): Promise<IdPage> {
  const isSeen = viewer === userId ? undefined : agents.isEnabled
  return idPage(db, and(eq(agents.source, 'sui'), eq(agents.userId, userId), isSeen, speaks(page.lang)), newest, page)
}

/** Agents of wallets. Of others' private ones nothing but address, version and likes leaves the store. */
export async function readSuiAgents(db: Db, viewer: Viewer, ids: readonly string[]): Promise<SeenRow[]> {
  if (ids.length === 0) return []
  const rows = await readable(db, viewer).where(and(inArray(agents.id, [...ids]), eq(agents.source, 'sui')))
  return inOrder(rows, ids).map((row) => (row.isPrivate && (viewer === undefined || row.userId !== viewer) ? withoutWords(row) : row))
}

const withoutWords = (row: SeenRow): SeenRow => ({ ...row, name: '', category: '', profileImage: '', texts: [], userPrice: 0, creatorName: '' })

export type Head = typeof suiAgents.$inferSelect

export async function findHead(db: Db, id: string): Promise<Head | undefined> {
  const [row] = await db.select().from(suiAgents).where(eq(suiAgents.agentId, id))
  return row
}

/** Locked until the transaction ends: of two versions signed at once one is the next. */
export async function lockHead(tx: Db, id: string): Promise<Head | undefined> {
  const [row] = await tx.select().from(suiAgents).where(eq(suiAgents.agentId, id)).for('update')
  return row
}

export type StoredVersion = Omit<typeof suiVersions.$inferSelect, 'agentId'>

/** The first one first. */
export async function readVersions(db: Db, id: string): Promise<StoredVersion[]> {
  const { version, digest, manifest, signature } = suiVersions
  return db.select({ version, digest, manifest, signature }).from(suiVersions).where(eq(suiVersions.agentId, id)).orderBy(asc(version))
}

/** Moves an agent on to the last of these versions, which follow those that are there. */
export async function appendVersions(tx: Db, head: Head, versions: readonly StoredVersion[]): Promise<void> {
  const { agentId, ...change } = head
  await tx.insert(suiAgents).values(head).onConflictDoUpdate({ target: suiAgents.agentId, set: change })
  await tx.insert(suiVersions).values(versions.map((version) => ({ agentId, ...version })))
}

/** The day an agent was made, and whose it is here. */
export async function lockAgent(tx: Db, id: string) {
  const { userId, createdAt, name, texts, profileImage } = agents
  const [row] = await tx.select({ userId, createdAt, name, texts, profileImage }).from(agents).where(eq(agents.id, id)).for('update')
  return row
}
