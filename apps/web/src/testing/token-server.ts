import type { AppError } from '@parley/contract/errors'
import { userRoutes } from '@parley/contract/users'
import { expect, vi } from 'vitest'
import { api } from '../data/api/api'
import { aUser, seedSession, tokens } from './seed-session'

export type Call = { path: string; bearer: string | null; body: unknown }
export type Answer = (call: Call) => Response | Promise<Response>

export const calls: Call[] = []
export const toProfile = () => calls.filter(({ path }) => path === '/api/user')
export const toRefresh = () => calls.filter(({ path }) => path === '/api/auth/refreshToken')

/** A refusal as the server words it. */
export const failed = (status: number, code: string) =>
  Response.json({ success: false, code, message: '', status }, { status })
export const noNetwork = (): never => {
  throw new TypeError('fetch failed')
}
export const renewed = { ...tokens, access_token: 'access-2', refresh_token: 'refresh-2' }

/** The server knows the profile and the tokens, but for what a test says. */
export function serve({
  profile = () => Response.json(aUser()),
  refresh = () => Response.json(renewed),
}: {
  profile?: Answer
  refresh?: Answer
} = {}): void {
  vi.stubGlobal(
    'fetch',
    async (path: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
      const call = {
        path,
        bearer: headers.authorization ?? null,
        body: body === undefined ? undefined : JSON.parse(body),
      }
      calls.push(call)
      if (path === '/api/user') return profile(call)
      return path === '/api/auth/refreshToken' ? refresh(call) : failed(404, 'not-found')
    },
  )
}

export const profile = () => api(userRoutes.get, { query: {} })
export const refusal = (call: Promise<unknown>): Promise<AppError> =>
  call.then(
    () => expect.unreachable('the call must fail'),
    (error: AppError) => error,
  )
export const stored = () => JSON.parse(localStorage.getItem('sb.token') ?? 'null')

/** Somebody signed in so long ago that their token is good for these seconds more. */
export async function signedInWith(secondsLeft: number): Promise<void> {
  await seedSession()
  vi.setSystemTime(Date.now() + (tokens.expires_in - secondsLeft) * 1_000)
}

function signal() {
  let give = () => {}
  const promise = new Promise<void>((resolve) => {
    give = resolve
  })
  return { promise, give }
}

/** Answers the first call only when the test says so, and says when it has arrived. */
export function held(answer: () => Response) {
  const [arrived, released] = [signal(), signal()]
  return {
    arrived: arrived.promise,
    release: released.give,
    answer: async () => {
      arrived.give()
      await released.promise
      return answer()
    },
  }
}
