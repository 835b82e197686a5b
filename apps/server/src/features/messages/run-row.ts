import type { Exchange, Run } from '@parley/contract/conversations'
import { type Part, textOf, textParts } from '@parley/contract/parts'
import type { messages } from '../../db/schema/messages'
import type { runs } from '../../db/schema/runs'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { finalStatus, usageColumns } from './answer-columns'
import { storedParts } from './public/stored-parts'
import { fromStored, storedOrNull, toStored } from './public/stored-text'

type RunRow = typeof runs.$inferSelect
type MessageColumns = typeof messages.$inferSelect
type ExchangeRow = Pick<
  MessageColumns,
  'mId' | 'channelId' | 'afterRunId' | 'question' | 'askedAt' | 'isForwarded' | 'isPinned'
> &
  Partial<Pick<MessageColumns, 'removedAt' | 'questionParts'>>

/** Without the author, whom only the reader's name tells. */
export function exchangeOf(row: ExchangeRow): Exchange {
  const { mId: id, channelId, afterRunId, question, questionParts, askedAt, isForwarded, isPinned, removedAt } = row
  const parts = questionParts ? storedParts(questionParts) : textParts(fromStored(question))
  return {
    ...{ id, channelId, afterRunId, question: parts, askedAt: fromStored(askedAt) },
    ...(isPinned ? { isPinned } : {}),
    ...(isForwarded ? { isForwarded } : {}),
    ...(removedAt ? { removedAt: removedAt.toISOString() } : {}),
  }
}

export function runOf(row: RunRow): Run {
  const { errorCode, errorContent, inputTokens, outputTokens, cost } = row
  return {
    ...{ id: row.id, channelId: row.channelId, exchangeId: row.mId, status: row.status },
    answer: answerOf(row),
    ...(row.isEmpty ? { isEmpty: true } : {}),
    ...(errorCode === null ? {} : { error: { code: fromStored(errorCode), content: fromStored(errorContent ?? '') } }),
    ...(row.model === null ? {} : { model: fromStored(row.model) }),
    ...(row.assistantId === null ? {} : { agentId: fromStored(row.assistantId) }),
    ...(inputTokens === null || outputTokens === null
      ? {}
      : { usage: { inputTokens, outputTokens, ...(cost === null ? {} : { cost: String(cost) }) } }),
    ...(row.finishReason === null ? {} : { finishReason: fromStored(row.finishReason) }),
    ...(row.durationMs === null ? {} : { durationMs: row.durationMs }),
    ...(row.continues === null ? {} : { continues: row.continues }),
    ...(row.prompt === null ? {} : { prompt: fromStored(row.prompt) }),
    ...(row.seq === null ? {} : { seq: row.seq }),
    startedAt: fromStored(row.startedAt),
    ...(row.removedAt === null ? {} : { removedAt: row.removedAt.toISOString() }),
  }
}

/** Where text is among the parts that stand beside it, they are the whole answer. */
function answerOf({ answer, answerParts }: Pick<RunRow, 'answer' | 'answerParts'>): Part[] {
  const parts = storedParts(answerParts)
  return parts.some(isText) ? parts : [...parts, ...textParts(fromStored(answer))]
}

const isText = ({ type }: Part): boolean => type === 'text'

/** Parts that end with their only text are stored without it, which stands in a column of its own. */
export function answerPartsOf({ answer }: Run): string | null {
  const texts = answer.filter(isText)
  const last = answer.at(-1)
  const isSplit =
    texts.length === 0 || (texts.length === 1 && texts[0] === last && textOf(texts) !== '' && isPlain(texts))
  const beside = isSplit ? answer.filter((part) => !isText(part)) : answer
  return beside.length === 0 ? null : JSON.stringify(beside)
}

/** Null where a question is its text alone. */
export const questionPartsOf = ({ question }: Exchange): string | null =>
  question.length === 0 ||
  (question.length === 1 && question.every(isText) && textOf(question) !== '' && isPlain(question))
    ? null
    : JSON.stringify(question)

/** Whether text parts have no fields of a later version. */
const isPlain = (texts: readonly Part[]): boolean => texts.every((part) => Object.keys(part).length === 2)

/** The row of a run from elsewhere. One that is unfinished becomes interrupted: nothing on this server writes it. */
export function runRowOf(run: Run, { userId, channelId }: OwnedChannel): typeof runs.$inferInsert {
  const { id, exchangeId: mId, error, model, agentId, usage, finishReason, durationMs, continues, prompt, seq } = run
  return {
    ...{ channelId, mId, id, ownerId: userId, answer: toStored(textOf(run.answer)), answerParts: answerPartsOf(run) },
    ...{ status: finalStatus(run.status), isEmpty: run.isEmpty ?? false },
    ...{ errorCode: storedOrNull(error?.code), errorContent: storedOrNull(error?.content) },
    ...{ model: storedOrNull(model), assistantId: storedOrNull(agentId), ...usageColumns(usage) },
    ...{ finishReason: storedOrNull(finishReason), durationMs: durationMs ?? null, continues: continues ?? null },
    ...{ prompt: storedOrNull(prompt), seq: seq ?? null, startedAt: toStored(run.startedAt), removedAt: null },
  }
}
