import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { type FetchedPage, sourceRoutes } from '@parley/contract/sources'
import { api } from '../api/api'

/** Has a website or video read for this device. Every failure is an AppError. */
export type FetchPage = (url: string, signal: AbortSignal) => Promise<FetchedPage>

/** By the server, which keeps nothing of it. It answers unavailable while it reads too many for others. */
export const fetchPage: FetchPage = async (url, signal) => {
  for (let retries = 0; ; retries++) {
    try {
      return await api(sourceRoutes.fetch, { body: { url }, signal, answerMs: webLimits.calls.slowAnswerMs })
    } catch (error) {
      if (signal.aborted) throw new AppError('source.cancelled')
      if (!(error instanceof AppError) || error.code !== 'unavailable' || retries === webLimits.sources.fetchRetries)
        throw error
      await passed((error.retryAfter ?? 1) * 1_000, signal)
    }
  }
}

/** Resolves after so many milliseconds, or at once when the signal is aborted. */
export function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
