import { desc, eq, ne } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { suiAnchors } from '../../db/schema/sui-agents'

export type StoredAnchor = typeof suiAnchors.$inferSelect

/** Latest version first. */
export async function readAnchors(db: Db, id: string): Promise<StoredAnchor[]> {
  return db.select().from(suiAnchors).where(eq(suiAnchors.agentId, id)).orderBy(desc(suiAnchors.version))
}

/** Keeps the first anchor of a version. */
export async function insertAnchor(db: Db, anchor: StoredAnchor): Promise<void> {
  await db.insert(suiAnchors).values(anchor).onConflictDoNothing()
}

/** Deletes anchors of other packages, which may be on another network; the chain still has them. */
export async function deleteOtherAnchors(db: Db, packageId: string): Promise<void> {
  await db.delete(suiAnchors).where(ne(suiAnchors.package, packageId))
}
