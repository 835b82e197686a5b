import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, errorText } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Bus } from '../../providers/bus/bus'
import { wireUsage } from './final-message'
import { isFinalFrame, type RunIds } from './frames'
import { type Generation, usageOfRow } from './generation-store'

const firstPollMs = 50
const maxPollMs = 500

type Watch = {
  bus: Bus
  messageId: string
  afterSeq: number
  language: string | undefined
  find: () => Promise<Generation | undefined>
  /** Returns a promise where the reader must catch up before the next frame. */
  send: (frame: string) => Promise<void> | undefined
  signal: AbortSignal
}

/**
 * Sends an answer from the frame after `afterSeq` to its end, on any node. Sends exactly one final frame, even where
 * the stream log is incomplete.
 */
export async function watchAnswer({ bus, messageId, afterSeq, language, find, send, signal }: Watch): Promise<void> {
  let sentSeq = afterSeq
  const isRunning = async (): Promise<boolean> => (await find())?.status === 'running'
  for (let waitMs = firstPollMs; !signal.aborted; waitMs = Math.min(2 * waitMs, maxPollMs)) {
    let last: string | undefined
    const silence = abortWhenEnded(isRunning, signal)
    try {
      for await (const batch of bus.log.read(messageId, sentSeq, silence.signal)) {
        silence.reset()
        for (const { seq, frame } of batch) {
          // A person who was removed from the channel meanwhile gets no further frame.
          if (signal.aborted) return
          const drained = send(frame)
          if (drained) await drained
          sentSeq = seq
          last = frame
        }
      }
    } finally {
      silence.end()
    }
    if (signal.aborted || (last !== undefined && isFinalFrame(last))) return

    // The log is deleted or incomplete, because its node died or the answer is old. The reaper ends a row that is still
    // running.
    const row = await find()
    if (row?.status === 'running') {
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
      continue
    }
    // The end may have been written since the log was read.
    const lastSeq = await bus.log.lastSeq(messageId)
    if (lastSeq > sentSeq) continue
    // A dead node may have shown frames that the log lost. A reader that is ahead of the log gets a new final frame.
    const end = lastSeq > 0 && lastSeq === sentSeq ? await endOf(bus, messageId, lastSeq, signal) : undefined
    if (!signal.aborted) await send(end ?? errorFrame({ messageId, mId: row?.mId ?? messageId }, row, language))
    return
  }
}

/**
 * The returned signal aborts with `signal`, and when no frame has arrived during two checks that found the answer
 * ended: then the log has no final frame.
 */
function abortWhenEnded(isRunning: () => Promise<boolean>, signal: AbortSignal) {
  const controller = new AbortController()
  let silentChecks = 0
  let isChecking = false
  const check = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    const before = silentChecks
    const hasEnded = !(await isRunning().catch(() => true))
    isChecking = false
    if (silentChecks !== before || !hasEnded) return
    silentChecks++
    if (silentChecks === 2) controller.abort()
  }
  const timer = setInterval(() => void check(), serverLimits.chat.silentLookMs)
  const abort = (): void => controller.abort()
  signal.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    reset: () => {
      silentChecks = 0
      timer.refresh()
    },
    end: () => {
      clearInterval(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

/** The last frame of the log, where it is a final one. */
async function endOf(bus: Bus, messageId: string, lastSeq: number, signal: AbortSignal): Promise<string | undefined> {
  for await (const batch of bus.log.read(messageId, lastSeq - 1, signal)) {
    const frame = batch.at(-1)?.frame
    return frame !== undefined && isFinalFrame(frame) ? frame : undefined
  }
  return undefined
}

/** Includes the usage where it is known: the answer was charged whether or not its end arrived. */
function errorFrame({ messageId, mId }: RunIds, row: Generation | undefined, language: string | undefined): string {
  const code: ErrorCode = row?.status === 'interrupted' ? 'chat.interrupted' : 'chat.answer-gone'
  const usage = row && usageOfRow(row)
  return JSON.stringify({
    event: 'error',
    messageId,
    mId,
    code,
    content: errorText(code, language),
    ...(usage && { usage: wireUsage(usage) }),
  })
}
