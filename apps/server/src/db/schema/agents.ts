// The tables of agents. A migration adds what Drizzle has no words for: the triggers that count likes, how the rows of
// agent_search are kept and, where the extension is there, the trigrams of agent_words.
import type { AgentTexts } from '@parley/contract/agents'
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, tsvector } from '../column-types'
import { users } from './users'

/** What everybody may see of an agent in one language. */
export type StoredTexts = Omit<AgentTexts, 'prompt'>

/** Agents of people and of the product's team. What only the owner may see is in agent_secrets. */
export const agents = pgTable(
  'agents',
  {
    id: text('id').primaryKey(),
    source: text('source', { enum: ['product', 'community', 'sui'] }).notNull(),
    /** The creator; null for the product's. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    category: text('category').notNull(),
    /** A path of this server. */
    profileImage: text('profile_image').notNull(),
    /** One entry for each language; the first is the agent's own. */
    texts: jsonb('texts').$type<StoredTexts[]>().notNull(),
    /** The languages of `texts` as a set: an index can hold it. */
    languageBits: smallint('language_bits').notNull(),
    isPrivate: boolean('is_private').notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    /** Whether strangers meet it in lists. */
    isListed: boolean('is_listed').generatedAlwaysAs(sql`source = 'community' and not is_private and is_enabled`),
    userPrice: integer('user_price').notNull().default(0),
    /** Kept by a trigger on agent_likes, in the transaction of the like. */
    likes: integer('likes').notNull().default(0),
    /** Of a product agent's definition: whether it has changed since. */
    contentHash: text('content_hash'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    // With the languages in them a list, and its count, is read from the index alone.
    index('agents_newest')
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst(), table.languageBits)
      .where(sql`is_listed`),
    index('agents_liked')
      .on(
        table.likes.desc().nullsFirst(),
        table.createdAt.desc().nullsFirst(),
        table.id.desc().nullsFirst(),
        table.languageBits,
      )
      .where(sql`is_listed`),
    index('agents_owner').on(table.userId, table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('agents_sui')
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst(), table.languageBits)
      .where(sql`source = 'sui'`),
    index('agents_product').on(table.createdAt).where(sql`source = 'product'`),
  ],
)

/** What goes to the model and to the owner, and to nobody else: no query of a list comes near it. */
export const agentSecrets = pgTable('agent_secrets', {
  agentId: text('agent_id')
    .primaryKey()
    .references(() => agents.id, { onDelete: 'cascade' }),
  prompts: jsonb('prompts').$type<Partial<Record<AgentTexts['language'], string>>>().notNull(),
  knowledge: text('knowledge').notNull(),
})

/**
 * What agents are found by. Apart from the agents, so that a search reads little and a like rewrites no index of words.
 */
export const agentSearch = pgTable(
  'agent_search',
  {
    agentId: text('agent_id')
      .primaryKey()
      .references(() => agents.id, { onDelete: 'cascade' }),
    /** Words of name, role and about; `=word` those of the name; `@…` and `#…` who may find it and its languages. */
    words: tsvector('words').notNull(),
    /** A copy: in no index, so that it changes in place. */
    likes: integer('likes').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /**
     * Blanks, which compress to nothing. They make a row so long that the database keeps its words beside the table:
     * what a search counts and sorts is then a tenth of what it would read, and the words themselves it reads from the
     * index alone.
     */
    filler: text('filler').notNull().default(sql`repeat(' ', 2100)`),
  },
  (table) => [index('agent_search_words').using('gin', table.words)],
)

/** Every word that an agent has, to find the one that was meant by a mistyped one. */
export const agentWords = pgTable('agent_words', { word: text('word').primaryKey() })

export const agentLikes = pgTable(
  'agent_likes',
  {
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.userId] }), index('agent_likes_user').on(table.userId)],
)

/**
 * Pictures as this server wrote them: re-encoded, square, without anything but the picture. In the database, so that
 * every node has them.
 */
export const pictures = pgTable(
  'pictures',
  {
    /** Random: whoever has it may see the picture. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    bytes: bytea('bytes').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('pictures_owner').on(table.userId, table.createdAt)],
)
