import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { ledgerBalances, ledgerEntries, ledgerTransactions } from '../db/ledger-schema'
import { payments, webhookInbox } from '../db/payments-schema'

const insertInto = (table: PgTable): string => `insert into "${getTableName(table)}"`
const update = (table: PgTable): string => `update "${getTableName(table)}"`

/** Steps of a process that sells credits, by the first statement of each: it may die before, during or after one. */
export const paymentSteps = {
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

export type PaymentDeath = `${'before' | 'during' | 'after'} ${keyof typeof paymentSteps}`
