import { errorText } from '@parley/contract/errors'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client'
import { userIdOf } from '../../plugins/people'
import type { Bus } from '../../providers/bus/bus'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import type { ChargeService } from '../credits/public/charges'
import { addUsage, interruptExchange } from '../messages/public/exchange-end'
import { wireUsage } from './final-message'
import { encodeFrame, shownAnswer } from './frames'
import { type AnswerUsage, type OrphanedGeneration, updateUsage } from './generation-store'

type Deps = { bus: Bus; charges: ChargeService; log: FastifyBaseLogger }

/** An answer that was ended in the place of its writer. `channel`: its cloud channel. `isCharged`: by this end. */
export type OrphanedAnswer = OrphanedGeneration & {
  userId: string | undefined
  channel: OwnedChannel | undefined
  usage: AnswerUsage | undefined
  isCharged: boolean
}

/**
 * Marks an orphaned answer as interrupted and charges it, in the transaction that takes its row from its writer. Seals
 * its stream log first, so that no reader is shown more than is stored here. Locks the balance last.
 */
export async function endOrphan(
  tx: Db,
  { bus, charges, log }: Deps,
  orphan: OrphanedGeneration,
  at: Date,
): Promise<OrphanedAnswer> {
  const { messageId, subject, channelId, mId } = orphan
  const entries = await bus.log
    .seal(messageId)
    .catch((error: unknown) => void log.warn({ err: error }, 'the log of a dead answer was not sealed'))
  const run =
    channelId === null || mId === null
      ? undefined
      : await interruptExchange(
          tx,
          { channelId, mId, messageId },
          { code: 'chat.interrupted', content: errorText('chat.interrupted') },
          entries && shownAnswer(entries),
          at,
        )
  const userId = userIdOf(subject)
  // A failure to charge must not keep the answer running for its readers; the sweeper settles the hold.
  const notCharged = (error: unknown): undefined => void log.warn({ err: error }, 'a dead answer is not paid yet')
  const settled =
    userId === undefined ? undefined : await charges.settleAbandoned(tx, { userId, messageId }).catch(notCharged)
  const usage = settled?.usage
  if (usage) {
    await updateUsage(tx, orphan, usage)
    if (run) await addUsage(tx, run, wireUsage(usage))
  }
  return { ...orphan, userId, channel: run, usage, isCharged: settled?.isNew ?? false }
}

/** Ends the stream log for the readers. A reader whom this does not reach learns the end from the row. */
export async function publishInterrupted(
  { bus, log }: Pick<Deps, 'bus' | 'log'>,
  { messageId, mId, usage }: OrphanedAnswer,
): Promise<void> {
  const content = errorText('chat.interrupted')
  const draft = {
    event: 'error' as const,
    code: 'chat.interrupted',
    content,
    ...(usage && { usage: wireUsage(usage) }),
  }
  try {
    await bus.log.end(messageId, (seq) => encodeFrame({ messageId, mId: mId ?? messageId }, seq, draft))
  } catch (error) {
    log.warn({ err: error }, 'readers of a dead answer were not told')
  }
}
