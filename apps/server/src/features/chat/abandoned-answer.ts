import { errorText } from '@parley/contract/errors'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { userIdOf } from '../../plugins/people'
import type { Bus } from '../../providers/bus'
import type { ChargeService } from '../billing/charge-service'
import type { ChannelNews } from '../channels/channel-news-service'
import { addUsage, interruptExchange } from '../channels/exchange-service'
import { wireUsage } from './chat-answer'
import { encodeFrame, shownText } from './frames'
import { type DeadAnswer, noteUsage, type PaidUsage } from './generation-store'

type Deps = { bus: Bus; charges: ChargeService; log: FastifyBaseLogger }

/** An answer that was ended in its writer's place. `place`: where it stands, for a cloud channel. `isPaid`: this very end paid it. */
export type Abandoned = DeadAnswer & {
  userId: string | undefined
  place: Parameters<ChannelNews['changed']>[0] | undefined
  usage: PaidUsage | undefined
  isPaid: boolean
}

/**
 * Marks an answer as interrupted where it is stored and has it paid, in the transaction that takes its row from its writer. The balance comes last.
 * First its log is sealed: from then on nobody is shown more than what is stored here.
 */
export async function endAbandoned(tx: Db, { bus, charges, log }: Deps, dead: DeadAnswer, at: Date): Promise<Abandoned> {
  const { messageId, subject, channelId, mId } = dead
  const entries = await bus.log.seal(messageId).catch((error: unknown) => void log.warn({ err: error }, 'the log of a dead answer was not sealed'))
  const place =
    channelId === null || mId === null
      ? undefined
      : await interruptExchange(
          tx,
          { channelId, mId, messageId },
          { code: 'chat.interrupted', content: errorText('chat.interrupted') },
          entries && shownText(entries),
          at,
        )
  const userId = userIdOf(subject)
  // Nobody waits for ever because of money.
  const notPaid = (error: unknown): undefined => void log.warn({ err: error }, 'a dead answer is not paid yet')
  const settled = userId === undefined ? undefined : await charges.settleAbandoned(tx, { userId, messageId }).catch(notPaid)
  const usage = settled?.usage
  if (usage) {
    await noteUsage(tx, dead, usage)
    if (place) await addUsage(tx, place, wireUsage(usage))
  }
  return { ...dead, userId, place, usage, isPaid: settled?.isNew ?? false }
}

/** Tells the readers of an answer that it is over. Whom this does not reach learns it from the row. */
export async function tellInterrupted({ bus, log }: Pick<Deps, 'bus' | 'log'>, { messageId, mId, usage }: Abandoned): Promise<void> {
  const content = errorText('chat.interrupted')
  const draft = { event: 'error' as const, code: 'chat.interrupted', content, ...(usage && { usage: wireUsage(usage) }) }
  try {
    await bus.log.end(messageId, (seq) => encodeFrame({ messageId, mId: mId ?? messageId }, seq, draft))
  } catch (error) {
    log.warn({ err: error }, 'readers of a dead answer were not told')
  }
}
