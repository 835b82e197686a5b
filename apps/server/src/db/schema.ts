import type { Nano } from '@parley/contract/money'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** One row for each wish for an answer. For a local channel it holds no text, no name and no channel id: only what must not happen twice. */
export const generations = pgTable(
  'generations',
  {
    messageId: uuid('message_id').primaryKey(),
    /** `anon:{id}` or `user:{id}`; every query names it, or people of the channel. */
    subject: text('subject').notNull(),
    /** Keyed hash of the request: the same id with another content is refused. */
    requestHash: text('request_hash').notNull(),
    status: text('status', { enum: ['running', 'completed', 'stopped', 'interrupted', 'failed'] }).notNull(),
    /** The node that writes the answer; it proves that it lives by its heartbeat. */
    owner: text('owner').notNull(),
    /** Grows when another node takes the row over, so that a late writer is refused. */
    epoch: integer('epoch').notNull().default(1),
    heartbeatAt: timestamp('heartbeat_at', { withTimezone: true }).notNull(),
    /** The last frame of the answer that was sent. */
    seq: integer('seq').notNull().default(0),
    storageMode: text('storage_mode', { enum: ['local', 'cloud'] }).notNull(),
    model: text('model').notNull(),
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    /** Nano-dollars reported by the gateway. */
    cost: bigint('cost', { mode: 'bigint' }).$type<Nano>(),
    errorCode: text('error_code'),
    /** Cloud channels only: the exchange whose answer this is. No foreign key: what an answer took stays counted when its message is deleted. */
    channelId: text('channel_id'),
    mId: text('m_id'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    endedAt: timestamp('ended_at', { withTimezone: true }),
  },
  (table) => [
    index('generations_running').on(table.status, table.heartbeatAt),
    index('generations_subject').on(table.subject, table.createdAt),
    index('generations_ended').on(table.endedAt),
    index('generations_channel').on(table.channelId).where(sql`${table.status} = 'running'`),
  ],
)

/** One-use tickets of the chat socket, kept as a hash. */
export const socketTickets = pgTable(
  'socket_tickets',
  {
    tokenHash: text('token_hash').primaryKey(),
    subject: text('subject').notNull(),
    /** The session that asked; null for an anonymous person. */
    sessionId: uuid('session_id'),
    /** The visitor cookie's `anon:{id}` of the browser that asked; null for programs, which keep no cookies. */
    browser: text('browser'),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('socket_tickets_expiry').on(table.expiresAt)],
)

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
  /** Grows with each change of password, link or provider that ends sessions: a sign-in that was checked before it is refused. */
  secretsVersion: integer('secrets_version').notNull().default(0),
  /** Keyed by the account: the browser that chose the password, while the address is unproved. */
  signUpBrowserHash: text('sign_up_browser_hash'),
  /** The owner asked for the deletion; a sweep finishes one that was interrupted. */
  deletionRequestedAt: timestamp('deletion_requested_at', { withTimezone: true }),
  deletionKeepsAgents: boolean('deletion_keeps_agents').notNull().default(false),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

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
  (table) => [primaryKey({ columns: [table.userId, table.browserHash] }), index('known_browsers_used').on(table.usedAt)],
)

/** Keys that outlive AUTH_SECRET, sealed once under each secret that a node knew. */
export const serverKeys = pgTable(
  'server_keys',
  {
    name: text('name').notNull(),
    /** Which secret opens it: a hash of a key derived from it. */
    sealedBy: text('sealed_by').notNull(),
    sealed: text('sealed').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.sealedBy] })],
)

/** Bought before credits; good until its end. */
export const subscriptions = pgTable('subscriptions', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  productName: text('product_name').notNull(),
  currentPeriodStart: timestamp('current_period_start', { withTimezone: true }).notNull(),
  currentPeriodEnd: timestamp('current_period_end', { withTimezone: true }).notNull(),
})

/** A signed-in browser or program. Its refresh tokens are numbered; they are proved by a code over the number and this row's salt. */
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
    /** Of the sign-up that this link confirms: whoever owns the mailbox gets the account with the password of their own sign-up, not of a stranger's. */
    passwordHash: text('password_hash'),
    /** The browser of that sign-up: its password counts only where the link is opened in it. Keyed by the account. */
    browserHash: text('browser_hash'),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('mail_tokens_user').on(table.userId, table.purpose), index('mail_tokens_expiry').on(table.expiresAt)],
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

/** What opens the chats that an account sealed on a device. The server has no chats of it, the device has none of this. */
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

