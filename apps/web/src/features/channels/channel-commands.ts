// The commands for a channel. The row's menu, its shortcuts, the top bar and the palette all run these objects.
import '../../i18n/later-texts'
import {
  assertCanClear,
  assertCanDelete,
  type Channel,
  isGuest,
  isShared,
  type StorageMode,
} from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { Cloud, Eraser, HardDrive, Lock, LockOpen, PencilLine, Share, Trash2 } from 'lucide-react'
import { canKeep, canLock, canMove } from '../../data/channels/capabilities'
import { clearChannel, deleteChannel, setChannelLocked } from '../../data/channels/channel-actions'
import { moveFailure } from '../../data/channels/move-failure'
import { moveToCloud, moveToDevice } from '../../data/channels/moves'
import { dropAnswers } from '../../data/chat/send-message'
import type { Translate } from '../../i18n/interface-language'
import { downloadBlob } from '../../lib/download'
import { errorMessage } from '../../lib/error-message'
import { loadPart } from '../../ui/lazy-part'
import { confirmToast, toast } from '../../ui/toast'
import type { ChannelCommand } from './channel-command'
import { channelDialog } from './channel-dialog-state'
import { exportsRunning } from './exports-running'
import { keepCommand } from './keep-command'
import { inviteCommand, leaveCommand } from './sharing-commands'

const exportPdf: ChannelCommand = {
  id: 'export',
  needsLogin: true,
  icon: () => Share,
  label: (_channel, t) => t('channels.exportPdf'),
  toolLabel: (_channel, t) => t('channels.exportToPdf'),
  async run(channel, { t, language }) {
    if (exportsRunning.has(channel.id)) return
    exportsRunning.add(channel.id)
    const busy = toast.loading(t('channels.exporting'))
    try {
      const { exportChannelPdf } = await loadPart(() => import('../../data/pdf/export-pdf'))
      const { blob, fileName } = await exportChannelPdf(channel.id, {
        exported: t('channels.pdfExported'),
        cut: t('channels.pdfCut'),
        gone: t('members.deletedAccount'),
      })
      downloadBlob(blob, fileName)
      const where = channel.isLocalChannel ? 'channels.exportedLocal' : 'channels.exportedCloud'
      toast.success(t(canKeep(channel) ? 'temporary.exported' : where))
    } catch (error) {
      const isRefused = !channel.isLocalChannel && error instanceof AppError && error.status >= 500
      const message = isRefused
        ? t('channels.exportFailedStatus', { status: error.status })
        : errorMessage(error, language)
      toast.error(t('channels.exportFailed', { message: message ?? t('channels.errorExporting') }))
    } finally {
      busy.dismiss()
      exportsRunning.remove(channel.id)
    }
  },
}

const rename: ChannelCommand = {
  id: 'rename',
  needsLogin: true,
  isFor: (channel) => !isGuest(channel),
  icon: () => PencilLine,
  label: (_channel, t) => t('channels.rename'),
  toolLabel: (_channel, t) => t('channels.rename'),
  key: 'F2',
  async run(channel) {
    channelDialog.open({ kind: 'rename', channelId: channel.id })
  },
}

/** An imported channel may be locked: without this command it would stay so for ever. */
const toggleLock: ChannelCommand = {
  id: 'lock',
  isFor: canLock,
  icon: (channel) => (channel.isLocked ? LockOpen : Lock),
  label: lockLabel,
  toolLabel: lockLabel,
  async run(channel, { t, language }) {
    try {
      await setChannelLocked(channel.id, !channel.isLocked)
      toast.success(t(channel.isLocked ? 'channels.unlockedNow' : 'channels.lockedNow'))
    } catch (error) {
      const message = errorMessage(error, language) ?? t('channels.unexpected')
      toast.error(t(channel.isLocked ? 'channels.unlockFailed' : 'channels.lockFailed', { message }))
    }
  },
}

