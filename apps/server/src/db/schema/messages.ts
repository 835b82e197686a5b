import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { money, tsvector } from '../column-types'
import { channels } from './channels'
import { users } from './users'

/**
 * Exchanges of cloud channels. Texts of people and models are kept as stored-text.ts writes them. The columns of the
 * answer are those of the run that is shown, which the trigger `messages_mirror` mirrors into `runs`.
 */
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
    /** As JSON, what this run's answer has beside its text: `runs.answer_parts`. */
    answerParts: text('answer_parts'),
    /** Likewise of the runs that this one continues, whose text is the first `run_base` units of `answer`. */
    baseParts: text('base_parts'),
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
    cost: money('cost'),
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
    /**
     * The answer that stood before this run, as JSON, while nothing of a new one has come: it comes back when nothing
     * does.
     */
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
    /**
     * The run that this exchange follows; null begins the conversation. Empty: not known yet, the trigger
     * `messages_place` or the backfill sets it to the run that the exchange before shows.
     */
    afterRunId: text('after_run_id').default(''),
    /** As JSON, where the question is more than the text in `question`. */
    questionParts: text('question_parts'),
    isPinned: boolean('is_pinned').notNull().default(false),
    /** A tombstone keeps its place in the tree. */
    removedAt: timestamp('removed_at', { withTimezone: true }),
    /**
     * The owner and the channel are words of it, so that the index looks at no message that whoever asks may not read.
     */
    search: tsvector('search').generatedAlwaysAs(
      sql`to_tsvector('simple', folded) || array_to_tsvector(array['@' || owner_id::text, '#' || channel_id])`,
    ),
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
    foreignKey({ columns: [table.channelId, table.mId], foreignColumns: [messages.channelId, messages.mId] }).onDelete(
      'cascade',
    ),
  ],
)
