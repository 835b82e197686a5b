import { AppError } from '@parley/contract/errors'
import { product } from '@parley/contract/product'
import { uuidv7 } from '@parley/contract/uuid'
import { deleteDB } from 'idb'
import { fromBase64Url, randomBytes } from './bytes'
import { type LocalDatabase, openDatabase } from './database'
import { eraseKeys, readKeys, type StoredKey, storeErasableKeys } from './key-database'
import { dataKey, newAccountLock, unwrap, unwrapFromAccount, wrap, wrapToAccount } from './key-wrapping'
import { newPassphraseHash, passphraseSecret, recoverySecret } from './passphrase'
import { reencrypt } from './reencrypt'
import { orStorageError } from './storage-error'
import { withTabLock } from './tab-lock'
import { KeyVault, type Vault } from './vault'
import { type KeyEntry, readVaultRecord, type VaultLevel, type VaultRecord, writeVaultRecord } from './vault-record'

/** Each account has a vault of its own in a browser: data and keys of another name. */
export const vaultName = (userId: string): string => `${product.slug}-${userId}`

/** Data keys as bytes, while they are put in or taken out of something; they are overwritten afterwards. */
type RawKey = { kid: string; createdAt: string; raw: Uint8Array<ArrayBuffer> }

export type VaultSettings = { level: VaultLevel; hasRecovery: boolean; idleMinutes: number }

const defaultIdleMinutes = 15

/**
 * Levels L1 and L2: an account's vault on this device. L1: a key that the server gives with a sign-in opens it; at logout the device forgets its keys. L2: a
 * passphrase opens it, and the keys are nowhere but in the memory of pages that are unlocked.
 */
export class AccountVault {
  private constructor(
    readonly name: string,
    readonly db: LocalDatabase,
    private record: VaultRecord,
    /** Of pages that are unlocked: at L2 the only place of the keys. */
    private held: readonly StoredKey[],
  ) {}

  /** Takes the key of a sign-in's answer: makes the vault the first time, gives its keys back to the device afterwards. Says whether a passphrase is still needed. */
  static async signIn(userId: string, accountKey: string): Promise<{ isLocked: boolean }> {
    const name = vaultName(userId)
    const secret = fromBase64Url(accountKey)
    return orStorageError(() =>
      withTabLock(name, async () => {
        const db = await openDatabase(name)
        try {
          let record = (await readVaultRecord(db)) ?? (await newRecord(db, secret))
          let opened = await openedByAccount(record, secret)
          const isLost = record.level === 'sealed' && opened.length === 0 && (await readKeys(name)).length === 0
          if (isLost) {
            record = await newRecord(db, secret, record)
            opened = await openedByAccount(record, secret)
          }
          const keys = await toStored(opened)
          await storeErasableKeys(name, keys)
          return { isLocked: new AccountVault(name, db, record, keys).isLocked }
        } finally {
          db.close()
          secret.fill(0)
        }
      }),
    )
  }

  /** Opens it as far as the device can: at L2 without a passphrase it is locked. Undefined when there is none: then a sign-in has to make it. */
  static open(userId: string): Promise<AccountVault | undefined> {
    const name = vaultName(userId)
    return orStorageError(() =>
      withTabLock(name, async () => {
        const db = await openDatabase(name)
        const record = await readVaultRecord(db)
        const found = record ? await readKeys(name) : []
        const isOver = record?.level === 'locked' && !record.movingTo
        // A crash came between the end of the change to a lock and the erasing of the keys before it.
        if (isOver && found.length > 0) await eraseKeys(name)
        const stored = isOver ? [] : found
        // Keys that were erased, and no passphrase that would bring them back: only a sign-in does.
        if (record && (stored.length > 0 || record.keys.some(({ toPassphrase }) => toPassphrase))) return new AccountVault(name, db, record, stored)
        db.close()
        return undefined
      }),
    )
  }

  /** Erases the keys from this device. What is sealed stays, and opens with the account's next sign-in, or with its passphrase after one. */
  static seal(userId: string): Promise<void> {
    return orStorageError(() => eraseKeys(vaultName(userId)))
  }

  /** Removes everything of the account from this device. */
  static async remove(userId: string): Promise<void> {
    await AccountVault.seal(userId)
    await orStorageError(() => deleteDB(vaultName(userId)))
  }

