import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

/**
 * Work that no request waits for: what is repeated (one row a kind, with an empty key) and what was enqueued once (the
 * key names what it is about). One node leases a row at a time.
 */
export const jobs = pgTable(
  'jobs',
  {
    kind: text('kind').notNull(),
    key: text('key').notNull(),
    /** Never readable secrets or addresses: what holds one is sealed. */
    payload: jsonb('payload').$type<unknown>().notNull(),
    dueAt: time('due_at').notNull(),
    /** Since the last success. Counted when the lease begins, so that work which ends its node is counted too. */
    attempts: integer('attempts').notNull().default(0),
    leasedBy: text('leased_by'),
    leasedUntil: time('leased_until'),
    succeededAt: time('succeeded_at'),
    /** All attempts failed: nobody tries again. */
    failedAt: time('failed_at'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.key] }),
    index('jobs_due').on(table.dueAt).where(sql`${table.failedAt} is null`),
  ],
)

/** How far a job has come that fills new columns or tables from rows of earlier versions, and when it was done. */
export const backfills = pgTable('backfills', {
  name: text('name').primaryKey(),
  /** Key of the last row that is done, as the job writes it. */
  cursor: jsonb('cursor').$type<unknown>(),
  doneRows: bigint('done_rows', { mode: 'number' }).notNull().default(0),
  finishedAt: time('finished_at'),
})
