/** Events of the chat that are not messages: the screen shows them, credits use some. */
export type ChatNotice =
  /** Earlier pushes were missed. `isAgain`: this person had a connection before. */
  | { kind: 'connected'; isAgain: boolean }
  /** An orphaned run has ended: its charge may have been pushed before this page was connected. */
  | { kind: 'taken-up' }
  | { kind: 'empty' }
  | { kind: 'channel-left' }
  | { kind: 'failed'; content: string; code: string }
  | { kind: 'not-saved'; error: unknown }
  /** The question is the channel's draft again, because credits are missing. */
  | { kind: 'no-credits'; content: string; question: string; channelId: string }
  | { kind: 'credits-updated'; amount: number }
  | { kind: 'broadcast'; id: string; content: string }

const listeners = new Set<(notice: ChatNotice) => void>()

export function notify(notice: ChatNotice): void {
  for (const listener of listeners) listener(notice)
}

export function onNotice(listener: (notice: ChatNotice) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
