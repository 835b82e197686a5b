import { AppError } from '@parley/contract/errors'
import { product } from '@parley/contract/product'
import { uuidv7 } from '@parley/contract/uuid'
import { utf8 } from './bytes'
import type { Sealed } from './database'
import { readKeys, type StoredKey, storeKeys } from './key-database'
import { orStorageError } from './storage-error'
import { withTabLock } from './tab-lock'

/** The position of a record. The encryption binds it: moved to another position it does not decrypt. */
export type RecordBinding = { table: string; id: string; channelId: string }

/** Encrypts and decrypts what a person wrote. Its keys come from this device, a sign-in, or a passphrase. */
export interface Vault {
  seal(binding: RecordBinding, value: unknown): Promise<Sealed>
  /**
   * Throws storage.unreadable when the key is missing or the record was changed, storage.newer-version when a newer
   * program wrote it.
   */
  open(binding: RecordBinding, sealed: Sealed): Promise<unknown>
  /** Like `seal`, for what is no JSON: the pieces of a file. */
  sealBytes(binding: RecordBinding, bytes: Uint8Array<ArrayBuffer>): Promise<Sealed>
  /** Throws like `open`. */
  openBytes(binding: RecordBinding, sealed: Sealed): Promise<Uint8Array<ArrayBuffer>>
  /** For a worker of this page: keys can be passed on, but not exported. */
  readonly heldKeys: readonly StoredKey[]
}

const recordVersion = 2
const algorithm = 'AES-GCM'

/**
 * Level L0, the anonymous vault: a key of this device that no script can export. It is never erased alone, because
 * nothing could restore it.
 */
export function openDeviceVault(name: string = product.slug): Promise<Vault> {
  // The lock keeps two tabs that start together from creating two keys.
  return orStorageError(() =>
    withTabLock(`${name}-keys`, async () => {
      const stored = await readKeys(name)
      if (stored.length > 0) return new KeyVault(stored)
      const key = await crypto.subtle.generateKey({ name: algorithm, length: 256 }, false, ['encrypt', 'decrypt'])
      const made: StoredKey = { kid: uuidv7(), key, createdAt: new Date().toISOString() }
      await storeKeys(name, [made])
      return new KeyVault([made])
    }),
  )
}

export class KeyVault implements Vault {
  private readonly keys: Map<string, CryptoKey>

  /** `writesWith`: the id of the key for new records; the newest one by default. */
  constructor(
    readonly heldKeys: readonly StoredKey[],
    private readonly writesWith: string = newestOf(heldKeys),
  ) {
    this.keys = new Map(heldKeys.map(({ kid, key }) => [kid, key]))
  }

  seal(binding: RecordBinding, value: unknown): Promise<Sealed> {
    return this.sealBytes(binding, utf8(JSON.stringify(value)))
  }

  async open(binding: RecordBinding, sealed: Sealed): Promise<unknown> {
    const text = await this.openBytes(binding, sealed)
    try {
      return JSON.parse(new TextDecoder().decode(text))
    } catch (error) {
      throw new AppError('storage.unreadable', { cause: error })
    }
  }

  async sealBytes(binding: RecordBinding, bytes: Uint8Array<ArrayBuffer>): Promise<Sealed> {
    const kid = this.writesWith
    const key = this.keys.get(kid)
    if (!key) throw new AppError('storage.unavailable')
    const n = crypto.getRandomValues(new Uint8Array(12))
    const c = await crypto.subtle.encrypt(
      { name: algorithm, iv: n, additionalData: additionalData(binding, kid) },
      key,
      bytes,
    )
    return { v: recordVersion, kid, n, c }
  }

  async openBytes(binding: RecordBinding, { v, kid, n, c }: Sealed): Promise<Uint8Array<ArrayBuffer>> {
    if (v > recordVersion) throw new AppError('storage.newer-version')
    const key = this.keys.get(kid)
    if (v !== recordVersion || !key) throw new AppError('storage.unreadable')
    try {
      return new Uint8Array(
        await crypto.subtle.decrypt({ name: algorithm, iv: n, additionalData: additionalData(binding, kid) }, key, c),
      )
    } catch (error) {
      throw new AppError('storage.unreadable', { cause: error })
    }
  }
}

function newestOf(stored: readonly StoredKey[]): string {
  const [newest] = stored.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  if (!newest) throw new AppError('storage.unavailable')
  return newest.kid
}

function additionalData({ table, id, channelId }: RecordBinding, kid: string): Uint8Array<ArrayBuffer> {
  return utf8(`v${recordVersion}|${table}|${id}|${channelId}|${kid}`)
}
