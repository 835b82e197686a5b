import { webLimits } from '@parley/contract/limits/web'
import type { QueryClient } from '@tanstack/react-query'
import { onChange } from '../local/changes'
import { holdTokens, setExpiryListener } from '../session/access-token'
import { onSessionChange } from '../session/stored-session'
import { endSession } from './sign-out'

/** After this time a sign-out in another tab has finished, or failed. */
const leavingMs = 10_000

/** Follows the session, whether this tab or another one changes it. */
export function watchSession(client: QueryClient): void {
  setExpiryListener(() => void endSession('auth.session-expired'))
  onChange(({ kind }) => {
    // Another tab is signing out: this one sends no calls meanwhile, and goes on if the sign-out did not finish.
    if (kind === 'leaving') setTimeout(holdTokens(), leavingMs)
  })
  onSessionChange((user) => {
    // Signed out, here or in another tab: the page reloads, so that nothing in its memory reaches the next person.
    if (!user) return location.assign('/app')
    void client.resetQueries()
    setTimeout(() => void client.invalidateQueries(), webLimits.auth.queriesRefreshMs)
  })
}
