/** What changed: the list of channels, the messages of one channel, who has read them, the vault itself, or the keys that this page holds of it; or somebody is about to sign out. */
export type Change =
  | { kind: 'channels'; home?: 'local' }
  | { kind: 'messages'; channelId: string }
  | { kind: 'receipts'; channelId: string }
  | { kind: 'vault' }
  | { kind: 'keys' }
  | { kind: 'vault-locked' }
  | { kind: 'leaving' }

const listeners = new Set<(change: Change) => void>()
let tabs: BroadcastChannel | undefined

function openTabs(): BroadcastChannel | undefined {
  if (tabs || typeof BroadcastChannel === 'undefined') return tabs
  tabs = new BroadcastChannel('parley')
  tabs.onmessage = ({ data }: MessageEvent<Change>) => tell(data)
  return tabs
}

function tell(change: Change): void {
  for (const listener of listeners) listener(change)
}

/** Tells this tab alone. */
export function announceHere(change: Change): void {
  tell(change)
}

/** Tells this tab and all others. */
export function announce(change: Change): void {
  tell(change)
  openTabs()?.postMessage(change)
}

export function announceToOthers(change: Change): void {
  openTabs()?.postMessage(change)
}

export function onChange(listener: (change: Change) => void): () => void {
  openTabs()
  listeners.add(listener)
  return () => listeners.delete(listener)
}
