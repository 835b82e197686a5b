import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import { Copy, Ellipsis, type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import { useMessageRights } from '../../data/channels/use-message-rights'
import { deleteVersion, messagesBelow } from '../../data/chat/versions'
import { useTranslation } from '../../i18n/interface-language'
import { questionText } from '../../lib/message-sources'
import { media } from '../../ui/breakpoints'
import { IconButton } from '../../ui/button'
import { Menu } from '../../ui/menu'
import { confirmToast, toast } from '../../ui/toast'
import { useMediaQuery } from '../../ui/use-media-query'
import { editing } from './edit-state'
import { useAttempt } from './use-attempt'
import { usePinTool } from './use-pin-tool'
import styles from './versions.module.css'

type Tool = { id: string; label: string; icon: LucideIcon; onSelect: () => void; tone?: 'danger' }

/** Under a question; on a narrow screen folded into a menu beside its bubble. */
export default function QuestionTools({ message }: { message: Message }) {
  const { t } = useTranslation()
  const attempt = useAttempt()
  const isNarrow = useMediaQuery(media.narrow)
  const { canAsk, canDelete } = useMessageRights(message)
  const pin = usePinTool(message)
  const { channelId, mId, chat_request, versions, error } = message
  if (error?.code.startsWith('storage.')) return null

  const copy = (): Promise<void> =>
    attempt(async () => {
      await navigator.clipboard.writeText(questionText(message))
      toast.success(t('chat.copied'))
    })
  const remove = (): Promise<void> =>
    attempt(async () => {
      // The button disappears with its message.
      const log = document.querySelector<HTMLElement>('[role="log"]')
      const count = await messagesBelow(channelId, mId)
      if (!(await confirmToast({ message: t('versions.confirmRemove', { count }), danger: true }))) return
      await deleteVersion(channelId, mId)
      log?.focus({ preventScroll: true })
      toast.success(t('versions.removed'))
    })
  const tools: Tool[] = [
    ...(pin ? [pin] : []),
    { id: 'copy', label: t('versions.copy'), icon: Copy, onSelect: () => void copy() },
  ]
  if (canAsk)
    tools.push({
      ...{ id: 'edit', label: t('versions.edit'), icon: Pencil },
      onSelect: () => editing.begin(mId, chat_request),
    })
  if (versions?.questions && canDelete)
    tools.push({
      ...{ id: 'remove', label: t('versions.remove'), icon: Trash2, tone: 'danger' },
      onSelect: () => void remove(),
    })

  if (isNarrow)
    return (
      <div className={styles.folded} data-edit-question="">
        <Menu label={t('versions.questionTools')} icon={Ellipsis} align="end" items={tools} />
      </div>
    )
  return (
    <div className={styles.questionTools}>
      {tools.map(({ id, label, icon, onSelect }) => (
        <IconButton
          key={id}
          label={label}
          icon={icon}
          size="small"
          data-edit-question={id === 'edit' ? '' : undefined}
          onClick={onSelect}
        />
      ))}
    </div>
  )
}
