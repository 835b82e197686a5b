import type { ContextMessage } from '@parley/contract/chat'

/** Four characters are about one token in the languages of the interface; a rough measure is enough to keep a request within a small model's window. */
const maxCharacters = 64_000

/** The newest exchanges that fit beside the question and what else is said, `reserved` characters; the oldest go first. */
export function withinBudget(context: readonly ContextMessage[], question: string, reserved = 0): ContextMessage[] {
  let left = maxCharacters - question.length - reserved
  const kept: ContextMessage[] = []
  for (const message of context.toReversed()) {
    left -= message.content.length
    if (left < 0) break
    kept.unshift(message)
  }
  // An answer without its question would open the conversation in the wrong voice.
  if (kept[0]?.role === 'assistant') kept.shift()
  return kept
}
