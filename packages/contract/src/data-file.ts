import * as z from 'zod/mini'
import { product } from './product'

/**
 * The data file of document 3: what a person has, of either home, in one file that every installation can read again.
 */

export const dataTypes = ['channels', 'chats', 'assistants', 'documents', 'users'] as const
export type DataType = (typeof dataTypes)[number]

/** Which homes a file was made from. */
export const storageTypes = ['both', 'local', 'cloud'] as const
export type StorageType = (typeof storageTypes)[number]

/** What becomes of an id that exists already: it stays, it is replaced, or what it lacks is added. */
export const importStrategies = ['overwrite', 'skip', 'merge'] as const
export type ImportStrategy = (typeof importStrategies)[number]

export const DataFileMetadata = z.object({
  exportedAt: z.string().check(z.minLength(1)),
  exportedBy: z.catch(z.nullable(z.string()), null),
  version: z.string().check(z.minLength(1)),
  storageType: z.catch(z.enum(storageTypes), 'both'),
  totalItems: z.catch(z.number(), 0),
  encrypted: z.catch(z.boolean(), false),
  compressed: z.catch(z.boolean(), false),
})
export type DataFileMetadata = z.infer<typeof DataFileMetadata>

/**
 * How a passphrase opens a protected file. Bytes are base64url. `check` tells a wrong passphrase from a damaged file.
 */
export const DataFileLock = z.object({
  cipher: z.literal('aes-256-gcm'),
  chunkBytes: z.literal(65_536),
  check: z.string().check(z.maxLength(100)),
  passphrase: z
    .object({
      name: z.literal('argon2id'),
      salt: z.string().check(z.regex(/^[\w-]{16,100}$/)),
      memoryKiB: z.int().check(z.minimum(19_456), z.maximum(262_144)),
      passes: z.int().check(z.minimum(1), z.maximum(10)),
    })
    .check(
      // KiB written: enough to make guessing dear, and no more than some two seconds of a modest device's work.
      z.refine(({ memoryKiB, passes }) => memoryKiB * passes >= 38_912 && memoryKiB * passes <= 983_040),
    ),
})
export type DataFileLock = z.infer<typeof DataFileLock>

/** What lies open in a protected file, beside its sealed part. */
export const ProtectedFile = z.object({
  metadata: z.object({
    exportedAt: z.string(),
    version: z.string(),
    encrypted: z.literal(true),
    compressed: z.boolean(),
  }),
  lock: DataFileLock,
})
export type ProtectedFile = z.infer<typeof ProtectedFile>

/** `parley_both_2026-11-21.zip` */
export function dataFileName(storageType: StorageType, now: Date, ending: 'zip' | 'json'): string {
  return `${product.slug}_${storageType}_${now.toISOString().slice(0, 10)}.${ending}`
}
