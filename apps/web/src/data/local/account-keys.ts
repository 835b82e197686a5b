// The data keys of an account's vault: made, wrapped to the account or a passphrase, and unwrapped.
import { AppError } from '@parley/contract/errors'
import { uuidv7 } from '@parley/contract/uuid'
import { randomBytes } from './bytes'
import type { LocalDatabase } from './database'
import type { StoredKey } from './key-database'
import {
  type AccountLock,
  dataKey,
  newAccountLock,
  opensLock,
  unwrap,
  unwrapFromAccount,
  wrapToAccount,
} from './key-wrapping'
import {
  changeVaultRecord,
  type KeyEntry,
  readVaultRecord,
  type VaultRecord,
  type VersionedRecord,
} from './vault-record'

/** A data key as bytes, while it is wrapped or unwrapped; the bytes are overwritten afterwards. */
export type RawKey = { kid: string; createdAt: string; raw: Uint8Array<ArrayBuffer> }

const wrong = (): never => {
  throw new AppError('vault.wrong-passphrase')
}

/**
 * Unwraps every key that `wrappedIn` finds. Throws vault.wrong-passphrase for another secret, or when it finds none.
 */
export async function unwrapAll(
  keys: readonly KeyEntry[],
  secret: Uint8Array<ArrayBuffer>,
  wrappedIn: (entry: KeyEntry) => KeyEntry['toPassphrase'],
): Promise<RawKey[]> {
  const raw: RawKey[] = []
  for (const entry of keys) {
    const wrapped = wrappedIn(entry)
    if (wrapped)
      raw.push({ kid: entry.kid, createdAt: entry.createdAt, raw: await unwrap(secret, wrapped).catch(wrong) })
  }
  secret.fill(0)
  return raw.length > 0 ? raw : wrong()
}

export function newKey(): RawKey {
  return { kid: uuidv7(), createdAt: new Date().toISOString(), raw: randomBytes(32) }
}

/**
 * Adds a data key that this account key can open: the first one of a new vault, or another one after the server's
 * account key has changed. The former account lock is kept, in case the server finds its key again. Records that the
 * device's keys still open are re-encrypted, since a sign-out would erase those keys.
 */
export async function addAccountKey(
  db: LocalDatabase,
  accountKey: Uint8Array<ArrayBuffer>,
  onDevice: readonly StoredKey[],
): Promise<VersionedRecord> {
  const known = (await readVaultRecord(db))?.record
  const account = (known && (await lockOfKey(known, accountKey))) ?? (await newAccountLock(accountKey))
  const key = newKey()
  const entry: KeyEntry = { kid: key.kid, createdAt: key.createdAt, toAccount: await wrapToAccount(account, key.raw) }
  key.raw.fill(0)
  return changeVaultRecord(db, (record) => {
    if (!record) return { v: 1, level: 'sealed', account, keys: [entry] }
    const olderAccounts = locksOf(record).filter(({ publicKey }) => publicKey !== account.publicKey)
    const movingTo = onDevice.length > 0 ? { movingTo: { kid: key.kid, level: 'sealed' as const } } : {}
    return { ...record, account, olderAccounts, keys: [...record.keys, entry], ...movingTo }
  })
}

const locksOf = ({ account, olderAccounts = [] }: VaultRecord): AccountLock[] => [account, ...olderAccounts]

/** Finds the account lock that this account key opens. */
async function lockOfKey(record: VaultRecord, accountKey: Uint8Array<ArrayBuffer>): Promise<AccountLock | undefined> {
  for (const lock of locksOf(record)) if (await opensLock(lock, accountKey)) return lock
  return undefined
}

/** Whether this account key opens the newest data key, so that new records stay readable after a sign-out. */
export async function opensNewestKey(record: VaultRecord, accountKey: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const newest = record.movingTo?.kid ?? record.keys.at(-1)?.kid
  const opened = await unwrapByAccount(record, accountKey)
  for (const { raw } of opened) raw.fill(0)
  return opened.some(({ kid }) => kid === newest)
}

/** Unwraps the keys that this account key opens, whichever of the account's locks they were wrapped to. */
export async function unwrapByAccount(record: VaultRecord, accountKey: Uint8Array<ArrayBuffer>): Promise<RawKey[]> {
  const opened: RawKey[] = []
  for (const { kid, createdAt, toAccount } of record.keys) {
    for (const lock of toAccount ? locksOf(record) : []) {
      const raw = toAccount && (await unwrapFromAccount(lock, accountKey, toAccount).catch(() => undefined))
      if (!raw) continue
      opened.push({ kid, createdAt, raw })
      break
    }
  }
  return opened
}

/** Imports keys so that scripts can use and not read them; the bytes are overwritten. */
export async function importKeys(keys: readonly RawKey[]): Promise<StoredKey[]> {
  return Promise.all(
    keys.map(async ({ kid, createdAt, raw }) => {
      const key = await dataKey(raw)
      raw.fill(0)
      return { kid, createdAt, key }
    }),
  )
}

export function mergeKeys(held: readonly StoredKey[], more: readonly StoredKey[]): StoredKey[] {
  return [...held.filter(({ kid }) => !more.some((key) => key.kid === kid)), ...more]
}
