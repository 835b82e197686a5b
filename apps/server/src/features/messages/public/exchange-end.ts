import type { AnswerParts } from '@parley/contract/answer-parts'
import type { Usage } from '@parley/contract/chat'
import { foldedMessage } from '@parley/contract/search-text'
import { totalUsage } from '@parley/contract/usage'
import type { Db } from '../../../db/client'
import { lockChannel } from '../../channels/public/channel-row-store'
import { answerColumns, finalStatus, usageColumns } from '../answer-columns'
import {
  lockExchange,
  lockRun,
  ownerOfExchange,
  ownerOfRun,
  previousOfRun,
  type RunKey,
  touchChannelOfRun,
  updateExchange,
  updateRun,
} from '../exchange-store'
import { fromPrevious } from '../previous-answer'
import { continuedRun, updateReplacedRun } from '../run-store'
import { hasBranches, moveHeadOf, moveHeadsBelow, replaceRun } from './head-store'
import { messageOf } from './message-row'
import { storedAnswerParts, toStoredAnswerParts } from './stored-parts'
import { fromStored, storedOrNull, toStored } from './stored-text'

/**
 * An exchange of a cloud channel that a run is answering. A continuation appends to `baseText`, the answer before this
 * run, and adds to `baseUsage`, what that answer used.
 */
export type Exchange = RunKey & { question: string; baseText: string; baseUsage: Usage | undefined }

/** An answer while it is written. `seq` is the last frame of which something is in it. */
type PartialAnswer = AnswerParts & { text: string; seq: number }

/** Stores what has arrived so far. While there is no text, the previous answer may still be restored. */
export async function savePartial(db: Db, exchange: Exchange, { text, seq, ...parts }: PartialAnswer): Promise<void> {
  await updateRun(db, exchange, {
    ...{ answer: toStored(exchange.baseText + text), answerParts: toStoredAnswerParts(parts), runSeq: seq },
    ...(text === '' ? {} : { previous: null }),
  })
}

export type ExchangeEnd = AnswerParts & {
  status: 'completed' | 'stopped' | 'interrupted' | 'failed'
  text: string
  seq: number
  isEmpty: boolean
  error: { code: string; content: string } | undefined
  usage: Usage | undefined
  finishReason: string | undefined
  durationMs: number | undefined
}

/**
 * Stores how a run ended. A run without text restores the previous answer; one that a later run has replaced ends
 * beside it, unseen. Has no effect where the exchange was deleted.
 */
export async function endExchange(tx: Db, exchange: Exchange, end: ExchangeEnd, now: Date): Promise<void> {
  const ended = endColumns(end)
  if (!(await touchChannelOfRun(tx, exchange, now)))
    return updateReplacedRun(tx, exchange, {
      ...ended,
      ...usageColumns(end.usage),
      ...{ answer: toStored(end.text), answerParts: toStoredAnswerParts(end), seq: end.seq },
    })
  const { question } = exchange
  // An interrupted continuation keeps its base text and is marked, so there is nothing to restore.
  const isInterruptedContinuation = end.status === 'interrupted' && exchange.baseText.trim() !== ''
  if (
    !isInterruptedContinuation &&
    (end.text.trim() === '' || end.isEmpty) &&
    (await restorePrevious(tx, exchange, { question, seq: end.seq, now }))
  )
    return
  const answer = exchange.baseText + end.text
  await updateRun(tx, exchange, {
    ...ended,
    ...usageColumns(totalUsage(exchange.baseUsage, end.usage)),
    ...{ answer: toStored(answer), answerParts: toStoredAnswerParts(end) },
    ...{ runSeq: end.seq, updatedAt: now, previous: null },
    folded: foldedMessage(question, answer),
  })
}

function endColumns({ status, isEmpty, error, finishReason, durationMs }: ExchangeEnd) {
  return {
    status,
    isEmpty,
    errorCode: error?.code ?? null,
    errorContent: storedOrNull(error?.content),
    finishReason: storedOrNull(finishReason),
    durationMs: durationMs ?? null,
  }
}

/**
 * Marks an orphaned run as interrupted. Its stored text stays; `shown` replaces it where readers were shown more. The
 * channel's owner is looked up, because the person who asked may be a member. Returns undefined where the run is over.
 */
