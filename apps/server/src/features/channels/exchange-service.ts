import { Answer, answerOf, type ContextMessage, type CreateChatMessage, contextOf, type Message, type MessageStatus, type Usage } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { foldedMessage } from '@parley/contract/search-text'
import { totalUsage } from '@parley/contract/usage'
import type { Db } from '../../db/client'
import { lockForWriting } from './access-service'
import {
  insertExchange,
  lockExchange,
  lockRun,
  moveChannel,
  ownerOfExchange,
  ownerOfRun,
  previousOfRun,
  type RunPlace,
  touchChannelOf,
  updateExchange,
  updateRun,
} from './exchange-store'
import { answerColumns, messageOf, storedOrNull, storedUsage } from './message-row'
import { newestMessages } from './message-store'
import { fromStored, isStorable, toStored } from './stored-text'

/** A cloud exchange that is being answered. `kept` is what stood before this run; its text follows it. `used`: what that took. */
export type Exchange = RunPlace & { question: string; kept: string; used: Usage | undefined }

export type Begun = {
  exchange: Exchange
  /** What the model is asked, after the channel's own history. */
  asked: string
  history: ContextMessage[]
  /** The run that wrote this exchange until now and must end. */
  replaced: string | undefined
}

/** `actorId`: who asks, and pays. */
type Asked = Pick<CreateChatMessage, 'question' | 'channelId' | 'messageId' | 'mId' | 'isContinuation' | 'assistantId'> & { actorId: string; model: string }
type Placed = Asked & { userId: string; isOwner: boolean }

/** Ids that the database cannot even look for. Throws channel.not-found, not-found. */
export function requirePossible({ channelId, mId }: Pick<CreateChatMessage, 'channelId' | 'mId'>): void {
  if (!isStorable(channelId)) throw new AppError('channel.not-found')
  if (mId !== undefined && !isStorable(mId)) throw new AppError('not-found')
}

/** Stores a question before its answer is begun: a new exchange, or one that is answered anew or goes on. Throws channel.not-found, channel.read-only, channel.not-author, not-found, chat.message-id-taken. */
export async function beginExchange(tx: Db, asked: Asked, now: Date): Promise<Begun> {
  const { channelId, mId } = asked
  const { userId, role } = await lockForWriting(tx, asked)
  const placed = { ...asked, userId, isOwner: role === 'owner' }
  const position = await moveChannel(tx, { userId, channelId }, { added: mId === undefined ? 1 : 0, now })
  if (position === undefined) throw new AppError('channel.not-found')
  return mId === undefined ? beginNew(tx, placed, position, now) : beginAgain(tx, { ...placed, mId }, now)
}

async function beginNew(tx: Db, asked: Placed, position: number, now: Date): Promise<Begun> {
  const { userId, channelId, messageId, question, model, assistantId } = asked
  const isNew = await insertExchange(tx, {
    ...freshRun(messageId, now),
    channelId,
    mId: messageId,
    ownerId: userId,
    position,
    question: toStored(question),
    answer: '',
    model: toStored(model),
    assistantId: storedOrNull(assistantId),
    authorUserId: asked.actorId,
    askedAt: now.toISOString(),
    folded: foldedMessage(question, ''),
  })
  if (!isNew) throw new AppError('chat.message-id-taken')
  const exchange = { userId, channelId, mId: messageId, messageId, question, kept: '', used: undefined }
  return { exchange, asked: question, history: contextOf(await exchangesBefore(tx, exchange, position)), replaced: undefined }
}

async function beginAgain(tx: Db, asked: Placed & { mId: string }, now: Date): Promise<Begun> {
  const { userId, channelId, mId, messageId, model, assistantId } = asked
  const row = await lockExchange(tx, { userId, channelId, mId })
  if (!row) throw new AppError('not-found')
  // Nobody puts words into another's mouth, not even the owner.
  if (row.authorUserId !== asked.actorId && !(asked.isOwner && row.authorUserId === null)) throw new AppError('channel.not-author')
  const kept = asked.isContinuation ? fromStored(row.answer) : ''
  const question = asked.isContinuation ? fromStored(row.question) : asked.question
  // Where nothing stands there is nothing to go on after: the question itself is asked.
  const prompt = kept.trim() === '' ? question : asked.question
  const exchange = { userId, channelId, mId, messageId, question, kept, used: asked.isContinuation ? messageOf(row).usage : undefined }
  await updateExchange(tx, exchange, {
    ...freshRun(messageId, now),
    runBase: kept.length,
    ...storedUsage(exchange.used),
    runQuestion: prompt === question ? null : toStored(prompt),
    question: toStored(question),
    answer: toStored(kept),
    model: toStored(model),
    ...(assistantId === undefined ? {} : { assistantId: storedOrNull(assistantId) }),
    folded: foldedMessage(question, kept),
    // Of one that is being written what it would put back stays.
    ...(row.status === 'streaming' ? {} : { previous: previousOf(messageOf(row)) }),
  })
  const before = contextOf(await exchangesBefore(tx, exchange, row.position))
  const history: ContextMessage[] =
    prompt === question
      ? before
      : [...before.slice(2 - limits.chat.maxContextMessages), { role: 'user', content: question }, { role: 'assistant', content: kept }]
  return { exchange, asked: prompt, history, replaced: row.status === 'streaming' ? (row.runMessageId ?? undefined) : undefined }
}

/** What had arrived so far. `seq` is the last frame whose text is in it. */
export async function savePartial(db: Db, exchange: Exchange, { text, seq }: { text: string; seq: number }): Promise<void> {
  await updateRun(db, exchange, { answer: toStored(exchange.kept + text), runSeq: seq, previous: null })
}

