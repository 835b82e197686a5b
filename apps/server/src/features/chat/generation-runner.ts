import { setTimeout as delay } from 'node:timers/promises'
import { errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { userIdOf } from '../../plugins/people'
import type { Bus } from '../../providers/bus'
import type { LlmProvider } from '../../providers/llm'
import { FencedError } from '../../providers/memory-stream-log'
import type { Charge, ChargeService } from '../billing/charge-service'
import type { ChannelNews } from '../channels/channel-news-service'
import { type Exchange, type ExchangeEnd, endExchange, savePartial } from '../channels/exchange-service'
import { type AnswerRequest, type AnswerResult, finalMessage, reported, wireUsage, writeAnswer } from './chat-answer'
import type { ChatMetrics } from './chat-metrics'
import { FrameWriter } from './frame-writer'
import type { FinalDraft } from './frames'
import { isFinal } from './frames'
import { beat, type Claim, endGeneration, isEndedSo, type PaidUsage } from './generation-store'
import { PartialSaver } from './partial-saver'

type Deps = {
  db: Db
  bus: Bus
  llm: LlmProvider
  log: FastifyBaseLogger
  nodeId: string
  news: ChannelNews
  charges: ChargeService
  now: () => number
  metrics: ChatMetrics
  /** Soon: the cost of an answer that has just ended is not known. */
  askCosts: () => void
}

/** Why an answer ends before its end. lost: another node has taken it over, so this one must not write any more. */
type Cut = 'stopped' | 'draining' | 'lost'

/** `exchange`: where the answer is stored, for a cloud channel. `charge`: who pays for it, where somebody does. */
type Place = { exchange?: Exchange | undefined; charge?: Charge | undefined }

type Run = Place & {
  row: Claim
  request: AnswerRequest
  result: AnswerResult
  writer: FrameWriter
  signal: AbortSignal
  startedAt: number
  cut: (reason: Cut) => void
  cutReason: () => Cut | undefined
}

type Running = { run: Run; ended: Promise<void> }

/** Writes answers, independent of any socket: whoever watches reads the stream log. */
export class GenerationRunner {
  /** No new answer is started on a node that is ending. */
  isDraining = false
  private readonly running = new Map<string, Running>()
  /** Answers whose row is being made. */
  private readonly expected = new Set<string>()
  private readonly heart: NodeJS.Timeout
  private beatAt: number
  /** The first heartbeat after a sleep; undefined once it is over. */
  private waking: Promise<void> | undefined

  constructor(private readonly deps: Deps) {
    this.beatAt = deps.now()
    this.heart = setInterval(() => void this.beat(), limits.chat.heartbeatMs)
    this.heart.unref()
  }

  /** Resolves when there is something to watch. */
  async start(row: Claim, request: AnswerRequest, place: Place = {}): Promise<void> {
    const controller = new AbortController()
    let reason: Cut | undefined
    const cut = (why: Cut): void => {
      reason ??= why
      controller.abort()
    }
    const writer = new FrameWriter(this.deps.bus.log, request, controller.signal)
    const startedAt = this.deps.now()
    const run: Run = { ...place, row, request, result: { usage: undefined }, writer, signal: controller.signal, startedAt, cut, cutReason: () => reason }
    const ended = this.run(run).finally(() => {
      this.running.delete(row.messageId)
      this.deps.metrics.running.dec()
    })
    this.deps.metrics.running.inc()
    this.running.set(row.messageId, { run, ended })
    await Promise.race([writer.opened, ended])
  }

  /** Resolves when the answers of this person that were stopped here are over. */
  async stopping(subject: string): Promise<void> {
    const stopped = [...this.running.values()].filter(({ run }) => run.row.subject === subject && run.cutReason() === 'stopped')
    await Promise.all(stopped.map(({ ended }) => ended))
  }

  /** The answers that this node writes or is about to write. */
  living(): string[] {
    return [...this.expected, ...this.running.keys()]
  }

  /** While `begin` runs, the answer counts as one of this node: its row may be there before its writer is. */
  async expecting<T>(messageId: string, begin: () => Promise<T>): Promise<T> {
    this.expected.add(messageId)
    try {
      return await begin()
    } finally {
      this.expected.delete(messageId)
    }
  }

  /** Stops an answer of this person if this node writes it. */
  stop(messageId: string, subject: string): void {
    const running = this.running.get(messageId)
    if (running?.run.row.subject === subject) running.run.cut('stopped')
  }

  /** Lets answers end for a while, then cuts the rest off: they are marked and can be continued. */
  async drain(ms: number): Promise<void> {
    this.isDraining = true
    const all = (): Promise<unknown> => Promise.all([...this.running.values()].map(({ ended }) => ended))
    let timer: NodeJS.Timeout | undefined
    await Promise.race([
      all(),
      new Promise((resolve) => {
        timer = setTimeout(resolve, ms)
      }),
    ])
    clearTimeout(timer)
    for (const { run } of this.running.values()) run.cut('draining')
    await all()
    clearInterval(this.heart)
  }

  private async run(run: Run): Promise<void> {
    const { request, exchange, result, writer, signal, startedAt, cutReason, cut } = run
    const { db, bus, log, now, metrics } = this.deps
    const { messageId } = run.row
    const saver = exchange && new PartialSaver((partial) => savePartial(db, exchange, partial), log)
    let final: FinalDraft | undefined
    try {
      for await (const draft of writeAnswer(request, this.deps, signal, result)) {
        await this.beSure()
        if (cutReason() === 'lost') break
        if (draft.event === 'content' && writer.text === '') metrics.firstToken.observe((now() - startedAt) / 1000)
        if (isFinal(draft)) final = draft
        else await writer.write(draft)
        if (draft.event === 'content') saver?.note(writer.text, writer.seq)
      }
    } catch (error) {
      if (error instanceof FencedError) cut('lost')
      else log.error({ err: error }, 'an answer failed')
    }
    saver?.close()
    const reason = cutReason()
    if (reason === 'lost') return bus.log.finish(messageId)
    final ??= this.cutShort(reason, request, writer.text, now() - startedAt)
    try {
      await this.finish(run, final)
      metrics.answers.inc({ outcome: outcomeOf(final) })
    } catch (error) {
      // The row stays running; the reaper ends it, and the log keeps what was sent.
      log.error({ err: error }, 'the end of an answer could not be stored')
    } finally {
      await bus.log.finish(messageId)
    }
  }

  private cutShort(reason: Cut | undefined, request: AnswerRequest, text: string, durationMs: number): FinalDraft {
    if (reason !== 'stopped') return { event: 'error', code: 'chat.interrupted', content: errorText('chat.interrupted', request.userLanguage) }
    const { message, length, sha256 } = finalMessage(request, text, { finishReason: 'stopped', durationMs })
    if (text.trim() !== '') return { event: 'stopped', message, length, sha256 }
    // Stopped before the first word: there is nothing to apologise for.
    const blank = finalMessage(request, 'x', { finishReason: 'stopped', durationMs }).message
    return { event: 'stopped', message: { ...blank, chat_response: { role: 'assistant', content: '' } }, length: 0, sha256: emptySha256 }
  }

  /** The row first: at no moment does a person see an end that the server could still forget. */
  private async finish({ row, exchange, charge, result, writer, startedAt }: Run, final: FinalDraft): Promise<void> {
    const { db, charges, now } = this.deps
    const produced = { ...result, text: writer.text }
    const isUntold = charge !== undefined && charges.isUntold(produced)
    const usage = charge
      ? { ...charges.tokensOf(charge, produced), cost: isUntold ? undefined : charges.priceOf(charge, produced) }
      : result.usage && reported(result.usage)
    // What is not known yet is added to what is stored once it is.
    const known = isUntold ? undefined : usage
    const errorCode = 'code' in final ? final.code : undefined
    const end = { messageId: row.messageId, subject: row.subject, epoch: row.epoch, status: outcomeOf(final), seq: writer.seq + 1, usage: known, errorCode }
    const endedAt = new Date(now())
    const durationMs = endedAt.getTime() - startedAt
    const store = (): Promise<boolean> => {
      if (!exchange && !charge) return endGeneration(db, end, endedAt)
      return db.transaction(async (tx) => {
        if (!(await endGeneration(tx, end, endedAt))) return false
        if (exchange) await endExchange(tx, exchange, { ...end, ...storedEnd(final, writer.text), usage: known && wireUsage(known), durationMs }, endedAt)
        // No answer is over and unpaid, or paid and not over.
        if (charge) await charges.settle(tx, charge, produced)
        return true
      })
    }
    // A connection that breaks at the commit leaves behind an end that is stored, and a writer that was not told.
    const isOurs = await this.persist(async () => (await store()) || isEndedSo(db, end))
    if (!isOurs) return
    await writer.write(withUsage(final, usage))
    if (isUntold) this.deps.askCosts()
    if (charge) await charges.settled(charge)
    if (exchange) await this.deps.news.changed(exchange, userIdOf(row.subject) ?? '')
  }

  /** A database that is away for a moment must not cost an answer its end; while the node stops there is no time to wait for it. */
  private async persist<T>(write: () => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + persistMs
    for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2_000)) {
      try {
        return await write()
      } catch (error) {
        if (this.isDraining || Date.now() > giveUpAt) throw error
        this.deps.log.warn({ err: error }, 'the end of an answer is not stored yet')
      }
      await delay(waitMs)
    }
  }

  /** A node that was asleep for longer than its lease does not know whose its answers are: it shows nothing more before it has asked. */
  private async beSure(): Promise<void> {
    if (this.isLeaseOver()) void this.beat()
    await this.waking
  }

  private isLeaseOver(): boolean {
    return this.deps.now() - this.beatAt > limits.chat.leaseMs
  }

  private async beat(): Promise<void> {
    const wasAsleep = this.isLeaseOver()
    this.beatAt = this.deps.now()
    const beaten = this.beatOnce()
    if (wasAsleep) this.waking = beaten.finally(() => (this.waking = undefined))
    await beaten
  }

  /** Never throws: while the database is away nobody can take an answer either. */
  private async beatOnce(): Promise<void> {
    const ids = [...this.running.keys()]
    try {
      const ours = await beat(this.deps.db, this.deps.nodeId, ids, new Date(this.deps.now()))
      for (const id of ids) if (!ours.has(id)) this.running.get(id)?.run.cut('lost')
      await this.keepHolds([...this.running.values()].filter(({ run }) => ours.has(run.row.messageId)))
    } catch (error) {
      this.deps.log.warn({ err: error }, 'heartbeat failed')
    }
  }

  private async keepHolds(running: readonly Running[]): Promise<void> {
    const paid = running.flatMap(({ run: { charge, result, writer } }) => (charge ? [{ charge, produced: { ...result, text: writer.text } }] : []))
    await this.deps.charges.keep(paid)
  }
}

const persistMs = 5 * 60_000
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** What a cloud channel keeps of the end: the same as a device keeps. */
function storedEnd(final: FinalDraft, text: string): Pick<ExchangeEnd, 'text' | 'isEmpty' | 'error' | 'finishReason'> {
  if ('code' in final) return { text, isEmpty: false, error: { code: final.code, content: final.content }, finishReason: undefined }
  const { chat_response, empty, finishReason } = final.message
  return { text: chat_response.content, isEmpty: empty ?? false, error: undefined, finishReason }
}

/** With what it cost, which only its settlement tells. */
function withUsage(final: FinalDraft, usage: PaidUsage | undefined): FinalDraft {
  if (!usage || final.event === 'error-openrouter') return final
  return final.event === 'error' ? { ...final, usage: wireUsage(usage) } : { ...final, message: { ...final.message, usage: wireUsage(usage) } }
}

function outcomeOf(final: FinalDraft): 'completed' | 'stopped' | 'interrupted' | 'failed' {
  if (final.event === 'end') return 'completed'
  if (final.event === 'stopped') return 'stopped'
  return final.code === 'chat.interrupted' ? 'interrupted' : 'failed'
}
