import { type ContextPlan, fullnessOf } from '@parley/contract/context-plan'

/** Rounded down: a window that is full to the brim alone is 100 % full. */
export const percentOf = (plan: ContextPlan, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent', roundingMode: 'floor' }).format(fullnessOf(plan))
