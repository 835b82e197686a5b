import { and, eq, inArray, lt, notExists, sql } from 'drizzle-orm'
import { agents, pictures } from '../../db/agents-schema'
import type { Db } from '../../db/client'

export async function insertPicture(db: Db, picture: typeof pictures.$inferInsert): Promise<void> {
  await db.insert(pictures).values(picture)
}

/** Of anybody: the id is what lets somebody see it. */
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
      .where(and(eq(agents.userId, pictures.userId), eq(agents.profileImage, sql`'/api/pictures/' || ${pictures.id}::text`))),
  )

/** The person's own that none of their agents shows: of `ids`, or whatever was made before. */
export async function deleteUnused(db: Db, userId: string, which: { ids: string[] } | { madeBefore: Date }): Promise<void> {
  const chosen = 'ids' in which ? inArray(pictures.id, which.ids) : lt(pictures.createdAt, which.madeBefore)
  await db.delete(pictures).where(and(eq(pictures.userId, userId), chosen, isUnused(db)))
}
