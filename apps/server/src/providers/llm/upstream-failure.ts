import { UpstreamError } from '../llm'

/**
 * The gateway's failure as an error whose text a person understands. `detail` is for the log and never holds what a
 * person wrote.
 */
export function failureOf(status: number | undefined, message: string): UpstreamError {
  const detail = `gateway status ${status ?? 'none'}`
  if (/context.{0,20}(length|window)|maximum context|too many tokens|prompt is too long/i.test(message))
    return new UpstreamError('upstream.too-long', { detail })
  switch (status) {
    case 401:
    case 403:
      return new UpstreamError('upstream.auth', { detail })
    case 402:
      return new UpstreamError('upstream.credits', { detail })
    case 408:
    case 504:
      return new UpstreamError('upstream.timeout', { detail })
    case 413:
      return new UpstreamError('upstream.too-long', { detail })
    case 429:
    case 503:
    case 529:
      return new UpstreamError('upstream.busy', { detail })
    case 400:
    case 404:
    case 422:
      return new UpstreamError('upstream.refused', { detail })
    default:
      return new UpstreamError('upstream.failed', { detail })
  }
}

export function isWorthRetrying(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** Milliseconds that the gateway asks to wait, given in seconds or as a date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
