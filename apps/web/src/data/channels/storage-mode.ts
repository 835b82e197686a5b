import type { StorageMode } from '@parley/contract/channels'
import { create } from 'zustand'
import { keepMainChat } from '../chat/main-chat'
import { useUser } from '../session/stored-session'

/** Part of the contract: other pages and programs look here. */
const key = 'storage-mode'
/** Where it stood before. */
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

/** Where new chats are made. Without an account there is no cloud. */
export function useStorageMode(): StorageMode {
  const mode = useChosen((state) => state.mode)
  return useUser() ? mode : 'local'
}

export function setStorageMode(mode: StorageMode): void {
  useChosen.setState({ mode })
  try {
    localStorage.setItem(key, mode)
  } catch {
    // The choice lasts as long as the page.
  }
  keepMainChat({ storageMode: mode })
}
