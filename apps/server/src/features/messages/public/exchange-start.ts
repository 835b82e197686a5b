import type { CreateChatMessage, Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { foldedMessage } from '@parley/contract/search-text'
import type { Db } from '../../../db/client'
import { type ChannelAccess, lockForWriting } from '../../channels/public/channel-access'
import { usageColumns } from '../answer-columns'
import { insertExchange, lockExchange, reservePositions, updateExchange } from '../exchange-store'
import { hasMessagesFrom } from '../message-lookup-store'
import { pathToHead } from '../path-store'
import { toPrevious } from '../previous-answer'
import { findRun } from '../version-store'
import {
  ContextChangedError,
  type ExchangeContext,
  type PathExchange,
  type QuestionRequest,
  requireAuthor,
  requireUnchanged,
} from './exchange-context'
import type { Exchange } from './exchange-end'
import { beginBranches, lastShownRun, moveHeads, replaceRun, setHead } from './head-store'
import { type MessageRow, messageOf, shownRunOf } from './message-row'
import { readPath, shownMessages } from './shown-messages'
import { toStoredAnswerParts, toStoredQuestion } from './stored-parts'
import { storedOrNull, toStored } from './stored-text'

export type StartedExchange = {
  exchange: Exchange
  /** The run that was writing this exchange and has to be aborted. */
  replacedRun: string | undefined
}

/** `sent`: what of the path the model reads. */
export type SentContext = Pick<ExchangeContext, 'prompt' | 'continued' | 'headRunId'> & {
  sent: readonly PathExchange[]
}
type StartRequest = QuestionRequest & Pick<CreateChatMessage, 'messageId' | 'assistantId' | 'files'> & { model: string }
type AllowedRequest = StartRequest & { access: ChannelAccess }

/**
 * Stores a question before its answer is requested: a new exchange, or, with `mId`, an existing one whose answer is
 * regenerated or continued. What does not go on where a channel ends begins a branch. Throws channel.not-found,
 * channel.read-only, channel.not-author, not-found, chat.message-id-taken, chat.version-gone; ContextChangedError where
 * `context` has to be read again.
 */
export async function startExchange(
  tx: Db,
  request: StartRequest,
  context: SentContext,
  now: Date,
): Promise<StartedExchange> {
  const { mId } = request
  const access = await lockForWriting(tx, request)
  const position = await reservePositions(tx, access, { added: mId === undefined ? 1 : 0, now })
  if (position === undefined) throw new AppError('channel.not-found')
  const isByPosition = access.headRunId === null && request.afterRunId === undefined
  await requireUnchanged(tx, access, context.sent, !isByPosition)
  const allowed = { ...request, access }
  return mId === undefined
    ? startNew(tx, allowed, { position, afterRunId: await runToFollow(tx, allowed, context) }, now)
    : restart(tx, { ...allowed, mId }, context, now)
}

/**
 * The run that a new exchange of a channel with branches follows; undefined where it goes on at the end of one without.
 * Throws chat.version-gone, ContextChangedError.
 */
async function runToFollow(
  tx: Db,
  { access, afterRunId }: AllowedRequest,
  context: SentContext,
): Promise<string | null | undefined> {
  if (afterRunId === undefined) {
    if (access.headRunId === null) return undefined
    const { headRunId, path } = await pathToHead(tx, access, access.headRunId)
    // What somebody else has asked meanwhile is followed, another branch is not.
    const isOnPath =
      context.headRunId === null ? path.length === 0 : path.some((step) => step.runId === context.headRunId)
    if (!isOnPath) throw new ContextChangedError()
    return headRunId
  }
  if (afterRunId !== null && !(await findRun(tx, access, afterRunId))?.isStanding)
    throw new AppError('chat.version-gone')
  if (access.headRunId !== null) return afterRunId
  if (((await lastShownRun(tx, access)) ?? null) === afterRunId) return undefined
  await beginBranches(tx, access)
  return afterRunId
}

async function startNew(
  tx: Db,
  request: AllowedRequest,
  { position, afterRunId }: { position: number; afterRunId: string | null | undefined },
  now: Date,
): Promise<StartedExchange> {
  const { channelId, messageId, question, files, model, assistantId, access } = request
  const { userId } = access
  const isNew = await insertExchange(tx, {
    ...newRunColumns(messageId, now),
    channelId,
    mId: messageId,
    ownerId: userId,
    position,
    question: toStored(question),
    questionParts: toStoredQuestion(question, files),
    answer: '',
    model: toStored(model),
    assistantId: storedOrNull(assistantId),
    authorUserId: request.actorId,
    askedAt: now.toISOString(),
    folded: foldedMessage(question, ''),
    afterRunId,
  })
  if (!isNew) throw new AppError('chat.message-id-taken')
  if (afterRunId !== undefined) {
    if (afterRunId !== null) await moveHeads(tx, access, afterRunId, messageId)
    await setHead(tx, access, messageId)
  }
  const exchange = { userId, channelId, mId: messageId, messageId, question, baseText: '', baseUsage: undefined }
  return { exchange, replacedRun: undefined }
}

async function restart(
  tx: Db,
  request: AllowedRequest & { mId: string },
  { prompt, continued }: SentContext,
  now: Date,
): Promise<StartedExchange> {
  const { access, channelId, mId, messageId, model, assistantId } = request
  const { userId } = access
  const row = await lockExchange(tx, { userId, channelId, mId })
  if (!row) throw new AppError('not-found')
  requireAuthor(access, row)
  const path = await readPath(tx, access)
  const [shown = messageOf(row)] = await shownMessages(tx, access, [row], path)
  if (continued && (continued.answer !== shown.chat_response.content || continued.question !== shown.chat_request))
    throw new ContextChangedError()
  const hasBranch = await beginsBranch(tx, access, row, { shown, isContinuation: continued !== undefined })
  const baseText = continued?.answer ?? ''
  const question = continued?.question ?? request.question
  const exchange = { userId, channelId, mId, messageId, question, baseText, baseUsage: continued && shown.usage }
  const runId = path?.find((step) => step.mId === mId)?.runId ?? shownRunOf(row)
  await updateExchange(tx, exchange, {
    ...newRunColumns(messageId, now),
    ...{
      runBase: baseText.length,
      baseParts: toStoredAnswerParts(baseText === '' ? {} : shown),
    },
    ...usageColumns(exchange.baseUsage),
    runQuestion: prompt === question ? null : toStored(prompt),
    question: toStored(question),
    // Parts of a kind that this version does not know stay with their question.
    ...(question === shown.chat_request ? {} : { questionParts: toStoredQuestion(question, shown.files) }),
    answer: toStored(baseText),
    model: toStored(model),
    ...(assistantId === undefined ? {} : { assistantId: storedOrNull(assistantId) }),
    folded: foldedMessage(question, baseText),
    // A run that replaces another running one keeps that run's previous answer.
    ...(shown.status === 'streaming' ? {} : { previous: toPrevious(shown, access) }),
  })
  if (hasBranch) {
    await moveHeads(tx, access, runId, messageId)
    await setHead(tx, access, messageId)
  } else if (path) await replaceRun(tx, access, runId, messageId)
  return { exchange, replacedRun: row.status === 'streaming' ? (row.runMessageId ?? undefined) : undefined }
}

/**
 * Whether a run that is asked for again stands beside the one that is shown, and what follows that one stays there.
 * What goes on with an answer takes its place, and so does what is asked for instead of an empty one; the newest answer
 * of a channel without branches is replaced, too.
 */
async function beginsBranch(
  tx: Db,
  access: ChannelAccess,
  row: MessageRow,
  { shown, isContinuation }: { shown: Message; isContinuation: boolean },
): Promise<boolean> {
  if (isContinuation || shown.empty || shown.chat_response.content.trim() === '') return false
  if (access.headRunId !== null) return true
  if (!(await hasMessagesFrom(tx, access, row.position + 1))) return false
  await beginBranches(tx, access)
  return true
}

function newRunColumns(messageId: string, now: Date) {
  return {
    status: 'streaming' as const,
    isEmpty: false,
    errorCode: null,
    errorContent: null,
    ...usageColumns(undefined),
    finishReason: null,
    durationMs: null,
    ...{ answerParts: null, baseParts: null },
    runMessageId: messageId,
    runSeq: 0,
    runBase: 0,
    runQuestion: null,
    updatedAt: now,
  }
}
