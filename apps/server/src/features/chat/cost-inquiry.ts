import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { subjectOf } from '../../plugins/people'
import type { LlmProvider, Spent } from '../../providers/llm'
import type { ChargeService, Untold } from '../billing/charge-service'
import type { ChannelNews } from '../channels/channel-news-service'
import { addUsage, lockEnded } from '../channels/exchange-service'
import { wireUsage } from './chat-answer'
import { findGeneration, noteUsage } from './generation-store'

type Deps = { db: Db; llm: LlmProvider; charges: ChargeService; news: ChannelNews; log: FastifyBaseLogger }

/**
 * Asks the gateway what answers cost that ended without a word about it: stopped, broken off, or left by a node that died. Their holds stay open meanwhile,
 * and say in the database when the next try is due: every node asks, and whatever one has begun another one finishes.
 */
export class CostInquiry {
  private readonly timers = new Set<NodeJS.Timeout>()
  private asking: Promise<void> | undefined
  private isClosed = false

  constructor(private readonly deps: Deps) {}

  start(): void {
    const timer = setInterval(() => void this.ask(), limits.credits.sweepEveryMs)
    timer.unref()
    this.timers.add(timer)
    void this.ask()
  }

  /** An answer has just ended. */
  soon(): void {
    if (this.isClosed) return
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      void this.ask()
    }, limits.credits.askCostMs + 50)
    timer.unref()
    this.timers.add(timer)
  }

  /** Asks for all whose try is due, one after the other. */
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
    for (let asked = 0; asked < limits.credits.sweepBatch && !this.isClosed; asked++) {
      const untold = await this.deps.charges.takeUntold()
      if (!untold) return
      const spent = await this.spent(untold)
      if (spent || untold.isLastTry) await this.settle(untold, spent)
    }
  }

  private async spent({ generationRef }: Untold): Promise<Spent | undefined> {
    try {
      return await this.deps.llm.spent?.(generationRef)
    } catch (error) {
      this.deps.log.warn({ err: error }, 'the gateway did not tell what an answer cost')
      return undefined
    }
  }

  private async settle(untold: Untold, spent: Spent | undefined): Promise<void> {
    const { db, charges, news, log } = this.deps
    if (!spent) log.warn('the gateway told no cost of an answer: it is charged by the tokens that were counted here')
    const { userId, messageId } = untold
    const place = await db.transaction(async (tx) => {
      const row = userId === null ? undefined : await findGeneration(tx, subjectOf({ userId }), messageId)
      const { channelId = null, mId = null } = row ?? {}
      // Before the balance, as everywhere.
      const standing = channelId === null || mId === null ? undefined : await lockEnded(tx, { channelId, mId, messageId })
      const usage = await charges.settleUntold(tx, untold, spent)
      if (!row || !usage) return undefined
      await noteUsage(tx, row, usage)
      if (standing) await addUsage(tx, standing, wireUsage(usage))
      return standing
    })
    if (userId === null) return
    await charges.settled({ userId })
    if (place) await news.changed(place, userId)
  }
}
