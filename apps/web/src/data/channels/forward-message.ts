import type { Channel } from '@parley/contract/channels'
import { isOver, type Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { receiptRoutes } from '@parley/contract/receipts'
import { uuidv7 } from '@parley/contract/uuid'
import { api } from '../http/api'
import { announce } from '../local/changes'
import { cloudChannels, findHome } from './homes'
import { localChannels } from './local-channels'

/** Whether a message of one channel can be put into another. What a device says that models answered, only its own channels believe. */
export function canForwardTo(target: Channel, from: Pick<Channel, 'id' | 'isLocalChannel'>): boolean {
  if (target.id === from.id || target.role === 'read') return false
  return !from.isLocalChannel || target.role === undefined
}

/**
 * Puts a copy of a message at the end of other channels, in the name of whoever forwards. From cloud to cloud the server copies, into all channels or none; whatever
 * begins or ends on this device is copied here. Throws AppError; channels before the one that failed have the copy.
 */
export async function forwardMessage({ channelId, mId }: Pick<Message, 'channelId' | 'mId'>, targets: readonly Channel[]): Promise<void> {
  const home = await findHome(channelId)
  const message = await home.message(channelId, mId)
  if (!message) throw new AppError('not-found')
  if (!isOver(message)) throw new AppError('channel.answering')
  const inCloud = targets.filter(({ isLocalChannel }) => !isLocalChannel)
  if (home === cloudChannels && inCloud.length > 0)
    await api(receiptRoutes.forward, { body: { messageId: mId, channelId, channelIds: inCloud.map(({ id }) => id) } })
  else for (const { id } of inCloud) await cloudChannels.importMessages(id, [copyOf(message, id)])
  for (const { id, isLocalChannel } of targets) if (isLocalChannel) await localChannels.put(copyOf(message, id))
  for (const { id } of targets) announce({ kind: 'messages', channelId: id })
  announce({ kind: 'channels' })
}

/** Of what was said, not of what it cost and which run wrote it. */
function copyOf({ author: _author, run: _run, usage: _usage, ...said }: Message, channelId: string): Message {
  return { ...said, channelId, mId: uuidv7(), datetime: new Date().toISOString(), forwarded: true }
}
