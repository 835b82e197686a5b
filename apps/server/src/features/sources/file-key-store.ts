import { eq } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { fileKeys } from '../../db/schema/sources'

/** The sealed key of an account; `make` gives the one of an account that has none yet. */
export async function ensureFileKey(db: Db, ownerId: string, make: () => string): Promise<string> {
  const [known] = await db.select({ sealed: fileKeys.sealed }).from(fileKeys).where(eq(fileKeys.ownerId, ownerId))
  if (known) return known.sealed
  await db.insert(fileKeys).values({ ownerId, sealed: make() }).onConflictDoNothing()
  const [made] = await db.select({ sealed: fileKeys.sealed }).from(fileKeys).where(eq(fileKeys.ownerId, ownerId))
  if (!made) throw new Error('the account has no key')
  return made.sealed
}

/** Until the transaction ends nobody else adds to the files of the account, which are counted against its quota. */
export async function lockFilesOf(tx: Db, ownerId: string): Promise<void> {
  await tx.select({ ownerId: fileKeys.ownerId }).from(fileKeys).where(eq(fileKeys.ownerId, ownerId)).for('update')
}
