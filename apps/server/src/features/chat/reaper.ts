import { errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import type { Bus } from '../../providers/bus'
import type { ChargeService } from '../billing/charge-service'
import type { ChannelNews } from '../channels/channel-news-service'
import { type Abandoned, endAbandoned } from './abandoned-answer'
import { wireUsage } from './chat-answer'
import { encodeFrame, type RunIds } from './frames'
import { type PaidUsage, takeDead } from './generation-store'

type Deps = {
  db: Db
  bus: Bus
  news: ChannelNews
  charges: ChargeService
  log: FastifyBaseLogger
  nodeId: string
  now: () => number
  /** With the embedded database there is no other node: whatever runs at the start belongs to a process that is gone. */
  isOnlyNode: boolean
}

/** Ends answers whose node died, so that nobody waits for ever. Every node does it; the database lets one of them win. Returns the end of it. */
export function startReaper(deps: Deps): () => void {
  let isBusy = false
  let restsUntil = 0
  const reap = async (): Promise<void> => {
    if (isBusy || deps.now() < restsUntil) return
    isBusy = true
    try {
      await reapOnce(deps)
    } catch (error) {
      // While the database is away no heart can be seen, this node's own included: all get time to show that they live.
      restsUntil = deps.now() + 2 * limits.chat.heartbeatMs
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
function takeOne({ db, charges, log, nodeId, isOnlyNode, now }: Deps): Promise<Abandoned | undefined> {
  const at = new Date(now())
  return db.transaction(async (tx) => {
    const dead = await takeDead(tx, { owner: nodeId, deadBefore: new Date(at.getTime() - limits.chat.leaseMs), isOnlyNode }, at)
    return dead && endAbandoned(tx, { charges, log }, dead, at)
  })
}

async function tell({ bus, news, charges, log }: Deps, { messageId, mId, userId, place, usage, isPaid }: Abandoned): Promise<void> {
  if (isPaid && userId !== undefined) await charges.settled({ userId })
  if (place) await news.changed(place, userId ?? '')
  // Whom this does not reach learns it from the row.
  await endLog(bus, { messageId, mId: mId ?? messageId }, usage).catch((error: unknown) => log.warn({ err: error }, 'readers of a dead answer were not told'))
}

async function endLog(bus: Bus, ids: RunIds, usage: PaidUsage | undefined): Promise<void> {
  const { messageId } = ids
  if (!(await bus.log.exists(messageId))) return
  const seq = (await bus.log.lastSeq(messageId)) + 1
  const content = errorText('chat.interrupted')
  const frame = encodeFrame(ids, seq, { event: 'error', code: 'chat.interrupted', content, ...(usage && { usage: wireUsage(usage) }) })
  await bus.log.append(messageId, { seq, frame })
  await bus.log.finish(messageId)
}
