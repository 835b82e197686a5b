// How a question is stored: its outbox entry, with all that is sent, and its message.
import type { StorageMode } from '@parley/contract/channels'
import { type CreateChatMessage, isChainAgent, type Message } from '@parley/contract/chat'
import { windowOf } from '@parley/contract/context'
import { seesPictures } from '@parley/contract/models'
import { questionsBefore } from '@parley/contract/question-before'
import { roomForSources } from '@parley/contract/sent-sources'
import { settingsForQuestion } from '../channels/chat-settings'
import { modeOf, storeOf } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { type QuestionSources, sourcesInCloud, sourcesOnDevice } from '../channels/question-sources'
import { searchesWeb } from '../channels/web-search'
import { withTabLock } from '../local/tab-lock'
import { requestModelId } from '../models/chosen-model'
import { knownModel, knownWindow } from '../models/model-window'
import { answerLock } from './answer-lock'
import type { NewRun } from './ask'
import { noteAskedHere } from './asked-here'
import { withContext } from './frame-context'
import { type PathExchange, withSummary } from './path-before'

/**
 * Stores a message with a new run. Writes the outbox first: an entry without its message is dropped at the next start,
 * a message without its entry would wait for ever. Throws AppError; then nothing was stored.
 */
export async function storeQuestion({
  message,
  channel,
  question,
  path,
  suggestName,
  modelId = requestModelId(),
}: NewRun): Promise<OutboxEntry> {
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
  return entry
}

/**
 * Chosen for each run from what is active then, by the question that the person asked: of an answer that is continued
 * it is not the request to go on.
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

/** Agents on the chain have a field of their own. */
function agentField(id: string | null): Pick<CreateChatMessage, 'assistantId' | 'suiAssistantId'> {
  return id !== null && isChainAgent(id) ? { assistantId: null, suiAssistantId: id } : { assistantId: id }
}
