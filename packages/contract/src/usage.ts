import type { Usage } from './chat'
import { plus, storedNano } from './money'

/** What the runs of one answer used together: of one that was continued, and of its continuation. */
export function totalUsage(before: Usage | undefined, after: Usage | undefined): Usage | undefined {
  if (!before || !after) return before ?? after
  const cost = totalCost(before.cost, after.cost)
  const [inputTokens, outputTokens] = [before.inputTokens + after.inputTokens, before.outputTokens + after.outputTokens]
  return { inputTokens, outputTokens, ...(cost === undefined ? {} : { cost }) }
}

function totalCost(before: string | undefined, after: string | undefined): string | undefined {
  // What was imported may say anything.
  if (before === undefined || !/^\d{1,18}$/.test(before)) return after
  return after === undefined ? before : String(plus(storedNano(before), storedNano(after)))
}
