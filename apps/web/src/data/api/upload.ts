import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import * as z from 'zod/mini'
import { failureOf } from '../http/request'
import { TimeLimit } from '../http/time-limit'
import { withToken } from './api'

/** Uploads one file as a form. Every failure is an AppError. */
export function upload<S extends z.core.$ZodType>(path: string, file: Blob, schema: S): Promise<z.output<S>> {
  const body = new FormData()
  body.append('image', file)
  return sendForm('POST', path, body, schema)
}

/** Sends a form and parses the answer. Every failure is an AppError. */
export function sendForm<S extends z.core.$ZodType>(
  method: 'POST' | 'PUT',
  path: string,
  body: FormData,
  schema: S,
  {
    answerMs = webLimits.calls.slowAnswerMs,
    signal,
  }: { answerMs?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<z.output<S>> {
  return withToken(async (token) => {
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const limit = new TimeLimit()
    const ends = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal])
    try {
      limit.next(answerMs)
      const response = await fetch(path, { method, headers, credentials: 'same-origin', body, signal: ends })
      if (!response.ok) throw await failureOf(response)
      const parsed = z.safeParse(schema, await response.json().catch(() => undefined))
      if (!parsed.success) throw new AppError('unknown', { cause: parsed.error })
      return parsed.data
    } catch (error) {
      throw error instanceof AppError ? error : limit.failure(error)
    } finally {
      limit.end()
    }
  })
}
