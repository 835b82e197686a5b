import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Everything that is derived from AUTH_SECRET. The newest secret signs and seals; each one that is named verifies and
 * opens, so that nothing is lost while a secret is replaced. What must outlive every secret has a key of its own:
 * server-keys.ts.
 */
export class Secrets {
  private readonly derived = new Map<string, readonly [Buffer, ...Buffer[]]>()

  constructor(private readonly newestFirst: readonly [string, ...string[]]) {}

  /** A key of its own for each purpose, so that no signature of one can pass for another; the one that signs first. */
  keys(purpose: string): readonly [Buffer, ...Buffer[]] {
    const known = this.derived.get(purpose)
    if (known) return known
    const [newest, ...others] = this.newestFirst
    const older = [...new Set(others)].filter((secret) => secret !== newest)
    const derive = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `parley:${purpose}`, 32))
    const keys = [derive(newest), ...older.map(derive)] as const
    this.derived.set(purpose, keys)
    return keys
  }

  sign(purpose: string, text: string): string {
    return macOf(this.keys(purpose)[0], text)
  }

  verify(purpose: string, text: string, signature: string): boolean {
    const given = Buffer.from(signature)
    return this.keys(purpose).some((key) => {
      const expected = Buffer.from(macOf(key, text))
      return expected.length === given.length && timingSafeEqual(expected, given)
    })
  }

  /** AES-256-GCM; `place` is where the text belongs: it opens nowhere else. */
  seal(purpose: string, text: string, place: string): string {
    return sealWith(this.keys(purpose)[0], text, place)
  }

  /** Throws when the text was sealed with none of the secrets, for another place, or was changed. */
  open(purpose: string, sealed: string, place: string): string {
    const failures: unknown[] = []
    for (const key of this.keys(purpose)) {
      try {
        return openWith(key, sealed, place)
      } catch (error) {
        failures.push(error)
      }
    }
    throw new AggregateError(failures, 'no secret opens it')
  }
}

export function macOf(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function sealWith(key: Buffer, text: string, place: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

export function openWith(key: Buffer, sealed: string, place: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8')
}