const move: ChannelCommand = {
  id: 'move',
  needsLogin: true,
  isFor: canMove,
  icon: ({ isLocalChannel }) => (isLocalChannel ? Cloud : HardDrive),
  label: moveLabel,
  toolLabel: moveLabel,
  async run(channel, { t, language, selectedId, select }) {
    const isToCloud = channel.isLocalChannel
    if (!(await confirmToast({ message: moveQuestion(channel, t) }))) return
    const busy = toast.loading(t('channels.moving'))
    try {
      const moved = await (isToCloud ? moveToCloud(channel) : moveToDevice(channel))
      if (selectedId() === channel.id && moved.id !== channel.id) select(moved.id)
      toast.success(t(isToCloud ? 'channels.createdCloud' : 'channels.movedToDevice'))
    } catch (error) {
      toast.error(moveFailure(error, { t, language }))
    } finally {
      busy.dismiss()
    }
  },
}

/** The home in which a change of a channel is made, for its texts. */
const homeName = (channel: Channel, mode: StorageMode): 'Local' | 'Cloud' =>
  channel.isLocalChannel || (mode === 'local' && !isShared(channel)) ? 'Local' : 'Cloud'

const clear: ChannelCommand = {
  id: 'clear',
  isFor: (channel) => !isGuest(channel),
  icon: () => Eraser,
  label: (_channel, t) => t('channels.clearConversation'),
  toolLabel: (_channel, t) => t('channels.clear'),
  async run(channel, { t, language, selectedId, select, mode }) {
    const place = homeName(channel, mode)
    try {
      assertCanClear(channel)
      if (
        !(await confirmToast({
          message: t(isShared(channel) ? 'members.confirmClear' : 'channels.confirmClear'),
          danger: true,
        }))
      )
        return
      await dropAnswers(channel.id)
      await clearChannel(channel, mode)
      if (selectedId() === channel.id) select(undefined)
      toast.success(t(canKeep(channel) ? 'temporary.cleared' : `channels.cleared${place}`))
    } catch (error) {
      toast.error(
        t(`channels.clearFailed${place}`, { message: errorMessage(error, language) ?? t('channels.errorClearing') }),
      )
    }
  },
}

const remove: ChannelCommand = {
  id: 'delete',
  isFor: (channel) => !isGuest(channel),
  icon: () => Trash2,
  label: (_channel, t) => t('channels.delete'),
  toolLabel: (_channel, t) => t('channels.delete'),
  tone: 'danger',
  key: 'Delete',
  async run(channel, { t, language, selectedId, select, mode }) {
    const place = homeName(channel, mode)
    try {
      assertCanDelete(channel)
      if (
        !(await confirmToast({
          message: t(isShared(channel) ? 'members.confirmDelete' : 'channels.confirmDelete'),
          danger: true,
        }))
      )
        return
      await dropAnswers(channel.id)
      await deleteChannel(channel.id)
      if (selectedId() === channel.id) select(undefined)
      toast.success(t(canKeep(channel) ? 'temporary.deleted' : `channels.deleted${place}`))
    } catch (error) {
      toast.error(
        t(`channels.deleteFailed${place}`, { message: withStatus(error, language) ?? t('channels.errorDeleting') }),
      )
    }
  },
}

/** The text of an error; one that the catalogue does not know includes its status. */
function withStatus(error: unknown, language: string): string | undefined {
  const message = errorMessage(error, language)
  return error instanceof AppError && error.said !== undefined ? `${error.status} ${message}` : message
}

/** In the order of a row's menu; the last one is separated. */
export const channelCommands: readonly ChannelCommand[] = [
  keepCommand,
  exportPdf,
  rename,
  toggleLock,
  move,
  clear,
  inviteCommand,
  leaveCommand,
  remove,
]
/** In the order of the top bar's tools. */
export const toolCommands: readonly ChannelCommand[] = [
  rename,
  exportPdf,
  inviteCommand,
  toggleLock,
  move,
  clear,
  leaveCommand,
  remove,
]
export const exportCommand = exportPdf
export const deleteCommand = remove

function lockLabel(channel: Channel, t: Translate): string {
  return t(channel.isLocked ? 'channels.unlock' : 'channels.lock')
}

function moveLabel({ isLocalChannel }: Channel, t: Translate): string {
  return t(isLocalChannel ? 'channels.moveToCloud' : 'channels.moveToDevice')
}

function moveQuestion(channel: Channel, t: Translate): string {
  if (channel.isLocalChannel) return t('channels.confirmToCloud')
  // A channel of this device cannot be shared.
  return t(isShared(channel) ? 'members.confirmToDevice' : 'channels.confirmToDevice', { count: 1 })
}
