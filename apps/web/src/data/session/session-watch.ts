import { limits } from '@parley/contract/limits'
import type { QueryClient } from '@tanstack/react-query'
import { resetChat } from '../chat/chat-engine'
import { onChange } from '../local/changes'
import { forgetDevice } from '../local/device'
import { holdTokens, setExpiryListener } from './access-token'
import { endSession } from './sign-out'
import { onSessionChange } from './stored-session'

/** A sign-out in another tab is over by then, or was never finished. */
const leavingMs = 10_000

/** Keeps this page in step with who is signed in, here or in another tab. */
export function watchSession(client: QueryClient): void {
  setExpiryListener(() => void endSession('auth.session-expired'))
  onChange(({ kind }) => {
    // Another tab ends the session. Should it not come to that, this one goes on.
    if (kind === 'leaving') setTimeout(holdTokens(), leavingMs)
  })
  onSessionChange((user) => {
    forgetDevice()
    resetChat()
    // Signed out, here or in another tab: what this page still holds in memory is not for the next person.
    if (!user) return location.assign('/app')
    void client.resetQueries()
    setTimeout(() => void client.invalidateQueries(), limits.auth.queriesRefreshMs)
  })
}
