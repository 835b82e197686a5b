import { wordsIn } from './agent-words'

/** Of a passage, in characters: a paragraph or two. */
const passageLength = 1_200

/** As much of an agent's knowledge as fits into `most` characters: all of it, or the passages that share most words with the question, in their order. */
export function knowledgeFor(knowledge: string, question: string, most: number): string {
  if (knowledge.length <= most) return knowledge
  const wanted = new Set(wordsIn(question).filter((word) => word.length > 2))
  const passages = passagesOf(knowledge).map((text, place) => ({ text, place, worth: sharedWords(text, wanted) }))
  const kept: typeof passages = []
  let left = most
  // Of equal worth the earlier ones: the beginning says what the rest is about.
  for (const passage of passages.toSorted((a, b) => b.worth - a.worth || a.place - b.place)) {
    if (passage.text.length + separator.length > left) continue
    left -= passage.text.length + separator.length
    kept.push(passage)
  }
  return kept
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text)
    .join(separator)
}

const separator = '\n…\n'

/** Cut between paragraphs, else between lines or words. */
function passagesOf(text: string): string[] {
  const passages: string[] = []
  for (let from = 0; from < text.length; ) {
    const rest = text.slice(from, from + passageLength)
    const isLast = from + passageLength >= text.length
    const end = isLast ? rest.length : (['\n\n', '\n', ' '].map((mark) => rest.lastIndexOf(mark)).find((at) => at > passageLength / 2) ?? rest.length)
    const passage = rest.slice(0, end).trim()
    if (passage !== '') passages.push(passage)
    from += end
  }
  return passages
}

function sharedWords(text: string, wanted: ReadonlySet<string>): number {
  return new Set(wordsIn(text).filter((word) => wanted.has(word))).size
}
