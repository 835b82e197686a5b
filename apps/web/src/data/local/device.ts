import { product } from '@parley/contract/product'
import { type LocalDatabase, openDatabase } from './database'
import { openDeviceVault, type Vault } from './vault'
import { readGeneration } from './vault-record'

/** An open vault: its database, and the keys that read and write it. */
export type Device = {
  db: LocalDatabase
  vault: Vault
  /** The account; undefined for this browser's anonymous vault. */
  userId: string | undefined
  /** The generation of its keys: a write with an older one is refused. */
  generation: number
  /** Makes the next caller open the vault again. */
  forget(): void
}

/** Opens this browser's anonymous vault, also while somebody is signed in. */
export async function openAnonymousDevice(): Promise<Device> {
  const db = await openDatabase(product.slug)
  return {
    db,
    vault: await openDeviceVault(product.slug),
    userId: undefined,
    generation: await readGeneration(db),
    forget: () => undefined,
  }
}
