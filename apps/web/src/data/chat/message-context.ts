import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { cloudChannels, findChannel, homeOf, homes } from '../channels/homes'
import { type PathExchange, readPathBefore } from './path-before'

/** `before`: what was said before the message, in a chat of this device; the cloud has it already. */
export type MessageContext = { message: Message; before: PathExchange[]; channel: Channel }

/** A message that is asked anew. Throws channel.not-found, not-found. */
export async function messageWithContext(channelId: string, mId: string): Promise<MessageContext> {
  const channel = await findChannel(channelId)
  if (!channel) throw new AppError('channel.not-found')
  const home = homeOf(channel)
  const message = await home.message(channelId, mId)
  if (!message) throw new AppError('not-found')
  if (home === homes.cloud) return { message, before: [], channel }
  return { message, before: (await readPathBefore(home, channelId, mId)).exchanges, channel }
}

/**
 * A branch in one copy of a chat that is in both homes would be mixed with the other copy's messages. `mId`: a message
 * whose answer is asked for anew, which begins none where it is the last one.
 */
export async function isBranchable(channel: Channel, mId?: string): Promise<boolean> {
  const home = homeOf(channel)
  if (home === homes.cloud || !cloudChannels.isKnown(channel.id)) return true
  const { messages } = await home.messages(channel.id, { limit: 1 })
  return mId !== undefined && messages.at(-1)?.mId === mId
}
