import { trustedScriptUrl } from '../../lib/trusted-url'
import { segmentLines } from './code-segments'
import { languageOf } from './highlight-names'
import type { HighlightReply, HighlightRequest, LineTokens } from './highlight-protocol'
import workerUrl from './highlight-worker?worker&url'

const maxLines = 5_000
const maxLength = 400_000
/** Lines sent at once: the worker answers other blocks in between. */
const batchLines = 200
/** A grammar that takes longer on a batch is caught in a pattern; the worker is replaced and the block stays plain. */
const patienceMs = 10_000

let worker: Worker | undefined
let lastId = 0
const sessions = new Map<number, HighlightSession>()

/**
 * The tokens of one code block. The worker tokenizes line by line and cannot take a line back, so only final lines are
 * sent, each once: while the block grows, its last line is held back, also where it ends with a line feed (Markdown
 * adds one to code inside a list whatever stands in the answer).
 */
export class HighlightSession {
  private id = 0
  private lines: LineTokens[][] = []
  private readonly listeners = new Set<() => void>()
  /** What the worker has been sent: the beginning of the code, or the session starts over. */
  private sent = ''
  private sentLines = 0
  private receivedLines = 0
  private hasSentEnd = false
  private watchdog: ReturnType<typeof setTimeout> | undefined
  private readonly language: string

  /** Undefined where the language is not one that is coloured. */
  static open(label: string): HighlightSession | undefined {
    const language = languageOf(label)
    return language === undefined ? undefined : new HighlightSession(language)
  }

  private constructor(language: string) {
    this.language = language
    this.open()
  }

  private open(): void {
    lastId += 1
    this.id = lastId
    sessions.set(this.id, this)
  }

  feed(code: string, isComplete: boolean): void {
    if (!code.startsWith(this.sent) || (this.hasSentEnd && code.length > this.sent.length)) this.startOver()
    const finalLength = isComplete ? code.length : code.slice(0, -1).lastIndexOf('\n') + 1
    while (sessions.has(this.id) && this.sentLines < maxLines && this.sent.length < maxLength) {
      const from = this.sent.length
      let end = from
      let count = 0
      while (count < batchLines) {
        const lineEnd = code.indexOf('\n', end)
        if (lineEnd === -1 || lineEnd >= finalLength) break
        end = lineEnd + 1
        count += 1
      }
      if (count === 0 && isComplete && end < code.length) {
        this.send(code.slice(end), code, 1)
        this.hasSentEnd = true
        return
      }
      if (count === 0) return
      this.send(code.slice(from, end - 1), code.slice(0, end), count)
    }
  }

  close(): void {
    clearTimeout(this.watchdog)
    if (sessions.delete(this.id)) worker?.postMessage({ id: this.id, isClosed: true } satisfies HighlightRequest)
  }

  /** The lines of a segment that have colours by now; another array when there are more. */
  tokens = (segment: number): readonly LineTokens[] | undefined => this.lines[segment]

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  receive(lines: readonly LineTokens[]): void {
    clearTimeout(this.watchdog)
    for (const tokens of lines) {
      const segment = Math.floor(this.receivedLines / segmentLines)
      this.lines[segment] = [...(this.lines[segment] ?? []), tokens]
      this.receivedLines += 1
    }
    for (const listener of this.listeners) listener()
  }

  /** The code is another one, or goes on in the middle of a line that was sent as its last. */
  private startOver(): void {
    this.close()
    this.lines = []
    this.sent = ''
    this.sentLines = 0
    this.receivedLines = 0
    this.hasSentEnd = false
    this.open()
  }

  private send(text: string, sent: string, lineCount: number): void {
    this.sent = sent
    this.sentLines += lineCount
    worker ??= startWorker()
    worker?.postMessage({ id: this.id, language: this.language, text } satisfies HighlightRequest)
  }

  /** From now on, not from when it was sent: before, the worker or a grammar may be on its way over a slow network. */
  watch(): void {
    clearTimeout(this.watchdog)
    this.watchdog = setTimeout(replaceWorker, patienceMs)
  }
}

function startWorker(): Worker | undefined {
  if (typeof Worker === 'undefined') return undefined
  const started = new Worker(trustedScriptUrl(workerUrl), { type: 'module', name: 'highlight' })
  started.addEventListener('message', ({ data }: MessageEvent<HighlightReply>) => {
    if ('isBegun' in data) sessions.get(data.id)?.watch()
    else sessions.get(data.id)?.receive(data.lines)
  })
  // Its file could not be loaded (offline, say): code stays plain, and the next block tries again.
  started.addEventListener('error', replaceWorker)
  return started
}

function replaceWorker(): void {
  worker?.terminate()
  worker = undefined
  for (const session of [...sessions.values()]) session.close()
}
