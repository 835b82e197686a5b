import { asc, inArray } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { fileRemovals } from '../../db/schema/sources'

/** Names no owner: triggers write them for whatever row was deleted. */
export async function oldestRemovals(db: Db, limit: number): Promise<{ id: number; prefix: string }[]> {
  return db.select().from(fileRemovals).orderBy(asc(fileRemovals.id)).limit(limit)
}

export async function forgetRemovals(db: Db, ids: number[]): Promise<void> {
  await db.delete(fileRemovals).where(inArray(fileRemovals.id, ids))
}