export async function interruptExchange(
  tx: Db,
  orphan: Omit<RunKey, 'userId'>,
  error: { code: string; content: string },
  shown: PartialAnswer | undefined,
  now: Date,
): Promise<RunKey | undefined> {
  const userId = await ownerOfRun(tx, orphan)
  if (userId === undefined) return undefined
  const run = { ...orphan, userId }
  // Before its message, as every transaction does: heads may move.
  await lockChannel(tx, run)
  const row = await lockRun(tx, run)
  if (!row) return undefined
  const question = fromStored(row.question)
  const stored = fromStored(row.answer)
  const baseText = stored.slice(0, row.runBase ?? 0)
  const isLonger =
    shown !== undefined && shown.text.trim() !== '' && shown.text.length > stored.length - baseText.length
  // A continuation replaced nothing that could be restored; it is marked even before its first word.
  if (!isLonger && baseText.trim() === '' && (await restorePrevious(tx, run, { question, seq: row.runSeq ?? 0, now })))
    return run
  const answer = isLonger ? baseText + shown.text : stored
  const isMore = shown !== undefined && isMoreThan(shown, storedAnswerParts(row.answerParts))
  await updateRun(tx, run, {
    answer: toStored(answer),
    ...(isMore ? { answerParts: toStoredAnswerParts(shown) } : {}),
    status: 'interrupted',
    errorCode: error.code,
    errorContent: error.content,
    ...(isLonger || isMore ? { runSeq: shown.seq } : {}),
    previous: null,
    updatedAt: now,
    folded: foldedMessage(question, answer),
  })
  return run
}

/** Whether readers were shown more thinking, sources or files than are stored. */
function isMoreThan(shown: AnswerParts, stored: AnswerParts): boolean {
  const lengthOf = ({ reasoning, read = [], sources = [] }: AnswerParts): number[] => [
    ...[reasoning?.text.length ?? 0, read.length, sources.length],
  ]
  const known = lengthOf(stored)
  return lengthOf(shown).some((length, index) => length > (known[index] ?? 0))
}

/**
 * Restores the answer that the run replaced: the run then goes on with it and adds nothing. In a channel with branches
 * what followed that answer follows the run, and heads go back to it. False where there was none.
 */
async function restorePrevious(
  tx: Db,
  run: RunKey,
  { question, seq, now }: { question: string; seq: number; now: Date },
): Promise<boolean> {
  const stored = await previousOfRun(tx, run)
  if (stored === null) return false
  const { answer, back } = fromPrevious(stored)
  const { content } = answer.chat_response
  const status = finalStatus(answer.status)
  await updateRun(tx, run, {
    ...answerColumns(answer),
    ...{ answerParts: null, baseParts: toStoredAnswerParts(answer) },
    ...{ status, previous: null, runSeq: seq, runBase: content.length, updatedAt: now },
    folded: foldedMessage(question, content),
  })
  if (!(await hasBranches(tx, run))) return true
  const continued = await continuedRun(tx, run)
  if (continued !== undefined) await replaceRun(tx, run, continued, run.messageId)
  const [from, to] = [run.messageId, back?.headRunId === continued ? run.messageId : back?.headRunId]
  const isBack = back !== undefined && to !== undefined && (await moveHeadOf(tx, run, { ...back, from, to }))
  if (!isBack) await moveHeadsBelow(tx, run, run.messageId)
  return true
}

/** Adds the usage of an interrupted run to that of the runs before it, in the transaction that interrupted it. */
export async function addUsage(tx: Db, run: RunKey, usage: Usage): Promise<void> {
  const row = await lockExchange(tx, run)
  if (row) await updateExchange(tx, run, usageColumns(totalUsage(messageOf(row).usage, usage)))
}

/** Locks the exchange of a run that is over until the transaction ends. Undefined once a later run has replaced it. */
export async function lockEndedRun(tx: Db, ended: Omit<RunKey, 'userId'>): Promise<RunKey | undefined> {
  const userId = await ownerOfExchange(tx, ended)
  const row = userId === undefined ? undefined : await lockExchange(tx, { ...ended, userId })
  return userId === undefined || row?.runMessageId !== ended.messageId ? undefined : { ...ended, userId }
}
