import { isOver, type Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { foldedMessage } from '@parley/contract/search-text'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import { lockForWriting } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { answerColumns, finalStatus } from './answer-columns'
import { type MessageRequest, requireMessage } from './public/message-access'
import type { MessageRow } from './public/message-row'
import { appendMessages } from './public/message-store'
import { readPath, shownMessages } from './public/shown-messages'
import { toStoredAnswerParts } from './public/stored-parts'

type Deps = { db: Db; events: ChannelEvents; now: () => number }

/** Copies a message into other channels. */
export class ForwardService {
  constructor(private readonly deps: Deps) {}

  /**
   * The person who forwards is the author of the copies. Forwards to all targets or to none. Throws not-found,
   * channel.answering; for a target channel.not-found, channel.read-only.
   */
  async forward(request: MessageRequest, channelIds: readonly string[]): Promise<{ channelId: string; mId: string }[]> {
    const { db, events } = this.deps
    const now = new Date(this.deps.now())
    const { access, row } = await requireMessage(db, request)
    const [shown] = await shownMessages(db, access, [row], await readPath(db, access))
    if (!shown || !isOver(shown)) throw new AppError('channel.answering')
    // Every request locks its targets in the same order, so that two of them cannot deadlock.
    const targets = [...new Set(channelIds)].sort()
    const copies = await db.transaction(async (tx) => {
      const copies: (OwnedChannel & { mId: string })[] = []
      for (const channelId of targets) {
        const { userId, lastPosition } = await lockForWriting(tx, { actorId: request.actorId, channelId })
        const mId = uuidv7()
        await appendMessages(tx, { userId, channelId }, lastPosition, [
          copyOf(row, shown, { channelId, mId, actorId: request.actorId, now }),
        ])
        copies.push({ userId, channelId, mId })
      }
      return copies
    })
    for (const copy of copies) await events.exchangeChanged(copy, request.actorId)
    return copies.map(({ channelId, mId }) => ({ channelId, mId }))
  }
}

/**
 * Copies the content as it was shown, with its sources, but neither the thinking, the cost nor the run that wrote it.
 */
function copyOf(
  row: MessageRow,
  shown: Message,
  { channelId, mId, actorId, now }: { channelId: string; mId: string; actorId: string; now: Date },
) {
  const {
    ownerId: _owner,
    position: _position,
    cost: _cost,
    answerParts: _answerParts,
    baseParts: _baseParts,
    runMessageId: _run,
    runSeq: _seq,
    runBase: _base,
    runQuestion: _question,
    afterRunId: _after,
    isPinned: _isPinned,
    ...content
  } = row
  const { cost: _shownCost, answerParts: _shownParts, ...answer } = answerColumns(shown)
  return {
    ...content,
    ...answer,
    answerParts: toStoredAnswerParts({ read: shown.read, sources: shown.sources }),
    status: finalStatus(shown.status),
    channelId,
    mId,
    authorUserId: actorId,
    authorName: null,
    isForwarded: true,
    askedAt: now.toISOString(),
    updatedAt: now,
    folded: foldedMessage(shown.chat_request, shown.chat_response.content),
  }
}
