import { type Answer, isOver, type Message } from './chat'
import type { FilePart, Part, SourcePart } from './parts'
import { joinedReasoning, reasoningAfter, reasoningOf, reasoningParts } from './reasoning'

// What an answer has beside its text, as fields of a message and as parts of a run.

/**
 * What the model thought, what it was given of the sources, and what the text cites of them. Empty lists are absent.
 */
export type AnswerParts = Pick<Answer, 'reasoning' | 'read' | 'sources'>

/** In the order in which a run has them, before its text. */
export function partsOfAnswer({ reasoning, read = [], sources = [] }: AnswerParts): Part[] {
  return [...read, ...reasoningParts(reasoning), ...sources]
}

export function answerPartsIn(parts: readonly Part[]): AnswerParts {
  return whole({ reasoning: reasoningOf(parts), read: filesIn(parts), sources: parts.filter(isSource) })
}

export const filesIn = (parts: readonly Part[]): FilePart[] => parts.filter(isFile)

const isFile = (part: Part): part is FilePart => part.type === 'file'
const isSource = (part: Part): part is SourcePart => part.type === 'source'

/**
 * Those of a run after those of the runs that it continues. A number that both cite is cited as by the first: who asks
 * to continue an answer sends what it cites under the same numbers.
 */
export function joinedParts(before: AnswerParts, own: AnswerParts): AnswerParts {
  const read = new Map([...(before.read ?? []), ...(own.read ?? [])].map((part) => [part.fileId, part]))
  return whole({
    reasoning: joinedReasoning(before.reasoning, own.reasoning),
    read: [...read.values()],
    sources: [...(before.sources ?? []), ...citedAfter(own, before)],
  })
}

/** Those of a run itself, where `all` includes those of the runs that it continues. */
export function partsAfter(all: AnswerParts, before: AnswerParts): AnswerParts {
  const known = new Set(before.read?.map((part) => JSON.stringify(part)))
  return whole({
    reasoning: reasoningAfter(all.reasoning, before.reasoning),
    read: all.read?.filter((part) => !known.has(JSON.stringify(part))),
    sources: citedAfter(all, before),
  })
}

function citedAfter({ sources = [] }: AnswerParts, before: AnswerParts): SourcePart[] {
  const cited = new Set(before.sources?.map(({ n }) => n))
  return sources.filter(({ n }) => !cited.has(n))
}

function whole({ reasoning, read = [], sources = [] }: AnswerParts): AnswerParts {
  return {
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(read.length === 0 ? {} : { read }),
    ...(sources.length === 0 ? {} : { sources }),
  }
}

type RunOfMessage = NonNullable<Message['run']>

/** Of the runs that the run of a message continues. */
export function partsBefore({ thought, read, sources }: Partial<RunOfMessage>): AnswerParts {
  return whole({ reasoning: thought, read, sources })
}

/** As `partsBefore` reads them. */
export function fieldsBefore(answer: AnswerParts): Pick<RunOfMessage, 'thought' | 'read' | 'sources'> {
  const { reasoning, ...rest } = whole(answer)
  return { ...(reasoning === undefined ? {} : { thought: reasoning }), ...rest }
}

/** The answer of a message as it stands, for the run that is to take its place; undefined where there is none. */
export function answerOf(message: Message): Answer | undefined {
  const { chat_response, status, empty, error, model, assistantId } = message
  const { usage, finishReason, durationMs, reasoning, read, sources } = message
  if (empty || chat_response.content.trim() === '' || !isOver(message)) return undefined
  return {
    ...{ chat_response, status },
    ...(error === undefined ? {} : { error }),
    ...(model === undefined ? {} : { model }),
    ...(assistantId === undefined ? {} : { assistantId }),
    ...(usage === undefined ? {} : { usage }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(read === undefined ? {} : { read }),
    ...(sources === undefined ? {} : { sources }),
  }
}
