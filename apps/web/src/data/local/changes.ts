import type { StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'

/**
 * What changed: the list of channels, one of them, the messages of one channel, who has read them, the vault itself, or the keys that this page holds of it; or
 * somebody is about to sign out. A change of one message names it, so that nobody reads the others again.
 */
export type Change =
  | { kind: 'channels'; home?: 'local' }
  /** Of this channel alone: its name, its last activity, whether it is there. */
  | { kind: 'channel'; channelId: string; home: StorageMode }
  | { kind: 'messages'; channelId: string }
  /** One message was written. `message`: as it is now, in the tab that wrote it. `isRemoved`: there is nothing to read. */
  | { kind: 'message'; channelId: string; mId: string; message?: Message; isRemoved?: true }
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

/** Tells this tab and all others. Texts stay in this tab: another one reads them from the storage, where it may. */
export function announce(change: Change): void {
  tell(change)
  if (change.kind === 'message') {
    const { message: _text, ...told } = change
    openTabs()?.postMessage(told)
  } else {
    openTabs()?.postMessage(change)
  }
}

export function announceToOthers(change: Change): void {
  openTabs()?.postMessage(change)
}

export function onChange(listener: (change: Change) => void): () => void {
  openTabs()
  listeners.add(listener)
  return () => listeners.delete(listener)
}
