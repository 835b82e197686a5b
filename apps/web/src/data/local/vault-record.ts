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

export async function readVaultRecord(db: LocalDatabase): Promise<VaultRecord | undefined> {
  const stored = await db.get('meta', recordId)
  if (!stored) return undefined
  // Written by this program alone; what cannot be read must not be written over by a new vault.
  return z.parse(VaultRecord, JSON.parse(stored.value))
}

/** Writes it and ends the time of every vault that is open: whoever writes with an older one has to open it again first. */
export async function writeVaultRecord(db: LocalDatabase, record: VaultRecord): Promise<void> {
  const tx = db.transaction('meta', 'readwrite', { durability: 'strict' })
  const generation = Number((await tx.store.get(generationId))?.value ?? 0) + 1
  await Promise.all([tx.store.put({ id: recordId, value: JSON.stringify(record) }), tx.store.put({ id: generationId, value: String(generation) }), tx.done])
}

export async function readGeneration(db: LocalDatabase): Promise<number> {
  return Number((await db.get('meta', generationId))?.value ?? 0)
}

export { generationId }
