import type { Channel } from '@parley/contract/channels'
import { isOver, type Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { receiptRoutes } from '@parley/contract/receipts'
import { uuidv7 } from '@parley/contract/uuid'
import { api } from '../api/api'
import { announce } from '../local/changes'
import { bareMessage } from './bare-message'
import { canTakeForwards } from './capabilities'
import { cloudChannels, findHome } from './homes'
import { localChannels } from './local-channels'

/**
 * Whether a message of one channel can be forwarded to another. Another person's channel accepts no message of a
 * device, because nothing proves that a model wrote its answer.
 */
export function canForwardTo(target: Channel, from: Pick<Channel, 'id' | 'isLocalChannel'>): boolean {
  if (target.id === from.id || !canTakeForwards(target)) return false
  return !from.isLocalChannel || target.role === undefined
}

/**
 * Copies a message to the end of other channels, in the name of the person who forwards it. From cloud to cloud the
 * server copies, into all channels or none; every other copy is made here. Throws AppError; channels before the failed
 * one have the copy.
 */
export async function forwardMessage(
  { channelId, mId }: Pick<Message, 'channelId' | 'mId'>,
  targets: readonly Channel[],
): Promise<void> {
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

/** Copies the texts and what they cite, not the thinking, the cost or the run. */
function copyOf(message: Message, channelId: string): Message {
  const { author: _author, run: _run, usage: _usage, reasoning: _reasoning, ...said } = bareMessage(message)
  return { ...said, channelId, mId: uuidv7(), datetime: new Date().toISOString(), forwarded: true }
}
