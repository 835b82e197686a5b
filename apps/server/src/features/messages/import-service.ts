import type { Message } from '@parley/contract/chat'
import type { channelRoutes } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { compareVersions } from '@parley/contract/message-versions'
import type * as z from 'zod/mini'
import type { Db } from '../../db/client'
import { type AccessRequest, lockForWriting } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { lockExchange, updateExchange } from './exchange-store'
import { existingIds } from './message-lookup-store'
import { hasBranches, replaceRun } from './public/head-store'
import { importedRow, messageOf, shownRunOf } from './public/message-row'
import { appendMessages, countMessages, countStanding } from './public/message-store'
import { isStorable, toStored } from './public/stored-text'

type Deps = { db: Db; events: ChannelEvents; now: () => number }
type ImportRequest = z.infer<(typeof channelRoutes.importMessages)['body']>

/** Adds messages from a file or from another copy of the channel. */
export class ImportService {
  constructor(private readonly deps: Deps) {}

  /**
   * Imports all messages or none. Messages that the channel already has stay as they are, unless `takesNewer` replaces
   * those whose imported version is newer. The channel's last activity does not change. Throws validation,
   * channel.not-found, channel.read-only, channel.owner-only.
   */
  async import(
    request: AccessRequest,
    { messages: imported, takesNewer = false }: ImportRequest,
  ): Promise<{ added: number; existing: number; total: number }> {
    const { db, events, now } = this.deps
    for (const { mId } of imported) if (!isStorable(mId)) throw new AppError('validation')
    const { channel, replaced, ...result } = await db.transaction(async (tx) => {
      const channel = await lockForWriting(tx, request)
      const isOwner = channel.role === 'owner'
      // In another person's channel only the server writes answers.
      if (!isOwner && imported.some(({ chat_response }) => chat_response.content !== ''))
        throw new AppError('channel.owner-only')
      const mIds = imported.map(({ mId }) => mId)
      const existing = await existingIds(tx, channel, mIds)
      const added = imported
        .filter(({ mId }, index) => !existing.has(mId) && mIds.indexOf(mId) === index)
        .map((message) => ({
          ...importedRow(message, channel.channelId, new Date(now())),
          ...authorOf(message, request.actorId, isOwner),
        }))
      await appendMessages(tx, channel, channel.lastPosition, added)
      const replaced =
        takesNewer && isOwner
          ? await this.replaceOlder(
              tx,
              channel,
              imported.filter(({ mId }) => existing.has(mId)),
            )
          : 0
      return {
        channel,
        replaced,
        added: added.length,
        existing: imported.length - added.length,
        total: await ((await hasBranches(tx, channel)) ? countStanding : countMessages)(tx, channel),
      }
    })
    if (result.added + replaced > 0) await events.channelChanged(channel, request.actorId)
    return result
  }

  /** Skips an answer that is being written, whose run may be the newer one. Returns how many messages were replaced. */
  private async replaceOlder(tx: Db, channel: OwnedChannel, imported: readonly Message[]): Promise<number> {
    let replaced = 0
    for (const message of imported) {
      const row = await lockExchange(tx, { ...channel, mId: message.mId })
      if (!row || row.status === 'streaming' || !((compareVersions(message, messageOf(row)) ?? 0) > 0)) continue
      const imported = importedRow(message, channel.channelId, new Date(this.deps.now()))
      const { channelId: _channel, mId, questionParts: _parts, ...change } = imported
      await updateExchange(tx, { ...channel, mId }, change)
      if (await hasBranches(tx, channel))
        await replaceRun(tx, channel, shownRunOf(row), message.run?.messageId ?? shownRunOf(row))
      replaced++
    }
    return replaced
  }
}

/** The importing person, unless an owner imports messages that name another author. */
function authorOf(
  { author }: Message,
  actorId: string,
  isOwner: boolean,
): { authorUserId: string | null; authorName: string | null } {
  return author && isOwner
    ? { authorUserId: null, authorName: toStored(author.name) }
    : { authorUserId: actorId, authorName: null }
}
