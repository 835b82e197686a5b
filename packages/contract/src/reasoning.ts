import { mostReasoningMs, type Reasoning } from './chat'
import type { Part } from './parts'

// Thinking as a field of a message, and as a part of a run.

export function reasoningParts(reasoning: Reasoning | undefined): Part[] {
  return reasoning ? [{ type: 'reasoning', text: reasoning.text, ms: reasoning.ms }] : []
}

/** All thinking among the parts as one; undefined where there is none. */
export function reasoningOf(parts: readonly Part[]): Reasoning | undefined {
  return parts.reduce<Reasoning | undefined>(
    (before, part) => (isReasoning(part) ? joinedReasoning(before, { text: part.text, ms: part.ms }) : before),
    undefined,
  )
}

const isReasoning = (part: Part): part is Extract<Part, { type: 'reasoning'; text: string }> =>
  part.type === 'reasoning'

/** The thinking of a run after that of the runs that it continues. */
export function joinedReasoning(before: Reasoning | undefined, own: Reasoning | undefined): Reasoning | undefined {
  if (!before || !own) return before ?? own
  return { text: `${before.text}\n\n${own.text}`, ms: Math.min(before.ms + own.ms, mostReasoningMs) }
}

/** The thinking of a run itself, where `all` begins with that of the runs that it continues. */
export function reasoningAfter(all: Reasoning | undefined, before: Reasoning | undefined): Reasoning | undefined {
  if (!all || !before) return all
  if (all.text === before.text) return undefined
  const head = `${before.text}\n\n`
  return all.text.startsWith(head) ? { text: all.text.slice(head.length), ms: Math.max(0, all.ms - before.ms) } : all
}
