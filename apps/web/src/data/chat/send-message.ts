import { type Channel, isDefaultChannelName, type StorageMode } from '@parley/contract/channels'
import { answerOf, type ContextMessage, type CreateChatMessage, contextOf, isChainAgent, isOver, type Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import { chosenAgentId } from '../agents/chosen-agent'
import { mayAsk } from '../billing/no-credits-state'
import { createChannel } from '../channels/channel-actions'
import { requestPersistence } from '../channels/device-storage'
import { cloudChannels, findChannel, findHome, homeOf, homes, modeOf } from '../channels/homes'
import { outbox } from '../channels/outbox'
import { withTabLock } from '../local/tab-lock'
import { askedModelId } from '../models/chosen-model'
import { abandonRuns, answerLock, stopRun, track } from './chat-engine'
import { followedAnswers } from './follow-answers'
import { isAnswering, isLost } from './live-chat'

type Sent = { channelId: string; isNewChannel: boolean }
/** `mode`: where a new channel is made. */
type Wanted = { channelId: string | undefined; text: string; mode: StorageMode }

let last: { channelId: string; text: string; at: number } | undefined

/**
 * Asks a question: in a new channel when there is none. It is on the device before it goes out, so that nothing is lost whatever happens next.
 * Undefined when the same question was asked in this channel a moment ago and is not answered yet, or credits are needed first. Throws AppError; then nothing
 * was sent and no channel was made.
 */
export async function sendMessage({ channelId: given, text, mode }: Wanted): Promise<Sent | undefined> {
  const question = text.trim()
  if (question === '' || isRepeated(given, question)) return undefined
  if (question.length > limits.chat.maxQuestionLength) throw new AppError('chat.too-large')
  if (!(await mayAsk())) return undefined
  const channel = given === undefined ? await createChannel({ mode, assistantId: chosenAgentId() ?? null }) : await findChannel(given)
  if (!channel) throw new AppError('channel.not-found')
  last = { channelId: channel.id, text: question, at: Date.now() }
  const home = homeOf(channel)
  // The cloud has the context itself.
  const { messages } = channel.isLocalChannel ? await home.messages(channel.id, { limit: limits.chat.contextExchanges }) : { messages: [] }
  const mId = uuidv7()
  const message: Message = {
    mId,
    channelId: channel.id,
    chat_request: question,
    chat_response: { role: 'assistant', content: '' },
    datetime: new Date().toISOString(),
    status: 'queued',
    ...agentOf(channel),
    run: { messageId: mId, seq: 0, base: 0 },
  }
  try {
    await start(message, channel, { question, context: contextOf(messages), suggestName: isDefaultChannelName(channel.channelName) })
  } catch (error) {
    // Without its question it would stand empty in the list, and the next attempt would make another one.
    if (given === undefined) await home.remove(channel.id).catch(() => undefined)
    throw error
  }
  void requestPersistence()
  return { channelId: channel.id, isNewChannel: given === undefined }
}

/** Asks the question of a message again; what comes takes the place of the old answer, which stays when nothing comes. Nothing happens while credits are needed first. */
export async function resendMessage(channelId: string, mId: string): Promise<void> {
  await again(channelId, mId, ({ message, before, channel }) => {
    const run = { messageId: uuidv7(), seq: 0, base: 0, ...previousOf(message) }
    return start(fresh(message, channel, { content: '', run }), channel, { question: message.chat_request, context: contextOf(before), suggestName: false })
  })
}

/** Has an answer that was cut off written to its end, unless credits are needed first. `prompt` asks for that, in the person's language. */
export async function continueMessage(channelId: string, mId: string, prompt: string): Promise<void> {
  await again(channelId, mId, ({ message, before, channel }) => {
    const { content } = message.chat_response
    const run = {
      messageId: uuidv7(),
      seq: 0,
      base: content.length,
      question: prompt,
      ...(message.usage ? { used: message.usage } : {}),
      ...previousOf(message),
    }
    const context: ContextMessage[] = [
      ...contextOf(before).slice(2 - limits.chat.maxContextMessages),
      { role: 'user', content: message.chat_request },
      { role: 'assistant', content },
    ]
    return start(fresh(message, channel, { content, run }), channel, { question: prompt, context, suggestName: false })
  })
}

/** Messages that are being asked again. */
const asking = new Set<string>()

/** Two clicks are one question, and one charge: the second comes before the first has changed what is on the screen. */
async function again(channelId: string, mId: string, ask: (found: Found) => Promise<void>): Promise<void> {
  if (asking.has(mId)) return
  asking.add(mId)
  // As the person saw it: the connection may be back a moment later.
  const wasLost = isLost(mId)
  try {
    if (!(await mayAsk())) return
    const found = await messageWithContext(channelId, mId)
    if (isOver(found.message)) return await ask(found)
    if (!wasLost) return
    // The run that waits for the connection gives way, and what it has brought counts as an answer that was cut off.
    await dropAnswers(channelId, mId)
    await ask({ ...found, message: { ...found.message, status: 'interrupted' } })
  } finally {
    asking.delete(mId)
  }
}

/** Stops the answer to what this person asked in a channel, on whichever device; what has arrived stays. */
export async function stopAnswer(channelId: string): Promise<void> {
  followedAnswers.stop((message) => message.channelId === channelId && message.author === undefined)
  for (const { body } of await outbox.list()) if (body.channelId === channelId) stopRun(body.messageId)
}

/** Stops the answer to somebody else's question in a channel of one's own. */
export function stopAnswerOf({ channelId, mId }: Pick<Message, 'channelId' | 'mId'>): void {
  followedAnswers.stop((message) => message.channelId === channelId && message.mId === mId)
}

/** Stops and forgets what is being written in a channel, or for one message of it, before it is cleared or deleted. */
export async function dropAnswers(channelId: string, mId?: string): Promise<void> {
  const entries = (await outbox.list()).filter((entry) => entry.body.channelId === channelId && (mId === undefined || entry.mId === mId))
  for (const { body } of entries) stopRun(body.messageId)
  // Removed first: a run that begins meanwhile looks for its entry and ends by itself.
  for (const { body } of entries) await outbox.remove(body.messageId)
  abandonRuns(entries.map(({ body }) => body.messageId))
}

export async function deleteMessage(channelId: string, mId: string): Promise<void> {
  await dropAnswers(channelId, mId)
  const home = await findHome(channelId)
  // Where the chat stands in both homes, the other copy would bring it back.
  if (home === homes.local && cloudChannels.isKnown(channelId)) await cloudChannels.removeMessage(channelId, mId)
  await home.removeMessage(channelId, mId)
}

function isRepeated(channelId: string | undefined, text: string): boolean {
  if (!last || last.text !== text || Date.now() - last.at > limits.chat.duplicateGuardMs) return false
  return (channelId === undefined || last.channelId === channelId) && isAnswering(last.channelId)
}

type Question = { question: string; context: ContextMessage[]; suggestName: boolean }

/** The outbox first: an entry without its message is dropped at the next start, a message without its entry would wait for ever. */
async function start(message: Message, channel: Channel, { question, context, suggestName }: Question): Promise<void> {
  const mode = modeOf(channel)
  const messageId = message.run?.messageId ?? message.mId
  const isAgain = messageId !== message.mId
  const model = askedModelId()
  const body = fitFrame({
    question,
    channelId: message.channelId,
    messageId,
    ...askedAgent(channel.assistantId),
    isAudioMessage: false,
    enableWebSearch: false,
    // Its prefix names what documents were attached.
    typeChat: {},
    userLanguage: document.documentElement.lang || 'en-US',
    ...(model === undefined ? {} : { model }),
    lastMessages: mode === 'cloud' ? [] : context,
    storageMode: mode,
    ...(mode === 'cloud' && isAgain ? { mId: message.mId, isContinuation: message.run?.question !== undefined } : {}),
    ...(suggestName ? { suggestName } : {}),
  })
  const entry = { mId: message.mId, body }
  // Under the lock of whoever receives the answer: an entry that is seen before its message is there would be taken for one that was left behind.
  await withTabLock(answerLock(messageId), async () => {
    await outbox.add(entry)
    try {
      await homes[mode].put(message)
    } catch (error) {
      await outbox.remove(messageId).catch(() => undefined)
      throw error
    }
  })
  track(entry)
}

/** Who answers in a channel, as its messages say it. */
const agentOf = ({ assistantId }: Channel): Pick<Message, 'assistantId'> => (assistantId === null ? {} : { assistantId })

/** Agents on the chain are named in a field of their own. */
function askedAgent(id: string | null): Pick<CreateChatMessage, 'assistantId' | 'suiAssistantId'> {
  return id !== null && isChainAgent(id) ? { assistantId: null, suiAssistantId: id } : { assistantId: id }
}

/** The oldest context gives way until the frame is small enough. */
function fitFrame(body: CreateChatMessage): CreateChatMessage {
  const sizeOf = (lastMessages: ContextMessage[]): number =>
    new TextEncoder().encode(JSON.stringify({ route: 'createChatMessage', body: { ...body, lastMessages } })).length
  let { lastMessages } = body
  while (sizeOf(lastMessages) > limits.chat.maxFrameBytes) {
    if (lastMessages.length === 0) throw new AppError('chat.too-large')
    lastMessages = lastMessages.slice(2)
  }
  return { ...body, lastMessages }
}

type Found = { message: Message; before: Message[]; channel: Channel }

async function messageWithContext(channelId: string, mId: string): Promise<Found> {
  const channel = await findChannel(channelId)
  if (!channel) throw new AppError('channel.not-found')
  const home = homeOf(channel)
  const message = await home.message(channelId, mId)
  if (!message) throw new AppError('not-found')
  if (home === homes.cloud) return { message, before: [], channel }
  const { messages } = await home.messages(channelId)
  const at = messages.findIndex((each) => each.mId === mId)
  return { message, before: at < 0 ? [] : messages.slice(0, at), channel }
}

/** In the cloud the server keeps it too: the page may be gone when the run ends. */
function previousOf(message: Message): Pick<NonNullable<Message['run']>, 'previous'> {
  const previous = answerOf(message)
  return previous ? { previous } : {}
}

function fresh(
  { error: _error, empty: _empty, assistantId: _assistant, usage: _usage, finishReason: _reason, durationMs: _ms, ...message }: Message,
  channel: Channel,
  { content, run }: { content: string; run: NonNullable<Message['run']> },
): Message {
  return { ...message, ...agentOf(channel), chat_response: { role: 'assistant', content }, status: 'queued', run }
}
