import type { ErrorCode } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { sessionRoutes } from '@parley/contract/session'
import { callsEnded } from '../api/api'
import { request } from '../http/request'
import { announceToOthers } from '../local/changes'
import { scoped } from '../scope/scope'
import { holdTokens } from '../session/access-token'
import { forgetSession, storedSession } from '../session/stored-session'
import { closeDevice } from '../vault/open-device'
import { forgetChats } from '../vault/storage-loss'
import { storeNotice } from './notice'

/** Calls in flight get this long to settle: after the sign-out the server refuses them. */
const callsMs = 1_000
/** Other tabs get this long to receive the announcement. */
const announceMs = 50

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Ends the session here, and then on the server. The account's chats on this device are sealed until its next sign-in,
 * or removed if the person asks for it. Local and session storage are cleared and the page reloads, so that nothing
 * stays in its memory. A page that is closed in the middle is signed out too: no step waits for the network before the
 * local part is done.
 */
export async function signOut({ removeChats }: { removeChats: boolean } = { removeChats: false }): Promise<void> {
  const session = storedSession()
  const ended = Promise.race([callsEnded(), after(callsMs)])
  const letGo = holdTokens()
  announceToOthers({ kind: 'leaving' })
  await Promise.all([ended, after(announceMs)])
  if (session) await closeVault(session.user.id, removeChats)
  localStorage.clear()
  sessionStorage.clear()
  if (session) await revoke(session.tokens.refresh_token)
  forgetSession()
  letGo()
  location.assign('/app')
}

/** Revokes the session on the server; without a network the sign-out still holds on this device. */
async function revoke(refreshToken: string): Promise<void> {
  const options = { body: { refresh_token: refreshToken }, keepalive: true, answerMs: webLimits.calls.logOutMs }
  await request(sessionRoutes.logout, options, undefined).catch(() => undefined)
}

/** The localStorage keys that hold something of a person; settings of the browser itself stay. */
const personalKeys = [
  'newAssistants',
  'deleted_assistants',
  'assistantData',
  'likesArray',
  'agent-habits',
  'model-habits',
  'configsMainChat',
  'search-by-meaning',
]

const endOfSession = scoped((): { ending: Promise<void> | undefined } => ({ ending: undefined }))

/**
 * Called when the server has ended the session: seals the chats as a sign-out does and shows the reason after the
 * reload. Several calls may report it; the page reloads once, when all is sealed.
 */
export function endSession(reason: ErrorCode): Promise<void> {
  const own = endOfSession()
  own.ending ??= end(reason).finally(() => {
    own.ending = undefined
  })
  return own.ending
}

async function end(reason: ErrorCode): Promise<void> {
  const session = storedSession()
  if (!session) return
  // First, so that the reason is shown whichever way the page reloads.
  storeNotice(reason)
  await closeVault(session.user.id, false)
  for (const key of personalKeys) localStorage.removeItem(key)
  forgetSession()
  location.assign('/app')
}

async function closeVault(userId: string, removeChats: boolean): Promise<void> {
  closeDevice(userId)
  if (removeChats) forgetChats(userId)
  // Unresponsive storage must not keep anyone signed in. The import is in memory since this account's vault was opened:
  // closing it needs no network.
  await import('../local/account-vault')
    .then(({ AccountVault }) => (removeChats ? AccountVault.remove(userId) : AccountVault.seal(userId)))
    .catch(() => undefined)
}