export type ExchangeEnd = {
  status: 'completed' | 'stopped' | 'interrupted' | 'failed'
  text: string
  seq: number
  isEmpty: boolean
  error: { code: string; content: string } | undefined
  usage: Usage | undefined
  finishReason: string | undefined
  durationMs: number | undefined
}

/** Stores how a run ended; one that brought nothing leaves the answer that stood before it. An exchange that was deleted meanwhile, or that a later run writes, stays as it is. */
export async function endExchange(tx: Db, exchange: Exchange, end: ExchangeEnd, now: Date): Promise<void> {
  if (!(await touchChannelOf(tx, exchange, now))) return
  const { question } = exchange
  // Of a continuation that was cut off nothing was taken away: the answer stands as it was, and says that it does not go on.
  const isCutOff = end.status === 'interrupted' && exchange.kept.trim() !== ''
  if (!isCutOff && (end.text.trim() === '' || end.isEmpty) && (await restore(tx, exchange, { question, seq: end.seq, now }))) return
  const answer = exchange.kept + end.text
  await updateRun(tx, exchange, {
    answer: toStored(answer),
    status: end.status,
    isEmpty: end.isEmpty,
    errorCode: end.error?.code ?? null,
    errorContent: storedOrNull(end.error?.content),
    ...storedUsage(totalUsage(exchange.used, end.usage)),
    finishReason: storedOrNull(end.finishReason),
    durationMs: end.durationMs ?? null,
    runSeq: end.seq,
    updatedAt: now,
    folded: foldedMessage(question, answer),
    previous: null,
  })
}

/** Marks an exchange whose writer is gone; what had arrived stays, and what was shown of it beyond that (`shown`) is added. The run tells whose channel it is: that may be another person's than the one who asked. Answers where it was. */
export async function interruptExchange(
  tx: Db,
  run: Omit<RunPlace, 'userId'>,
  error: { code: string; content: string },
  shown: { text: string; seq: number } | undefined,
  now: Date,
): Promise<RunPlace | undefined> {
  const userId = await ownerOfRun(tx, run)
  if (userId === undefined) return undefined
  const place = { ...run, userId }
  const row = await lockRun(tx, place)
  if (!row) return undefined
  const question = fromStored(row.question)
  const stored = fromStored(row.answer)
  const kept = stored.slice(0, row.runBase ?? 0)
  const isLonger = shown !== undefined && shown.text.trim() !== '' && shown.text.length > stored.length - kept.length
  // A continuation took nothing away that could be put back; it says that it was cut off before its first word.
  if (!isLonger && kept.trim() === '' && (await restore(tx, place, { question, seq: row.runSeq ?? 0, now }))) return place
  const answer = isLonger ? kept + shown.text : stored
  await updateRun(tx, place, {
    answer: toStored(answer),
    status: 'interrupted',
    errorCode: error.code,
    errorContent: error.content,
    ...(isLonger ? { runSeq: shown.seq } : {}),
    previous: null,
    updatedAt: now,
    folded: foldedMessage(question, answer),
  })
  return place
}

type Standing = { question: string; seq: number; now: Date }

/** Puts the answer back that stood before a run of which nothing came. False where there was none. */
async function restore(tx: Db, place: RunPlace, { question, seq, now }: Standing): Promise<boolean> {
  const stored = await previousOfRun(tx, place)
  if (stored === null) return false
  const answer = Answer.parse(JSON.parse(stored))
  const { content } = answer.chat_response
  const status = finalStatus(answer.status)
  await updateRun(tx, place, {
    ...answerColumns(answer),
    ...{ status, previous: null, runSeq: seq, runBase: content.length, updatedAt: now },
    folded: foldedMessage(question, content),
  })
  return true
}

/** JSON escapes what the database cannot keep. */
function previousOf(message: Message): string | null {
  const answer = answerOf(message)
  return answer ? JSON.stringify(answer) : null
}

function finalStatus(status: MessageStatus): ExchangeEnd['status'] {
  return status === 'queued' || status === 'sent' || status === 'streaming' ? 'interrupted' : status
}

/** Adds what a run used that was interrupted, in the transaction that interrupted it. */
export async function addUsage(tx: Db, place: RunPlace, usage: Usage): Promise<void> {
  const row = await lockExchange(tx, place)
  // Until now it says what the runs before this one used.
  if (row) await updateExchange(tx, place, storedUsage(totalUsage(messageOf(row).usage, usage)))
}

/** Where a run stands that is over, which nobody changes until the end of the transaction. Undefined once a later one has taken its place. */
export async function lockEnded(tx: Db, run: Omit<RunPlace, 'userId'>): Promise<RunPlace | undefined> {
  const userId = await ownerOfExchange(tx, run)
  const row = userId === undefined ? undefined : await lockExchange(tx, { ...run, userId })
  return userId === undefined || row?.runMessageId !== run.messageId ? undefined : { ...run, userId }
}

function freshRun(messageId: string, now: Date) {
  return {
    status: 'streaming' as const,
    isEmpty: false,
    errorCode: null,
    errorContent: null,
    ...storedUsage(undefined),
    finishReason: null,
    durationMs: null,
    runMessageId: messageId,
    runSeq: 0,
    runBase: 0,
    runQuestion: null,
    updatedAt: now,
  }
}

async function exchangesBefore(tx: Db, which: RunPlace, before: number) {
  return (await newestMessages(tx, which, { limit: limits.chat.contextExchanges, before })).reverse().map(messageOf)
}
