// The tables of money. What the migration adds in words that Drizzle does not have: transactions and entries can only
// be added, the entries of a transaction sum to zero when it commits, and a hold ends once.
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { money } from '../column-types'
import { users } from './users'

/** Where money is: with people, and on the server's own sides of each transaction. */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['user', 'revenue', 'psp_clearing', 'platform_loss', 'promo'] }).notNull(),
    /**
     * Null for the server's own, and once the person's account is gone: what they paid stays counted, nothing tells
     * whose it was.
     */
    userId: uuid('user_id')
      .unique()
      .references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [check('ledger_accounts_owner', sql`${table.kind} = 'user' or ${table.userId} is null`)],
)

/**
 * What a person has; the one row that everything spendable goes through. Only people have one: the server's own
 * accounts are summed when somebody asks, for a row that every answer changes would be a queue.
 */
export const ledgerBalances = pgTable(
  'ledger_balances',
  {
    accountId: uuid('account_id')
      .primaryKey()
      .references(() => ledgerAccounts.id),
    /** The sum of the account's entries. */
    posted: money('posted').notNull(),
    /** The sum of the account's open holds. */
    held: money('held').notNull(),
    /**
     * Of a payment that was given back after its credits were spent: paid off by what comes in, or is set free, next.
     */
    owed: money('owed').notNull(),
  },
  (table) => [
    check('ledger_balances_held', sql`${table.held} >= 0`),
    check('ledger_balances_owed', sql`${table.owed} >= 0`),
    check('ledger_balances_spendable', sql`${table.posted} - ${table.held} >= 0`),
    index('ledger_balances_holding').on(table.accountId).where(sql`${table.held} <> 0`),
  ],
)

export const ledgerTransactions = pgTable(
  'ledger_transactions',
  {
    id: uuid('id').primaryKey(),
    /** What must not happen twice: `settle:{hold}`, `purchase:{payment}`. */
    idem: text('idem').notNull().unique(),
    kind: text('kind', { enum: ['grant', 'purchase', 'settle', 'refund'] }).notNull(),
    /** Of a settlement. */
    holdId: uuid('hold_id').references(() => ledgerHolds.id),
    at: timestamp('at', { withTimezone: true }).notNull(),
  },
  (table) => [
    index('ledger_transactions_hold').on(table.holdId).where(sql`${table.holdId} is not null`),
    index('ledger_transactions_at').on(table.at),
    index('ledger_transactions_refund').on(sql`split_part(${table.idem}, ':', 2)`).where(sql`${table.kind} = 'refund'`),
  ],
)

export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    /** Grows; of one account in the order in which its balance changed. */
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    transactionId: uuid('transaction_id')
      .notNull()
      .references(() => ledgerTransactions.id),
    accountId: uuid('account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    amount: money('amount').notNull(),
    /** A person's, after it. */
    balance: money('balance'),
  },
  (table) => [
    check('ledger_entries_amount', sql`${table.amount} <> 0`),
    check('ledger_entries_balance', sql`${table.balance} >= 0`),
    index('ledger_entries_account').on(table.accountId, table.id.desc().nullsFirst()),
    index('ledger_entries_transaction').on(table.transactionId),
  ],
)

/**
 * What an answer may cost at most, kept aside before the model is asked. It says how much was thought and of which
 * model, never what.
 */
export const ledgerHolds = pgTable(
  'ledger_holds',
  {
    id: uuid('id').primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    messageId: uuid('message_id').notNull(),
    amount: money('amount').notNull(),
    state: text('state', { enum: ['held', 'settled', 'released'] }).notNull(),
    /** What the person paid; null while it is held. */
    charged: money('charged'),
    /**
     * What the answer would cost if it ended here, as noted by whoever writes it: paid when nobody is left to end it.
     */
    accruedCost: money('produced').notNull(),
    /** What of it stays where the gateway tells the cost of the answer later: a search of the web. */
    besideCost: money('beside').notNull().default(sql`0`),
    model: text('model').notNull(),
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    /**
     * What the gateway calls the answer: while it has told no cost, it is asked by this name before the hold is ended
     * at what was noted.
     */
    generationRef: text('generation_ref'),
    costTries: integer('cost_tries').notNull().default(0),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    endedAt: timestamp('ended_at', { withTimezone: true }),
  },
  (table) => [
    unique('ledger_holds_message').on(table.accountId, table.messageId),
    check('ledger_holds_amount', sql`${table.amount} > 0`),
    check('ledger_holds_produced', sql`${table.accruedCost} >= 0`),
    check('ledger_holds_charged', sql`${table.charged} between 0 and ${table.amount}`),
    check(
      'ledger_holds_ended',
      sql`(${table.state} = 'held') = (${table.charged} is null) and (${table.state} = 'held') = (${table.endedAt} is null)`,
    ),
    index('ledger_holds_ended_at').on(table.endedAt),
    index('ledger_holds_open').on(table.expiresAt).where(sql`${table.state} = 'held'`),
  ],
)
