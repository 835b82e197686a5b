import { onAnswerEnd } from '../data/chat/live-chat'

/** Counts on the app's icon the chats whose answers ended while nobody looked at Parley. */
export function showUnreadBadge(): void {
  if (!('setAppBadge' in navigator)) return
  const unread = new Set<string>()
  // A browser may refuse where the app is not installed.
  const show = (): void =>
    void (unread.size > 0 ? navigator.setAppBadge(unread.size) : navigator.clearAppBadge()).catch(() => undefined)
  const look = (): void => {
    if (document.visibilityState === 'hidden') return
    unread.clear()
    show()
  }
  onAnswerEnd((channelId) => {
    if (document.visibilityState !== 'hidden') return
    unread.add(channelId)
    show()
  })
  document.addEventListener('visibilitychange', look)
  // Of a page that is gone.
  look()
}
