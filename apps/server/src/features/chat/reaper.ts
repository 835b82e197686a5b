import { limits } from '@parley/contract/limits'
import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { Bus } from '../../providers/bus'
import type { ChargeService } from '../billing/charge-service'
import type { ChannelNews } from '../channels/channel-news-service'
import { type Abandoned, endAbandoned, tellInterrupted } from './abandoned-answer'
import { takeDead } from './generation-store'

type Deps = {
  db: Db
  bus: Bus
  news: ChannelNews
  charges: ChargeService
  log: FastifyBaseLogger
  nodeId: string
  now: () => number
  /** The answers that this node is writing: of them it knows that they live. */
  living: () => string[]
  /** With the embedded database there is no other node: whatever runs at the start belongs to a process that is gone. */
  isOnlyNode: boolean
}

/** Ends answers whose node died, so that nobody waits for ever. Every node does it; the database lets one of them win. Returns the end of it. */
export function startReaper(deps: Deps): () => void {
  let isBusy = false
  let heardAt = Date.now()
  let reachableSince = Number.NEGATIVE_INFINITY
  const reap = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      // While the database is away, or this node asleep, no heart can be seen: once it is back, all get time to show that they live.
      if (Date.now() - heardAt > limits.chat.leaseMs) reachableSince = Number.POSITIVE_INFINITY
      if (Date.now() - reachableSince >= 2 * limits.chat.heartbeatMs) await reapOnce(deps)
      else await deps.db.execute(sql`select 1`)
      heardAt = Date.now()
      reachableSince = Math.min(reachableSince, heardAt)
    } catch (error) {
      reachableSince = Number.POSITIVE_INFINITY
      deps.log.warn({ err: error }, 'reaping failed')
    } finally {
      isBusy = false
    }
  }
  void reap()
  const timer = setInterval(() => void reap(), limits.chat.reapEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

async function reapOnce(deps: Deps): Promise<void> {
  const ended: Abandoned[] = []
  try {
    // One after the other, each in a transaction of its own: never the balances of two people in one.
    for (let taken = await takeOne(deps); taken; taken = await takeOne(deps)) ended.push(taken)
  } finally {
    // Not before all are ended: the bus may be away for a while.
    for (const taken of ended) await tell(deps, taken)
    if (ended.length > 0) deps.log.warn({ count: ended.length }, 'ended answers of a node that is gone')
  }
}

/** Ends an answer, marks it where it is stored and has it paid, all or nothing: it is never over in the one and running in the other. */
function takeOne({ db, bus, charges, log, nodeId, living, isOnlyNode, now }: Deps): Promise<Abandoned | undefined> {
  const at = new Date(now())
  return db.transaction(async (tx) => {
    const dead = await takeDead(tx, { owner: nodeId, deadBefore: new Date(at.getTime() - limits.chat.leaseMs), living: living(), isOnlyNode }, at)
    return dead && endAbandoned(tx, { bus, charges, log }, dead, at)
  })
}

async function tell({ bus, news, charges, log }: Deps, ended: Abandoned): Promise<void> {
  const { userId, place, isPaid } = ended
  if (isPaid && userId !== undefined) await charges.settled({ userId })
  if (place) await news.changed(place, userId ?? '')
  await tellInterrupted({ bus, log }, ended)
}
