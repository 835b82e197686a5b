import { AppError } from '@parley/contract/errors'
import type { Route } from '@parley/contract/route'
import type * as z from 'zod/mini'
import { type Optional, type Options, request, requestFile } from '../http/request'
import { scoped } from '../scope/scope'
import { accessToken, renewedToken } from '../session/access-token'
import { setMaintenance } from '../session/maintenance-state'
import { openNoCredits } from '../session/no-credits-dialog'

/**
 * Calls a route of the contract, with the access token of a signed-in person. A call that is refused with 401 is
 * repeated once with a renewed token. Every failure is an AppError.
 */
export async function api<R extends Route>(
  route: R,
  ...[given]: Optional<Options<R>>
): Promise<z.output<R['response']>> {
  const options = (given ?? {}) as Options<R>
  return withToken((token) => request(route, options, token))
}

/** Like `api`, for a route that answers a file of this type. */
export async function apiFile<R extends Route>(route: R, options: Options<R>, type: string): Promise<Blob> {
  return withToken((token) => requestFile(route, options, token, type))
}

const callsInFlight = scoped(() => new Set<Promise<unknown>>())

/** Resolves when the calls that are in flight now have settled. */
export async function callsEnded(): Promise<void> {
  await Promise.allSettled(callsInFlight())
}

/**
 * Runs a call with the access token. A refusal for missing credits opens the dialog about them, one for maintenance its
 * notice.
 */
export async function withToken<T>(call: (token: string | undefined) => Promise<T>): Promise<T> {
  const inFlight = callsInFlight()
  const made = callWithToken(call)
  inFlight.add(made)
  try {
    return await made
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('credits.')) openNoCredits()
    if (error instanceof AppError && error.code === 'maintenance') setMaintenance(true)
    throw error
  } finally {
    inFlight.delete(made)
  }
}

async function callWithToken<T>(call: (token: string | undefined) => Promise<T>): Promise<T> {
  const token = await accessToken()
  try {
    return await call(token)
  } catch (error) {
    if (token === undefined || !(error instanceof AppError) || error.status !== 401 || error.code !== 'unauthenticated')
      throw error
    return call(await renewedToken(token))
  }
}
