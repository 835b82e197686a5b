import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { failureOf } from './request'
import { TimeLimit } from './time-limit'

/** Fetches public bytes, such as a picture, as they are served. Every failure is an AppError. */
export async function bytesAt(path: string): Promise<Uint8Array> {
  const limit = new TimeLimit()
  try {
    limit.next(webLimits.calls.slowAnswerMs)
    const response = await fetch(path, { signal: limit.signal })
    if (!response.ok) throw await failureOf(response)
    return new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    throw error instanceof AppError ? error : limit.failure(error)
  } finally {
    limit.end()
  }
}
