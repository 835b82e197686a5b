import {
  type AnswerParts,
  answerOf,
  answerPartsIn,
  fieldsBefore,
  filesIn,
  joinedParts,
  partsAfter,
  partsBefore,
  partsOfAnswer,
} from './answer-parts'
import { type Answer, isOver, type Message, type Usage } from './chat'
import type { Exchange, Run } from './conversations'
import { minus, storedNano } from './money'
import { type Part, textOf, textParts } from './parts'
import { totalUsage } from './usage'
import { timeOfUuid } from './uuid'

// The only file that translates between document 3's message, which is one question and one answer, and the exchange
// with its runs. `mId` is the exchange's id, `messageId` the run's.

/** An exchange and its runs, oldest first. */
export type ExchangeWithRuns = { exchange: Exchange; runs: Run[] }

/**
 * The records of a message; the last run is the one that it shows. The same message gives the same ids always, so that
 * both homes and a repeated migration agree: the first run of an exchange has the exchange's id, as every client has
 * given it. An answer that was continued becomes two runs, the second of which continues the first; so does one that
 * is being regenerated, whose answer of before is a run beside it.
 */
export function recordsOf(message: Message, afterRunId: string | null): ExchangeWithRuns {
  const { mId, channelId, run } = message
  const exchange: Exchange = {
    ...{ id: mId, channelId, afterRunId, question: questionParts(message), askedAt: message.datetime },
    ...(message.author === undefined ? {} : { author: message.author }),
    ...(message.forwarded ? { isForwarded: true as const } : {}),
  }
  const ids = { channelId, exchangeId: mId, startedAt: message.datetime }
  const startedAt = startOf(message)
  const { content } = message.chat_response
  const base = baseOf(message)
  const before = base === 0 ? {} : { ...run?.previous, ...partsBefore(run ?? {}) }
  const shown: Run = {
    ...{ ...ids, startedAt, id: run?.messageId ?? mId, ...answerFields(message) },
    answer: answerParts(content.slice(base), partsAfter(message, before)),
    ...(run === undefined ? {} : { seq: run.seq }),
    ...(run?.question === undefined ? {} : { prompt: run.question }),
  }
  if (base === 0 && !run?.previous) return { exchange, runs: [shown] }
  const beforeId = mId === shown.id ? `${mId}:before` : mId
  shown.startedAt = laterTime(shown.startedAt, message.datetime)
  if (base === 0)
    return { exchange, runs: [{ ...ids, id: beforeId, ...answerFields(run?.previous ?? message) }, shown] }

  const { usage, ...own } = shown
  const ownUsage = usageAfter(usage, run?.used ?? run?.previous?.usage)
  const continued: Run = {
    ...ids,
    id: beforeId,
    ...(run?.previous
      ? answerFields(run.previous)
      : { status: 'interrupted', ...modelFields(message), ...(run?.used ? { usage: run.used } : {}) }),
    answer: answerParts(content.slice(0, base), before),
  }
  return {
    exchange,
    runs: [continued, { ...own, continues: beforeId, ...(ownUsage === undefined ? {} : { usage: ownUsage }) }],
  }
}

/**
 * The length of what the runs before wrote (Continue); 0 where it is none: imported messages bring numbers of any kind.
 */
export function baseOf({ run, chat_response: { content } }: Message): number {
  return run && Number.isInteger(run.base) && run.base > 0 && run.base <= content.length ? run.base : 0
}

/**
 * A run is never older than its question, whatever the clock of another device said: the runs keep their order. A
 * date that is no timestamp cannot be compared.
 */
function startOf({ datetime, run }: Message): string {
  const at = run && timeOfUuid(run.messageId)?.toISOString()
  return at !== undefined && at > datetime && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(datetime) ? at : datetime
}

/**
 * The message that shows one run of an exchange. A run that continues others shows their text before its own. Throws
 * RangeError where the exchange has no such run.
 */
