import { type LocalDatabase, type Sealed, type SealedRecord, type SealedTable, sealedTables } from './database'
import { bindingOf, isSame, openBytes } from './readable'
import type { Vault } from './vault'

const batchSize = 200
/** The pieces of files are large: so many of them are in memory at a time. */
const fileBatchSize = 8

/**
 * Re-encrypts every readable record with the vault's newest key. Each batch is one transaction; a record that was
 * written meanwhile has the new key already and is skipped, an unreadable one, such as of a newer program, stays as it
 * is. After a crash it resumes with the remaining records. Answers the ids of the older keys that are still needed.
 */
export async function reencrypt(db: LocalDatabase, vault: Vault, kid: string): Promise<Set<string>> {
  const needed = new Set<string>()
  for (const table of sealedTables) {
    const keys = await db.getAllKeys(table)
    const size = table === 'files' ? fileBatchSize : batchSize
    for (let start = 0; start < keys.length; start += size)
      for (const older of await reencryptBatch(db, table, keys.slice(start, start + size), vault, kid))
        needed.add(older)
  }
  return needed
}

async function reencryptBatch(
  db: LocalDatabase,
  table: SealedTable,
  keys: readonly IDBValidKey[],
  vault: Vault,
  kid: string,
): Promise<string[]> {
  const read = db.transaction(table)
  const records = (await Promise.all(keys.map((key) => read.store.get(key as string)))) as (SealedRecord | undefined)[]
  await read.done
  const renewed = await Promise.all(
    records.map((record) => (record && record.kid !== kid ? renew(vault, table, record) : undefined)),
  )
  const left = records.flatMap((record, index) => (record && record.kid !== kid && !renewed[index] ? [record.kid] : []))
  if (renewed.every((record) => record === undefined)) return left
  const write = db.transaction(table, 'readwrite', { durability: 'strict' })
  await Promise.all(
    keys.map(async (key, index) => {
      const [before, after] = [records[index], renewed[index]]
      const now = (await write.store.get(key as string)) as SealedRecord | undefined
      if (before && after && now && isSame(before.n, now.n)) await write.store.put({ ...now, ...after } as never)
    }),
  )
  await write.done
  return left
}

async function renew(vault: Vault, table: SealedTable, record: SealedRecord): Promise<Sealed | undefined> {
  const found = { table, record }
  const bytes = await openBytes(vault, found).catch(() => undefined)
  return bytes && vault.sealBytes(bindingOf(found), bytes)
}
