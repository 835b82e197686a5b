import type { AnswerParts } from '@parley/contract/answer-parts'
import { serverLimits } from '@parley/contract/limits/server'
import type { StreamLog } from '../../providers/bus/bus'
import { encodeFrame, type FrameDraft, type RunIds, withRead, withThinking } from './frames'

/**
 * Writes the frames of one answer to the stream log. After a frame of text the writer pauses for a few milliseconds, so
 * that the text of a fast model is coalesced: a frame costs more than the words in it. There is no pause after the text
 * of a slow model. Compacts the frames to a snapshot of the whole answer once it is complete, or when they grow too
 * large. Thinking is treated like text. What was read and is cited goes along with the frames and snapshots.
 */
export class FrameWriter {
  seq = 0
  text = ''
  /** What the frames so far tell beside the text. */
  parts: AnswerParts = {}
  /** Resolves with the first frame. */
  readonly started: Promise<void>
  private resolveStarted: () => void = () => undefined
  private endPause: () => void = () => undefined
  private bytes = 0
  /** Frames of text or thinking since the last snapshot. */
  private deltas = 0
  /** Since when the writer has been waiting for the model; `performance.now()`. */
  private readyAt = Number.POSITIVE_INFINITY

  constructor(
    private readonly log: StreamLog,
    private readonly ids: RunIds,
    private readonly signal: AbortSignal,
  ) {
    this.started = new Promise((resolve) => (this.resolveStarted = resolve))
    signal.addEventListener('abort', () => this.endPause(), { once: true })
  }

  async write(draft: FrameDraft): Promise<void> {
    const isSlow = performance.now() - this.readyAt > serverLimits.chat.coalesceMs
    // The text is complete, and few frames follow it: a finished answer is kept as one snapshot.
    const isDelta = draft.event === 'content' || draft.event === 'reasoning'
    const isPart = draft.event === 'file' || draft.event === 'source'
    if (!isDelta && !isPart && this.deltas > 1) await this.compact()
    const seq = ++this.seq
    const frame = encodeFrame(this.ids, seq, draft)
    await this.log.append(this.ids.messageId, { seq, frame })
    if (seq === 1) this.resolveStarted()
    if (!isDelta && !isPart) return
    this.bytes += frame.length
    if (draft.event === 'content') this.text += draft.content
    else this.parts = withPart(this.parts, draft)
    if (!isDelta) return
    this.deltas++
    if (this.bytes > serverLimits.chat.maxLogBytes) await this.compact()
    if (!isSlow && !this.signal.aborted) await this.pause()
    this.readyAt = performance.now()
  }

  private async compact(): Promise<void> {
    const draft = { event: 'snapshot' as const, content: this.text, ...this.parts }
    const frame = encodeFrame(this.ids, this.seq, draft)
    await this.log.compact(this.ids.messageId, { seq: this.seq, frame })
    // The next compaction waits for as many new bytes, however long the text is.
    this.bytes = 0
    this.deltas = 0
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, serverLimits.chat.coalesceMs)
      this.endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function withPart(
  parts: AnswerParts,
  draft: Extract<FrameDraft, { event: 'reasoning' | 'file' | 'source' }>,
): AnswerParts {
  switch (draft.event) {
    case 'reasoning':
      return { ...parts, reasoning: withThinking(parts.reasoning, draft) }
    case 'file':
      return { ...parts, read: withRead(parts.read ?? [], draft.part) }
    case 'source':
      return { ...parts, sources: [...(parts.sources ?? []), draft.part] }
  }
}
