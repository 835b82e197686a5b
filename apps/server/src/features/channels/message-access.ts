import { AppError } from '@parley/contract/errors'
import type { Db } from '../../db/client'
import { type Access, type Asker, findAccess } from './access-service'
import type { MessageRow } from './message-row'
import { channelsWith, findMessage } from './message-store'
import { isStorable } from './stored-text'

/** Without the channel the id must tell alone which message is meant. */
export type AskedMessage = Omit<Asker, 'channelId'> & { channelId: string | undefined; mId: string }

/** A message that this person can see. Throws not-found; validation where the id alone names several. */
export async function requireMessage(db: Db, { actorId, channelId, mId }: AskedMessage): Promise<{ access: Access; row: MessageRow }> {
  if (!isStorable(mId)) throw new AppError('not-found')
  const [found, ...others] = channelId === undefined ? await channelsWith(db, actorId, mId) : [channelId]
  if (others.length > 0) throw new AppError('validation')
  const access = found === undefined ? undefined : await findAccess(db, { actorId, channelId: found })
  const row = access && (await findMessage(db, { ...access, mId }))
  if (!row) throw new AppError('not-found')
  return { access, row }
}
