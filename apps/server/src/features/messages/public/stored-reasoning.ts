import type { Reasoning } from '@parley/contract/chat'
import { Part } from '@parley/contract/parts'
import { reasoningOf, reasoningParts } from '@parley/contract/reasoning'
import * as z from 'zod/mini'

// Thinking in a column of parts. JSON escapes what PostgreSQL cannot store.

const Parts = z.array(Part)

/** The parts of a column such as `runs.answer_parts`. */
export const storedParts = (stored: string | null): Part[] =>
  stored === null ? [] : z.parse(Parts, JSON.parse(stored))

export const storedReasoning = (stored: string | null): Reasoning | undefined => reasoningOf(storedParts(stored))

export const toStoredReasoning = (reasoning: Reasoning | undefined): string | null =>
  reasoning ? JSON.stringify(reasoningParts(reasoning)) : null
