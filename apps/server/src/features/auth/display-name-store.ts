import { inArray } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { users } from '../../db/schema/users'

/** What a display name is made of. */
export type NameParts = { name: string; email: string }

export async function namePartsOf(db: Db, userIds: readonly string[]): Promise<(NameParts & { id: string })[]> {
  if (userIds.length === 0) return []
  return db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, [...userIds]))
}
