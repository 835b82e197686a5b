import '../../i18n/later-texts'
import type { OutlineEntry } from '@parley/contract/branches'
import { mainLineOf } from '@parley/contract/main-line'
import { useQueryClient } from '@tanstack/react-query'
import { useChannel } from '../../data/channels/use-channels'
import { showBranch } from '../../data/chat/show-branch'
import { deleteVersion } from '../../data/chat/versions'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { useSelectChannel } from '../../lib/selected-channel'
import { media } from '../../ui/breakpoints'
import { confirmToast, toast } from '../../ui/toast'
import { outlinePanel } from './outline-state'
import type { OutlineTree } from './outline-tree'
import { branchOf } from './outline-tree'

export type OutlineActions = {
  /** Shows the question in the chat, on its branch. */
  go: (entry: OutlineEntry) => void
  toMainLine: () => void
  canRemove: (entry: OutlineEntry) => boolean
  /** Deletes the question and everything that follows it, if the person agrees. */
  remove: (entry: OutlineEntry) => void
}

/** `onDone`: what had the focus may be gone. */
export function useOutlineActions(channelId: string, tree: OutlineTree, onDone: () => void): OutlineActions {
  const { t, language } = useTranslation()
  const client = useQueryClient()
  const select = useSelectChannel()
  const channel = useChannel(channelId)

  const attempt = (action: () => Promise<void>): void =>
    void action().catch((error: unknown) => toast.error(errorMessage(error, language) ?? t('chat.actionFailed')))

  return {
    go: (entry) =>
      attempt(async () => {
        const { mId } = entry
        if (!entry.isShown) await showBranch(client, channelId, { mId })
        if (matchMedia(media.narrow).matches) outlinePanel.close()
        select(channelId, { mId, replace: true })
      }),
    toMainLine: () =>
      attempt(async () => {
        const mId = mainLineOf(tree.entries).at(-1)
        if (mId === undefined) return
        await showBranch(client, channelId, { mId })
        onDone()
      }),
    // A member deletes what is all their own.
    canRemove: ({ mId }) =>
      channel !== undefined &&
      !channel.isLocked &&
      (channel.role === undefined || branchOf(tree, mId).every(({ author }) => author === undefined)),
    remove: ({ mId }) =>
      attempt(async () => {
        const message = t('outline.confirmDelete', { count: tree.sizeOf(mId) })
        if (!(await confirmToast({ message, danger: true }))) return
        await deleteVersion(channelId, mId)
        onDone()
        toast.success(t('outline.deleted'))
      }),
  }
}
