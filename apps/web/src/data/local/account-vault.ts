import { AppError } from '@parley/contract/errors'
import { uuidv7 } from '@parley/contract/uuid'
import { fromBase64Url, randomBytes } from './bytes'
import { type LocalDatabase, openDatabase, vaultName } from './database'
import { deleteUnlessBlocked, eraseKeys, readKeys, type StoredKey, storeErasableKeys } from './key-database'
import { type AccountLock, dataKey, newAccountLock, opensLock, unwrap, unwrapFromAccount, wrap, wrapToAccount } from './key-wrapping'
import { newPassphraseHash, passphraseSecret, recoverySecret } from './passphrase'
import { reencrypt } from './reencrypt'
import { orStorageError } from './storage-error'
import { withTabLock } from './tab-lock'
import { KeyVault, type Vault } from './vault'
import { changeVaultRecord, type KeyEntry, readVaultRecord, type VaultLevel, type VaultRecord, type VersionedRecord } from './vault-record'

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
    private state: VersionedRecord,
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
          const found = await readVaultRecord(db)
          const onDevice = await readKeys(name)
          const isOpened = found && (await opensNewest(found.record, secret))
          const state = !found || (found.record.level === 'sealed' && !isOpened) ? await withNewKey(db, secret, onDevice) : found
          const keys = await toStored(await openedByAccount(state.record, secret))
          await storeErasableKeys(name, keys)
          return { isLocked: new AccountVault(name, db, state, merged(onDevice, keys)).isLocked }
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
        const state = await readVaultRecord(db)
        const record = state?.record
        const found = record ? await readKeys(name) : []
        const isOver = record?.level === 'locked' && !record.movingTo
        // A crash came between the end of the change to a lock and the erasing of the keys before it.
        if (isOver && found.length > 0) await eraseKeys(name)
        const stored = isOver ? [] : found
        // Keys that were erased, and no passphrase that would bring them back: only a sign-in does.
        if (state && record && (stored.length > 0 || record.keys.some(({ toPassphrase }) => toPassphrase))) return new AccountVault(name, db, state, stored)
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
    await orStorageError(() => deleteUnlessBlocked(vaultName(userId)))
  }

  private get record(): VaultRecord {
    return this.state.record
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
    return this.moveToLock(passphrase, recoveryCode, { keys: this.record.keys, generation: this.state.generation })
  }

  /** Another passphrase. Throws vault.wrong-passphrase. From the first moment on every key opens with the new one. */
  async changePassphrase(current: string, next: string, recoveryCode: string | undefined): Promise<void> {
    const { generation } = this.state
    const { hash, keys } = this.record
    if (!hash) throw new AppError('vault.locked')
    const secret = await passphraseSecret(current, hash)
    const raw = await unwrapAll(keys, secret, ({ toPassphrase }) => toPassphrase)
    await this.moveToLock(next, recoveryCode, { keys, generation }, raw)
  }

  private async moveToLock(passphrase: string, recoveryCode: string | undefined, older: Older, raw: readonly RawKey[] = []): Promise<void> {
    const hash = newPassphraseHash()
    const secret = await passphraseSecret(passphrase, hash)
    const code = recoveryCode === undefined ? undefined : recoverySecret(recoveryCode)
    const locked = async (entry: KeyEntry, bytes: Uint8Array<ArrayBuffer>): Promise<KeyEntry> => {
      const { toRecovery: _old, ...rest } = entry
      return { ...rest, toPassphrase: await wrap(secret, bytes), ...(code ? { toRecovery: await wrap(code, bytes) } : {}) }
    }
    const key = newKey()
    const keys = await Promise.all(
      older.keys.map((entry) => {
        const known = raw.find(({ kid }) => kid === entry.kid)
        return known ? locked(entry, known.raw) : entry
      }),
    )
    keys.push(await locked({ kid: key.kid, createdAt: key.createdAt }, key.raw))
    secret.fill(0)
    for (const { raw: bytes } of raw) bytes.fill(0)
    // First: from the moment of the record on, whoever writes in this page needs it.
    this.held = merged(this.held, await toStored([key]))
    await this.writeOver(older.generation, (record) => ({
      ...record,
      keys,
      hash,
      hasRecovery: code !== undefined,
      movingTo: { kid: key.kid, level: 'locked' },
    }))
    await this.finish()
  }

  /** Switches the lock off: back to L1. */
  async unseal(): Promise<void> {
    const { generation } = this.state
    const key = newKey()
    const entry: KeyEntry = { kid: key.kid, createdAt: key.createdAt, toAccount: await wrapToAccount(this.record.account, key.raw) }
    const [stored] = await toStored([key])
    if (!stored) return
    await storeErasableKeys(this.name, [stored])
    await this.writeOver(generation, (record) => ({ ...record, keys: [...record.keys, entry], movingTo: { kid: key.kid, level: 'sealed' } }))
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
      let isOver = true
      await this.write((record) => {
        // Another tab has ended it, or begun the next change.
        isOver = record.movingTo?.kid === kid
        if (!isOver) return record
        const { movingTo: _over, hash, hasRecovery, ...rest } = record
        const lock = level === 'locked' ? { ...(hash ? { hash } : {}), ...(hasRecovery === undefined ? {} : { hasRecovery }) } : {}
        return { ...rest, ...lock, level, keys: record.keys.filter((key) => needed.has(key.kid)) }
      })
      if (!isOver) return
      this.held = this.held.filter((key) => needed.has(key.kid))
      if (level === 'locked') await eraseKeys(this.name)
    })
  }

  async setIdleMinutes(idleMinutes: number): Promise<void> {
    await this.write((record) => ({ ...record, idleMinutes }))
  }

  /** Changes the record as another tab may have left it. */
  private async write(change: (record: VaultRecord, generation: number) => VaultRecord): Promise<void> {
    this.state = await orStorageError(() =>
      changeVaultRecord(this.db, (record, generation) => {
        // Removed from this device meanwhile.
        if (!record) throw new AppError('vault.changed')
        return change(record, generation)
      }),
    )
  }

  /** For a change that follows from what was read. Throws vault.changed where another tab has changed it since; then nothing is written. */
  private async writeOver(seen: number, change: (record: VaultRecord) => VaultRecord): Promise<void> {
    await this.write((record, generation) => {
      if (generation !== seen) throw new AppError('vault.changed')
      return change(record)
    })
  }

  private async unlockWith(secret: Uint8Array<ArrayBuffer>, wrappedIn: (entry: KeyEntry) => KeyEntry['toPassphrase']): Promise<void> {
    this.held = merged(this.held, await toStored(await unwrapAll(this.record.keys, secret, wrappedIn)))
  }

  private hasEveryLockedKey(): boolean {
    return this.record.keys.every(({ kid, toPassphrase }) => !toPassphrase || this.held.some((key) => key.kid === kid))
  }
}

