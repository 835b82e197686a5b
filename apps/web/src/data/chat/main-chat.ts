import type { StorageMode } from '@parley/contract/channels'
import { storedSession } from '../session/stored-session'

/** Part of the contract: other pages and programs look here. */
const key = 'configsMainChat'

/** The one kind of chat there is. */
export const chatTypes = ['chatting'] as const

/** What the chat screen is set to, as the browser keeps it. */
type MainChat = {
  /** Whose it is; null: the anonymous person of this browser. */
  userId: string | null
  /** The id of the model. */
  machine: string | null
  /** Only where the person chose that model: the default one may change. */
  machineName: string | null
  assistant: string | null
  storageMode: StorageMode
  enableWebSearch: boolean
  typeChat: (typeof chatTypes)[number]
  /** Always empty: what is said is kept in sealed stores only. */
  chatData: never[]
}

const initial: Omit<MainChat, 'userId'> = {
  machine: null,
  machineName: null,
  assistant: null,
  storageMode: 'local',
  enableWebSearch: false,
  typeChat: 'chatting',
  chatData: [],
}

/** As this person left it. Another person's settings, and broken ones, count as none. */
export function readMainChat(): Partial<Record<keyof MainChat, unknown>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return typeof stored === 'object' && stored !== null && 'userId' in stored && stored.userId === currentUserId() ? stored : {}
  } catch {
    return {}
  }
}

/** Changes some of it; what others keep there stays. */
export function keepMainChat(change: Partial<Omit<MainChat, 'userId' | 'chatData'>>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...initial, ...readMainChat(), ...change, userId: currentUserId() }))
  } catch {
    // The choice lasts as long as the page.
  }
}

const currentUserId = (): string | null => storedSession()?.user.id ?? null
