import { and, asc, eq, inArray, or } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { agentLikes, agents } from '../../db/schema/agents'
import { suiAgents, suiVersions } from '../../db/schema/sui-agents'
import { users } from '../../db/schema/users'
import {
  hasLanguage,
  type IdPage,
  idPage,
  inOrder,
  newestFirst,
  type PageFilter,
  selectAgents,
  type Viewer,
  type VisibleAgentRow,
} from './agent-store'

/** The verified Sui address of an account; undefined for an account of another kind. */
export async function suiAddressOf(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.kind, 'sui')))
  return row?.email.split('@')[0]
}

/** All active agents of wallets, including private ones, which `readSuiAgents` redacts. */
export function listSui(db: Db, page: PageFilter): Promise<IdPage> {
  return idPage(db, and(eq(agents.source, 'sui'), agents.isEnabled, hasLanguage(page.lang)), newestFirst, page)
}

/** The active agents of wallets that the viewer likes. */
export async function listSuiLiked(db: Db, viewer: Viewer, page: PageFilter): Promise<IdPage> {
  if (viewer === undefined) return { ids: [], total: 0 }
  const liked = db.select({ id: agentLikes.agentId }).from(agentLikes).where(eq(agentLikes.userId, viewer))
  return idPage(db, and(eq(agents.source, 'sui'), agents.isEnabled, inArray(agents.id, liked)), newestFirst, page)
}

/** The active agent with this id, or those of the wallet with this address. */
export function listSuiByIdOrWallet(db: Db, idOrAddress: string, page: PageFilter): Promise<IdPage> {
  const ofWallet = db.select({ id: suiAgents.agentId }).from(suiAgents).where(eq(suiAgents.address, idOrAddress))
  return idPage(
    db,
    and(eq(agents.source, 'sui'), agents.isEnabled, or(eq(agents.id, idOrAddress), inArray(agents.id, ofWallet))),
    newestFirst,
    page,
  )
}

/** The agents of one person's wallet; their owner sees inactive ones as well. */
export function listSuiOfPerson(db: Db, userId: string, viewer: Viewer, page: PageFilter): Promise<IdPage> {
  const isVisible = viewer === userId ? undefined : agents.isEnabled
  return idPage(
    db,
    and(eq(agents.source, 'sui'), eq(agents.userId, userId), isVisible, hasLanguage(page.lang)),
    newestFirst,
    page,
  )
}

/** Of other people's private agents only address, version and likes leave the store. */
export async function readSuiAgents(db: Db, viewer: Viewer, ids: readonly string[]): Promise<VisibleAgentRow[]> {
  if (ids.length === 0) return []
  const rows = await selectAgents(db, viewer).where(and(inArray(agents.id, [...ids]), eq(agents.source, 'sui')))
  return inOrder(rows, ids).map((row) =>
    row.isPrivate && (viewer === undefined || row.userId !== viewer) ? redacted(row) : row,
  )
}

const redacted = (row: VisibleAgentRow): VisibleAgentRow => ({
  ...row,
  name: '',
  category: '',
  profileImage: '',
  texts: [],
  userPrice: 0,
  creatorName: '',
})

/** The current version of a wallet's agent. */
export type SuiHead = typeof suiAgents.$inferSelect

export async function findHead(db: Db, id: string): Promise<SuiHead | undefined> {
  const [row] = await db.select().from(suiAgents).where(eq(suiAgents.agentId, id))
  return row
}

/** Locks the head until the transaction ends, so that only one of two concurrent versions becomes the next. */
export async function lockHead(tx: Db, id: string): Promise<SuiHead | undefined> {
  const [row] = await tx.select().from(suiAgents).where(eq(suiAgents.agentId, id)).for('update')
  return row
}

export type StoredVersion = Omit<typeof suiVersions.$inferSelect, 'agentId'>

/** Oldest first. */
export async function readVersions(db: Db, id: string): Promise<StoredVersion[]> {
  const { version, digest, manifest, signature } = suiVersions
  return db
    .select({ version, digest, manifest, signature })
    .from(suiVersions)
    .where(eq(suiVersions.agentId, id))
    .orderBy(asc(version))
}

/** Appends the versions, which continue the stored ones, and sets the head. */
export async function appendVersions(tx: Db, head: SuiHead, versions: readonly StoredVersion[]): Promise<void> {
  const { agentId, ...change } = head
  await tx.insert(suiAgents).values(head).onConflictDoUpdate({ target: suiAgents.agentId, set: change })
  await tx.insert(suiVersions).values(versions.map((version) => ({ agentId, ...version })))
}

export async function lockAgent(tx: Db, id: string) {
  const { userId, createdAt, name, texts, profileImage } = agents
  const [row] = await tx
    .select({ userId, createdAt, name, texts, profileImage })
    .from(agents)
    .where(eq(agents.id, id))
    .for('update')
  return row
}
