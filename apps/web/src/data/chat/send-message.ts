import type { Channel, StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { ChatSettings } from '@parley/contract/chat-settings'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { FilePart } from '@parley/contract/parts'
import { uuidv7 } from '@parley/contract/uuid'
import { chosenAgentId } from '../agents/chosen-agent'
import { createChannel } from '../channels/channel-actions'
import { returnDraftSources, sourcesOf, takeDraftSources } from '../channels/channel-sources'
import { forgetNewChatSettings, newChatSettings } from '../channels/chat-settings'
import { requestPersistence } from '../channels/device-storage'
import { filesOf } from '../channels/fresh-sources'
import { cloudChannels, findChannel, findHome, homeOf, homes } from '../channels/homes'
import { outbox } from '../channels/outbox'
import { forgetRuns } from '../channels/runs-left-behind'
import { newChatSearchesWeb } from '../channels/web-search'
import { ensureCredits } from '../credits/shortage-state'
import { scoped } from '../scope/scope'
import { storedSession } from '../session/stored-session'
import { abandonRuns, stopRun } from './chat-engine'
import { followedAnswers } from './follow-answers'
import { isAnswering } from './live-chat'
import { readPathBefore } from './path-before'
import { pauseQueue } from './queue-state'
import { isBeingEdited, readShownBranch, type ShownBranch } from './shown-branch'
import { startExchange } from './start-run'

type SendResult = { channelId: string; isNewChannel: boolean }
/** `mode`: the home of a new channel, unless it is a temporary one. */
type SendRequest = {
  channelId: string | undefined
  text: string
  files?: readonly FilePart[]
  mode: StorageMode
  isTemporary?: boolean
}

type Question = { text: string; files?: readonly FilePart[] | undefined; mId: string }

type Asked = { channelId: string; text: string; at: number }
const asked = scoped((): { last: Asked | undefined } => ({ last: undefined }))

/**
 * Sends a question: in a new channel when there is none. It is stored on the device before it is sent, so that it
 * survives any failure. Undefined for a repetition of a question in this channel whose answer is in progress, or when
 * credits are missing. Throws AppError; then nothing was sent and no channel was created.
 */
export async function sendMessage({
  channelId: given,
  text,
  files = [],
  mode,
  isTemporary = false,
}: SendRequest): Promise<SendResult | undefined> {
  const question = text.trim()
  if (question === '' && files.length === 0) return undefined
  if (question !== '' && isRepeated(given, question)) return undefined
  if (question.length > limits.chat.maxQuestionLength) throw new AppError('chat.too-large')
  // Read now: the edit may be shown a moment later.
  const shown = given !== undefined && isBeingEdited(given) ? shownIn(given) : undefined
  if (!(await ensureCredits())) return undefined
  const channel =
    given === undefined
      ? await createChannel({ mode, isTemporary, assistantId: chosenAgentId() ?? null, settings: settingsOfNew() })
      : await findChannel(given)
  if (!channel) throw new AppError('channel.not-found')
  asked().last = { channelId: channel.id, text: question, at: Date.now() }
  try {
    const added = given === undefined ? await takeDraftFiles(channel, files) : files
    await ask(channel, { text: question, files: added, mId: uuidv7() }, await shown)
  } catch (error) {
    // Without its question the channel would be an empty row in the list, and the next attempt would create another
    // one.
    if (given === undefined) await takeBack(channel).catch(() => undefined)
    throw error
  }
  if (given === undefined) forgetNewChatSettings()
  void requestPersistence()
  return { channelId: channel.id, isNewChannel: given === undefined }
}

/** A chat that begins with a search goes on with it. */
const settingsOfNew = (): ChatSettings => ({
  ...newChatSettings(),
  ...(storedSession() !== undefined && newChatSearchesWeb() ? { webSearch: true as const } : {}),
})

/** What the chat begins with; in the cloud it has other ids than in the draft. */
async function takeDraftFiles(channel: Channel, files: readonly FilePart[]): Promise<readonly FilePart[]> {
  await takeDraftSources(channel)
  if (channel.isLocalChannel || files.length === 0) return files
  return filesOf(await (await sourcesOf(channel.id)).list(channel.id))
}

/** The files that the chat was to begin with are in its draft again. */
async function takeBack(channel: Channel): Promise<void> {
  await returnDraftSources(channel)
  await homeOf(channel).remove(channel.id)
}

/**
 * Stores a question at the end of its channel's path and sends it. `mId`: the id of its message, which keeps a question
 * that is asked again from being answered twice. `files`: what was added with it. `shown`: the branch whose end it is,
 * where that may have changed since.
 */
export async function ask(
  channel: Channel,
  { text: question, files, mId }: Question,
  shown?: ShownBranch,
): Promise<void> {
  if (shown) return startExchange(channel, { mId, question, files, ...shown })
  // The cloud has the context already.
  const path = channel.isLocalChannel ? (await readPathBefore(homeOf(channel), channel.id)).exchanges : []
  await startExchange(channel, { mId, question, files, path })
}

/** Undefined where it cannot be read: the question follows what its store shows then. */
const shownIn = async (channelId: string): Promise<ShownBranch | undefined> =>
  readShownBranch(await findHome(channelId), channelId).catch(() => undefined)

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
  const entries = (await outbox.list()).filter(
    (entry) => entry.body.channelId === channelId && (mId === undefined || entry.mId === mId),
  )
  for (const { body } of entries) stopRun(body.messageId)
  // The entries are removed first: a run that starts meanwhile finds none and ends by itself.
  for (const { body } of entries) await outbox.remove(body.messageId)
  abandonRuns(entries.map(({ body }) => body.messageId))
}

export async function deleteMessage(channelId: string, mId: string): Promise<void> {
  await dropAnswers(channelId, mId)
  const home = await findHome(channelId)
  // Where the chat is in both homes, the other copy would restore the message.
  if (home === homes.local && cloudChannels.isKnown(channelId)) await cloudChannels.removeMessage(channelId, mId)
  await home.removeMessage(channelId, mId)
  if (home === homes.cloud) await forgetRuns(channelId, mId)
}

function isRepeated(channelId: string | undefined, text: string): boolean {
  const { last: lastQuestion } = asked()
  if (!lastQuestion || lastQuestion.text !== text || Date.now() - lastQuestion.at > webLimits.chat.duplicateGuardMs)
    return false
  return (channelId === undefined || lastQuestion.channelId === channelId) && isAnswering(lastQuestion.channelId)
}
