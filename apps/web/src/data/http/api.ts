import { AppError } from '@parley/contract/errors'
import type { Route } from '@parley/contract/route'
import type * as z from 'zod/mini'
import { openNoCredits } from '../billing/no-credits-state'
import { noteMaintenance } from '../config/maintenance-state'
import { accessToken, renewedToken } from '../session/access-token'
import { type Optional, type Options, request, requestFile } from './request'

/** Makes a call of the contract, signed in or not. A call refused with 401 is made once more with a new token. Every failure is an AppError. */
export async function api<R extends Route>(route: R, ...[given]: Optional<Options<R>>): Promise<z.output<R['response']>> {
  const options = (given ?? {}) as Options<R>
  return withToken((token) => request(route, options, token))
}

/** As `api`, for a call that answers a file of this type. */
export async function apiFile<R extends Route>(route: R, options: Options<R>, type: string): Promise<Blob> {
  return withToken((token) => requestFile(route, options, token, type))
}

const underWay = new Set<Promise<unknown>>()

/** Resolves when the calls that are under way now have ended, however they end. */
export async function callsEnded(): Promise<void> {
  await Promise.allSettled(underWay)
}

/** What is refused for want of credits opens the dialog about them, and what is refused because of maintenance its notice. */
export async function withToken<T>(call: (token: string | undefined) => Promise<T>): Promise<T> {
  const made = callWithToken(call)
  underWay.add(made)
  try {
    return await made
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('credits.')) openNoCredits()
    if (error instanceof AppError && error.code === 'maintenance') noteMaintenance(true)
    throw error
  } finally {
    underWay.delete(made)
  }
}

async function callWithToken<T>(call: (token: string | undefined) => Promise<T>): Promise<T> {
  const token = await accessToken()
  try {
    return await call(token)
  } catch (error) {
    if (token === undefined || !(error instanceof AppError) || error.status !== 401 || error.code !== 'unauthenticated') throw error
    return call(await renewedToken(token))
  }
}