/** The keys that a change of level begins with, and the generation at which they were read. */
type Older = { keys: readonly KeyEntry[]; generation: number }

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

/**
 * The first key of a vault, or the next one where the account's key is another one than before: then the old lock stays beside the new one, and opens again should
 * the server find its key. What the keys of this device still open is encrypted anew, since a logout would erase them.
 */
async function withNewKey(db: LocalDatabase, accountKey: Uint8Array<ArrayBuffer>, onDevice: readonly StoredKey[]): Promise<VersionedRecord> {
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

/** The lock that this account key opens. */
async function lockOfKey(record: VaultRecord, accountKey: Uint8Array<ArrayBuffer>): Promise<AccountLock | undefined> {
  for (const lock of locksOf(record)) if (await opensLock(lock, accountKey)) return lock
  return undefined
}

/** Whether what is written next could be read after a logout. */
async function opensNewest(record: VaultRecord, accountKey: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const newest = record.movingTo?.kid ?? record.keys.at(-1)?.kid
  const opened = await openedByAccount(record, accountKey)
  for (const { raw } of opened) raw.fill(0)
  return opened.some(({ kid }) => kid === newest)
}

/** What this sign-in opens, with whichever lock it was put in. */
async function openedByAccount(record: VaultRecord, accountKey: Uint8Array<ArrayBuffer>): Promise<RawKey[]> {
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
