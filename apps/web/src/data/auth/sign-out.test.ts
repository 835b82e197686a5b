import 'fake-indexeddb/auto'
import { sessionRoutes } from '@parley/contract/session'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { AccountVault } from '../local/account-vault'
import { forgetSession, storedSession } from '../session/stored-session'
import { endSession, signOut } from './sign-out'

const events: string[] = []
const revocation = vi.fn<(init: RequestInit) => Promise<Response>>()

beforeEach(async () => {
  events.splice(0)
  vi.spyOn(AccountVault, 'seal').mockImplementation(async () => void events.push('sealed'))
  vi.spyOn(location, 'assign').mockImplementation(() => void events.push('left'))
  revocation.mockReset().mockResolvedValue(new Response(null, { status: 204 }))
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (address !== sessionRoutes.logout.path) return Promise.resolve(new Response('', { status: 404 }))
    events.push(`revoked with ${localStorage.length} entries in storage`)
    return revocation(init)
  })
  await seedSession()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
  forgetSession()
})

it('seals the chats and forgets the session before it asks anything of the network, and tells the server even if the page is gone', async () => {
  const left = signOut()
  await vi.runAllTimersAsync()
  await left
  expect(events).toEqual(['sealed', 'revoked with 0 entries in storage', 'left'])
  expect(revocation.mock.calls[0]?.[0]).toMatchObject({ keepalive: true })
  expect(storedSession()).toBeUndefined()
})

it('leaves after two and a half seconds where the network swallows packets', async () => {
  revocation.mockImplementation(
    (init) =>
      new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  )
  const left = signOut()
  // Other tabs hear of it, the vault is sealed.
  await vi.advanceTimersByTimeAsync(1_100)
  expect(events).toEqual(['sealed', 'revoked with 0 entries in storage'])
  expect(localStorage.length).toBe(0)
  await vi.advanceTimersByTimeAsync(2_500)
  await left
  expect(events.at(-1)).toBe('left')
})

it('a session that the server has ended leaves nothing of the person for the next one of this browser', async () => {
  const personal = [
    'newAssistants',
    'deleted_assistants',
    'assistantData',
    'likesArray',
    'agent-habits',
    'model-habits',
    'configsMainChat',
  ]
  for (const key of personal) localStorage.setItem(key, '[]')
  localStorage.setItem('theme', 'dark')
  await endSession('auth.session-expired')
  for (const key of [...personal, 'user', 'sb.token']) expect(localStorage.getItem(key), key).toBeNull()
  expect(localStorage.getItem('theme')).toBe('dark')
})