  get settings(): VaultSettings {
    const { level, hasRecovery = false, idleMinutes = defaultIdleMinutes } = this.record
    return { level, hasRecovery, idleMinutes }
  }

  get isLocked(): boolean {
    const needed = this.record.movingTo?.kid ?? this.record.keys.at(-1)?.kid
    return !this.held.some(({ kid }) => kid === needed) || (this.record.level === 'locked' && !this.hasEveryLockedKey())
  }

  /** What reads and writes the records. Throws vault.locked. */
  get vault(): Vault {
    if (this.isLocked) throw new AppError('vault.locked')
    return new KeyVault(this.held, this.record.movingTo?.kid ?? this.record.keys.at(-1)?.kid)
  }

  /** The keys of a page that is unlocked, for another tab of the same browser. */
  get heldKeys(): readonly StoredKey[] {
    return this.held
  }

  take(keys: readonly StoredKey[]): void {
    this.held = merged(this.held, keys)
  }

  /** Unlocks this page. Throws vault.wrong-passphrase. */
  async unlock(passphrase: string): Promise<void> {
    const { hash } = this.record
    if (!hash) return
    const secret = await passphraseSecret(passphrase, hash)
    await this.unlockWith(secret, ({ toPassphrase }) => toPassphrase)
  }

  /** The same with the recovery code. */
  async unlockByCode(code: string): Promise<void> {
    await this.unlockWith(recoverySecret(code), ({ toRecovery }) => toRecovery)
  }

  /**
   * Switches the lock on: all records are encrypted anew with a new key that only the passphrase (and the recovery code) opens, and the device forgets the
   * old one. May be interrupted at any point: until the end the old key stays where it was, and `finish` goes on.
   */
  lock(passphrase: string, recoveryCode: string | undefined): Promise<void> {
    return this.moveToLock(passphrase, recoveryCode, this.record.keys)
  }

  /** Another passphrase. Throws vault.wrong-passphrase. From the first moment on every key opens with the new one. */
  async changePassphrase(current: string, next: string, recoveryCode: string | undefined): Promise<void> {
    const { hash, keys } = this.record
    if (!hash) throw new AppError('vault.locked')
    const secret = await passphraseSecret(current, hash)
    const raw = await unwrapAll(keys, secret, ({ toPassphrase }) => toPassphrase)
    await this.moveToLock(next, recoveryCode, keys, raw)
  }

  private async moveToLock(passphrase: string, recoveryCode: string | undefined, older: readonly KeyEntry[], raw: readonly RawKey[] = []): Promise<void> {
    const hash = newPassphraseHash()
    const secret = await passphraseSecret(passphrase, hash)
    const code = recoveryCode === undefined ? undefined : recoverySecret(recoveryCode)
    const locked = async (entry: KeyEntry, bytes: Uint8Array<ArrayBuffer>): Promise<KeyEntry> => {
      const { toRecovery: _old, ...rest } = entry
      return { ...rest, toPassphrase: await wrap(secret, bytes), ...(code ? { toRecovery: await wrap(code, bytes) } : {}) }
    }
    const key = newKey()
    const keys = await Promise.all(
      older.map((entry) => {
        const known = raw.find(({ kid }) => kid === entry.kid)
        return known ? locked(entry, known.raw) : entry
      }),
    )
    keys.push(await locked({ kid: key.kid, createdAt: key.createdAt }, key.raw))
    secret.fill(0)
    for (const { raw: bytes } of raw) bytes.fill(0)
    // First: from the moment of the record on, whoever writes in this page needs it.
    this.held = merged(this.held, await toStored([key]))
    await this.write({ ...this.record, keys, hash, hasRecovery: code !== undefined, movingTo: { kid: key.kid, level: 'locked' } })
    await this.finish()
  }

  /** Switches the lock off: back to L1. */
  async unseal(): Promise<void> {
    const key = newKey()
    const entry: KeyEntry = { kid: key.kid, createdAt: key.createdAt, toAccount: await wrapToAccount(this.record.account, key.raw) }
    const [stored] = await toStored([key])
    if (!stored) return
    await storeErasableKeys(this.name, [stored])
    await this.write({ ...this.record, keys: [...this.record.keys, entry], movingTo: { kid: key.kid, level: 'sealed' } })
    this.held = merged(this.held, [stored])
    await this.finish()
  }

