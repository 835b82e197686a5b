import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import { subjectOf } from '../../plugins/people'
import { type AccessRequest, requireAccess } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import { lockChannel } from '../channels/public/channel-row-store'
import { deleteMessage, deleteMessagesBy, findMessage } from './message-lookup-store'
import { type MessageRequest, requireMessage } from './public/message-access'
import { messagesForReader } from './public/messages-for-reader'
import { type RunningAnswer, runningAnswersIn } from './public/running-answer-store'
import { readPath } from './public/shown-messages'
import { isStorable } from './public/stored-text'
import { eraseExchanges } from './removal-store'

type Deps = {
  db: Db
  events: ChannelEvents
  /** Aborts answers whose messages were deleted. */
  stopAnswers: (running: readonly RunningAnswer[]) => Promise<void>
  now: () => number
}

/** Single messages of cloud channels. Throws channel.not-found, and not-found for a message. */
export class MessageService {
  constructor(private readonly deps: Deps) {}

  async get({ mId, ...request }: AccessRequest & { mId: string }): Promise<Message> {
    const { db } = this.deps
    const which = await requireAccess(db, request)
    const row = isStorable(mId) ? await findMessage(db, { ...which, mId }) : undefined
    const [message] = await messagesForReader(db, which, row ? [row] : [], row && (await readPath(db, which)))
    if (!message) throw new AppError('not-found')
    return message
  }

  /**
   * The owner may delete any message, a member only their own. What follows it stays, and all versions of its answer go
   * with it. Throws channel.not-author.
   */
  async remove(request: MessageRequest): Promise<void> {
    const { db, events, stopAnswers, now } = this.deps
    const { access, row } = await requireMessage(db, request)
    const isOwner = access.role === 'owner'
    if (!isOwner && row.authorUserId !== request.actorId) throw new AppError('channel.not-author')
    const isDeleted = await db.transaction(async (tx) => {
      // The exchange that follows is linked to another one: locked as by whoever writes one of them.
      const channel = await lockChannel(tx, access)
      const which = { ...access, mId: row.mId }
      if (!channel || channel.headRunId === null) return deleteMessage(tx, which, isOwner ? undefined : request.actorId)
      const standing = await findMessage(tx, which)
      if (!standing || (!isOwner && standing.authorUserId !== request.actorId)) return false
      await eraseExchanges(tx, access, [row.mId], new Date(now()))
      return true
    })
    if (!isDeleted) throw new AppError('not-found')
    await stopAnswers(await runningAnswersIn(db, [access.channelId], row.mId))
    await events.exchangeChanged({ ...access, mId: row.mId }, request.actorId)
  }

  /** Deletes everything that this person wrote, except in locked channels. Returns how many messages were deleted. */
  async removeOwn(actorId: string): Promise<number> {
    const { db, events, stopAnswers, now } = this.deps
    const { deleted, running } = await db.transaction(async (tx) => {
      const { deleted, toErase } = await deleteMessagesBy(tx, actorId)
      for (const { mIds, ...channel } of toErase) {
        await eraseExchanges(tx, channel, mIds, new Date(now()))
        deleted.push(...mIds.map(() => channel))
      }
      const inChannels = await runningAnswersIn(tx, [...new Set(deleted.map(({ channelId }) => channelId))])
      return { deleted, running: inChannels.filter(({ subject }) => subject === subjectOf({ userId: actorId })) }
    })
    await stopAnswers(running)
    for (const channel of new Map(deleted.map((each) => [each.channelId, each])).values())
      await events.channelChanged(channel, actorId)
    return deleted.length
  }
}
