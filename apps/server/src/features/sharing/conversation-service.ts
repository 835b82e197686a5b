import { serverLimits } from '@parley/contract/limits/server'
import type { ConversationMessage, MessageMeta } from '@parley/contract/receipts'
import type { Db } from '../../db/client'
import { peopleInEach } from '../channels/public/channel-people-store'
import { listChannels } from '../channels/public/visible-channel-store'
import { type MessageRow, messageOf } from '../messages/public/message-row'
import { newestOfEach } from '../messages/public/message-store'
import { countDirectMessages, directMessages } from './conversation-store'
import { type Receipt, receiptsOfAll } from './receipt-store'

type Paging = { page?: number | undefined; size?: number | undefined }

/** Messages of cloud channels with who sent them to whom, and when they were received and read. */
export class ConversationService {
  constructor(private readonly deps: { db: Db }) {}

  /** The newest answered messages of each channel; keys are `{channelId}_{assistantId}`. */
  async byChannel(
    actorId: string,
    { page = 0, size = serverLimits.sharing.conversationPage }: Paging,
  ): Promise<Record<string, ConversationMessage[]>> {
    const { db } = this.deps
    const channels = await listChannels(db, actorId, { page, size })
    const owned = channels.map(({ id, userId }) => ({ userId, channelId: id }))
    const messages = await this.withMeta(actorId, await newestOfEach(db, owned, serverLimits.sharing.conversationPage))
    return Object.fromEntries(
      channels.map(({ id, assistantId }) => [
        `${id}_${assistantId ?? ''}`,
        messages.filter(({ channelId, chat_response }) => channelId === id && chat_response.content.trim() !== ''),
      ]),
    )
  }

  /** What others wrote in shared channels, newest first. */
  async directMessages(actorId: string, { page = 0, size = serverLimits.sharing.conversationPage }: Paging) {
    const { db } = this.deps
    const rows = await directMessages(db, actorId, { page, size })
    return { content: await this.withMeta(actorId, rows), page, size, total: await countDirectMessages(db, actorId) }
  }

  /** Takes the same number of queries for messages of any number of channels. */
  private async withMeta(actorId: string, rows: readonly MessageRow[]): Promise<ConversationMessage[]> {
    const { db } = this.deps
    const owned = [
      ...new Map(rows.map(({ ownerId, channelId }) => [channelId, { userId: ownerId, channelId }])).values(),
    ]
    const [people, receipts] = [await peopleInEach(db, owned), await receiptsOfAll(db, rows)]
    return rows.map((row) => {
      const { mId, channelId, chat_request, chat_response, datetime } = messageOf(row)
      return {
        mId,
        channelId,
        chat_request,
        chat_response: { content: chat_response.content },
        time: datetime,
        meta: metaOf(row, datetime, {
          actorId,
          people: people.get(channelId) ?? [],
          receipts: receipts.filter((receipt) => receipt.channelId === channelId && receipt.mId === mId),
        }),
      }
    })
  }
}

/** A reader sees their own receipt; the sender sees when the last of the others received and read the message. */
function metaOf(
  row: MessageRow,
  sent: string,
  { actorId, people, receipts }: { actorId: string; people: readonly string[]; receipts: readonly Receipt[] },
): MessageMeta {
  const sender = row.authorUserId
  const receiptOf = (userId: string) => receipts.find((receipt) => receipt.userId === userId)
  if (sender !== actorId) {
    const own = receiptOf(actorId)
    return {
      sender,
      receiver: actorId,
      sent,
      received: own?.receivedAt.toISOString() ?? null,
      read: own?.readAt?.toISOString() ?? null,
    }
  }
  const others = people.filter((id) => id !== sender)
  const receiptsOfOthers = others.map(receiptOf)
  const [only, ...more] = others
  return {
    sender,
    receiver: more.length === 0 ? (only ?? null) : null,
    sent,
    received: latest(receiptsOfOthers.map((receipt) => receipt?.receivedAt)),
    read: latest(receiptsOfOthers.map((receipt) => receipt?.readAt ?? undefined)),
  }
}

/** The time at which the last reader was done; null while one is missing, and where there is none. */
function latest(times: readonly (Date | undefined)[]): string | null {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 || known.length < times.length
    ? null
    : new Date(Math.max(...known.map(Number))).toISOString()
}