  /** Ends a change of level that was begun here or before a crash. */
  async finish(): Promise<void> {
    const { movingTo } = this.record
    if (!movingTo || this.isLocked) return
    const { kid, level } = movingTo
    await withTabLock(`${this.name}-moving`, async () => {
      const needed = (await reencrypt(this.db, new KeyVault(this.held, kid), kid)).add(kid)
      const { movingTo: _over, hash, hasRecovery, ...rest } = this.record
      const lock = level === 'locked' ? { ...(hash ? { hash } : {}), ...(hasRecovery === undefined ? {} : { hasRecovery }) } : {}
      await this.write({ ...rest, ...lock, level, keys: this.record.keys.filter((key) => needed.has(key.kid)) })
      this.held = this.held.filter((key) => needed.has(key.kid))
      if (level === 'locked') await eraseKeys(this.name)
    })
  }

  async setIdleMinutes(idleMinutes: number): Promise<void> {
    await this.write({ ...this.record, idleMinutes })
  }

  private async write(record: VaultRecord): Promise<void> {
    await orStorageError(() => writeVaultRecord(this.db, record))
    this.record = record
  }

  private async unlockWith(secret: Uint8Array<ArrayBuffer>, wrappedIn: (entry: KeyEntry) => KeyEntry['toPassphrase']): Promise<void> {
    this.held = merged(this.held, await toStored(await unwrapAll(this.record.keys, secret, wrappedIn)))
  }

  private hasEveryLockedKey(): boolean {
    return this.record.keys.every(({ kid, toPassphrase }) => !toPassphrase || this.held.some((key) => key.kid === kid))
  }
}

const wrong = (): never => {
  throw new AppError('vault.wrong-passphrase')
}

/** Every key that is wrapped in this way. Throws vault.wrong-passphrase when the secret is another one, or nothing is. */
async function unwrapAll(
  keys: readonly KeyEntry[],
  secret: Uint8Array<ArrayBuffer>,
  wrappedIn: (entry: KeyEntry) => KeyEntry['toPassphrase'],
): Promise<RawKey[]> {
  const raw: RawKey[] = []
  for (const entry of keys) {
    const wrapped = wrappedIn(entry)
    if (wrapped) raw.push({ kid: entry.kid, createdAt: entry.createdAt, raw: await unwrap(secret, wrapped).catch(wrong) })
  }
  secret.fill(0)
  return raw.length > 0 ? raw : wrong()
}

function newKey(): RawKey {
  return { kid: uuidv7(), createdAt: new Date().toISOString(), raw: randomBytes(32) }
}

/** The first key of a vault, or the next one where the account's key is not the one it was made with any more: the old records stay as they are. */
async function newRecord(db: LocalDatabase, accountKey: Uint8Array<ArrayBuffer>, before?: VaultRecord): Promise<VaultRecord> {
  const account = await newAccountLock(accountKey)
  const key = newKey()
  const entry: KeyEntry = { kid: key.kid, createdAt: key.createdAt, toAccount: await wrapToAccount(account, key.raw) }
  key.raw.fill(0)
  const record: VaultRecord = { v: 1, level: 'sealed', account, keys: [...(before?.keys ?? []), entry] }
  await writeVaultRecord(db, record)
  return record
}

/** What this sign-in opens. */
async function openedByAccount(record: VaultRecord, accountKey: Uint8Array<ArrayBuffer>): Promise<RawKey[]> {
  const opened: RawKey[] = []
  for (const { kid, createdAt, toAccount } of record.keys) {
    const raw = toAccount && (await unwrapFromAccount(record.account, accountKey, toAccount).catch(() => undefined))
    if (raw) opened.push({ kid, createdAt, raw })
  }
  return opened
}

/** As keys that work and cannot be read; the bytes are overwritten. */
async function toStored(keys: readonly RawKey[]): Promise<StoredKey[]> {
  return Promise.all(
    keys.map(async ({ kid, createdAt, raw }) => {
      const key = await dataKey(raw)
      raw.fill(0)
      return { kid, createdAt, key }
    }),
  )
}

function merged(held: readonly StoredKey[], more: readonly StoredKey[]): StoredKey[] {
  return [...held.filter(({ kid }) => !more.some((key) => key.kid === kid)), ...more]
}
