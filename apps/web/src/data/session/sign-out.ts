import { authRoutes } from '@parley/contract/auth'
import type { ErrorCode } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { callsEnded } from '../http/api'
import { request } from '../http/request'
import { announceToOthers } from '../local/changes'
import { leaveDevice } from '../local/device'
import { forgetChats } from '../vault/storage-loss'
import { holdTokens } from './access-token'
import { keepNotice } from './notice'
import { forgetSession, storedSession } from './stored-session'

/** Calls that are under way when somebody signs out get this long to end: afterwards the server refuses them. */
const callsMs = 1_000
/** And other tabs this long to hear of it. */
const hearMs = 50

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Ends the session here, and then on the server. The account's chats on this device are sealed until its next sign-in, or removed if the person says so. Local
 * and session storage are cleared and the page begins anew, so that nothing stays in its memory. Whoever closes the page in the middle is signed out here all
 * the same: nothing waits for the network before that.
 */
export async function signOut({ removeChats }: { removeChats: boolean } = { removeChats: false }): Promise<void> {
  const session = storedSession()
  const ended = Promise.race([callsEnded(), after(callsMs)])
  const letGo = holdTokens()
  announceToOthers({ kind: 'leaving' })
  await Promise.all([ended, after(hearMs)])
  if (session) await leaveVault(session.user.id, removeChats)
  localStorage.clear()
  sessionStorage.clear()
  if (session) await revoke(session.tokens.refresh_token)
  forgetSession()
  letGo()
  location.assign('/app')
}

/** Signed out means signed out, with or without a network. */
async function revoke(refreshToken: string): Promise<void> {
  const options = { body: { refresh_token: refreshToken }, keepalive: true, answerMs: limits.calls.logOutMs }
  await request(authRoutes.logout, options, undefined).catch(() => undefined)
}

/** What this browser remembers of a person, by the names that it has in local storage; what is set for whoever uses the browser stays. */
const personalKeys = ['newAssistants', 'deleted_assistants', 'assistantData', 'likesArray', 'agent-habits', 'model-habits', 'configsMainChat']

let ending: Promise<void> | undefined

/** The server has ended the session: as at a logout the chats are sealed, and the page says why. Several calls may hear of it; the page leaves once, when all is sealed. */
export function endSession(reason: ErrorCode): Promise<void> {
  ending ??= end(reason).finally(() => {
    ending = undefined
  })
  return ending
}

async function end(reason: ErrorCode): Promise<void> {
  const session = storedSession()
  if (!session) return
  // First, so that it is said whatever leads to the page after this one.
  keepNotice(reason)
  await leaveVault(session.user.id, false)
  for (const key of personalKeys) localStorage.removeItem(key)
  forgetSession()
  location.assign('/app')
}

async function leaveVault(userId: string, removeChats: boolean): Promise<void> {
  leaveDevice(userId)
  if (removeChats) forgetChats(userId)
  // Storage that does not answer must not keep anyone signed in.
  // Here since this account's vault was opened: nothing has to be fetched to close it.
  await import('../local/account-vault')
    .then(({ AccountVault }) => (removeChats ? AccountVault.remove(userId) : AccountVault.seal(userId)))
    .catch(() => undefined)
}
