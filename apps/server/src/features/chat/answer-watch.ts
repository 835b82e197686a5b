import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, errorText } from '@parley/contract/errors'
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

/** Shows an answer of this person from where the reader stands to its end, on any node. */
export async function watchAnswer({ bus, messageId, afterSeq, language, find, send, signal }: Watch): Promise<void> {
  let seen = afterSeq
  for (let waitMs = firstLookMs; !signal.aborted; waitMs = Math.min(2 * waitMs, lookMs)) {
    let last: string | undefined
    for await (const batch of bus.log.read(messageId, seen, signal)) {
      for (const { seq, frame } of batch) {
        // Whoever was put out while it was on its way gets nothing of it.
        if (signal.aborted) return
        const caughtUp = send(frame)
        if (caughtUp) await caughtUp
        seen = seq
        last = frame
      }
    }
    if (signal.aborted || (last !== undefined && isFinalFrame(last))) return

    // The log is gone or ended in the middle: its node died, or it was long ago. A row that still runs is ended by the reaper.
    const row = await find()
    if (row?.status === 'running') {
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
      continue
    }
    // Between the two looks the end may have been written.
    if ((await bus.log.lastSeq(messageId)) > seen) continue
    const sawAll = seen > 0 && seen === afterSeq && (await bus.log.exists(messageId))
    if (!sawAll && !signal.aborted) await send(complaint({ messageId, mId: row?.mId ?? messageId }, row, language))
    return
  }
}

/** With what the answer took, where it is known: it is charged whether or not its end arrived. */
function complaint({ messageId, mId }: RunIds, row: Generation | undefined, language: string | undefined): string {
  const code: ErrorCode = row?.status === 'interrupted' ? 'chat.interrupted' : 'chat.answer-gone'
  const usage = row && usageOf(row)
  return JSON.stringify({ event: 'error', messageId, mId, code, content: errorText(code, language), ...(usage && { usage: wireUsage(usage) }) })
}
