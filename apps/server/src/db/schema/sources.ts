import type { BroughtSource } from '@parley/contract/brought-sources'
import type { SourceProgress } from '@parley/contract/sources'
import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { tsvector } from '../column-types'
import { agents } from './agents'
import { channels } from './channels'
import { users } from './users'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** The key of an account's files, sealed by the server's key `files`. With it everything in the store is unreadable. */
export const fileKeys = pgTable('file_keys', {
  ownerId: uuid('owner_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  sealed: text('sealed').notNull(),
})

/** Sources of cloud channels, and files of agents' knowledge. Texts are kept as stored-text.ts writes them. */
export const sources = pgTable(
  'sources',
  {
    id: uuid('id').primaryKey(),
    /** Null: a file of an agent's knowledge. */
    channelId: text('channel_id').references(() => channels.id, { onDelete: 'cascade' }),
    /** Null: of a channel, or of an agent that is not saved yet. */
    agentId: text('agent_id').references(() => agents.id, { onDelete: 'cascade' }),
    /** The channel's or agent's owner once more: every query names them. */
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text('type', { enum: ['document', 'website', 'video'] }).notNull(),
    name: text('name').notNull(),
    url: text('url'),
    mediaType: text('media_type').notNull(),
    /** Of the file; counted against the account's quota. */
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    status: text('status', { enum: ['queued', 'processing', 'processed', 'failed'] }).notNull(),
    progress: jsonb('progress').$type<SourceProgress>(),
    /** A code of the error catalogue. */
    reason: text('reason'),
    isActive: boolean('is_active').notNull().default(true),
    pages: integer('pages'),
    characters: integer('characters'),
    passages: integer('passages'),
    notices: jsonb('notices').$type<string[]>().notNull().default([]),
    /** The beginning of its text. */
    excerpt: text('excerpt'),
    /**
     * The attempt that may write, or wrote, its text and passages: a node that has lost its lease changes nothing any
     * more.
     */
    readingId: uuid('reading_id'),
    /** What all its passages have vectors of: `Embedder.key`. Null: none, or not all. */
    vectorsKey: text('vectors_key'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    fetchedAt: time('fetched_at'),
  },
  (table) => [
    // The same file or address twice is one source.
    unique('sources_content').on(table.channelId, table.sha256),
    unique('sources_agent_content').on(table.agentId, table.sha256),
    index('sources_owner').on(table.ownerId, table.createdAt),
    index('sources_draft').on(table.updatedAt).where(sql`channel_id is null and agent_id is null`),
    check('sources_one_home', sql`channel_id is null or agent_id is null`),
  ],
)

/** What of a source is searched for and sent. */
export const sourcePassages = pgTable(
  'source_passages',
  {
    sourceId: uuid('source_id').notNull(),
    /** Those of an attempt that is not the source's `reading_id` do not count, and are deleted. */
    readingId: uuid('reading_id').notNull(),
    index: integer('index').notNull(),
    /** The channel's owner once more, as in `sources`. */
    ownerId: uuid('owner_id').notNull(),
    /** The channel; of an agent's file its own id. */
    channelId: text('channel_id').notNull(),
    text: text('text').notNull(),
    page: integer('page'),
    headings: jsonb('headings').$type<string[]>().notNull(),
    firstBlock: integer('first_block').notNull(),
    endBlock: integer('end_block').notNull(),
    /** Text and headings as words without accents and capitals. */
    folded: text('folded').notNull(),
    /** The channel is a word of it, so that the index looks at no passage of another one. */
    search: tsvector('search').generatedAlwaysAs(
      sql`to_tsvector('simple', folded) || array_to_tsvector(array['#' || channel_id])`,
    ),
  },
  (table) => [
    primaryKey({ columns: [table.sourceId, table.readingId, table.index] }),
    foreignKey({ columns: [table.sourceId], foreignColumns: [sources.id] }).onDelete('cascade'),
    index('source_passages_search').using('gin', table.search),
  ],
)

/**
 * What a passage means, as an embedding model has it. Not a column of the passages: writing it would write their words
 * anew. An array, which pgvector takes as a vector where it is there, and which is compared without it elsewhere.
 */
export const passageVectors = pgTable(
  'passage_vectors',
  {
    sourceId: uuid('source_id').notNull(),
    readingId: uuid('reading_id').notNull(),
    index: integer('index').notNull(),
    ownerId: uuid('owner_id').notNull(),
    key: text('key').notNull(),
    vector: real('vector').array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sourceId, table.readingId, table.index] }),
    foreignKey({
      name: 'passage_vectors_passage',
      columns: [table.sourceId, table.readingId, table.index],
      foreignColumns: [sourcePassages.sourceId, sourcePassages.readingId, sourcePassages.index],
    }).onDelete('cascade'),
  ],
)

/** A piece of an upload: an object of the store. */
export type UploadPart = { key: string; bytes: number }

/** Files of which not all bytes are there yet. What they declare counts against the account's quota. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    channelId: text('channel_id')
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    /** How many bytes are there. */
    received: bigint('received', { mode: 'number' }).notNull().default(0),
    parts: jsonb('parts').$type<UploadPart[]>().notNull().default([]),
    /** Of a source that comes from elsewhere. */
    source: jsonb('source').$type<BroughtSource>(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    unique('uploads_content').on(table.channelId, table.sha256),
    index('uploads_owner').on(table.ownerId),
    index('uploads_updated').on(table.updatedAt),
  ],
)

/**
 * Folders of the store whose row is gone. Triggers on `sources` and `uploads` write them, so that whatever deletes a
 * row, its channel or its account deletes the files as well.
 */
export const fileRemovals = pgTable('file_removals', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  prefix: text('prefix').notNull(),
})
