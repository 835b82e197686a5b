import { desc, eq, ne } from 'drizzle-orm'
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

/** Of another package, which may be one of another network. The chain still has them. */
export async function deleteOtherAnchors(db: Db, packageId: string): Promise<void> {
  await db.delete(suiAnchors).where(ne(suiAnchors.package, packageId))
}