export function messageOf({ exchange, runs }: ExchangeWithRuns, runId: string): Message {
  const shown = runs.find(({ id }) => id === runId)
  if (!shown) throw new RangeError('the exchange has no such run')
  const continued = continuedBy(shown, runs)
  const textBefore = continued.map(({ answer }) => textOf(answer)).join('')
  const used = continued.reduce<Usage | undefined>((sum, { usage }) => totalUsage(sum, usage), undefined)
  const before = continued.reduce<AnswerParts>((sum, { answer }) => joinedParts(sum, answerPartsIn(answer)), {})
  const answer = { ...answerOfRun(shown), chat_response: response(textBefore + textOf(shown.answer)) }
  const files = filesIn(exchange.question)
  // The usage of what was continued counts once this run's own is known.
  const usage = shown.usage === undefined && !isOver(shown) ? undefined : totalUsage(used, shown.usage)
  const message: Message = {
    ...{ mId: exchange.id, channelId: exchange.channelId, chat_request: textOf(exchange.question) },
    ...(files.length === 0 ? {} : { files }),
    ...answer,
    ...(usage === undefined ? {} : { usage }),
    ...joinedParts(before, answerPartsIn(shown.answer)),
    datetime: exchange.askedAt,
    ...(exchange.author === undefined ? {} : { author: exchange.author }),
    ...(exchange.isForwarded ? { forwarded: true } : {}),
    ...(exchange.isPinned ? { isPinned: true as const } : {}),
  }
  if (shown.seq === undefined) return message
  const previous = isOver(shown) || textOf(shown.answer) !== '' ? undefined : previousOf(exchange, runs, shown)
  return {
    ...message,
    run: {
      ...{ messageId: shown.id, seq: shown.seq, base: textBefore.length },
      ...(shown.prompt === undefined ? {} : { question: shown.prompt }),
      ...(used === undefined ? {} : { used }),
      ...fieldsBefore(before),
      ...(previous === undefined ? {} : { previous }),
    },
  }
}

/** The runs that one goes on with, oldest first; a circle ends where it closes. */
function continuedBy(run: Run, runs: readonly Run[]): Run[] {
  const chain: Run[] = []
  for (let at = run.continues; at !== undefined && at !== run.id; ) {
    const before = runs.find(({ id }) => id === at)
    if (!before || chain.includes(before)) break
    chain.unshift(before)
    at = before.continues
  }
  return chain
}

/** The newest answer of before a run that has brought nothing yet: it is shown again where nothing comes. */
function previousOf(exchange: Exchange, runs: readonly Run[], shown: Run): Answer | undefined {
  const before = runs.slice(0, runs.indexOf(shown)).findLast((run) => run.removedAt === undefined)
  return before && answerOf(messageOf({ exchange, runs: runs.slice(0, runs.indexOf(shown)) }, before.id))
}

/**
 * A time where it is later than another one, else the next moment after that: the order of runs is that of their times.
 * The server's `next_moment` does the same.
 */
export function laterTime(time: string, than: string): string {
  if (time > than) return time
  const date = new Date(than)
  const isExact = /^\d{4}-/.test(than) && !Number.isNaN(date.getTime()) && date.toISOString() === than
  const next = isExact ? new Date(date.getTime() + 1).toISOString() : ''
  // Years after 9999 have more digits.
  return next > than ? next : `${than}~`
}

const questionParts = ({ files = [], chat_request }: Message): Part[] => [...files, ...textParts(chat_request)]

/** The text stands last. */
const answerParts = (text: string, beside: AnswerParts): Part[] => [...partsOfAnswer(beside), ...textParts(text)]

const response = (content: string): Answer['chat_response'] => ({ role: 'assistant', content })

function answerOfRun(run: Run): Answer {
  const { answer, status, isEmpty, error, model, agentId, finishReason, durationMs } = run
  return {
    ...{ chat_response: response(textOf(answer)), status },
    ...(isEmpty ? { empty: true } : {}),
    ...(error === undefined ? {} : { error }),
    ...(model === undefined ? {} : { model }),
    ...(agentId === undefined ? {} : { assistantId: agentId }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(durationMs === undefined ? {} : { durationMs }),
  }
}

function answerFields(answer: Answer): Pick<Run, 'answer' | 'status'> & Partial<Run> {
  const { chat_response, status, empty, error, usage, finishReason, durationMs } = answer
  return {
    ...{ answer: answerParts(chat_response.content, answer), status },
    ...(empty ? { isEmpty: true as const } : {}),
    ...(error === undefined ? {} : { error }),
    ...modelFields(answer),
    ...(usage === undefined ? {} : { usage }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(durationMs === undefined ? {} : { durationMs }),
  }
}

const modelFields = ({ model, assistantId }: Answer): Pick<Run, 'model' | 'agentId'> => ({
  ...(model === undefined ? {} : { model }),
  ...(assistantId === undefined ? {} : { agentId: assistantId }),
})

/** What a run used itself, where `all` includes what the runs that it continues used. */
function usageAfter(all: Usage | undefined, used: Usage | undefined): Usage | undefined {
  if (!all || !used) return all
  const [inputTokens, outputTokens] = [all.inputTokens - used.inputTokens, all.outputTokens - used.outputTokens]
  const isNano = (cost: string | undefined): cost is string => cost !== undefined && /^\d{1,18}$/.test(cost)
  if (!isNano(all.cost) || !isNano(used.cost)) return { inputTokens, outputTokens, ...(all.cost && { cost: all.cost }) }
  const cost = minus(storedNano(all.cost), storedNano(used.cost))
  return { inputTokens, outputTokens, cost: String(cost) }
}
