import * as z from 'zod/mini'
import type { LocalDatabase } from './database'
import { AccountLock, Wrapped, WrappedToAccount } from './key-wrapping'
import { PassphraseHash } from './passphrase'

/** Each way to a data key that exists. Which of them do decides how safe the data is while nobody uses it. */
const KeyEntry = z.object({
  kid: z.string(),
  createdAt: z.string(),
  toAccount: z.optional(WrappedToAccount),
  toPassphrase: z.optional(Wrapped),
  toRecovery: z.optional(Wrapped),
})
export type KeyEntry = z.infer<typeof KeyEntry>

/**
 * What the disk knows of an account's vault. `sealed`: at logout, opened by the next sign-in. `locked`: by a passphrase. While `movingTo` is set, records are
 * being encrypted anew with that key; the older keys stay until the last one is done.
 */
const VaultRecord = z.object({
  v: z.literal(1),
  level: z.enum(['sealed', 'locked']),
  account: AccountLock,
  /** Of account keys that the server does not give any more. Should it find one again, its keys open. */
  olderAccounts: z.optional(z.array(AccountLock)),
  keys: z.array(KeyEntry),
  hash: z.optional(PassphraseHash),
  hasRecovery: z.optional(z.boolean()),
  idleMinutes: z.optional(z.int()),
  movingTo: z.optional(z.object({ kid: z.string(), level: z.enum(['sealed', 'locked']) })),
})
export type VaultRecord = z.infer<typeof VaultRecord>
export type VaultLevel = VaultRecord['level']

const recordId = 'vault'
const generationId = 'generation'

/** A vault's record, and the generation of its keys that it belongs to. */
export type VersionedRecord = { record: VaultRecord; generation: number }

export async function readVaultRecord(db: LocalDatabase): Promise<VersionedRecord | undefined> {
  const tx = db.transaction('meta')
  const [stored, generation] = await Promise.all([tx.store.get(recordId), tx.store.get(generationId), tx.done])
  const record = parsed(stored?.value)
  return record && { record, generation: Number(generation?.value ?? 0) }
}

/**
 * Changes the record as it stands on the disk, in one transaction: what another tab wrote since it was last read is never written over. It ends the time of every
 * vault that is open: whoever writes with an older one has to open it again first. `change` gets the generation too, and may throw; then nothing changes.
 */
export async function changeVaultRecord(
  db: LocalDatabase,
  change: (record: VaultRecord | undefined, generation: number) => VaultRecord,
): Promise<VersionedRecord> {
  const tx = db.transaction('meta', 'readwrite', { durability: 'strict' })
  const ended = tx.done.catch(() => undefined)
  try {
    const stored = await tx.store.get(recordId)
    const before = Number((await tx.store.get(generationId))?.value ?? 0)
    const record = change(parsed(stored?.value), before)
    const generation = before + 1
    await Promise.all([tx.store.put({ id: recordId, value: JSON.stringify(record) }), tx.store.put({ id: generationId, value: String(generation) }), tx.done])
    return { record, generation }
  } catch (error) {
    try {
      tx.abort()
    } catch {
      // It has ended by itself.
    }
    await ended
    throw error
  }
}

/** Written by this program alone; what cannot be read must not be written over by a new vault. */
const parsed = (stored: string | undefined): VaultRecord | undefined => (stored === undefined ? undefined : z.parse(VaultRecord, JSON.parse(stored)))

export async function readGeneration(db: LocalDatabase): Promise<number> {
  return Number((await db.get('meta', generationId))?.value ?? 0)
}

export { generationId }
