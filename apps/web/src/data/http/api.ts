import { AppError } from '@parley/contract/errors'
import type { Route } from '@parley/contract/route'
import type * as z from 'zod/mini'
import { accessToken, renewedToken } from '../session/access-token'
import { type Optional, type Options, request } from './request'

/** Makes a call of the contract, signed in or not. A call refused with 401 is made once more with a new token. Every failure is an AppError. */
export async function api<R extends Route>(route: R, ...[given]: Optional<Options<R>>): Promise<z.output<R['response']>> {
  const options = (given ?? {}) as Options<R>
  const token = await accessToken()
  try {
    return await request(route, options, token)
  } catch (error) {
    if (token === undefined || !(error instanceof AppError) || error.status !== 401 || error.code !== 'unauthenticated') throw error
    return request(route, options, await renewedToken(token))
  }
}
