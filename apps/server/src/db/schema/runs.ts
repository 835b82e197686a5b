import {
  boolean,
  doublePrecision,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { money } from '../column-types'
import { messages } from './messages'

/**
 * Answers of an exchange, each a record of its own: regenerating or continuing adds one and changes no other. Texts
 * are kept as stored-text.ts writes them.
 */
export const runs = pgTable(
  'runs',
  {
    channelId: text('channel_id').notNull(),
    mId: text('m_id').notNull(),
    /** The first run of an exchange has the exchange's id, see the contract's message-adapter.ts. */
    id: text('id').notNull(),
    ownerId: uuid('owner_id').notNull(),
    /** Without the text of the run that it continues. */
    answer: text('answer').notNull(),
    /** As JSON, the parts that stand before the text in `answer`; null where there are none. */
    answerParts: text('answer_parts'),
    status: text('status', { enum: ['streaming', 'completed', 'stopped', 'interrupted', 'failed'] }).notNull(),
    isEmpty: boolean('is_empty').notNull(),
    errorCode: text('error_code'),
    errorContent: text('error_content'),
    model: text('model'),
    assistantId: text('assistant_id'),
    // Of this run alone. Imported messages bring numbers of any kind.
    inputTokens: doublePrecision('input_tokens'),
    outputTokens: doublePrecision('output_tokens'),
    /** Nano-dollars. */
    cost: money('cost'),
    finishReason: text('finish_reason'),
    durationMs: doublePrecision('duration_ms'),
    /** The run of the same exchange whose text this one goes on with. */
    continues: text('continues'),
    /** What the model was asked, when it is not the question. */
    prompt: text('prompt'),
    /** The last frame whose text is in the answer; null for an answer that no run on the wire has written. */
    seq: doublePrecision('seq'),
    /** ISO 8601, or the date of an imported message to the letter. */
    startedAt: text('started_at').notNull(),
    removedAt: timestamp('removed_at', { withTimezone: true }),
  },
  (table) => [
    // Within the exchange: imported messages may name one run twice.
    primaryKey({ columns: [table.channelId, table.mId, table.id] }),
    index('runs_id').on(table.channelId, table.id),
    foreignKey({ columns: [table.channelId, table.mId], foreignColumns: [messages.channelId, messages.mId] }).onDelete(
      'cascade',
    ),
  ],
)
