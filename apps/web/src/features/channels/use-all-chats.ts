import '../../i18n/later-texts'
import { useState } from 'react'
import { useChannels } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { deleteAllChats } from './delete-all-chats'
import { exportAllChats } from './transfers'

/** The actions of the settings for all chats at once. */
export function useAllChats() {
  const { t, language } = useTranslation()
  const { channels, inCloud } = useChannels()
  const [isDeleting, setIsDeleting] = useState(false)

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
