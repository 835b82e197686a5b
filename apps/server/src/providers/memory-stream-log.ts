import { limits } from '@parley/contract/limits'
import type { LogEntry, StreamLog } from './bus'

type Log = { entries: LogEntry[]; lastSeq: number; isFinished: boolean; waiting: Set<() => void>; expiry: NodeJS.Timeout }

/** Thrown to a writer whose entry is not newer than the last one: another node has taken the answer over. */
export class FencedError extends Error {
  override name = 'FencedError'
}

/** The log of one process. Whoever reads waits without polling. */
export class MemoryStreamLog implements StreamLog {
  private readonly logs = new Map<string, Log>()

  async append(id: string, entry: LogEntry): Promise<void> {
    const log = this.logs.get(id) ?? this.open(id)
    if (entry.seq <= log.lastSeq || log.isFinished) throw new FencedError(`seq ${entry.seq} is not after ${log.lastSeq}`)
    log.entries.push(entry)
    log.lastSeq = entry.seq
    wake(log)
  }

  async finish(id: string): Promise<void> {
    const log = this.logs.get(id)
    if (!log || log.isFinished) return
    log.isFinished = true
    clearTimeout(log.expiry)
    log.expiry = setTimeout(() => this.logs.delete(id), limits.chat.resumeWindowMs).unref()
    wake(log)
  }

  async *read(id: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<LogEntry[]> {
    let seen = afterSeq
    let wake = (): void => undefined
    const waiter = (): void => wake()
    // One listener for the whole reading: a signal's list is searched each time one is taken off.
    signal.addEventListener('abort', waiter, { once: true })
    try {
      while (!signal.aborted) {
        const log = this.logs.get(id)
        if (!log) return
        const from = firstAfter(log.entries, seen)
        if (from < log.entries.length) {
          const batch = log.entries.slice(from)
          seen = log.lastSeq
          yield batch
        } else if (log.isFinished) {
          return
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve
            log.waiting.add(waiter)
          })
          log.waiting.delete(waiter)
        }
      }
    } finally {
      signal.removeEventListener('abort', waiter)
    }
  }

  async exists(id: string): Promise<boolean> {
    return this.has(id)
  }

  async lastSeq(id: string): Promise<number> {
    return this.logs.get(id)?.lastSeq ?? 0
  }

  async compact(id: string, entry: LogEntry): Promise<void> {
    const log = this.logs.get(id)
    if (log) log.entries.splice(0, firstAfter(log.entries, entry.seq), entry)
  }

  has(id: string): boolean {
    return this.logs.has(id)
  }

  entriesAfter(id: string, seq: number): LogEntry[] {
    const entries = this.logs.get(id)?.entries ?? []
    return entries.slice(firstAfter(entries, seq))
  }

  /** Removes a log whose answer another node has taken over; its readers end. */
  forget(id: string): void {
    const log = this.logs.get(id)
    if (!log) return
    this.logs.delete(id)
    clearTimeout(log.expiry)
    wake(log)
  }

  /** Ends all readers. */
  close(): void {
    for (const log of this.logs.values()) {
      log.isFinished = true
      clearTimeout(log.expiry)
      wake(log)
    }
    this.logs.clear()
  }

  private open(id: string): Log {
    // A log that nobody finishes would stay for ever.
    const expiry = setTimeout(() => this.logs.delete(id), limits.upstream.totalMs + limits.chat.resumeWindowMs).unref()
    const log: Log = { entries: [], lastSeq: 0, isFinished: false, waiting: new Set(), expiry }
    this.logs.set(id, log)
    return log
  }
}

function wake(log: Log): void {
  for (const go of log.waiting) go()
}

/** Index of the first entry after a seq; readers are nearly always at the end, so the search starts there. */
function firstAfter(entries: readonly LogEntry[], seq: number): number {
  let index = entries.length
  while (index > 0 && (entries[index - 1]?.seq ?? 0) > seq) index--
  return index
}
