import { foreignKey, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { agents } from './agents'

/** What makes an agent one of a wallet: who signed it, and which of its versions `agents` shows. */
export const suiAgents = pgTable('sui_agents', {
  agentId: text('agent_id')
    .primaryKey()
    .references(() => agents.id, { onDelete: 'cascade' }),
  address: text('address').notNull(),
  version: integer('version').notNull(),
  digest: text('digest').notNull(),
  signedAt: timestamp('signed_at', { withTimezone: true }).notNull(),
  /** Of the digests of prompt and knowledge: for the owner alone. */
  salt: text('salt').notNull(),
})

/** All that a wallet has signed of an agent, to the letter. */
export const suiVersions = pgTable(
  'sui_versions',
  {
    agentId: text('agent_id')
      .notNull()
      .references(() => suiAgents.agentId, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    digest: text('digest').notNull(),
    manifest: text('manifest').notNull(),
    signature: text('signature').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.version] })],
)

/**
 * Versions whose digest their wallet has published on the chain: as the chain showed it when it was checked, with what
 * proves the wallet's part.
 */
export const suiAnchors = pgTable(
  'sui_anchors',
  {
    agentId: text('agent_id').notNull(),
    version: integer('version').notNull(),
    /** The digest of the transaction. */
    transaction: text('transaction').notNull(),
    /** The package that it calls; with another one, the server begins anew. */
    package: text('package').notNull().default(''),
    bytes: text('bytes').notNull(),
    signature: text('signature').notNull(),
    checkpoint: text('checkpoint').notNull(),
    at: timestamp('at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.version] }),
    foreignKey({
      columns: [table.agentId, table.version],
      foreignColumns: [suiVersions.agentId, suiVersions.version],
    }).onDelete('cascade'),
  ],
)
