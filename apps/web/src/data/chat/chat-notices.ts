/** What the screen should tell a person, apart from the messages themselves. */
export type ChatNotice =
  /** What was pushed before, nobody here has heard. `isAgain`: in this person's name there was a connection before. */
  | { kind: 'connected'; isAgain: boolean }
  /** An answer is over that was asked for by a page that is gone: its charge may have been told before this page could hear of it. */
  | { kind: 'taken-up' }
  | { kind: 'empty' }
  | { kind: 'channel-left' }
  | { kind: 'failed'; content: string; code: string }
  | { kind: 'not-saved'; error: unknown }
  /** The question is the channel's draft again. */
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
