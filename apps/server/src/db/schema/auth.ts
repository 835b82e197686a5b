import { index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './users'

/** Browsers that have signed in to an account: wrong tries of strangers do not keep them out. */
export const knownBrowsers = pgTable(
  'known_browsers',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Keyed by the account, so that the rows of two accounts of one browser cannot be matched. */
    browserHash: text('browser_hash').notNull(),
    usedAt: timestamp('used_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.browserHash] }),
    index('known_browsers_used').on(table.usedAt),
  ],
)

/**
 * A signed-in browser or program. Its refresh tokens are numbered; they are proved by a code over the number and this
 * row's salt.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    salt: text('salt').notNull(),
    /** Of the newest refresh token; the one before it is tolerated for a moment. */
    generation: integer('generation').notNull().default(1),
    rotatedAt: timestamp('rotated_at', { withTimezone: true }).notNull(),
    /** Hash of the cookie without which a browser's session cannot be refreshed; null for programs. */
    browserHash: text('browser_hash'),
    /** When the person last proved who they are. */
    authenticatedAt: timestamp('authenticated_at', { withTimezone: true }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
)

/** Links of mails, kept as a hash: one use each. */
export const mailTokens = pgTable(
  'mail_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['confirm-email', 'reset-password'] }).notNull(),
    /**
     * Of the sign-up that this link confirms: whoever owns the mailbox gets the account with the password of their own
     * sign-up, not of a stranger's.
     */
    passwordHash: text('password_hash'),
    /** The browser of that sign-up: its password counts only where the link is opened in it. Keyed by the account. */
    browserHash: text('browser_hash'),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    index('mail_tokens_user').on(table.userId, table.purpose),
    index('mail_tokens_expiry').on(table.expiresAt),
  ],
)

/** What was asked of a wallet or of Google, good once. */
export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    /** Of the message that is to be signed, or of the nonce for Google. */
    hash: text('hash').primaryKey(),
    kind: text('kind', { enum: ['google', 'ethereum', 'solana', 'sui'] }).notNull(),
    /** The wallet's canonical address; empty for Google. */
    address: text('address').notNull().default(''),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('sign_in_challenges_expiry').on(table.expiresAt)],
)

/**
 * What opens the chats that an account sealed on a device. The server has no chats of it, the device has none of this.
 */
export const vaultKeys = pgTable(
  'vault_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deviceId: uuid('device_id').notNull(),
    key: text('key').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceId] })],
)
