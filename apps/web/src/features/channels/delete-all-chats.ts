import '../../i18n/later-texts'
import type { Channel, StorageMode } from '@parley/contract/channels'
import { deleteAllChannels } from '../../data/channels/channel-actions'
import { modeOf } from '../../data/channels/homes'
import { isAnswering } from '../../data/chat/live-chat'
import { dropAnswers } from '../../data/chat/send-message'
import type { Translate } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { confirmToast, toast } from '../../ui/toast'

type Context = {
  t: Translate
  language: string
  channels: readonly Channel[]
  unselect: () => void
  /** The homes whose chats are deleted. */
  modes: readonly StorageMode[]
  texts: { question: string; done: string }
}

/**
 * Deletes all chats after a confirmation with the caller's text. Locked chats stay; success is reported only if no chat
 * is left.
 */
export async function deleteAllChats({ t, language, channels, unselect, modes, texts }: Context): Promise<void> {
  if (!(await confirmToast({ message: texts.question, danger: true }))) return
  const busy = toast.loading(t('channels.deletingAll'))
  let left = 0
  try {
    for (const channel of channels)
      if (!channel.isLocked && modes.includes(modeOf(channel)) && isAnswering(channel.id)) await dropAnswers(channel.id)
    let warning: string | undefined
    for (const mode of modes) {
      try {
        const { skipped, failed } = await deleteAllChannels(mode)
        left += skipped + failed
      } catch (error) {
        // The chats of this device are deleted even if the cloud's are not, which is reported as a warning.
        if (mode !== 'cloud' || modes.length === 1) throw error
        warning = t('channels.cloudNotDeleted', { message: errorMessage(error, language) ?? t('channels.unexpected') })
      }
    }
    if (warning !== undefined) toast.notice(warning)
    else if (left === 0) toast.success(texts.done)
    else toast.error(t('channels.notDeleted', { count: left }))
  } catch (error) {
    toast.error(errorMessage(error, language) ?? t('channels.unexpected'))
  } finally {
    unselect()
    busy.dismiss()
  }
}
