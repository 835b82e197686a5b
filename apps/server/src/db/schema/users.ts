import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** People with an account. */
export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  /** How it proves itself; nothing but a verified proof sets it. Wallets have unlimited use. */
  kind: text('kind', { enum: ['email', 'google', 'ethereum', 'solana', 'sui'] }).notNull(),
  /** As normalizeEmail gives it; a wallet account's is `{address}@erc20`, `@solana` or `@sui`. */
  email: text('email').notNull().unique(),
  googleSub: text('google_sub').unique(),
  passwordHash: text('password_hash'),
  /** A mailed password: good once, until then. */
  oneTimeHash: text('one_time_hash'),
  oneTimeUntil: timestamp('one_time_until', { withTimezone: true }),
  name: text('name').notNull().default(''),
  picture: text('picture'),
  language: text('language', { enum: ['en-US', 'pt-BR', 'es-ES'] })
    .notNull()
    .default('en-US'),
  emailConfirmedAt: timestamp('email_confirmed_at', { withTimezone: true }),
  blockedAt: timestamp('blocked_at', { withTimezone: true }),
  /**
   * Grows with each change of password, link or provider that ends sessions: a sign-in that was checked before it is
   * refused.
   */
  secretsVersion: integer('secrets_version').notNull().default(0),
  /** Keyed by the account: the browser that chose the password, while the address is unproved. */
  signUpBrowserHash: text('sign_up_browser_hash'),
  /** The owner asked for the deletion; a sweep finishes one that was interrupted. */
  deletionRequestedAt: timestamp('deletion_requested_at', { withTimezone: true }),
  deletionKeepsAgents: boolean('deletion_keeps_agents').notNull().default(false),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Bought before credits; good until its end. */
export const subscriptions = pgTable('subscriptions', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  productName: text('product_name').notNull(),
  currentPeriodStart: timestamp('current_period_start', { withTimezone: true }).notNull(),
  currentPeriodEnd: timestamp('current_period_end', { withTimezone: true }).notNull(),
})
