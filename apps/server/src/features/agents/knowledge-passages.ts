import { wordsIn } from './agent-words'

/** A paragraph or two. */
const passageCharacters = 1_200

/**
 * At most `maxCharacters` of an agent's knowledge: all of it where it fits, else the passages that share the most words
 * with the question, in their original order.
 */
export function knowledgeFor(knowledge: string, question: string, maxCharacters: number): string {
  if (knowledge.length <= maxCharacters) return knowledge
  const questionWords = new Set(wordsIn(question).filter((word) => word.length > 2))
  const passages = passagesOf(knowledge).map((text, index) => ({
    text,
    index,
    score: sharedWords(text, questionWords),
  }))
  const kept: typeof passages = []
  let left = maxCharacters
  // Among equal scores the earlier passage wins: the beginning introduces the rest.
  for (const passage of passages.toSorted((a, b) => b.score - a.score || a.index - b.index)) {
    if (passage.text.length + separator.length > left) continue
    left -= passage.text.length + separator.length
    kept.push(passage)
  }
  return kept
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text)
    .join(separator)
}

const separator = '\n…\n'

/** Splits between paragraphs, else between lines or words. */
function passagesOf(text: string): string[] {
  const passages: string[] = []
  for (let from = 0; from < text.length; ) {
    const rest = text.slice(from, from + passageCharacters)
    const isLast = from + passageCharacters >= text.length
    const end = isLast
      ? rest.length
      : (['\n\n', '\n', ' '].map((mark) => rest.lastIndexOf(mark)).find((at) => at > passageCharacters / 2) ??
        rest.length)
    const passage = rest.slice(0, end).trim()
    if (passage !== '') passages.push(passage)
    from += end
  }
  return passages
}

function sharedWords(text: string, words: ReadonlySet<string>): number {
  return new Set(wordsIn(text).filter((word) => words.has(word))).size
}
