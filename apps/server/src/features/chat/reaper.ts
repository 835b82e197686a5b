import { errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { userIdOf } from '../../plugins/people'
import type { Bus } from '../../providers/bus'
import type { ChannelNews } from '../channels/channel-news-service'
import { interruptExchange } from '../channels/exchange-service'
import { encodeFrame, type RunIds } from './frames'
import { takeDead } from './generation-store'

type Deps = {
  db: Db
  bus: Bus
  news: ChannelNews
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

type Interrupted = { place: Parameters<ChannelNews['changed']>[0]; actorId: string }

async function reapOnce({ db, bus, news, log, nodeId, isOnlyNode, now }: Deps): Promise<void> {
  const at = new Date(now())
  // A cloud answer is marked together with its row: it is never over in the one and running in the other.
  const { taken: dead, places } = await db.transaction(async (tx) => {
    const taken = await takeDead(tx, { owner: nodeId, deadBefore: new Date(at.getTime() - limits.chat.leaseMs), isOnlyNode }, at)
    const places: Interrupted[] = []
    for (const { messageId, subject, channelId, mId } of taken) {
      if (channelId === null || mId === null) continue
      const place = await interruptExchange(tx, { channelId, mId, messageId }, { code: 'chat.interrupted', content: errorText('chat.interrupted') }, at)
      if (place) places.push({ place, actorId: userIdOf(subject) ?? '' })
    }
    return { taken, places }
  })
  for (const { place, actorId } of places) await news.changed(place, actorId)
  for (const { messageId, mId } of dead) {
    // Whom this does not reach learns it from the row.
    await endLog(bus, { messageId, mId: mId ?? messageId }).catch((error: unknown) => log.warn({ err: error }, 'readers of a dead answer were not told'))
  }
  if (dead.length > 0) log.warn({ count: dead.length }, 'ended answers of a node that is gone')
}

async function endLog(bus: Bus, ids: RunIds): Promise<void> {
  const { messageId } = ids
  if (!(await bus.log.exists(messageId))) return
  const seq = (await bus.log.lastSeq(messageId)) + 1
  const frame = encodeFrame(ids, seq, { event: 'error', code: 'chat.interrupted', content: errorText('chat.interrupted') })
  await bus.log.append(messageId, { seq, frame })
  await bus.log.finish(messageId)
}
