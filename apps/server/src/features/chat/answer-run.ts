import type { AnswerParts } from '@parley/contract/answer-parts'
import { citationsOf } from '@parley/contract/sent-sources'
import type { Db } from '../../db/client'
import type { Bus } from '../../providers/bus/bus'
import { FencedError } from '../../providers/bus/memory-stream-log'
import type { LlmProvider } from '../../providers/llm'
import type { AnswerOutput } from '../credits/public/answer-price'
import type { Charge } from '../credits/public/charges'
import { savePartial } from '../messages/public/exchange-end'
import type { Begun } from './begin'
import type { ChatMetrics } from './chat-metrics'
import { type EndDeps, end, publishEnd } from './end'
import { type AbortReason, abortedFrame, chargedOutput, outcomeOf } from './final-frames'
import { FrameWriter } from './frame-writer'
import { type FinalDraft, isFinal } from './frames'
import type { GenerationClaim } from './generation-store'
import { PartialSaver } from './partial-saver'
import { type AnswerResult, perform } from './perform'

export type AnswerRunDeps = EndDeps & { db: Db; bus: Bus; llm: LlmProvider; metrics: ChatMetrics }
type NodeState = {
  /** Resolves when this node knows that the answer is still its own, or has aborted it. */
  confirmLease: () => Promise<void>
  isDraining: () => boolean
}

/** One answer that has begun, from the first frame to its stored and charged end. */
export class AnswerRun {
  private readonly controller = new AbortController()
  private readonly result: AnswerResult = { usage: undefined }
  private readonly writer: FrameWriter
  private readonly startedAt: number
  private reason: AbortReason | undefined

  constructor(
    private readonly begun: Begun,
    private readonly deps: AnswerRunDeps & NodeState,
  ) {
    this.writer = new FrameWriter(deps.bus.log, begun.task, this.controller.signal)
    this.startedAt = deps.now()
  }

  /** Resolves with the first frame. */
  get started(): Promise<void> {
    return this.writer.started
  }

  /** The first reason to abort. */
  get abortReason(): AbortReason | undefined {
    return this.reason
  }

  get claim(): GenerationClaim {
    return this.begun.claim
  }

  get charge(): Charge | undefined {
    return this.begun.charge
  }

  /** What the model has written so far. */
  get output(): AnswerOutput {
    const { usage, generationRef } = this.result
    return { usage, generationRef, text: this.writer.text, reasoning: this.writer.parts.reasoning }
  }

  abort(reason: AbortReason): void {
    this.reason ??= reason
    this.controller.abort()
  }

  /** Writes the answer. Never throws; resolves when the end is stored, or has to be left to the reaper. */
  async write(): Promise<void> {
    const { begun, writer, startedAt } = this
    const { bus, log, now, metrics } = this.deps
    const { messageId } = this.claim
    let final = await this.writeFrames()
    const reason = this.abortReason
    if (reason === 'lost') return bus.log.finish(messageId)
    final ??= abortedFrame(reason, begun.task, { text: writer.text, ...this.parts, durationMs: now() - startedAt })
    try {
      await this.writeCitations(final)
      await this.end(final)
      metrics.answers.inc({ outcome: outcomeOf(final) })
    } catch (error) {
      // The row stays running until the reaper ends it; the stream log keeps what was sent.
      log.error({ err: error }, 'the end of an answer could not be stored')
    } finally {
      await bus.log.finish(messageId)
    }
  }

  /** Writes all frames but the final one, which it returns; undefined for an answer that was aborted or failed. */
  private async writeFrames(): Promise<FinalDraft | undefined> {
    const { result, writer, startedAt } = this
    const { exchange, task } = this.begun
    const { db, log, now, metrics, confirmLease } = this.deps
    const saver = exchange && new PartialSaver((partial) => savePartial(db, exchange, partial), log)
    let final: FinalDraft | undefined
    try {
      for await (const draft of perform(task, this.deps, this.controller.signal, result)) {
        await confirmLease()
        if (this.abortReason === 'lost') break
        const isDelta = draft.event === 'content' || draft.event === 'reasoning'
        if (isDelta && writer.text === '' && !writer.parts.reasoning)
          metrics.firstToken.observe((now() - startedAt) / 1000)
        if (isFinal(draft)) final = draft
        else await writer.write(draft)
        if (isDelta) saver?.update({ text: writer.text, ...writer.parts, seq: writer.seq })
      }
    } catch (error) {
      if (error instanceof FencedError) this.abort('lost')
      else log.error({ err: error }, 'an answer failed')
    }
    saver?.close()
    return final
  }

  /** What the answer has beside its text so far. */
  private get parts(): AnswerParts {
    const { text, parts } = this.writer
    const sources = citationsOf(text, this.result.sent ?? [])
    return { ...parts, sources }
  }

  /** The message of a final frame has all that is cited; of one without a message its readers are told before. */
  private async writeCitations(final: FinalDraft): Promise<void> {
    if (final.event !== 'error') return
    const told = new Set(this.writer.parts.sources?.map(({ n }) => n))
    for (const part of this.parts.sources ?? [])
      if (!told.has(part.n)) await this.writer.write({ event: 'source', part })
  }

  /** Stores the end before it writes the final frame: no reader sees an end that the server could still lose. */
  private async end(final: FinalDraft): Promise<void> {
    const { begun, deps, writer, startedAt } = this
    const output = chargedOutput(final, this.output)
    const { parts } = this
    const frame = await end(deps, begun, { final, seq: writer.seq + 1, output, parts, startedAt })
    if (!frame) return
    await writer.write(frame)
    await publishEnd(deps, begun, { output })
  }
}
