import { serverLimits } from '@parley/contract/limits/server'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { subjectOf } from '../../plugins/people'
import type { LlmProvider, ReportedUsage } from '../../providers/llm'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { ChargeService, UnreportedCost } from '../credits/public/charges'
import { addUsage, lockEndedRun } from '../messages/public/exchange-end'
import { updateSummaryCost } from '../messages/public/summaries'
import { wireUsage } from './final-message'
import { findGeneration, updateUsage } from './generation-store'

type Deps = { db: Db; llm: LlmProvider; charges: ChargeService; channelEvents: ChannelEvents; log: FastifyBaseLogger }

/**
 * Asks the gateway for the cost of answers that ended without a reported one, because they were stopped, interrupted or
 * orphaned. Their holds stay open meanwhile. The next attempt is scheduled in the database, so that any node makes it.
 */
export class CostInquiry {
  private readonly timers = new Set<NodeJS.Timeout>()
  private asking: Promise<void> | undefined
  private isClosed = false

  constructor(private readonly deps: Deps) {}

  /** Asks shortly after an answer has ended. */
  soon(): void {
    if (this.isClosed) return
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      void this.ask()
    }, serverLimits.credits.askCostMs + 50)
    timer.unref()
    this.timers.add(timer)
  }

  /** Asks for every answer whose attempt is due, one by one. */
  async ask(): Promise<void> {
    this.asking ??= this.askAll()
      .catch((error: unknown) => this.deps.log.warn({ err: error }, 'asking for the costs of answers failed'))
      .finally(() => {
        this.asking = undefined
      })
    await this.asking
  }

  async close(): Promise<void> {
    this.isClosed = true
    for (const timer of this.timers) clearInterval(timer)
    await this.asking
  }

  private async askAll(): Promise<void> {
    for (let asked = 0; asked < serverLimits.credits.sweepBatch && !this.isClosed; asked++) {
      const unreported = await this.deps.charges.claimUnreportedCost()
      if (!unreported) return
      const usage = await this.usageOf(unreported)
      if (usage || unreported.isLastTry) await this.settle(unreported, usage)
    }
  }

  private async usageOf({ generationRef }: UnreportedCost): Promise<ReportedUsage | undefined> {
    try {
      return await this.deps.llm.usageOf?.(generationRef)
    } catch (error) {
      this.deps.log.warn({ err: error }, 'the gateway did not tell what an answer cost')
      return undefined
    }
  }

  private async settle(unreported: UnreportedCost, reported: ReportedUsage | undefined): Promise<void> {
    const { db, charges, channelEvents, log } = this.deps
    if (!reported) log.warn('the gateway told no cost of an answer: it is charged by the tokens that were counted here')
    const { userId, messageId } = unreported
    const updated = await db.transaction(async (tx) => {
      const row = userId === null ? undefined : await findGeneration(tx, subjectOf({ userId }), messageId)
      const { channelId = null, mId = null } = row ?? {}
      // Locks the exchange before the balance, as every transaction does.
      const run = channelId === null || mId === null ? undefined : await lockEndedRun(tx, { channelId, mId, messageId })
      const usage = await charges.settleUnreported(tx, unreported, reported)
      if (!row || !usage) return undefined
      await updateUsage(tx, row, usage)
      // Where the run has written a summary.
      if (userId !== null) await updateSummaryCost(tx, { id: messageId, authorUserId: userId, cost: usage.cost })
      if (run) await addUsage(tx, run, wireUsage(usage))
      return run
    })
    if (userId === null) return
    await charges.publishBalanceChange({ userId })
    if (updated) await channelEvents.exchangeChanged(updated, userId)
  }
}
