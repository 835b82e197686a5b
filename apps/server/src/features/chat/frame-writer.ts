import { limits } from '@parley/contract/limits'
import type { StreamLog } from '../../providers/bus'
import { encodeFrame, type FrameDraft, type RunIds } from './frames'

/**
 * Writes the frames of one answer to the stream log. Text goes out at once, and then the writer rests for a few milliseconds: what the model says meanwhile
 * comes with the next frame, because a frame costs more than the words in it. A model that is slower than that has no rest: there would be nothing to gather.
 * Keeps the whole text, which replaces its frames in the log once it is complete, or when they grow too many.
 */
export class FrameWriter {
  seq = 0
  text = ''
  /** Resolves with the first frame. */
  readonly opened: Promise<void>
  private open: () => void = () => undefined
  private goOn: () => void = () => undefined
  private bytes = 0
  /** Frames of text since the last snapshot. */
  private deltas = 0
  /** Since when the writer has been waiting for the model; `performance.now()`. */
  private readyAt = Number.POSITIVE_INFINITY

  constructor(
    private readonly log: StreamLog,
    private readonly ids: RunIds,
    private readonly signal: AbortSignal,
  ) {
    this.opened = new Promise((resolve) => (this.open = resolve))
    signal.addEventListener('abort', () => this.goOn(), { once: true })
  }

  async write(draft: FrameDraft): Promise<void> {
    const isSlow = performance.now() - this.readyAt > limits.chat.coalesceMs
    // Behind the text only a few words follow. Its frames have been read; a finished answer is not kept frame by frame.
    if (draft.event !== 'content' && this.deltas > 1) await this.compact()
    const seq = ++this.seq
    const frame = encodeFrame(this.ids, seq, draft)
    await this.log.append(this.ids.messageId, { seq, frame })
    if (seq === 1) this.open()
    if (draft.event !== 'content') return
    this.text += draft.content
    this.deltas++
    this.bytes += frame.length
    if (this.bytes > limits.chat.maxLogBytes) await this.compact()
    if (!isSlow && !this.signal.aborted) await this.rest()
    this.readyAt = performance.now()
  }

  private async compact(): Promise<void> {
    const frame = encodeFrame(this.ids, this.seq, { event: 'snapshot', content: this.text })
    await this.log.compact(this.ids.messageId, { seq: this.seq, frame })
    // The next time only when as much again has come, however long the text is.
    this.bytes = 0
    this.deltas = 0
  }

  private rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limits.chat.coalesceMs)
      this.goOn = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
