import { AppError } from '@parley/contract/errors'
import type { Db } from '../../../db/client'
import { type AccessRequest, type ChannelAccess, findAccess } from '../../channels/public/channel-access'
import { channelsWith, findMessage } from '../message-lookup-store'
import type { MessageRow } from './message-row'
import { isStorable } from './stored-text'

/** `actorId` wants to use a message. Without `channelId` the message id alone has to identify it. */
export type MessageRequest = Omit<AccessRequest, 'channelId'> & { channelId: string | undefined; mId: string }

/** Throws not-found for a message that the person cannot see, validation where the id alone matches several. */
export async function requireMessage(
  db: Db,
  { actorId, channelId, mId }: MessageRequest,
): Promise<{ access: ChannelAccess; row: MessageRow }> {
  if (!isStorable(mId)) throw new AppError('not-found')
  const [found, ...others] = channelId === undefined ? await channelsWith(db, actorId, mId) : [channelId]
  if (others.length > 0) throw new AppError('validation')
  const access = found === undefined ? undefined : await findAccess(db, { actorId, channelId: found })
  const row = access && (await findMessage(db, { ...access, mId }))
  if (!row) throw new AppError('not-found')
  return { access, row }
}
