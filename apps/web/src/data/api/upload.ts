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
): Promise<z.output<S>> {
  return withToken(async (token) => {
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const limit = new TimeLimit()
    try {
      limit.next(webLimits.calls.slowAnswerMs)
      const response = await fetch(path, { method, headers, credentials: 'same-origin', body, signal: limit.signal })
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
