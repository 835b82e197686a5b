import type { StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { FilePart } from '@parley/contract/parts'
import { uuidv7 } from '@parley/contract/uuid'
import { forgetNewChatSettings } from '../channels/chat-settings'
import { requestPersistence } from '../channels/device-storage'
import { cloudChannels, findHome, homes } from '../channels/homes'
import { outbox } from '../channels/outbox'
import { forgetRuns } from '../channels/runs-left-behind'
import { askChat } from './ask-chat'
import { abandonRuns, stopRun } from './chat-engine'
import { dropRuns } from './drop-runs'
import { followedAnswers } from './follow-answers'
import { pauseQueue } from './queue-state'

type SendResult = { channelId: string; isNewChannel: boolean }
/** `mode`: the home of a new channel, unless it is a temporary one. */
type SendRequest = {
  channelId: string | undefined
  text: string
  files?: readonly FilePart[]
  mode: StorageMode
  isTemporary?: boolean
}

/**
 * Sends a question: in a new channel when there is none. It is stored on the device before it is sent, so that it
 * survives any failure. Undefined for a repetition of a question in this channel whose answer is in progress, or when
 * credits are missing. Throws AppError; then nothing was sent and no channel was created.
 */
export async function sendMessage({
  channelId,
  text,
  files = [],
  mode,
  isTemporary = false,
}: SendRequest): Promise<SendResult | undefined> {
  const outcome = await askChat({
    ...{ kind: 'question', id: uuidv7(), channelId, text: text.trim(), files, mode, isTemporary },
  })
  if (outcome.kind !== 'stored') return undefined
  if (outcome.isNewChannel) forgetNewChatSettings()
  void requestPersistence()
  return { channelId: outcome.channelId, isNewChannel: outcome.isNewChannel }
}

/**
 * Stops the answer to this person's question in a channel, on whichever device it was asked; the partial text stays.
 */
export async function stopAnswer(channelId: string): Promise<void> {
  followedAnswers.stop((message) => message.channelId === channelId && message.author === undefined)
  for (const { body } of await outbox.list()) if (body.channelId === channelId) stopRun(body.messageId)
}

/** Stops the answer to another person's question in a channel of this person. */
export function stopAnswerOf({ channelId, mId }: Pick<Message, 'channelId' | 'mId'>): void {
  followedAnswers.stop((message) => message.channelId === channelId && message.mId === mId)
}

/** Stops and abandons the runs of a channel, or of one message, before it is cleared or deleted. */
export async function dropAnswers(channelId: string, mId?: string): Promise<void> {
  // What waits must not be sent because the answer before it was stopped for this.
  if (mId === undefined) pauseQueue(channelId)
  await dropRuns((entry) => entry.body.channelId === channelId && (mId === undefined || entry.mId === mId), {
    stop: stopRun,
    abandon: (messageId) => abandonRuns([messageId]),
  })
}

export async function deleteMessage(channelId: string, mId: string): Promise<void> {
  await dropAnswers(channelId, mId)
  const home = await findHome(channelId)
  // Where the chat is in both homes, the other copy would restore the message.
  if (home === homes.local && cloudChannels.isKnown(channelId)) await cloudChannels.removeMessage(channelId, mId)
  await home.removeMessage(channelId, mId)
  if (home === homes.cloud) await forgetRuns(channelId, mId)
}
