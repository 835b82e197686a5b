import { and, asc, count, eq, inArray, isNull, lt, notInArray, or } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { sources } from '../../db/schema/sources'
import { type OwnedSource, oldestFirst, type ReadingRow } from './source-store'

type OwnedAgent = { ownerId: string; agentId: string }

const isAgentFileOf = (ownerId: string) => and(eq(sources.ownerId, ownerId), isNull(sources.channelId))
const isOfAgent = ({ ownerId, agentId }: OwnedAgent) => and(isAgentFileOf(ownerId), eq(sources.agentId, agentId))
const isDraft = and(isNull(sources.channelId), isNull(sources.agentId))

export async function listAgentFiles(db: Db, agent: OwnedAgent): Promise<ReadingRow[]> {
  return db
    .select()
    .from(sources)
    .where(isOfAgent(agent))
    .orderBy(...oldestFirst)
}

export async function findAgentFile(db: Db, { ownerId, sourceId }: OwnedSource): Promise<ReadingRow | undefined> {
  const [row] = await db
    .select()
    .from(sources)
    .where(and(eq(sources.id, sourceId), isAgentFileOf(ownerId)))
  return row
}

/** Files of a person that belong to no agent yet. */
export async function countDraftFiles(db: Db, ownerId: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(sources)
    .where(and(eq(sources.ownerId, ownerId), isDraft))
  return row?.count ?? 0
}

/** Names no owner: those of everybody whose agent was not saved until this time. Their files follow by a trigger. */
export async function deleteDraftFiles(db: Db, before: Date): Promise<void> {
  await db.delete(sources).where(and(isDraft, lt(sources.updatedAt, before)))
}

/** Those of these files that this agent may have: its own, and the person's that belong to none. Locks them. */
export async function lockUsableFiles(tx: Db, { ownerId, agentId }: OwnedAgent, ids: string[]): Promise<ReadingRow[]> {
  if (ids.length === 0) return []
  return tx
    .select()
    .from(sources)
    .where(
      and(inArray(sources.id, ids), isAgentFileOf(ownerId), or(isNull(sources.agentId), eq(sources.agentId, agentId))),
    )
    .orderBy(asc(sources.id))
    .for('update')
}

/** The agent has these files afterwards, and no others. `copies` go: the same content again. */
export async function setFilesOf(
  tx: Db,
  agent: OwnedAgent,
  { kept, copies }: { kept: string[]; copies: string[] },
): Promise<void> {
  const others = and(isOfAgent(agent), kept.length === 0 ? undefined : notInArray(sources.id, kept))
  await tx.delete(sources).where(others)
  if (copies.length > 0) await tx.delete(sources).where(and(isAgentFileOf(agent.ownerId), inArray(sources.id, copies)))
  if (kept.length > 0)
    await tx
      .update(sources)
      .set({ agentId: agent.agentId })
      .where(and(isAgentFileOf(agent.ownerId), inArray(sources.id, kept)))
}

type ReadFile = Pick<ReadingRow, 'id' | 'passages' | 'characters'>

/** Those that are read: of an agent, or some of a person's own. */
export async function listReadFiles(
  db: Db,
  ownerId: string,
  which: { agentId: string } | { ids: string[] },
): Promise<ReadFile[]> {
  const { id, passages, characters } = sources
  const isOne = 'agentId' in which ? eq(sources.agentId, which.agentId) : inArray(sources.id, which.ids)
  return db
    .select({ id, passages, characters })
    .from(sources)
    .where(and(isAgentFileOf(ownerId), isOne, eq(sources.status, 'processed')))
    .orderBy(...oldestFirst)
}
