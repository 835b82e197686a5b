import { termsOf } from './words'

/** A question with fewer words of its own, such as "And why?", speaks of what was asked before it. */
const leastWords = 4
/** Of a question before: its beginning says what it is about. */
const maxBefore = 2_000

/**
 * What passages are looked for by: the question, and where it has too few words that say what it is about, what was
 * asked before it, until there are enough. `before`: newest first. An empty question stays empty.
 */
export function searchQuestion(question: string, before: readonly string[]): string {
  if (question.trim() === '') return question
  let text = question
  for (const earlier of before) {
    if (wordsIn(text) >= leastWords) break
    text += `\n${earlier.slice(0, maxBefore)}`
  }
  return text
}

const wordsIn = (text: string): number => new Set(termsOf(text).map(({ term }) => term)).size
