// How a question leaves this page: its outbox entry first, then its message, then the run that receives the answer.
import { type Channel, isDefaultChannelName, type StorageMode } from '@parley/contract/channels'
import { type CreateChatMessage, isChainAgent, type Message } from '@parley/contract/chat'
import { windowOf } from '@parley/contract/context'
import { seesPictures } from '@parley/contract/models'
import type { FilePart } from '@parley/contract/parts'
import { questionsBefore } from '@parley/contract/question-before'
import { roomForSources } from '@parley/contract/sent-sources'
import { settingsForQuestion } from '../channels/chat-settings'
import { modeOf, storeOf } from '../channels/homes'
import { outbox } from '../channels/outbox'
import { type QuestionSources, sourcesInCloud, sourcesOnDevice } from '../channels/question-sources'
import { searchesWeb } from '../channels/web-search'
import { withTabLock } from '../local/tab-lock'
import { requestModelId } from '../models/chosen-model'
import { knownModel, knownWindow } from '../models/model-window'
import { answerLock } from './answer-lock'
import { noteAskedHere } from './asked-here'
import { track } from './chat-engine'
import { withContext } from './frame-context'
import { type PathExchange, withSummary } from './path-before'
import { noteAsked } from './summary-state'

type NewExchange = {
  mId: string
  question: string
  /** What was added with it. */
  files?: readonly FilePart[] | undefined
  /** What was said before, in a chat of this device. */
  path: readonly PathExchange[]
  /** The run that it follows; without it the reader's head. */
  afterRunId?: string | null | undefined
}

/** Stores a new question in its channel and sends it. Throws AppError; then nothing was stored. */
export function startExchange(
  channel: Channel,
  { mId, question, files = [], path, afterRunId }: NewExchange,
): Promise<void> {
  const message: Message = {
    mId,
    channelId: channel.id,
    chat_request: question,
    ...(files.length === 0 ? {} : { files: [...files] }),
    chat_response: { role: 'assistant', content: '' },
    datetime: new Date().toISOString(),
    status: 'queued',
    ...agentOf(channel),
    run: { messageId: mId, seq: 0, base: 0 },
    ...(afterRunId === undefined ? {} : { afterRunId }),
  }
  return startRun(message, channel, { question, path, suggestName: isDefaultChannelName(channel.channelName) })
}

/** `modelId`: of the model that is to answer; undefined asks for the chosen one. */
type RunRequest = {
  question: string
  path: readonly PathExchange[]
  suggestName: boolean
  modelId?: string | undefined
}

/**
 * Stores a message with a new run and sends the run's question. Writes the outbox first: an entry without its message
 * is dropped at the next start, a message without its entry would wait for ever.
 */
export async function startRun(
  message: Message,
  channel: Channel,
  { question, path, suggestName, modelId = requestModelId() }: RunRequest,
): Promise<void> {
  const mode = modeOf(channel)
  const messageId = message.run?.messageId ?? message.mId
  const settings = await settingsForQuestion(channel)
  const sources = await sourcesFor(message, { mode, modelId, path })
  const request = {
    question,
    channelId: message.channelId,
    messageId,
    ...agentField(channel.assistantId),
    isAudioMessage: false,
    // What goes on after what stands searches no more.
    enableWebSearch: message.run?.question === undefined && searchesWeb(channel),
    ...sources.fields,
    ...(message.files === undefined ? {} : { files: message.files }),
    userLanguage: document.documentElement.lang || 'en-US',
    ...(modelId === undefined ? {} : { model: modelId }),
    storageMode: mode,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(mode === 'cloud' ? placeInCloud(message, messageId) : {}),
    ...(suggestName ? { suggestName } : {}),
  }
  // The cloud has the context already.
  const said = mode === 'cloud' ? { path: [] } : await withSummary(storeOf(channel.id, mode), channel.id, path)
  const body = withContext(request, said, knownWindow(modelId, settings), sources.tokens)
  const entry = { mId: message.mId, body }
  noteAskedHere(message.mId)
  // Under the lock of the tab that receives the answer: an entry that is found before its message is stored would be
  // taken for an orphaned one.
  await withTabLock(answerLock(messageId), async () => {
    await outbox.add(entry)
    try {
      await storeOf(channel.id, mode).put(message)
    } catch (error) {
      await outbox.remove(messageId).catch(() => undefined)
      throw error
    }
  })
  track(entry)
  noteAsked(channel.id, message.mId)
}

/**
 * Chosen for each run from what is active then, by the question that the person asked: of an answer that is continued it
 * is not the request to go on.
 */
function sourcesFor(
  { mId, channelId, chat_request: question, files, run }: Message,
  { mode, modelId, path }: { mode: StorageMode; modelId: string | undefined; path: readonly PathExchange[] },
): Promise<QuestionSources> {
  const model = knownModel(modelId)
  const asked = {
    ...{ channelId, question, files, cited: run?.sources },
    before: questionsBefore(path.filter((exchange) => exchange.mId !== mId)),
    roomTokens: roomForSources(windowOf(model).tokens),
    seesPictures: seesPictures(model),
  }
  return mode === 'cloud' ? sourcesInCloud(asked) : sourcesOnDevice(asked)
}

/** Where the server puts a run: in an exchange that it has, or in a new one that follows another run. */
function placeInCloud(
  { mId, run, afterRunId }: Message,
  messageId: string,
): Pick<CreateChatMessage, 'mId' | 'isContinuation' | 'afterRunId'> {
  if (messageId !== mId) return { mId, isContinuation: run?.question !== undefined }
  return afterRunId === undefined ? {} : { afterRunId }
}

/** The agent of a channel, as its messages store it. */
export const agentOf = ({ assistantId }: Channel): Pick<Message, 'assistantId'> =>
  assistantId === null ? {} : { assistantId }

/** Agents on the chain have a field of their own. */
function agentField(id: string | null): Pick<CreateChatMessage, 'assistantId' | 'suiAssistantId'> {
  return id !== null && isChainAgent(id) ? { assistantId: null, suiAssistantId: id } : { assistantId: id }
}
