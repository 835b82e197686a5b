import { useEffect } from 'react'
import { isCharged, refreshStaleBalance, storeBalance } from '../credits/balance'
import { useUser } from '../session/stored-session'
import { startChat } from './chat-engine'
import { onNotice } from './chat-notices'

/**
 * While a component uses it, a balance that the server pushes replaces the one that was fetched: also on a page that
 * shows no chat, which has not connected yet.
 */
export function usePushedCredits(): void {
  const isPushed = isCharged(useUser())
  useEffect(() => {
    if (isPushed) startChat()
  }, [isPushed])
  useEffect(
    () =>
      onNotice((notice) => {
        if (notice.kind === 'credits-updated') storeBalance(notice.amount)
        else if (notice.kind === 'connected') refreshStaleBalance({ isReconnected: notice.isAgain })
        else if (notice.kind === 'taken-up') refreshStaleBalance({ isReconnected: true })
      }),
    [],
  )
}
