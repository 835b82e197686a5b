import type { CreateChatMessage } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import type { ChannelEvents } from '../channels/public/channel-events'
import { ContextChangedError } from '../messages/public/exchange-context'
import { type AdmitDeps, type Admitted, admit } from './admit'
import { countFairUse } from './answer-limits'
import { type BeginDeps, begin } from './begin'
import type { ChatMetrics } from './chat-metrics'
import type { GenerationRunner } from './generation-runner'
import { type PrepareDeps, type Prepared, prepare, type Special } from './prepare'
import { isRepeated } from './repeated-question'
import type { Visitor } from './visitor'

type Deps = AdmitDeps &
  PrepareDeps &
  BeginDeps & { runner: GenerationRunner; channelEvents: ChannelEvents; metrics: Pick<ChatMetrics, 'preparing'> }

/** This node is shutting down: the client asks another node, or this one after its restart. */
export class RestartingError extends Error {
  override name = 'RestartingError'
}

/** How often a question is prepared whose context is changed, or whose asker spends on other answers, meanwhile. */
const maxPreparations = 3

/**
 * Accepts questions and starts their answers, exactly once for each message id. An answer has five phases: admit,
 * prepare, begin, perform and end. The first three are here; the runner goes on with the other two.
 */
export class QuestionService {
  /** The last question of each visitor. */
  private readonly queues = new Map<string, Promise<void>>()

  constructor(private readonly deps: Deps) {}

  /**
   * Starts an answer, unless this message id has one already. Throws
   * chat.*, credits.*, channel.*, agent.unavailable, not-found, unauthenticated, conflict; RestartingError.
   */
  ask(visitor: Visitor, body: CreateChatMessage, special?: Special): Promise<void> {
    // A visitor's questions are handled one by one, so that none is counted twice or slips past a limit.
    const { subject } = visitor
    const { preparing } = this.deps.metrics
    preparing.inc()
    const turn = (this.queues.get(subject) ?? Promise.resolve()).then(() => this.askNext(visitor, body, special))
    const settled = turn
      .catch(() => undefined)
      .then(() => {
        preparing.dec()
        if (this.queues.get(subject) === settled) this.queues.delete(subject)
      })
    this.queues.set(subject, settled)
    return turn
  }

  private async askNext(visitor: Visitor, body: CreateChatMessage, special: Special | undefined): Promise<void> {
    try {
      await this.start(await admit(this.deps, visitor, body), special)
    } catch (error) {
      // A refusal counts only if the question is new: a repeated one gets its answer even if its agent is gone.
      if (!(error instanceof AppError) || !(await isRepeated(this.deps, visitor.subject, body))) throw error
    }
  }

  /**
   * Prepares the answer, again where its context was changed before it began, or is too dear by now. Throws conflict.
   */
  private async start(admitted: Admitted, special: Special | undefined): Promise<void> {
    const { runner } = this.deps
    const { visitor, body, model, search } = admitted
    const { messageId } = body
    for (let preparations = 1; ; preparations++) {
      const prepared = await prepare(this.deps, admitted, special)
      if (preparations === 1) await countFairUse(this.deps, { visitor, messageId, model, search })
      if (runner.isDraining) throw new RestartingError()
      // Answers that the visitor has just stopped do not count as running.
      await runner.waitForStopped(visitor.subject)
      try {
        return await this.begin(admitted, prepared)
      } catch (error) {
        const isTooDear = error instanceof AppError && error.code === 'credits.not-enough' && prepared.hasContext
        if (!isTooDear && !(error instanceof ContextChangedError)) throw error
        if (preparations === maxPreparations) throw isTooDear ? error : new AppError('conflict', { cause: error })
      }
    }
  }

  private async begin(admitted: Admitted, prepared: Prepared): Promise<void> {
    const { runner, channelEvents } = this.deps
    const { exchange } = await runner.whileStarting(admitted.body.messageId, async () => {
      const begun = await begin(this.deps, admitted, prepared)
      await runner.start(begun)
      return begun
    })
    if (exchange) await channelEvents.answerStarted(exchange, admitted.userId ?? '')
  }
}
