import { AppError } from '@parley/contract/errors'
import { product } from '@parley/contract/product'
import { uuidv7 } from '@parley/contract/uuid'
import { utf8 } from './bytes'
import type { Sealed } from './database'
import { readKeys, type StoredKey, storeKeys } from './key-database'
import { orStorageError } from './storage-error'
import { withTabLock } from './tab-lock'

/** Where a record stands. It is bound to it: at another place it does not open. */
export type Place = { table: string; id: string; channelId: string }

/** Seals and opens what a person wrote. Where its keys come from differs: this device, a sign-in, a passphrase. */
export interface Vault {
  seal(place: Place, value: unknown): Promise<Sealed>
  /** Throws storage.unreadable when the key is gone or the record was changed, storage.newer-version when a newer program wrote it. */
  open(place: Place, sealed: Sealed): Promise<unknown>
  /** For a worker of this page: keys can be handed over, not read. */
  readonly heldKeys: readonly StoredKey[]
}

const recordVersion = 2
const algorithm = 'AES-GCM'

/**
 * Level L0: a key of this device, which no script can read out. It is never erased alone: nothing could bring it back.
 */
export function openDeviceVault(name: string = product.slug): Promise<Vault> {
  // Two tabs that start together must not make two keys.
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

  /** `writesWith`: the id of the key for new records; the newest one unless said. */
  constructor(
    readonly heldKeys: readonly StoredKey[],
    private readonly writesWith: string = newestOf(heldKeys),
  ) {
    this.keys = new Map(heldKeys.map(({ kid, key }) => [kid, key]))
  }

  async seal(place: Place, value: unknown): Promise<Sealed> {
    const kid = this.writesWith
    const key = this.keys.get(kid)
    if (!key) throw new AppError('storage.unavailable')
    const n = crypto.getRandomValues(new Uint8Array(12))
    const c = await crypto.subtle.encrypt({ name: algorithm, iv: n, additionalData: bindingOf(place, kid) }, key, utf8(JSON.stringify(value)))
    return { v: recordVersion, kid, n, c }
  }

  async open(place: Place, { v, kid, n, c }: Sealed): Promise<unknown> {
    if (v > recordVersion) throw new AppError('storage.newer-version')
    const key = this.keys.get(kid)
    if (v !== recordVersion || !key) throw new AppError('storage.unreadable')
    try {
      const text = await crypto.subtle.decrypt({ name: algorithm, iv: n, additionalData: bindingOf(place, kid) }, key, c)
      return JSON.parse(new TextDecoder().decode(text))
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

function bindingOf({ table, id, channelId }: Place, kid: string): Uint8Array<ArrayBuffer> {
  return utf8(`v${recordVersion}|${table}|${id}|${channelId}|${kid}`)
}
