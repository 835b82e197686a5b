import * as z from 'zod/mini'
import type { LocalDatabase } from './database'
import { AccountLock, Wrapped, WrappedToAccount } from './key-wrapping'
import { PassphraseHash } from './passphrase'

/** The wrapped copies of one data key. Which of them exist decides how safe the data is at rest. */
const KeyEntry = z.object({
  kid: z.string(),
  createdAt: z.string(),
  toAccount: z.optional(WrappedToAccount),
  toPassphrase: z.optional(Wrapped),
  toRecovery: z.optional(Wrapped),
})
export type KeyEntry = z.infer<typeof KeyEntry>

/**
 * The stored state of an account's vault. `sealed`: at sign-out, opened by the next sign-in. `locked`: opened by a
 * passphrase. While `movingTo` is set, records are being re-encrypted with that key; the older keys stay until the last
 * record is done.
 */
const VaultRecord = z.object({
  v: z.literal(1),
  level: z.enum(['sealed', 'locked']),
  account: AccountLock,
  /** Locks of former account keys. Should the server find one again, its data keys open. */
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

/** A vault's record, and the generation of its keys. */
export type VersionedRecord = { record: VaultRecord; generation: number }

export async function readVaultRecord(db: LocalDatabase): Promise<VersionedRecord | undefined> {
  const tx = db.transaction('meta')
  const [stored, generation] = await Promise.all([tx.store.get(recordId), tx.store.get(generationId), tx.done])
  const record = parsed(stored?.value)
  return record && { record, generation: Number(generation?.value ?? 0) }
}

/**
 * Changes the stored record in one transaction, so that another tab's changes are never overwritten, and raises the
 * generation: every open vault has to be opened again before its next write. `change` gets the current generation and
 * may throw; then nothing changes.
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
    await Promise.all([
      tx.store.put({ id: recordId, value: JSON.stringify(record) }),
      tx.store.put({ id: generationId, value: String(generation) }),
      tx.done,
    ])
    return { record, generation }
  } catch (error) {
    try {
      tx.abort()
    } catch {
      // The transaction has already ended.
    }
    await ended
    throw error
  }
}

/** Only this program writes the record; an unreadable one must not be overwritten by a new vault. */
const parsed = (stored: string | undefined): VaultRecord | undefined =>
  stored === undefined ? undefined : z.parse(VaultRecord, JSON.parse(stored))

export async function readGeneration(db: LocalDatabase): Promise<number> {
  return Number((await db.get('meta', generationId))?.value ?? 0)
}

export { generationId }
