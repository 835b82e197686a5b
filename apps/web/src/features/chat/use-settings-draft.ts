import '../../i18n/later-texts'
import { type ChatSettings, type ChatSettingsChange, changedSettings, settingsOf } from '@parley/contract/chat-settings'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { changeChatSettings, useChatSettings, wouldLoseSettings } from '../../data/channels/chat-settings'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'

/** A change is stored after so long without another one. */
const pauseMs = 500

/**
 * The settings of a chat as they are on screen. What is changed is stored in pauses, and at the end; what could not be
 * stored is stored with the next change.
 */
export function useSettingsDraft(channelId: string | undefined): {
  settings: ChatSettings
  canChange: boolean
  change: (change: ChatSettingsChange) => void
} {
  const { t, language } = useTranslation()
  const { settings: stored, canChange, channel } = useChatSettings(channelId)
  const [draft, setDraft] = useState<ChatSettingsChange>({})
  const unsaved = useRef<ChatSettingsChange>({})

  const save = useEffectEvent(async () => {
    const change = unsaved.current
    if (Object.keys(change).length === 0) return
    unsaved.current = {}
    try {
      await changeChatSettings(channelId, change, channel)
    } catch (error) {
      unsaved.current = { ...change, ...unsaved.current }
      toast.error(errorMessage(error, language) ?? t('chatSettings.saveFailed'))
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the pause anew
  useEffect(() => {
    const timer = setTimeout(() => void save(), pauseMs)
    return () => clearTimeout(timer)
  }, [draft])
  useEffect(() => {
    const saveNow = (): void => void save()
    // A phone may end a page that is put away.
    document.addEventListener('visibilitychange', saveNow)
    const saveBeforeUnload = (event: BeforeUnloadEvent): void => {
      saveNow()
      if (wouldLoseSettings()) event.preventDefault()
    }
    addEventListener('beforeunload', saveBeforeUnload)
    return () => {
      document.removeEventListener('visibilitychange', saveNow)
      removeEventListener('beforeunload', saveBeforeUnload)
      saveNow()
    }
  }, [])

  const change = useCallback((changed: ChatSettingsChange) => {
    unsaved.current = { ...unsaved.current, ...changed }
    setDraft((before) => ({ ...before, ...changed }))
  }, [])
  return { settings: settingsOf({ settings: changedSettings(stored, draft) }), canChange, change }
}
