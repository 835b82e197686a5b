// The commands to share a channel, and to leave another person's.
import '../../i18n/later-texts'
import { isGuest } from '@parley/contract/channels'
import { LogOut, UserPlus } from 'lucide-react'
import { canInvite, canShare } from '../../data/channels/capabilities'
import { moveFailure } from '../../data/channels/move-failure'
import { moveToCloud } from '../../data/channels/moves'
import { dropAnswers } from '../../data/chat/send-message'
import { storedSession } from '../../data/session/stored-session'
import { errorMessage } from '../../lib/error-message'
import { loadPart } from '../../ui/lazy-part'
import { confirmToast, toast } from '../../ui/toast'
import type { ChannelCommand } from './channel-command'
import { channelDialog } from './channel-dialog-state'

export const inviteCommand: ChannelCommand = {
  id: 'invite',
  needsLogin: true,
  isFor: canShare,
  icon: () => UserPlus,
  label: (_channel, t) => t('members.invite'),
  toolLabel: (_channel, t) => t('members.invite'),
  async run(channel, { t, language, selectedId, select }) {
    if (canInvite(channel)) return channelDialog.open({ kind: 'members', channelId: channel.id })
    // A channel of this device cannot be shared.
    if (!(await confirmToast({ message: t('members.confirmMove') }))) return
    const busy = toast.loading(t('channels.moving'))
    try {
      const moved = await moveToCloud(channel)
      if (selectedId() === channel.id && moved.id !== channel.id) select(moved.id)
      channelDialog.open({ kind: 'members', channelId: moved.id })
    } catch (error) {
      toast.error(moveFailure(error, { t, language }))
    } finally {
      busy.dismiss()
    }
  },
}

export const leaveCommand: ChannelCommand = {
  id: 'leave',
  isFor: isGuest,
  icon: () => LogOut,
  label: (_channel, t) => t('members.leave'),
  toolLabel: (_channel, t) => t('members.leave'),
  tone: 'danger',
  key: 'Delete',
  async run(channel, { t, language, selectedId, select }) {
    const userId = storedSession()?.user.id
    if (
      userId === undefined ||
      !(await confirmToast({ message: t('members.confirmLeave', { name: channel.channelName }), danger: true }))
    )
      return
    try {
      await dropAnswers(channel.id)
      const { leaveChannel } = await loadPart(() => import('../../data/channels/sharing'))
      await leaveChannel(channel.id, userId)
      if (selectedId() === channel.id) select(undefined)
      toast.success(t('members.left', { name: channel.channelName }))
    } catch (error) {
      toast.error(t('members.leaveFailed', { message: errorMessage(error, language) ?? t('channels.unexpected') }))
    }
  },
}
