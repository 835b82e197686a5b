import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { TimeLimit } from './time-limit'

/** A file of the app itself, by the address that the build gave it. */
export async function fetchAsset(address: string): Promise<Uint8Array> {
  const limit = new TimeLimit()
  try {
    limit.next(limits.calls.answerMs)
    const response = await fetch(address, { signal: limit.signal })
    if (!response.ok) throw new AppError('not-found')
    limit.next(limits.calls.bodyMs)
    return new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    throw error instanceof AppError ? error : limit.failure(error)
  } finally {
    limit.end()
  }
}
