import { setTimeout as delay } from 'node:timers/promises'
import type { AnswerParts } from '@parley/contract/answer-parts'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { userIdOf } from '../../plugins/people'
import type { ChannelEvents } from '../channels/public/channel-events'
import { type AnswerOutput, isCostUnreported, tokensOf } from '../credits/public/answer-price'
import type { ChargeService } from '../credits/public/charges'
import { endExchange } from '../messages/public/exchange-end'
import { storeSummary } from '../messages/public/summaries'
import type { Begun } from './begin'
import { exchangeEndOf, outcomeOf, withUsage } from './final-frames'
import { unchargedUsage, wireUsage } from './final-message'
import type { FinalDraft } from './frames'
import { type AnswerUsage, endGeneration, isEndStored } from './generation-store'

export type EndDeps = {
  db: Db
  log: FastifyBaseLogger
  charges: ChargeService
  channelEvents: ChannelEvents
  /** Asks the gateway soon for the cost of an answer that has ended without one. */
  requestCosts: () => void
  now: () => number
}

/**
 * How an answer ended: its final frame, the frame's `seq`, what is charged of what the model wrote, and what it has
 * beside its text.
 */
export type AnswerEnd = {
  final: FinalDraft
  seq: number
  output: AnswerOutput
  parts: AnswerParts
  startedAt: number
}

const maxRetryMs = 5 * 60_000

/**
 * The last phase of an answer, one transaction: its row, its exchange in a cloud channel, and its charge. Returns the
 * final frame with the usage; undefined where another node has taken the answer over. Throws when the database stays
 * away, at once where `isDraining`.
 */
export async function end(
  deps: EndDeps & { isDraining: () => boolean },
  begun: Begun,
  ended: AnswerEnd,
): Promise<FinalDraft | undefined> {
  const { db, charges, now } = deps
  const { claim, exchange, charge, summary } = begun
  const { final, seq, output, parts, startedAt } = ended
  const usage = usageOf(deps, begun, output)
  // An unreported cost is added to the stored row once the gateway reports it.
  const knownUsage = isUnreported(begun, output) ? undefined : usage
  const row = {
    messageId: claim.messageId,
    subject: claim.subject,
    epoch: claim.epoch,
    status: outcomeOf(final),
    seq,
    usage: knownUsage,
    errorCode: 'code' in final ? final.code : undefined,
  }
  const endedAt = new Date(now())
  const exchangeEnd = {
    ...row,
    ...exchangeEndOf(final, output.text),
    ...parts,
    usage: knownUsage && wireUsage(knownUsage),
    durationMs: endedAt.getTime() - startedAt,
  }
  const store = (): Promise<boolean> => {
    if (!exchange && !charge && !summary) return endGeneration(db, row, endedAt)
    return db.transaction(async (tx) => {
      if (!(await endGeneration(tx, row, endedAt))) return false
      if (exchange) await endExchange(tx, exchange, exchangeEnd, endedAt)
      if (summary && final.event === 'end' && !final.message.empty)
        await storeSummary(tx, summary, {
          ...{ id: claim.messageId, authorUserId: userIdOf(claim.subject) ?? null, text: exchangeEnd.text },
          ...{ cost: knownUsage?.cost, at: endedAt },
        })
      // In the same transaction: no answer is over and not charged, or charged and not over.
      if (charge) await charges.settle(tx, charge, output)
      return true
    })
  }
  // A connection may break after the commit and before its confirmation: then the end is stored already.
  const isOwn = await retry(deps, async () => (await store()) || isEndStored(db, row))
  return isOwn ? withUsage(final, usage) : undefined
}

/** Publishes the end of an answer, after its final frame. */
export async function publishEnd(
  { charges, channelEvents, requestCosts }: EndDeps,
  begun: Begun,
  { output }: Pick<AnswerEnd, 'output'>,
): Promise<void> {
  const { claim, exchange, charge, summary } = begun
  const actorId = userIdOf(claim.subject) ?? ''
  if (isUnreported(begun, output)) requestCosts()
  if (charge) await charges.publishBalanceChange(charge)
  if (exchange) await channelEvents.exchangeChanged(exchange, actorId)
  else if (summary) await channelEvents.channelChanged(summary, actorId, { kind: 'summaries' })
}

const isUnreported = ({ charge }: Begun, output: AnswerOutput): boolean =>
  charge !== undefined && isCostUnreported(output)

function usageOf({ charges }: EndDeps, begun: Begun, output: AnswerOutput): AnswerUsage | undefined {
  const { charge } = begun
  if (!charge) return output.usage && unchargedUsage(output.usage)
  const cost = isUnreported(begun, output) ? undefined : charges.priceOf(charge, output)
  return { ...tokensOf(charge, output), cost }
}

/** Bridges a short outage of the database with back-off; a draining node has no time for that. */
async function retry<T>(
  { isDraining, log }: { isDraining: () => boolean; log: FastifyBaseLogger },
  write: () => Promise<T>,
): Promise<T> {
  const giveUpAt = Date.now() + maxRetryMs
  for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2_000)) {
    try {
      return await write()
    } catch (error) {
      if (isDraining() || Date.now() > giveUpAt) throw error
      log.warn({ err: error }, 'the end of an answer is not stored yet')
    }
    await delay(waitMs)
  }
}
