import { webLimits } from '@parley/contract/limits/web'
import { Model } from '@parley/contract/models'
import * as z from 'zod/mini'

/** Part of the contract: other pages and programs read this key. */
const key = 'models-cache'

const Cache = z.object({ models: z.array(Model).check(z.minLength(1)), timestamp: z.number() })
type Cache = z.infer<typeof Cache>

/** The cached list, if it is less than a day old; `timestamp` in milliseconds since 1970. */
export function readModelsCache(now = Date.now()): Cache | undefined {
  try {
    const cache = z.safeParse(Cache, JSON.parse(localStorage.getItem(key) ?? 'null'))
    // An entry from the future was written with a wrong clock, and would otherwise never expire.
    const isGood = cache.success && cache.data.timestamp <= now && now - cache.data.timestamp < webLimits.models.cacheMs
    return isGood ? cache.data : undefined
  } catch {
    return undefined
  }
}

export function writeModelsCache(models: Model[], now = Date.now()): void {
  try {
    localStorage.setItem(key, JSON.stringify({ models, timestamp: now } satisfies Cache))
  } catch {
    // localStorage is denied or full: the list is fetched again at the next start.
  }
}