/** Conversations in the cloud. Those on a device are unknown here. */
export const channels = pgTable(
  'channels',
  {
    id: text('id').primaryKey(),
    /** The owner; every query names them. */
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The id that the client wished for: a repeated call finds the channel that the first one made. */
    clientId: text('client_id'),
    channelName: text('channel_name').notNull(),
    /** The name in lower case: names are unique per person and assistant, whatever their case. */
    nameKey: text('name_key').notNull(),
    assistantId: text('assistant_id'),
    /** Of a channel that was opened for a topic: one for each. */
    topicId: text('topic_id'),
    /** What the topic is about, as it was given: the name may have a number or be changed. */
    subject: text('subject'),
    isDocument: boolean('is_document').notNull(),
    isImage: boolean('is_image').notNull(),
    isYoutube: boolean('is_youtube').notNull(),
    isLocked: boolean('is_locked').notNull(),
    /** Of the newest message there has been; it never goes back, so that a cursor of before meets no message of after. */
    lastPosition: bigint('last_position', { mode: 'number' }).notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Last activity. */
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    unique('channels_client_id').on(table.userId, table.clientId),
    unique('channels_topic').on(table.userId, table.topicId),
    uniqueIndex('channels_name').on(table.userId, sql`coalesce(${table.assistantId}, '')`, table.nameKey),
    index('channels_activity').on(table.userId, table.updatedAt.desc().nullsFirst()),
  ],
)

/** Exchanges of cloud channels. Texts of people and models are kept as stored-text.ts writes them. */
export const messages = pgTable(
  'messages',
  {
    channelId: text('channel_id')
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    mId: text('m_id').notNull(),
    /** The channel's owner once more: every query names them, and the search index keeps people apart by it. */
    ownerId: uuid('owner_id').notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    question: text('question').notNull(),
    answer: text('answer').notNull(),
    status: text('status', { enum: ['streaming', 'completed', 'stopped', 'interrupted', 'failed'] }).notNull(),
    isEmpty: boolean('is_empty').notNull().default(false),
    errorCode: text('error_code'),
    errorContent: text('error_content'),
    model: text('model'),
    assistantId: text('assistant_id'),
    // Imported messages bring numbers of any kind.
    inputTokens: doublePrecision('input_tokens'),
    outputTokens: doublePrecision('output_tokens'),
    /** Nano-dollars reported by the gateway. */
    cost: bigint('cost', { mode: 'bigint' }).$type<Nano>(),
    finishReason: text('finish_reason'),
    durationMs: doublePrecision('duration_ms'),
    /** The run that writes, or wrote, the answer: only this one may change it. */
    runMessageId: uuid('run_message_id'),
    /** The last frame whose text is in the answer. */
    runSeq: doublePrecision('run_seq'),
    /** Length, in UTF-16 units, of what stood before this run. */
    runBase: doublePrecision('run_base'),
    /** What the model was asked, when it is not the question. */
    runQuestion: text('run_question'),
    /** The answer that stood before this run, as JSON, while nothing of a new one has come: it comes back when nothing does. */
    previous: text('previous'),
    /** Who asked, or brought it here; nobody once their account is gone. */
    authorUserId: uuid('author_user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Who asked where it comes from, when that was somebody else. */
    authorName: text('author_name'),
    isForwarded: boolean('is_forwarded').notNull().default(false),
    /** ISO 8601 as the message has it: an import keeps it to the letter. */
    askedAt: text('asked_at').notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
    /** Question and answer as words without accents and capitals. */
    folded: text('folded').notNull(),
    /** The owner and the channel are words of it, so that the index looks at no message that whoever asks may not read. */
    search: tsvector('search').generatedAlwaysAs(sql`to_tsvector('simple', folded) || array_to_tsvector(array['@' || owner_id::text, '#' || channel_id])`),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.mId] }),
    unique('messages_position').on(table.channelId, table.position),
    index('messages_m_id').on(table.mId),
    index('messages_author').on(table.authorUserId),
    index('messages_search').using('gin', table.search),
    // Where nearly everything matches, the newest of it is found from here.
    index('messages_newest').on(table.ownerId, table.updatedAt.desc().nullsFirst()),
  ],
)

/** People whom the owner of a channel has let in. */
export const channelMembers = pgTable(
  'channel_members',
  {
    channelId: text('channel_id')
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['read', 'write'] }).notNull(),
    joinedAt: timestamp('joined_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.channelId, table.userId] }), index('channel_members_user').on(table.userId)],
)

/** Links into a channel, kept as a hash. One that is revoked is gone. */
export const channelInvitations = pgTable(
  'channel_invitations',
  {
    id: uuid('id').primaryKey(),
    channelId: text('channel_id')
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull().unique(),
    role: text('role', { enum: ['read', 'write'] }).notNull(),
    uses: integer('uses').notNull().default(0),
    /** null: as many as like. */
    maxUses: integer('max_uses'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('channel_invitations_channel').on(table.channelId)],
)

/** When a message of a shared channel arrived at a person other than its author, and when they read it. */
export const messageReceipts = pgTable(
  'message_receipts',
  {
    channelId: text('channel_id').notNull(),
    mId: text('m_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
    readAt: timestamp('read_at', { withTimezone: true }),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.mId, table.userId] }),
    index('message_receipts_user').on(table.userId),
    foreignKey({ columns: [table.channelId, table.mId], foreignColumns: [messages.channelId, messages.mId] }).onDelete('cascade'),
  ],
)
