import { serverLimits } from '@parley/contract/limits/server'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { Bus } from '../../providers/bus/bus'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { ChargeService } from '../credits/public/charges'
import { takeOrphan } from './generation-store'
import { endOrphan, type OrphanedAnswer, publishInterrupted } from './orphaned-answer'

type Deps = {
  db: Db
  bus: Bus
  channelEvents: ChannelEvents
  charges: ChargeService
  log: FastifyBaseLogger
  nodeId: string
  now: () => number
  /** The answers that this node writes itself, which are not orphaned whatever their rows say. */
  activeIds: () => string[]
  /** With the embedded database every other owner of a running answer is a former process. */
  isOnlyNode: boolean
}

/**
 * Ends orphaned answers, whose node died, so that no reader waits forever. Every node calls this every
 * `serverLimits.chat.reapEveryMs`; row locks let one of them end an answer.
 */
export function createReaper(deps: Deps): () => Promise<void> {
  let lastReachedAt = Date.now()
  let reachableSince = Number.NEGATIVE_INFINITY
  return async () => {
    try {
      // After an outage of the database or a suspension of this node, the stored heartbeats are old: all nodes get time
      // to renew their leases first.
      if (Date.now() - lastReachedAt > serverLimits.chat.leaseMs) reachableSince = Number.POSITIVE_INFINITY
      if (Date.now() - reachableSince >= 2 * serverLimits.chat.heartbeatMs) await reapAll(deps)
      else await deps.db.execute(sql`select 1`)
      lastReachedAt = Date.now()
      reachableSince = Math.min(reachableSince, lastReachedAt)
    } catch (error) {
      reachableSince = Number.POSITIVE_INFINITY
      deps.log.warn({ err: error }, 'reaping failed')
    }
  }
}

async function reapAll(deps: Deps): Promise<void> {
  const ended: OrphanedAnswer[] = []
  try {
    // Each in a transaction of its own, because a transaction must not lock the balances of two people.
    for (let orphan = await endOne(deps); orphan; orphan = await endOne(deps)) ended.push(orphan)
  } finally {
    // After all are ended, because the bus may be unreachable for a while.
    for (const orphan of ended) await publishEnd(deps, orphan)
    if (ended.length > 0) deps.log.warn({ count: ended.length }, 'ended answers of a node that is gone')
  }
}

/**
 * Ends, marks and charges one answer in one transaction, so that it is never over in one table and running in another.
 */
function endOne({
  db,
  bus,
  charges,
  log,
  nodeId,
  activeIds,
  isOnlyNode,
  now,
}: Deps): Promise<OrphanedAnswer | undefined> {
  const at = new Date(now())
  const expiredBefore = new Date(at.getTime() - serverLimits.chat.leaseMs)
  return db.transaction(async (tx) => {
    const query = { owner: nodeId, expiredBefore, activeIds: activeIds(), isOnlyNode }
    const orphan = await takeOrphan(tx, query, at)
    return orphan && endOrphan(tx, { bus, charges, log }, orphan, at)
  })
}

async function publishEnd({ bus, channelEvents, charges, log }: Deps, ended: OrphanedAnswer): Promise<void> {
  const { userId, isCharged } = ended
  if (isCharged && userId !== undefined) await charges.publishBalanceChange({ userId })
  await channelEvents.answerEnded(ended)
  await publishInterrupted({ bus, log }, ended)
}
