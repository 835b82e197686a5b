import { desc, eq } from 'drizzle-orm'
import { suiAnchors } from '../../db/agents-schema'
import type { Db } from '../../db/client'

export type StoredAnchor = typeof suiAnchors.$inferSelect

/** The last version first. */
export async function readAnchors(db: Db, id: string): Promise<StoredAnchor[]> {
  return db.select().from(suiAnchors).where(eq(suiAnchors.agentId, id)).orderBy(desc(suiAnchors.version))
}

/** The first anchor of a version stays: another transaction says nothing more. */
export async function insertAnchor(db: Db, anchor: StoredAnchor): Promise<void> {
  await db.insert(suiAnchors).values(anchor).onConflictDoNothing()
}
