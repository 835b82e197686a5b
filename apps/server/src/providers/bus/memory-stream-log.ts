import { serverLimits } from '@parley/contract/limits/server'
import type { LogEntry, StreamLog } from './bus'

type Log = {
  entries: LogEntry[]
  lastSeq: number
  isFinished: boolean
  /** Its writer is kept out. */
  isSealed: boolean
  expiry: NodeJS.Timeout
  waiting: Set<() => void>
  /** Of a finished log: what its entries take. */
  bytes: number
}

/** Thrown to a writer whose entry is not newer than the last one: another node has taken the answer over. */
export class FencedError extends Error {
  override name = 'FencedError'
}

/** The log of one process. Whoever reads waits without polling. */
export class MemoryStreamLog implements StreamLog {
  private readonly logs = new Map<string, Log>()
  /** Finished logs, oldest first. */
  private readonly finished = new Map<string, Log>()
  private finishedBytes = 0

  constructor(private readonly maxFinishedBytes: number = serverLimits.chat.maxFinishedLogBytes) {}

  async append(id: string, entry: LogEntry): Promise<void> {
    this.requireOpen(id, entry.seq)
    this.push(this.logs.get(id) ?? this.open(id), entry)
  }

  /** Throws FencedError where `append` would. */
  requireOpen(id: string, seq: number): void {
    const log = this.logs.get(id)
    if (log && (seq <= log.lastSeq || log.isFinished || log.isSealed))
      throw new FencedError(`seq ${seq} cannot follow ${log.lastSeq}`)
  }

  async finish(id: string): Promise<void> {
    const log = this.logs.get(id)
    if (!log || log.isFinished) return
    log.isFinished = true
    clearTimeout(log.expiry)
    log.expiry = setTimeout(() => this.drop(id), serverLimits.chat.resumeWindowMs).unref()
    log.bytes = bytesOf(log.entries)
    this.finishedBytes += log.bytes
    this.finished.set(id, log)
    wake(log)
    // The newest stays, however long it is: its readers may still be catching up.
    for (const oldest of this.finished.keys()) {
      if (this.finishedBytes <= this.maxFinishedBytes || oldest === id) break
      this.drop(oldest)
    }
  }

  async *read(id: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<LogEntry[]> {
    // Held by its readers to its end, also when it is dropped meanwhile.
    const log = this.logs.get(id)
    if (!log) return
    let seen = afterSeq
    let wake = (): void => undefined
    const waiter = (): void => wake()
    // One listener for the whole reading: a signal's list is searched each time one is taken off.
    signal.addEventListener('abort', waiter, { once: true })
    try {
      while (!signal.aborted) {
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

  async seal(id: string): Promise<LogEntry[] | undefined> {
    const log = this.logs.get(id)
    if (!log) return undefined
    log.isSealed = true
    return [...log.entries]
  }

  async end(id: string, frameOf: (seq: number) => string): Promise<void> {
    const log = this.logs.get(id)
    if (!log || log.isFinished) return
    this.push(log, { seq: log.lastSeq + 1, frame: frameOf(log.lastSeq + 1) })
    await this.finish(id)
  }

  async lastSeq(id: string): Promise<number> {
    return this.logs.get(id)?.lastSeq ?? 0
  }

  async compact(id: string, entry: LogEntry): Promise<void> {
    const log = this.logs.get(id)
    if (log && !log.isFinished) log.entries.splice(0, firstAfter(log.entries, entry.seq), entry)
  }

  async remove(id: string): Promise<void> {
    this.logs.get(id)?.entries.splice(0)
    this.drop(id)
  }

  has(id: string): boolean {
    return this.logs.has(id)
  }

  entriesAfter(id: string, seq: number): LogEntry[] {
    const entries = this.logs.get(id)?.entries ?? []
    return entries.slice(firstAfter(entries, seq))
  }

  /** Takes a log out of memory. Its readers get what they have not read yet, and end. */
  drop(id: string): void {
    const log = this.logs.get(id)
    if (!log) return
    this.logs.delete(id)
    if (this.finished.delete(id)) this.finishedBytes -= log.bytes
    clearTimeout(log.expiry)
    log.isFinished = true
    wake(log)
  }

  /** Ends all readers. */
  close(): void {
    for (const id of [...this.logs.keys()]) this.drop(id)
  }

  private push(log: Log, entry: LogEntry): void {
    log.entries.push(entry)
    log.lastSeq = entry.seq
    wake(log)
  }

  private open(id: string): Log {
    // A log that nobody finishes would stay for ever.
    const expiry = setTimeout(
      () => this.drop(id),
      serverLimits.upstream.totalMs + serverLimits.chat.resumeWindowMs,
    ).unref()
    const log: Log = {
      entries: [],
      lastSeq: 0,
      isFinished: false,
      isSealed: false,
      waiting: new Set(),
      expiry,
      bytes: 0,
    }
    this.logs.set(id, log)
    return log
  }
}

/** About what an entry takes beside its text. */
const entryBytes = 200

/** An upper bound: most texts take one byte a character. */
const bytesOf = (entries: readonly LogEntry[]): number =>
  entries.reduce((sum, { frame }) => sum + 2 * frame.length + entryBytes, 0)

function wake(log: Log): void {
  for (const go of log.waiting) go()
}

/** Index of the first entry after a seq; readers are nearly always at the end, so the search starts there. */
function firstAfter(entries: readonly LogEntry[], seq: number): number {
  let index = entries.length
  while (index > 0 && (entries[index - 1]?.seq ?? 0) > seq) index--
  return index
}
