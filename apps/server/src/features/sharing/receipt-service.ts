import type { Reader } from '@parley/contract/receipts'
import type { Db } from '../../db/client'
import { displayNamesOf } from '../auth/public/display-name'
import { type AccessRequest, requireAccess } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import { peopleIn } from '../channels/public/channel-people-store'
import { type MessageRequest, requireMessage } from '../messages/public/message-access'
import { isStorable } from '../messages/public/stored-text'
import { authorsOf, insertReceived, markRead, receiptsFor } from './receipt-store'

type Deps = { db: Db; events: ChannelEvents; now: () => number }

/**
 * Who has received and read which message of a cloud channel. Throws channel.not-found, and not-found for a message.
 */
export class ReceiptService {
  constructor(private readonly deps: Deps) {}

  async receive(request: MessageRequest): Promise<void> {
    const { db, events, now } = this.deps
    const { access, row } = await requireMessage(db, request)
    if ((await insertReceived(db, access, request.actorId, new Date(now()), row.mId)) > 0)
      await events.receiptsChanged(access, request.actorId)
  }

  async read(request: MessageRequest): Promise<void> {
    const { db, events, now } = this.deps
    const { access, row } = await requireMessage(db, request)
    if ((await markRead(db, access, request.actorId, new Date(now()), row.mId)) > 0)
      await events.receiptsChanged(access, request.actorId)
  }

  /** Marks all messages as read. Returns how many were unread. */
  async readConversation(request: AccessRequest): Promise<number> {
    const { db, events, now } = this.deps
    const access = await requireAccess(db, request)
    const read = await markRead(db, access, request.actorId, new Date(now()))
    if (read > 0) await events.receiptsChanged(access, request.actorId)
    return read
  }

  /** The receipts of everybody who is in the channel now, except the author; unknown ids are left out. */
  async readers(request: AccessRequest, mIds: readonly string[]): Promise<{ mId: string; readers: Reader[] }[]> {
    const { db } = this.deps
    const access = await requireAccess(db, request)
    const storable = mIds.filter(isStorable)
    if (storable.length === 0) return []
    const people = await peopleIn(db, access)
    const names = await displayNamesOf(db, people)
    const receipts = await receiptsFor(db, access, storable)
    return (await authorsOf(db, access, storable)).map(({ mId, authorUserId }) => ({
      mId,
      readers: people
        .filter((userId) => userId !== authorUserId)
        .map((userId) => {
          const receipt = receipts.find((each) => each.mId === mId && each.userId === userId)
          const [received, read] = [receipt?.receivedAt.toISOString() ?? null, receipt?.readAt?.toISOString() ?? null]
          return { userId, name: names.get(userId) ?? '', received, read }
        }),
    }))
  }
}
