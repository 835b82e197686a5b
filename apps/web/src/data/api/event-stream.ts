import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import type { Route } from '@parley/contract/route'
import type * as z from 'zod/mini'
import { failureOf } from '../http/request'
import { TimeLimit } from '../http/time-limit'
import { withToken } from './api'

type Body<R> = R extends { body: infer S extends z.core.$ZodType } ? z.input<S> : undefined

/**
 * Calls a route that answers server-sent events, and yields the JSON of each as it arrives. Every failure is an
 * AppError; an abort throws the signal's reason and closes the request.
 */
export async function* apiEvents<R extends Route>(
  route: R,
  { body, signal }: { body: Body<R>; signal: AbortSignal },
): AsyncGenerator<unknown> {
  const limit = new TimeLimit(signal)
  const response = await withToken((token) => respond(route, body, token, limit)).catch((error: unknown) => {
    limit.end()
    throw error
  })
  if (!response.body) throw new AppError('network')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const events = new EventParser()
  try {
    for (;;) {
      limit.next(webLimits.calls.bodyMs)
      const { done, value } = await reader.read().catch((error: unknown) => {
        signal.throwIfAborted()
        throw new AppError('network', { cause: error })
      })
      if (done) return
      for (const data of events.read(value)) yield parsed(data)
    }
  } finally {
    // A reader that stops early closes the request. After a failure there is nothing left to cancel.
    await reader.cancel().catch(() => undefined)
    limit.end()
  }
}

async function respond(route: Route, body: unknown, token: string | undefined, limit: TimeLimit): Promise<Response> {
  limit.next(webLimits.calls.answerMs)
  const response = await fetch(route.path, {
    method: route.method,
    headers: {
      accept: 'text/event-stream',
      'accept-language': document.documentElement.lang || 'en-US',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    credentials: 'same-origin',
    body: JSON.stringify(body),
    signal: limit.signal,
  }).catch((error: unknown) => {
    throw limit.failure(error)
  })
  if (!response.ok) throw await failureOf(response)
  return response
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (error) {
    throw new AppError('unknown', { cause: error })
  }
}

/** Assembles events from chunks that may end anywhere: between lines, within one, between a CR and its LF. */
export class EventParser {
  private rest = ''
  private data: string[] = []

  /** The data of the events that this chunk completes. */
  read(piece: string): string[] {
    const complete: string[] = []
    const lines = (this.rest + piece).split(/\r\n|\n|\r(?!$)/)
    this.rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) this.data.push(line.slice(5).replace(/^ /, ''))
      if (line !== '' || this.data.length === 0) continue
      complete.push(this.data.join('\n'))
      this.data = []
    }
    return complete
  }
}
