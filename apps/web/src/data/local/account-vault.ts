import { AppError } from '@parley/contract/errors'
import {
  addAccountKey,
  importKeys,
  mergeKeys,
  newKey,
  opensNewestKey,
  type RawKey,
  unwrapAll,
  unwrapByAccount,
} from './account-keys'
import { fromBase64Url } from './bytes'
import { type LocalDatabase, openDatabase, vaultName } from './database'
import { deleteUnlessBlocked, eraseKeys, readKeys, type StoredKey, storeErasableKeys } from './key-database'
import { wrap, wrapToAccount } from './key-wrapping'
import { newPassphraseHash, passphraseSecret, recoverySecret } from './passphrase'
import { reencrypt } from './reencrypt'
import { orStorageError } from './storage-error'
import { withTabLock } from './tab-lock'
import { KeyVault, type Vault } from './vault'
import {
  changeVaultRecord,
  type KeyEntry,
  readVaultRecord,
  type VaultLevel,
  type VaultRecord,
  type VersionedRecord,
} from './vault-record'

export type VaultSettings = { level: VaultLevel; hasRecovery: boolean; idleMinutes: number }

const defaultIdleMinutes = 15

/**
 * An account's vault on this device, at level L1 or L2. L1: a key that the server gives with a sign-in opens it; at
 * sign-out the device erases its keys. L2: a passphrase opens it, and the keys are only in the memory of unlocked
 * pages.
 */
export class AccountVault {
  private constructor(
    readonly name: string,
    readonly db: LocalDatabase,
    private state: VersionedRecord,
    /** The keys in this page's memory: at L2 they are nowhere else. */
    private held: readonly StoredKey[],
  ) {}

  /**
   * Opens the vault with the key of a sign-in's answer: creates it the first time, restores its keys to the device
   * afterwards. Answers whether a passphrase is still needed.
   */
  static async signIn(userId: string, accountKey: string): Promise<{ isLocked: boolean }> {
    const name = vaultName(userId)
    const secret = fromBase64Url(accountKey)
    return orStorageError(() =>
      withTabLock(name, async () => {
        const db = await openDatabase(name)
        try {
          const found = await readVaultRecord(db)
          const onDevice = await readKeys(name)
          const isOpened = found && (await opensNewestKey(found.record, secret))
          const state =
            !found || (found.record.level === 'sealed' && !isOpened) ? await addAccountKey(db, secret, onDevice) : found
          const keys = await importKeys(await unwrapByAccount(state.record, secret))
          await storeErasableKeys(name, keys)
          return { isLocked: new AccountVault(name, db, state, mergeKeys(onDevice, keys)).isLocked }
        } finally {
          db.close()
          secret.fill(0)
        }
      }),
    )
  }

  /**
   * Opens the vault with the keys on the device: at L2 it stays locked until the passphrase is entered. Undefined when
   * there is none: a sign-in has to create it.
   */
  static open(userId: string): Promise<AccountVault | undefined> {
    const name = vaultName(userId)
    return orStorageError(() =>
      withTabLock(name, async () => {
        const db = await openDatabase(name)
        const state = await readVaultRecord(db)
        const record = state?.record
        const found = record ? await readKeys(name) : []
        const isOver = record?.level === 'locked' && !record.movingTo
        // A crash came after the change to L2 was stored and before the older keys were erased.
        if (isOver && found.length > 0) await eraseKeys(name)
        const stored = isOver ? [] : found
        // The keys are erased and no passphrase can restore them: only a sign-in can.
        if (state && record && (stored.length > 0 || record.keys.some(({ toPassphrase }) => toPassphrase)))
          return new AccountVault(name, db, state, stored)
        db.close()
        return undefined
      }),
    )
  }

  /**
   * Erases the keys from this device. The encrypted records stay, and open with the account's next sign-in, or with its
   * passphrase after one.
   */
  static seal(userId: string): Promise<void> {
    return orStorageError(() => eraseKeys(vaultName(userId)))
  }

  /** Removes the account's keys and records from this device. */
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

  /** The vault for reading and writing records. Throws vault.locked. */
  get vault(): Vault {
    if (this.isLocked) throw new AppError('vault.locked')
    return new KeyVault(this.held, this.record.movingTo?.kid ?? this.record.keys.at(-1)?.kid)
  }

  /** The keys of this unlocked page, for another tab of the same browser. */
  get heldKeys(): readonly StoredKey[] {
    return this.held
  }

  addKeys(keys: readonly StoredKey[]): void {
    this.held = mergeKeys(this.held, keys)
  }

  /** Unlocks this page. Throws vault.wrong-passphrase. */
  async unlock(passphrase: string): Promise<void> {
    const { hash } = this.record
    if (!hash) return
    const secret = await passphraseSecret(passphrase, hash)
    await this.unlockWith(secret, ({ toPassphrase }) => toPassphrase)
  }

  /** Unlocks this page with the recovery code. */
  async unlockByCode(code: string): Promise<void> {
    await this.unlockWith(recoverySecret(code), ({ toRecovery }) => toRecovery)
  }

