// The command that keeps a temporary chat.
import '../../i18n/later-texts'
import { HardDriveDownload } from 'lucide-react'
import { canKeep } from '../../data/channels/capabilities'
import { errorMessage } from '../../lib/error-message'
import { loadPart } from '../../ui/lazy-part'
import { toast } from '../../ui/toast'
import type { ChannelCommand } from './channel-command'

export const keepCommand: ChannelCommand = {
  id: 'keep',
  isFor: canKeep,
  icon: () => HardDriveDownload,
  label: (_channel, t) => t('temporary.keepLong'),
  toolLabel: (_channel, t) => t('temporary.keep'),
  async run(channel, { t, language, selectedId, select }) {
    try {
      const { keepTemporary } = await loadPart(() => import('../../data/channels/keep-temporary'))
      const kept = await keepTemporary(channel.id)
      if (selectedId() !== kept.id) select(kept.id)
      toast.success(t('temporary.kept'))
    } catch (error) {
      toast.error(t('temporary.keepFailed', { message: errorMessage(error, language) ?? t('channels.unexpected') }))
    }
  },
}
