import { write, writeSync } from 'node:fs'

/** Lines that wait for a sink which takes none: more are lost. */
const maxWaitingBytes = 1024 * 1024
/** One write: what a reader of a pipe takes at once. */
const chunkBytes = 64 * 1024
const afterErrorMs = 1_000
const afterFullPipeMs = 50

type Times = { afterErrorMs: number; afterFullPipeMs: number }

/**
 * Writes the log to an open file, without ever making anybody wait: not for a disk that is full, nor for a pipe that
 * nobody reads or whose reader is gone. What cannot be written waits, up to a bound, and what is beyond it is lost and
 * counted.
 */
export class LogSink {
  /** Lines that were not written. */
  lost = 0
  /** Writes that failed. */
  errors = 0
  /** Called when writing works again, with the number of lines that were lost meanwhile. */
  onBack: ((lost: number) => void) | undefined
  private waiting: string[] = []
  private waitingBytes = 0
  /** What a write has not taken yet. */
  private chunk: Buffer = Buffer.alloc(0)
  private lostBefore = 0
  private isFailing = false
  private isWriting = false

  constructor(
    private readonly fd: number,
    private readonly times: Times = { afterErrorMs, afterFullPipeMs },
  ) {}

  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.waitingBytes + bytes > maxWaitingBytes) {
      this.lost++
      return
    }
    this.waiting.push(line)
    this.waitingBytes += bytes
    if (!this.isWriting) this.writeNext()
  }

  /** The last words of a process: what the file takes at once. */
  end(): void {
    const rest = Buffer.concat([
      this.isWriting && !this.isFailing ? Buffer.alloc(0) : this.chunk,
      Buffer.from(this.waiting.join('')),
    ])
    this.waiting = []
    try {
      for (let written = 0; written < rest.length; ) written += writeSync(this.fd, rest, written)
    } catch {
      // There is nowhere left to tell it.
    }
  }

  private writeNext(): void {
    if (this.chunk.length === 0) this.chunk = this.nextChunk()
    if (this.chunk.length === 0) return
    this.isWriting = true
    write(this.fd, this.chunk, (error, written) => {
      if (error) return this.tryAgain(error)
      this.chunk = this.chunk.subarray(written)
      this.isWriting = false
      this.tellBack()
      this.writeNext()
    })
  }

  private tryAgain(error: NodeJS.ErrnoException): void {
    const isFullPipe = error.code === 'EAGAIN'
    if (!isFullPipe) this.errors++
    this.isFailing = true
    setTimeout(() => this.writeNext(), isFullPipe ? this.times.afterFullPipeMs : this.times.afterErrorMs).unref()
  }

  private tellBack(): void {
    if (!this.isFailing) return
    this.isFailing = false
    const lost = this.lost - this.lostBefore
    this.lostBefore = this.lost
    if (lost > 0) this.onBack?.(lost)
  }

  private nextChunk(): Buffer {
    let bytes = 0
    let lines = 0
    while (lines < this.waiting.length && bytes < chunkBytes) bytes += Buffer.byteLength(this.waiting[lines++] ?? '')
    this.waitingBytes -= bytes
    return Buffer.from(this.waiting.splice(0, lines).join(''))
  }
}

let shared: LogSink | undefined

/** The log of this process: JSON lines on its standard output. */
export function standardOutput(): LogSink {
  if (shared) return shared
  const sink = new LogSink(1)
  // With it Node makes a pipe one that answers "full" instead of holding up a thread. Both fail by an event when their
  // reader is gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  process.on('exit', () => sink.end())
  shared = sink
  return sink
}
