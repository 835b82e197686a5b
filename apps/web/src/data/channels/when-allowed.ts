import { AppError } from '@parley/contract/errors'

const maxWaits = 5

/** Makes a call, and again when the server says that there were too many within its minute: whoever moves or imports a lot waits and goes on. Throws AppError, or what the signal says. */
export async function whenAllowed<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
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
