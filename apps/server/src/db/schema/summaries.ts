import {
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { money } from '../column-types'
import { messages } from './messages'
import { users } from './users'

/**
 * What stands for the exchanges of a path up to a run, where they no longer fit a model's window. It goes with the
 * exchange of that run. Texts are kept as stored-text.ts writes them.
 */
export const summaries = pgTable(
  'summaries',
  {
    channelId: text('channel_id').notNull(),
    id: uuid('id').notNull(),
    /** The channel's owner once more: every query names them. */
    ownerId: uuid('owner_id').notNull(),
    mId: text('m_id').notNull(),
    upToRunId: text('up_to_run_id').notNull(),
    text: text('text').notNull(),
    /** How many messages it stands for. */
    messages: integer('messages').notNull(),
    isEdited: boolean('is_edited').notNull().default(false),
    isUndone: boolean('is_undone').notNull().default(false),
    /** Who asked for it, and paid; nobody once their account is gone. */
    authorUserId: uuid('author_user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Nano-dollars. */
    cost: money('cost'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.id] }),
    // Two people who ask at the same time get one.
    unique('summaries_run').on(table.channelId, table.upToRunId),
    index('summaries_author').on(table.authorUserId),
    foreignKey({ columns: [table.channelId, table.mId], foreignColumns: [messages.channelId, messages.mId] }).onDelete(
      'cascade',
    ),
  ],
)
