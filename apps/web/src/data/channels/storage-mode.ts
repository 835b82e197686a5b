import type { StorageMode } from '@parley/contract/channels'
import { create } from 'zustand'
import { storeChatSettings } from '../session/chat-settings'
import { useUser } from '../session/stored-session'

/** Part of the contract: other pages and programs read this key. */
const key = 'storage-mode'
/** The key of earlier versions. */
const formerKey = 'storageMode'

const useChosen = create<{ mode: StorageMode }>(() => ({ mode: read() }))

function read(): StorageMode {
  try {
    const former = localStorage.getItem(formerKey)
    if (former !== null) {
      localStorage.removeItem(formerKey)
      if (localStorage.getItem(key) === null) localStorage.setItem(key, former === 'cloud' ? 'cloud' : 'local')
    }
    return localStorage.getItem(key) === 'cloud' ? 'cloud' : 'local'
  } catch {
    return 'local'
  }
}

/** The home of new chats. Without an account there is no cloud. */
export function useStorageMode(): StorageMode {
  const mode = useChosen((state) => state.mode)
  return useUser() ? mode : 'local'
}

export function setStorageMode(mode: StorageMode): void {
  useChosen.setState({ mode })
  try {
    localStorage.setItem(key, mode)
  } catch {
    // localStorage is denied or full: the choice lasts as long as the page.
  }
  storeChatSettings({ storageMode: mode })
}
