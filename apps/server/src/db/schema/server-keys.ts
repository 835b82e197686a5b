import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

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
