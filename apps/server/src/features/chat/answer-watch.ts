import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { Bus } from '../../providers/bus'
import { wireUsage } from './chat-answer'
import { isFinalFrame, type RunIds } from './frames'
import { type Generation, usageOf } from './generation-store'

const firstLookMs = 50
const lookMs = 500

type Watch = {
  bus: Bus
  messageId: string
  afterSeq: number
  language: string | undefined
  find: () => Promise<Generation | undefined>
  /** A promise where the reader has to catch up first. */
  send: (frame: string) => Promise<void> | undefined
  signal: AbortSignal
}

/** Shows an answer of this person from where the reader stands to its end, on any node. Whatever was lost on the way, the end is told, once. */
export async function watchAnswer({ bus, messageId, afterSeq, language, find, send, signal }: Watch): Promise<void> {
  let seen = afterSeq
  const isRunning = async (): Promise<boolean> => (await find())?.status === 'running'
  for (let waitMs = firstLookMs; !signal.aborted; waitMs = Math.min(2 * waitMs, lookMs)) {
    let last: string | undefined
    const silence = untilOver(isRunning, signal)
    try {
      for await (const batch of bus.log.read(messageId, seen, silence.signal)) {
        silence.broken()
        for (const { seq, frame } of batch) {
          // Whoever was put out while it was on its way gets nothing of it.
          if (signal.aborted) return
          const caughtUp = send(frame)
          if (caughtUp) await caughtUp
          seen = seq
          last = frame
        }
      }
    } finally {
      silence.end()
    }
    if (signal.aborted || (last !== undefined && isFinalFrame(last))) return

    // The log is gone or ended in the middle: its node died, or it was long ago. A row that still runs is ended by the reaper.
    const row = await find()
    if (row?.status === 'running') {
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
      continue
    }
    // Between the two looks the end may have been written.
    const lastSeq = await bus.log.lastSeq(messageId)
    if (lastSeq > seen) continue
    // A reader may be ahead of the end: of what a dead node has shown, not all was kept. Such an end has no place after what the reader has.
    const end = lastSeq > 0 && lastSeq === seen ? await endOf(bus, messageId, lastSeq, signal) : undefined
    if (!signal.aborted) await send(end ?? complaint({ messageId, mId: row?.mId ?? messageId }, row, language))
    return
  }
}

/** Its signal aborts with `signal`, and when nothing came for two looks at a row that says that the answer is over: then the log has no end. */
function untilOver(isRunning: () => Promise<boolean>, signal: AbortSignal) {
  const controller = new AbortController()
  let silentLooks = 0
  let looking = false
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    const before = silentLooks
    const isOver = !(await isRunning().catch(() => true))
    looking = false
    if (silentLooks !== before || !isOver) return
    silentLooks++
    if (silentLooks === 2) controller.abort()
  }
  const timer = setInterval(() => void look(), limits.chat.silentLookMs)
  const abort = (): void => controller.abort()
  signal.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    broken: () => {
      silentLooks = 0
      timer.refresh()
    },
    end: () => {
      clearInterval(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

/** The last frame of a log once more, where it is an end. */
async function endOf(bus: Bus, messageId: string, lastSeq: number, signal: AbortSignal): Promise<string | undefined> {
  for await (const batch of bus.log.read(messageId, lastSeq - 1, signal)) {
    const frame = batch.at(-1)?.frame
    return frame !== undefined && isFinalFrame(frame) ? frame : undefined
  }
  return undefined
}

/** With what the answer took, where it is known: it is charged whether or not its end arrived. */
function complaint({ messageId, mId }: RunIds, row: Generation | undefined, language: string | undefined): string {
  const code: ErrorCode = row?.status === 'interrupted' ? 'chat.interrupted' : 'chat.answer-gone'
  const usage = row && usageOf(row)
  return JSON.stringify({ event: 'error', messageId, mId, code, content: errorText(code, language), ...(usage && { usage: wireUsage(usage) }) })
}
