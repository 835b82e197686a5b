import type { StorageMode } from '@parley/contract/channels'
import { storedSession } from './stored-session'

/** Part of the contract: other pages and programs read this key. */
const key = 'configsMainChat'

/** The only kind of chat. */
export const chatTypes = ['chatting'] as const

/** The settings of the chat screen, as localStorage has them. */
type ChatSettings = {
  /** The person; null for this browser's anonymous person. */
  userId: string | null
  /** The id of the model. */
  machine: string | null
  /** Set only where the person chose the model: the default one may change. */
  machineName: string | null
  assistant: string | null
  storageMode: StorageMode
  enableWebSearch: boolean
  typeChat: (typeof chatTypes)[number]
  /** Always empty: messages are stored encrypted only. */
  chatData: never[]
}

const initial: Omit<ChatSettings, 'userId'> = {
  machine: null,
  machineName: null,
  assistant: null,
  storageMode: 'local',
  enableWebSearch: false,
  typeChat: 'chatting',
  chatData: [],
}

/** The settings of this person; another person's, and broken ones, count as none. */
export function readChatSettings(): Partial<Record<keyof ChatSettings, unknown>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return typeof stored === 'object' && stored !== null && 'userId' in stored && stored.userId === currentUserId()
      ? stored
      : {}
  } catch {
    return {}
  }
}

/** Changes some settings and keeps the others, also unknown ones. */
export function storeChatSettings(change: Partial<Omit<ChatSettings, 'userId' | 'chatData'>>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...initial, ...readChatSettings(), ...change, userId: currentUserId() }))
  } catch {
    // localStorage is denied or full: the change lasts as long as the page.
  }
}

const currentUserId = (): string | null => storedSession()?.user.id ?? null
