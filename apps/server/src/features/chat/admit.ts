import type { CreateChatMessage } from '@parley/contract/chat'
import { type ChatSettings, cleanSettings, type RequestSettings, requestSettings } from '@parley/contract/chat-settings'
import { type ModelWindow, windowOf } from '@parley/contract/context'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { seesPictures } from '@parley/contract/models'
import type { Db } from '../../db/client'
import { userIdOf } from '../../plugins/people'
import type { Bus } from '../../providers/bus/bus'
import type { LlmProvider } from '../../providers/llm'
import type { Secrets } from '../../secrets'
import { chatSettingsOf } from '../channels/public/channel-access'
import type { Tariff, Tariffs } from '../credits/public/tariffs'
import type { SearchOffer, WebSearch } from '../search/public/web-search'
import { requestHashOf } from './repeated-question'
import { readSentAlong, type SentAlong } from './sent-documents'
import type { Visitor } from './visitor'

export type AdmitDeps = {
  db: Db
  bus: Bus
  llm: LlmProvider
  tariffs: Tariffs
  webSearch: WebSearch
  secrets: Secrets
  rateLimitScale: number
}

/** A question that its visitor may ask, and the terms of its answer. They hold until the answer's end. */
export type Admitted = {
  visitor: Visitor
  /** Undefined for an anonymous visitor. */
  userId: string | undefined
  body: CreateChatMessage
  requestHash: string
  model: string
  /** Of the chat, as far as the model takes them. */
  settings: RequestSettings
  window: ModelWindow
  seesPictures: boolean
  /** How the web is searched for the question; undefined where it is not. */
  search: SearchOffer | undefined
  /** What the question of a device carries of its sources. */
  sentAlong: SentAlong
  /** Of the prompt, in tokens, where the operator pays for the answer. */
  maxPromptTokens: number | undefined
  /** Undefined for an answer that is not charged; `maxUnchargedTokens` is its greatest length where it has one. */
  tariff: Tariff | undefined
  maxUnchargedTokens: number | undefined
  /** How many answers the visitor may have at the same time, and the error beyond that. */
  concurrency: { maxRunning: number; code: 'chat.one-at-a-time' | 'chat.too-many-running' }
}

/** The largest value of an integer parameter. */
const unlimited = 2 ** 31 - 1

/**
 * The first phase of an answer: who asks, how often, which model, at which prices. It writes nothing to the database.
 * Throws unauthenticated, source.sent-invalid, source.search-sign-in, chat.model-unknown, chat.model-not-allowed,
 * chat.model-unpriced, chat.too-fast.
 */
export async function admit(deps: AdmitDeps, visitor: Visitor, body: CreateChatMessage): Promise<Admitted> {
  const { llm, tariffs, secrets } = deps
  const userId = userIdOf(visitor.subject)
  if (body.storageMode === 'cloud' && userId === undefined) throw new AppError('unauthenticated')
  const search = searchFor(deps, userId, body)
  const model = await allowedModel(deps, userId, body.model)
  await countOfMinute(deps, visitor)
  const sentAlong = await sentAlongBy(userId, body)
  const listed = (await llm.models()).find(({ id }) => id === model)
  const settings = requestSettings(await settingsOfChat(deps, userId, body), listed)
  const { maxTokens } = settings
  const wanted = { length: maxTokens, searchPrice: search?.price }
  const tariff = userId === undefined ? undefined : await tariffs.tariffFor(userId, model, wanted)
  return {
    visitor,
    userId,
    body,
    requestHash: requestHashOf(secrets, body),
    model,
    settings,
    window: windowOf(listed, maxTokens),
    seesPictures: seesPictures(listed),
    search,
    sentAlong,
    maxPromptTokens: tariff ? undefined : await tariffs.maxOperatorPaidPrompt(userId, model),
    tariff,
    maxUnchargedTokens: tariff ? undefined : await tariffs.maxUnchargedTokens(model, maxTokens),
    concurrency: concurrencyOf(userId, deps),
  }
}

/** What goes on after what stands, and files alone, are not searched for. Throws source.search-sign-in. */
function searchFor(
  { webSearch }: AdmitDeps,
  userId: string | undefined,
  { enableWebSearch, isContinuation, question }: CreateChatMessage,
): SearchOffer | undefined {
  const offer = enableWebSearch ? webSearch.offer() : undefined
  if (offer && userId === undefined) throw new AppError('source.search-sign-in')
  return isContinuation || question.trim() === '' ? undefined : offer
}

/** What the question of a cloud channel carries counts for nothing: the server has its sources. */
async function sentAlongBy(
  userId: string | undefined,
  { storageMode, compressedDocuments, pictures }: CreateChatMessage,
): Promise<SentAlong> {
  if (storageMode === 'cloud' || (compressedDocuments === undefined && !pictures?.length))
    return { sources: [], pictures: [] }
  if (userId === undefined) throw new AppError('unauthenticated')
  return readSentAlong({ compressedDocuments, pictures })
}

/** A chat of a device sends its settings with the question; those of a cloud channel are stored here. */
async function settingsOfChat(
  { db }: AdmitDeps,
  userId: string | undefined,
  { storageMode, channelId, settings = {} }: CreateChatMessage,
): Promise<ChatSettings> {
  if (storageMode !== 'cloud' || userId === undefined) return cleanSettings(settings)
  return chatSettingsOf(db, { actorId: userId, channelId })
}

/**
 * A signed-in person may choose any listed model. An anonymous visitor may choose among a local server's models, and
 * gets the default model of a gateway.
 */
async function allowedModel(
  { llm }: AdmitDeps,
  userId: string | undefined,
  requested: string | undefined,
): Promise<string> {
  if (requested === undefined || requested === llm.defaultModel) return llm.defaultModel
  const models = await llm.models()
  if (!models.some(({ id }) => id === requested)) throw new AppError('chat.model-unknown')
  if (llm.kind === 'gateway' && userId === undefined) throw new AppError('chat.model-not-allowed')
  return requested
}

/** Counts one question of the minute. */
async function countOfMinute({ bus, rateLimitScale: scale }: AdmitDeps, { subject }: Visitor): Promise<void> {
  if (scale === 0) return
  const { count, resetMs } = await bus.count(`chat:minute:${subject}`, 60_000)
  if (count > serverLimits.chat.maxMessagesPerMinute * scale)
    throw new AppError('chat.too-fast', { retryAfter: Math.ceil(resetMs / 1000) })
}

function concurrencyOf(userId: string | undefined, { rateLimitScale }: AdmitDeps): Admitted['concurrency'] {
  const { maxRunningAnswers, maxRunningAnswersAnonymous } = serverLimits.chat
  const most = userId === undefined ? maxRunningAnswersAnonymous : maxRunningAnswers
  return {
    maxRunning: rateLimitScale > 0 ? most : unlimited,
    code: userId === undefined ? 'chat.one-at-a-time' : 'chat.too-many-running',
  }
}
