import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { failureOf } from './request'
import { TimeLimit } from './time-limit'

/** What everybody may have, such as a picture, as it is served. Every failure is an AppError. */
export async function bytesAt(path: string): Promise<Uint8Array> {
  const limit = new TimeLimit()
  try {
    limit.next(limits.calls.slowAnswerMs)
    const response = await fetch(path, { signal: limit.signal })
    if (!response.ok) throw await failureOf(response)
    return new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    throw error instanceof AppError ? error : limit.failure(error)
  } finally {
    limit.end()
  }
}
