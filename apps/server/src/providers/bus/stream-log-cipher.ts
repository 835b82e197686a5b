import type { Secrets } from '../../secrets'
import type { LogEntry } from './bus'

/** Seals log entries for Redis, each bound to its answer and its place in it. */
export class LogCipher {
  constructor(private readonly secrets: Secrets) {}

  seal(id: string, { seq, frame }: LogEntry): string {
    return this.secrets.seal('stream-log', frame, place(id, seq))
  }

  /** Throws when the entry was made with another secret, for another place, or was changed. */
  open(id: string, seq: number, sealed: string): LogEntry {
    return { seq, frame: this.secrets.open('stream-log', sealed, place(id, seq)) }
  }
}

const place = (id: string, seq: number): string => `${id}|${seq}`
