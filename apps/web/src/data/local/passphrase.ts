import * as z from 'zod/mini'
import { trustedScriptUrl } from '../../lib/trusted-url'
import { fromBase64Url, randomBytes, toBase64Url, utf8 } from './bytes'
import workerUrl from './passphrase-worker?worker&url'

/** The parameters of the slow hash; stored beside the key that it opens, so that they can be raised later. */
export const PassphraseHash = z.object({
  name: z.literal('argon2id'),
  salt: z.string(),
  memoryKiB: z.int(),
  passes: z.int(),
})
export type PassphraseHash = z.infer<typeof PassphraseHash>

export const passphraseMinLength = 8

export function newPassphraseHash(): PassphraseHash {
  return { name: 'argon2id', salt: toBase64Url(randomBytes(16)), memoryKiB: 65_536, passes: 3 }
}

/** Hashes a passphrase to 32 bytes, in a worker, in about 0.4 s: that makes guessing expensive. */
export function passphraseSecret(passphrase: string, hash: PassphraseHash): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(trustedScriptUrl(new URL(workerUrl, location.href)), {
      type: 'module',
      name: 'passphrase',
    })
    worker.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
      worker.terminate()
      resolve(data)
    }
    worker.onerror = (event) => {
      worker.terminate()
      reject(new Error('the passphrase could not be hashed', { cause: event.message }))
    }
    worker.postMessage({
      password: passphrase.normalize('NFKC'),
      salt: fromBase64Url(hash.salt),
      memoryKiB: hash.memoryKiB,
      passes: hash.passes,
    })
  })
}

const letters = 'ABCDEFGHJKMNPQRSTVWXYZ0123456789'

/** 160 random bits in eight groups of four, without letters that are easily confused. */
export function newRecoveryCode(): string {
  const digits = Array.from(randomBytes(32), (byte) => letters[byte % letters.length])
  return Array.from({ length: 8 }, (_, group) => digits.slice(4 * group, 4 * group + 4).join('')).join('-')
}

/** The bytes of a typed code, whatever its case, spaces and dashes. */
export function recoverySecret(code: string): Uint8Array<ArrayBuffer> {
  const clean = code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return utf8(clean)
}
