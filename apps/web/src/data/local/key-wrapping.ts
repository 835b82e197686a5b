import * as z from 'zod/mini'
import { fromBase64Url, randomBytes, toBase64Url, utf8 } from './bytes'

/** A key encrypted with another key. Bytes are base64url. */
export const Wrapped = z.object({ iv: z.string(), data: z.string() })
export type Wrapped = z.infer<typeof Wrapped>

/** A key encrypted to an account's public key: the public half alone can add keys, but not open them. */
export const WrappedToAccount = z.extend(Wrapped, { ephemeral: z.string() })
export type WrappedToAccount = z.infer<typeof WrappedToAccount>

/**
 * The account's key pair: the public key is in plain text, the private one is encrypted with the key that the server
 * gives with a sign-in.
 */
export const AccountLock = z.object({ publicKey: z.string(), privateKey: Wrapped })
export type AccountLock = z.infer<typeof AccountLock>

type Bytes = Uint8Array<ArrayBuffer>

const aes = 'AES-GCM'
const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const purpose = {
  account: 'parley vault: account',
  secret: 'parley vault: secret',
  pair: 'parley vault: pair',
} as const

/** Imports 32 random bytes as a key that scripts cannot export. */
export function dataKey(raw: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, aes, false, ['encrypt', 'decrypt'])
}

/** `secret`: random bytes, or the output of a slow hash. */
export async function wrap(secret: Bytes, raw: Bytes): Promise<Wrapped> {
  return encrypt(await derive(secret, purpose.secret), raw)
}

/** Throws when the secret is another one. */
export async function unwrap(secret: Bytes, wrapped: Wrapped): Promise<Bytes> {
  return decrypt(await derive(secret, purpose.secret), wrapped)
}

export async function newAccountLock(accountKey: Bytes): Promise<AccountLock> {
  const pair = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
  const privateKey = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey))
  const sealed = await encrypt(await derive(accountKey, purpose.pair), privateKey)
  privateKey.fill(0)
  return { publicKey: toBase64Url(await crypto.subtle.exportKey('raw', pair.publicKey)), privateKey: sealed }
}

export async function wrapToAccount({ publicKey }: AccountLock, raw: Bytes): Promise<WrappedToAccount> {
  const ephemeral = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
  const recipient = await crypto.subtle.importKey('raw', fromBase64Url(publicKey), curve, false, [])
  const shared = await agree(ephemeral.privateKey, recipient)
  const wrapped = await encrypt(await derive(shared, purpose.account), raw)
  return { ...wrapped, ephemeral: toBase64Url(await crypto.subtle.exportKey('raw', ephemeral.publicKey)) }
}

/** Decrypts a key that was wrapped to the account. Throws when the account key is another one. */
export async function unwrapFromAccount(
  lock: AccountLock,
  accountKey: Bytes,
  wrapped: WrappedToAccount,
): Promise<Bytes> {
  const pkcs8 = await decrypt(await derive(accountKey, purpose.pair), lock.privateKey)
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, curve, false, ['deriveBits'])
  pkcs8.fill(0)
  const ephemeral = await crypto.subtle.importKey('raw', fromBase64Url(wrapped.ephemeral), curve, false, [])
  return decrypt(await derive(await agree(privateKey, ephemeral), purpose.account), wrapped)
}

export async function opensLock(lock: AccountLock, accountKey: Bytes): Promise<boolean> {
  try {
    const privateKey = await decrypt(await derive(accountKey, purpose.pair), lock.privateKey)
    privateKey.fill(0)
    return true
  } catch {
    return false
  }
}

async function agree(privateKey: CryptoKey, publicKey: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.deriveBits({ name: curve.name, public: publicKey }, privateKey, 256))
}

/** Derives one key for each purpose. */
async function derive(secret: Bytes, info: string): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(info) }
  return crypto.subtle.deriveKey(parameters, base, { name: aes, length: 256 }, false, ['encrypt', 'decrypt'])
}

async function encrypt(key: CryptoKey, raw: Bytes): Promise<Wrapped> {
  const iv = randomBytes(12)
  return { iv: toBase64Url(iv), data: toBase64Url(await crypto.subtle.encrypt({ name: aes, iv }, key, raw)) }
}

async function decrypt(key: CryptoKey, { iv, data }: Wrapped): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.decrypt({ name: aes, iv: fromBase64Url(iv) }, key, fromBase64Url(data)))
}
