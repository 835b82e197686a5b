import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { TimeLimit } from './time-limit'

/** Fetches a file of the app itself by its build URL. */
export async function fetchAsset(address: string): Promise<Uint8Array> {
  const limit = new TimeLimit()
  try {
    limit.next(webLimits.calls.answerMs)
    const response = await fetch(address, { signal: limit.signal })
    if (!response.ok) throw new AppError('not-found')
    limit.next(webLimits.calls.bodyMs)
    return new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    throw error instanceof AppError ? error : limit.failure(error)
  } finally {
    limit.end()
  }
}
