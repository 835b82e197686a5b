import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { ledgerBalances, ledgerEntries, ledgerTransactions } from '../db/schema/credits'
import { payments, webhookInbox } from '../db/schema/payments'

const insertInto = (table: PgTable): string => `insert into "${getTableName(table)}"`
const update = (table: PgTable): string => `update "${getTableName(table)}"`

/** The steps of a payment at which a process can die, and the SQL by which each one is recognised. */
export const statementsOfSteps = {
  'storing the notice': insertInto(webhookInbox),
  'locking the payment': 'for update',
  'booking the transaction': insertInto(ledgerTransactions),
  'changing the balance': update(ledgerBalances),
  'booking the entries': insertInto(ledgerEntries),
  'storing the payment': insertInto(payments),
  'changing the payment': update(payments),
  'the commit': 'commit',
  'closing the notice': update(webhookInbox),
} as const

export type CrashPoint = `${'before' | 'during' | 'after'} ${keyof typeof statementsOfSteps}`
