import { AppError } from '@parley/contract/errors'

const maxWaits = 5

/**
 * Repeats a call that the server's rate limit refuses, after the time that the server asks for, so that long moves and
 * imports continue. Throws AppError, or the signal's reason.
 */
export async function retryWhenRateLimited<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'rate-limited' || waits === maxWaits) throw error
      await wait((error.retryAfter ?? 1) * 1_000, signal)
    }
  }
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
