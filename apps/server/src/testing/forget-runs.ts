import { sql } from 'drizzle-orm'
import type { Db } from '../db/client'

/** Leaves the messages as a version without runs has stored them. */
export async function forgetRuns(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // Without triggers.
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`delete from runs`)
    await tx.execute(sql`delete from backfills`)
    await tx.execute(sql`update messages set after_run_id = ''`)
  })
}
