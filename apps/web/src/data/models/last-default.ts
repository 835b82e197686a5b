// What the button of the model showed last: the next page shows it at once, and nothing moves when the configuration
// comes. It is never asked with: the server's default model may have changed.
import * as z from 'zod/mini'

const key = 'parley-default-model'

const LastDefault = z.object({ id: z.string(), name: z.string() })
type LastDefault = z.infer<typeof LastDefault>

export function readLastDefault(): LastDefault | undefined {
  try {
    return z.safeParse(LastDefault, JSON.parse(localStorage.getItem(key) ?? 'null')).data
  } catch {
    return undefined
  }
}

export function writeLastDefault(model: LastDefault): void {
  try {
    localStorage.setItem(key, JSON.stringify(model))
  } catch {
    // localStorage is denied or full: the next page shows it once the configuration is there.
  }
}
