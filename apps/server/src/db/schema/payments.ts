// The tables of payments. What the migrations add in words that Drizzle does not have: a payment only goes on (alone
// what was given back may be given again), and what it is about stays.
import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { money } from '../column-types'
import { users } from './users'

/** Where a token payment goes, as it was quoted: what the operator configures later does not change it. */
export type TokenTerms = { chainId: number; token: string; treasury: string; aizAmount: string }

export const payments = pgTable(
  'payments',
  {
    /** Also the provider's idempotency key, and the reference that its answers must carry. */
    id: uuid('id').primaryKey(),
    /** Null once the person's account is gone. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** What is granted, in nano-dollars. */
    amount: money('amount').notNull(),
    method: text('method', { enum: ['pix', 'card', 'token'] }).notNull(),
    status: text('status', { enum: ['pending', 'failed', 'expired', 'completed', 'refunded'] }).notNull(),
    /** What the provider must have received: cents of `currency`, or the smallest units of the token. */
    amountDue: numeric('asked', { precision: 78, scale: 0, mode: 'bigint' }).notNull(),
    currency: text('currency', { enum: ['usd', 'brl', 'aiz'] }).notNull(),
    /** Reais for a dollar, or dollars for one token, at the start. */
    rate: text('rate'),
    /** The provider's id of the payment: a checkout session, a Pix payment. */
    providerId: text('provider_id'),
    paymentUrl: text('payment_url'),
    qrCode: text('qr_code'),
    terms: jsonb('terms').$type<TokenTerms>(),
    /** The provider's id of the money; of the token the transfer that the person names, which proves nothing yet. */
    transactionId: text('transaction_id'),
    idempotencyKey: text('idempotency_key'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    /** When the provider was last asked: also the lease of the node that asks, see payment-claim-store. */
    checkedAt: timestamp('asked_at', { withTimezone: true }).notNull(),
    /** Set in the transaction that grants the credits. */
    creditedAt: timestamp('credited_at', { withTimezone: true }),
    /**
     * How much of what was granted is taken back now, in nano-dollars, and how often that changed: each change is a
     * transaction of the ledger.
     */
    refundedAmount: money('returned').notNull().default(sql`0`),
    refundCount: integer('returns').notNull().default(0),
    /** When the person was told by mail that it is complete, or that nobody has to be. */
    mailedAt: timestamp('mailed_at', { withTimezone: true }),
  },
  (table) => [
    unique('payments_idempotency').on(table.userId, table.idempotencyKey),
    unique('payments_provider').on(table.method, table.providerId),
    check('payments_amount', sql`${table.amount} > 0`),
    check('payments_asked', sql`${table.amountDue} > 0`),
    check(
      'payments_currency',
      sql`${table.currency} = case ${table.method} when 'pix' then 'brl' when 'card' then 'usd' else 'aiz' end`,
    ),
    check('payments_method', sql`${table.method} in ('pix', 'card', 'token')`),
    check('payments_status', sql`${table.status} in ('pending', 'failed', 'expired', 'completed', 'refunded')`),
    check('payments_credited', sql`${table.creditedAt} is null or ${table.status} in ('completed', 'refunded')`),
    check(
      'payments_returned',
      sql`${table.refundedAmount} between 0 and ${table.amount} and (${table.refundedAmount} = 0 or ${table.creditedAt} is not null)`,
    ),
    check('payments_terms', sql`(${table.method} = 'token') = (${table.terms} is not null)`),
    index('payments_user').on(table.userId, table.createdAt),
    index('payments_updated').on(table.updatedAt),
    index('payments_open').on(table.checkedAt).where(sql`${table.status} = 'pending'`),
    index('payments_unmailed')
      .on(table.creditedAt)
      .where(sql`${table.creditedAt} is not null and ${table.mailedAt} is null`),
  ],
)

/**
 * Notifications of the providers, by the id under which they are sent again. Nothing of their content: what is true is
 * asked for.
 */
export const webhookInbox = pgTable(
  'webhook_inbox',
  {
    provider: text('provider', { enum: ['stripe', 'mercadopago'] }).notNull(),
    eventId: text('event_id').notNull(),
    receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
    /** Null until it was acted on. */
    doneAt: timestamp('done_at', { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.eventId] }),
    index('webhook_inbox_age').on(table.receivedAt),
  ],
)

/** Transfers of the token that paid a payment: each pays one. */
export const tokenTransfers = pgTable(
  'token_transfers',
  {
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    hash: text('hash').notNull(),
    paymentId: uuid('payment_id')
      .notNull()
      .unique()
      .references(() => payments.id),
    usedAt: timestamp('used_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.hash] }),
    check('token_transfers_hash', sql`${table.hash} = lower(${table.hash})`),
  ],
)
