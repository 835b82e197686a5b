import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { LogEntry } from './bus'

/** Seals log entries for Redis (AES-256-GCM), each bound to its answer and its place in it. */
export class LogCipher {
  private readonly key: Buffer

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'parley:stream-log', 32))
  }

  seal(id: string, { seq, frame }: LogEntry): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(place(id, seq))
    return Buffer.concat([nonce, cipher.update(frame, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
  }

  /** Throws when the entry was made with another secret, for another place, or was changed. */
  open(id: string, seq: number, sealed: string): LogEntry {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(place(id, seq))
      .setAuthTag(bytes.subarray(-16))
    return { seq, frame: Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8') }
  }
}

const place = (id: string, seq: number): Buffer => Buffer.from(`${id}|${seq}`)
