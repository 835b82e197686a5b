import '../../i18n/later-texts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChannels } from '../../data/channels/use-channels'
import { deleteAllChats } from './delete-all-chats'
import { exportAllChats } from './transfers'

/** What can be done with all chats at once, from the settings. */
export function useAllChats() {
  const { t, i18n } = useTranslation()
  const { channels, inCloud } = useChannels()
  const [isDeleting, setIsDeleting] = useState(false)
  const language = i18n.language

  async function deleteAll() {
    setIsDeleting(true)
    const texts = { question: t('settings.deleteAllConfirm'), done: t('settings.deleteAllDone') }
    const modes = inCloud.length > 0 ? (['local', 'cloud'] as const) : (['local'] as const)
    await deleteAllChats({ t, language, channels, unselect: () => undefined, modes, texts })
    setIsDeleting(false)
  }

  return {
    count: channels.length,
    isDeleting,
    deleteAll: () => void deleteAll(),
    exportAll: () => void exportAllChats({ t, language }),
  }
}
