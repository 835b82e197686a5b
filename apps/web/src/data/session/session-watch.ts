import { limits } from '@parley/contract/limits'
import type { QueryClient } from '@tanstack/react-query'
import { resetChat } from '../chat/chat-engine'
import { forgetDevice } from '../local/device'
import { setExpiryListener } from './access-token'
import { endSession } from './sign-out'
import { onSessionChange } from './stored-session'

/** Keeps this page in step with who is signed in, here or in another tab. */
export function watchSession(client: QueryClient): void {
  setExpiryListener(() => void endSession('auth.session-expired'))
  onSessionChange((user) => {
    forgetDevice()
    resetChat()
    // Signed out, here or in another tab: what this page still holds in memory is not for the next person.
    if (!user) return location.assign('/app')
    void client.resetQueries()
    setTimeout(() => void client.invalidateQueries(), limits.auth.queriesRefreshMs)
  })
}
