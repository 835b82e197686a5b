import { and, eq, inArray, lt, notExists, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { agents, pictures } from '../../db/schema/agents'

export async function insertPicture(db: Db, picture: typeof pictures.$inferInsert): Promise<void> {
  await db.insert(pictures).values(picture)
}

/** Names no owner: the unguessable id grants access. */
export async function findPicture(db: Db, id: string): Promise<Buffer | undefined> {
  const [row] = await db.select({ bytes: pictures.bytes }).from(pictures).where(eq(pictures.id, id))
  return row?.bytes
}

export async function isOwnPicture(db: Db, userId: string, id: string): Promise<boolean> {
  const [row] = await db
    .select({ id: pictures.id })
    .from(pictures)
    .where(and(eq(pictures.id, id), eq(pictures.userId, userId)))
  return row !== undefined
}

const isUnused = (db: Db) =>
  notExists(
    db
      .select({ id: agents.id })
      .from(agents)
      .where(
        and(eq(agents.userId, pictures.userId), eq(agents.profileImage, sql`'/api/pictures/' || ${pictures.id}::text`)),
      ),
  )

/** Deletes a person's pictures that none of their agents shows: those of `ids`, or those created before a date. */
export async function deleteUnused(
  db: Db,
  userId: string,
  which: { ids: string[] } | { createdBefore: Date },
): Promise<void> {
  const isSelected = 'ids' in which ? inArray(pictures.id, which.ids) : lt(pictures.createdAt, which.createdBefore)
  await db.delete(pictures).where(and(eq(pictures.userId, userId), isSelected, isUnused(db)))
}
