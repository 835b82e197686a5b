import { AppError } from '@parley/contract/errors'
import * as z from 'zod/mini'
import { withToken } from './api'
import { failureOf } from './request'

/** Sends one file as a form. Every failure is an AppError. */
export function upload<S extends z.core.$ZodType>(path: string, file: Blob, schema: S): Promise<z.output<S>> {
  return withToken(async (token) => {
    const body = new FormData()
    body.append('image', file)
    const headers: Record<string, string> = { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    const response = await fetch(path, { method: 'POST', headers, credentials: 'same-origin', body }).catch((error: unknown) => {
      throw new AppError('network', { cause: error })
    })
    if (!response.ok) throw await failureOf(response)
    const parsed = z.safeParse(schema, await response.json().catch(() => undefined))
    if (!parsed.success) throw new AppError('unknown', { cause: parsed.error })
    return parsed.data
  })
}
