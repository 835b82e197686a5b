import { limits } from '@parley/contract/limits'
import { Model } from '@parley/contract/models'
import * as z from 'zod/mini'

/** Part of the contract: other pages and programs look here. */
const key = 'models-cache'

const Cache = z.object({ models: z.array(Model).check(z.minLength(1)), timestamp: z.number() })
type Cache = z.infer<typeof Cache>

/** The list that this browser kept within the last day; `timestamp` in milliseconds since 1970. */
export function readModelsCache(now = Date.now()): Cache | undefined {
  try {
    const cache = z.safeParse(Cache, JSON.parse(localStorage.getItem(key) ?? 'null'))
    // One from the future was written by a clock that was wrong, and would last until then.
    const isGood = cache.success && cache.data.timestamp <= now && now - cache.data.timestamp < limits.models.cacheMs
    return isGood ? cache.data : undefined
  } catch {
    return undefined
  }
}

export function writeModelsCache(models: Model[], now = Date.now()): void {
  try {
    localStorage.setItem(key, JSON.stringify({ models, timestamp: now } satisfies Cache))
  } catch {
    // It is asked for again at the next start.
  }
}
