import { type AnswerParts, answerPartsIn, filesIn, partsOfAnswer } from '@parley/contract/answer-parts'
import { type FilePart, Part, textParts } from '@parley/contract/parts'
import * as z from 'zod/mini'

// What questions and answers have beside their texts, in columns of parts. JSON escapes what PostgreSQL cannot store.

const Parts = z.array(Part)

/** The parts of a column such as `runs.answer_parts`. */
export const storedParts = (stored: string | null): Part[] =>
  stored === null ? [] : z.parse(Parts, JSON.parse(stored))

export const storedAnswerParts = (stored: string | null): AnswerParts => answerPartsIn(storedParts(stored))

/** Null where there is nothing beside the text. */
export function toStoredAnswerParts(answer: AnswerParts): string | null {
  const parts = partsOfAnswer(answer)
  return parts.length === 0 ? null : JSON.stringify(parts)
}

export const storedFiles = (stored: string | null): FilePart[] => filesIn(storedParts(stored))

/** The column `messages.question_parts`: null for a question that is its text alone. */
export function toStoredQuestion(question: string, files: readonly FilePart[] = []): string | null {
  return files.length === 0 ? null : JSON.stringify([...files, ...textParts(question)])
}