  /**
   * Changes to L2: re-encrypts all records with a new key that only the passphrase (and the recovery code) opens, and
   * erases the old key from the device. It may be interrupted at any point: the old key is kept until the end, and
   * `finish` resumes.
   */
  lock(passphrase: string, recoveryCode: string | undefined): Promise<void> {
    return this.moveToLock(passphrase, recoveryCode, { keys: this.record.keys, generation: this.state.generation })
  }

  /**
   * Changes the passphrase. Throws vault.wrong-passphrase. As soon as the record is stored, every key opens with the
   * new passphrase.
   */
  async changePassphrase(current: string, next: string, recoveryCode: string | undefined): Promise<void> {
    const { generation } = this.state
    const { hash, keys } = this.record
    if (!hash) throw new AppError('vault.locked')
    const secret = await passphraseSecret(current, hash)
    const raw = await unwrapAll(keys, secret, ({ toPassphrase }) => toPassphrase)
    await this.moveToLock(next, recoveryCode, { keys, generation }, raw)
  }

  private async moveToLock(
    passphrase: string,
    recoveryCode: string | undefined,
    older: KeysAtGeneration,
    raw: readonly RawKey[] = [],
  ): Promise<void> {
    const hash = newPassphraseHash()
    const secret = await passphraseSecret(passphrase, hash)
    const code = recoveryCode === undefined ? undefined : recoverySecret(recoveryCode)
    const locked = async (entry: KeyEntry, bytes: Uint8Array<ArrayBuffer>): Promise<KeyEntry> => {
      const { toRecovery: _old, ...rest } = entry
      return {
        ...rest,
        toPassphrase: await wrap(secret, bytes),
        ...(code ? { toRecovery: await wrap(code, bytes) } : {}),
      }
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
    // Before the record is stored: from then on every write of this page needs this key.
    this.held = mergeKeys(this.held, await importKeys([key]))
    await this.writeOver(older.generation, (record) => ({
      ...record,
      keys,
      hash,
      hasRecovery: code !== undefined,
      movingTo: { kid: key.kid, level: 'locked' },
    }))
    await this.finish()
  }

  /** Changes back to L1. */
  async unseal(): Promise<void> {
    const { generation } = this.state
    const key = newKey()
    const entry: KeyEntry = {
      kid: key.kid,
      createdAt: key.createdAt,
      toAccount: await wrapToAccount(this.record.account, key.raw),
    }
    const [stored] = await importKeys([key])
    if (!stored) return
    await storeErasableKeys(this.name, [stored])
    await this.writeOver(generation, (record) => ({
      ...record,
      keys: [...record.keys, entry],
      movingTo: { kid: key.kid, level: 'sealed' },
    }))
    this.held = mergeKeys(this.held, [stored])
    await this.finish()
  }

  /** Finishes a change of level that was begun here or before a crash. */
  async finish(): Promise<void> {
    const { movingTo } = this.record
    if (!movingTo || this.isLocked) return
    const { kid, level } = movingTo
    await withTabLock(`${this.name}-moving`, async () => {
      const needed = (await reencrypt(this.db, new KeyVault(this.held, kid), kid)).add(kid)
      let isOver = true
      await this.write((record) => {
        // Another tab has finished it, or begun the next change.
        isOver = record.movingTo?.kid === kid
        if (!isOver) return record
        const { movingTo: _over, hash, hasRecovery, ...rest } = record
        const lock =
          level === 'locked' ? { ...(hash ? { hash } : {}), ...(hasRecovery === undefined ? {} : { hasRecovery }) } : {}
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

  /** Changes the current record, which another tab may have changed. */
  private async write(change: (record: VaultRecord, generation: number) => VaultRecord): Promise<void> {
    this.state = await orStorageError(() =>
      changeVaultRecord(this.db, (record, generation) => {
        // The vault was removed from this device meanwhile.
        if (!record) throw new AppError('vault.changed')
        return change(record, generation)
      }),
    )
  }

  /**
   * Changes the record only if it is still at generation `seen`. Throws vault.changed where another tab has changed it
   * since; then nothing is written.
   */
  private async writeOver(seen: number, change: (record: VaultRecord) => VaultRecord): Promise<void> {
    await this.write((record, generation) => {
      if (generation !== seen) throw new AppError('vault.changed')
      return change(record)
    })
  }

  private async unlockWith(
    secret: Uint8Array<ArrayBuffer>,
    wrappedIn: (entry: KeyEntry) => KeyEntry['toPassphrase'],
  ): Promise<void> {
    this.held = mergeKeys(this.held, await importKeys(await unwrapAll(this.record.keys, secret, wrappedIn)))
  }

  private hasEveryLockedKey(): boolean {
    return this.record.keys.every(({ kid, toPassphrase }) => !toPassphrase || this.held.some((key) => key.kid === kid))
  }
}

/** The keys that a change of level begins with, and the generation at which they were read. */
type KeysAtGeneration = { keys: readonly KeyEntry[]; generation: number }
