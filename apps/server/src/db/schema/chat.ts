import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { money } from '../column-types'

/**
 * One row for each request for an answer. For a local channel it holds no text, no name and no channel id: only what
 * must not happen twice.
 */
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
    cost: money('cost'),
    errorCode: text('error_code'),
    /**
     * Cloud channels only: the exchange whose answer this is. No foreign key: what an answer took stays counted when
     * its message is deleted.
     */
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
