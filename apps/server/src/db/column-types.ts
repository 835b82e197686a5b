// Column types that Drizzle does not have itself.
import type { Nano } from '@parley/contract/money'
import { bigint, customType } from 'drizzle-orm/pg-core'

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Whole nano-dollars. */
export const money = (name: string) => bigint(name, { mode: 'bigint' }).$type<Nano>()
