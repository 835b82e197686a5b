import type { StoredChatSettings } from '@parley/contract/chat-settings'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './users'

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
    /**
     * Of the newest message there has been; it never goes back, so that a cursor of before meets no message of after.
     */
    lastPosition: bigint('last_position', { mode: 'number' }).notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** The run that the owner reads up to; null: the newest exchange by position. */
    headRunId: text('head_run_id'),
    /** How its answers are asked for; the contract's settingsOf reads them. */
    settings: jsonb('settings').$type<StoredChatSettings>().notNull().default({}),
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
    /** As the channel's, of this person. */
    headRunId: text('head_run_id'),
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
