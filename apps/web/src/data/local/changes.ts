import type { StorageMode } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { Source, SourceProgress } from '@parley/contract/sources'

/**
 * What changed: the list of channels, one channel, the messages of one channel, its read receipts, the vault itself, or
 * the keys that this page has of it; or somebody is about to sign out. A change of one message carries it, so that the
 * others are not read again.
 */
export type Change =
  | { kind: 'channels'; home?: 'local' }
  /**
   * One channel: its name, its members, its last activity, whether it exists. `isActivity`: its last activity alone.
   */
  | { kind: 'channel'; channelId: string; home: StorageMode; isActivity?: true }
  | { kind: 'messages'; channelId: string }
  /**
   * One message was written. `message`: its content, only within the tab that wrote it. `isRemoved`: it was deleted.
   */
  | { kind: 'message'; channelId: string; mId: string; message?: Message; isRemoved?: true }
  | { kind: 'receipts'; channelId: string }
  /** A summary of a channel was written or changed. */
  | { kind: 'summaries'; channelId: string }
  /**
   * The sources of a channel changed, or one of them did: `source` says how far it is read. `told`: the server tells of
   * one, and where only that has changed, how far it is read.
   */
  | { kind: 'sources'; channelId: string; source?: Source; told?: { sourceId: string; progress?: SourceProgress } }
  /** Questions wait in a channel, or no longer do. */
  | { kind: 'queue'; channelId: string }
  /** Searching by meaning was switched on or off. */
  | { kind: 'meaning' }
  | { kind: 'vault' }
  | { kind: 'keys' }
  | { kind: 'vault-locked' }
  | { kind: 'leaving' }

const listeners = new Set<(change: Change) => void>()
let tabs: BroadcastChannel | undefined

function openTabs(): BroadcastChannel | undefined {
  if (tabs || typeof BroadcastChannel === 'undefined') return tabs
  tabs = new BroadcastChannel('parley')
  tabs.onmessage = ({ data }: MessageEvent<Change>) => notifyListeners(data)
  return tabs
}

function notifyListeners(change: Change): void {
  for (const listener of listeners) listener(change)
}

/** Notifies this tab only. */
export function announceHere(change: Change): void {
  notifyListeners(change)
}

/** Notifies this tab and all others. Texts stay in this tab: the others read them from storage, if they may. */
export function announce(change: Change): void {
  notifyListeners(change)
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
