import { sql } from 'drizzle-orm'
import { bigint, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

/** What does not fit together, as reconciliation found it. A row stays; what fits again is closed. */
export const reconFindings = pgTable(
  'recon_findings',
  {
    id: uuid('id').primaryKey(),
    rule: text('rule').notNull(),
    /** What is wrong: the id of a transaction, an account, a hold or a payment, or a provider's id of one. */
    subject: text('subject').notNull(),
    foundAt: timestamp('found_at', { withTimezone: true }).notNull(),
    seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
    closedAt: timestamp('closed_at', { withTimezone: true }),
  },
  (table) => [uniqueIndex('recon_findings_open').on(table.rule, table.subject).where(sql`${table.closedAt} is null`)],
)

/** When one of the nodes began a job last that all of them share. */
export const sharedJobs = pgTable('shared_jobs', {
  name: text('name').primaryKey(),
  begunAt: timestamp('begun_at', { withTimezone: true }).notNull(),
  succeededAt: timestamp('succeeded_at', { withTimezone: true }),
  /** Of the ledger's check: up to where it was in order. Null: all of it is looked at next. */
  markEntry: bigint('mark_entry', { mode: 'bigint' }),
  markAt: timestamp('mark_at', { withTimezone: true }),
})
