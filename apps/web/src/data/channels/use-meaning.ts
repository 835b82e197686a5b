import { useSyncExternalStore } from 'react'
import { useConfig } from '../config/use-config'
import { onChange } from '../local/changes'
import { useUser } from '../session/stored-session'
import { isMeaningOn, setMeaningOn } from '../sources/meaning'
import { modeOf } from './homes'
import { listSources } from './list-sources'
import { newChatDraftId } from './new-chat'
import { useStorageMode } from './storage-mode'
import { isTemporary } from './temporary-chats'
import { useChannel } from './use-channels'

type MeaningSwitch = {
  isOn: boolean
  /** For all chats of this person on this device. Throws storage.unavailable. */
  setOn: (isOn: boolean) => void
}

/**
 * Searching by meaning in the sources of a chat on this device; undefined where the server has no model for it, nobody
 * is signed in, or the chat is a temporary one or in the cloud.
 */
export function useMeaning(channelId: string): MeaningSwitch | undefined {
  const isOffered = useConfig()?.vectors !== undefined
  const isSignedIn = useUser() !== undefined
  const channel = useChannel(channelId)
  const chosen = useStorageMode()
  const isOn = useSyncExternalStore(onChange, isMeaningOn)
  const mode = channel ? modeOf(channel) : channelId === newChatDraftId(false) ? chosen : undefined
  if (!isOffered || !isSignedIn || mode !== 'local' || isTemporary(channelId)) return undefined
  return {
    isOn,
    setOn(wanted) {
      setMeaningOn(wanted)
      // Whoever looks at the sources of a channel has their vectors made.
      if (wanted) void listSources(channelId).catch(() => undefined)
    },
  }
}
