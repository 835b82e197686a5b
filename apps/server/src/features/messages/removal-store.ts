import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { messageReceipts, messages } from '../../db/schema/messages'
import { runs } from '../../db/schema/runs'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { clearHeads, resolveHeads } from './public/head-store'
import { deleteMessages } from './public/message-store'
import { deleteSummariesOf } from './summary-store'

/**
 * Erases exchanges of a channel with branches, which stay as tombstones so that what follows them stays where it is.
 * Heads that stood at them move; with the last exchange all tombstones go. The channel must be locked.
 */
export async function eraseExchanges(
  tx: Db,
  which: OwnedChannel,
  mIds: readonly string[],
  removedAt: Date,
): Promise<void> {
  const { userId, channelId } = which
  const ids = [...mIds]
  const noAnswer = {
    ...{
      answer: '',
      answerParts: null,
      isEmpty: false,
      errorCode: null,
      errorContent: null,
      model: null,
      assistantId: null,
    },
    ...{ inputTokens: null, outputTokens: null, cost: null, finishReason: null, durationMs: null },
  }
  await tx
    .update(messages)
    .set({
      ...noAnswer,
      ...{ status: 'stopped', question: '', questionParts: null, folded: '', isPinned: false, removedAt },
      ...{ baseParts: null, runBase: 0, runQuestion: null, previous: null, authorUserId: null, authorName: null },
    })
    .where(and(eq(messages.channelId, channelId), eq(messages.ownerId, userId), inArray(messages.mId, ids)))
  await tx
    .update(runs)
    .set({ ...noAnswer, status: 'stopped', prompt: null, removedAt })
    .where(and(eq(runs.channelId, channelId), eq(runs.ownerId, userId), inArray(runs.mId, ids)))
  await tx
    .delete(messageReceipts)
    .where(and(eq(messageReceipts.channelId, channelId), inArray(messageReceipts.mId, ids)))
  await deleteSummariesOf(tx, which, ids)
  if (await resolveHeads(tx, which)) return
  await deleteMessages(tx, which)
  await clearHeads(tx, which)
}
