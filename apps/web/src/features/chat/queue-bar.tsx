import '../../i18n/later-texts'
import { CornerDownRight, Ellipsis, Pencil, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { QueuedQuestion } from '../../data/channels/queued-questions'
import type { Queue } from '../../data/chat/queue'
import { useTranslation } from '../../i18n/interface-language'
import { questionText } from '../../lib/message-sources'
import { media } from '../../ui/breakpoints'
import { IconButton } from '../../ui/button'
import { Menu } from '../../ui/menu'
import { useMediaQuery } from '../../ui/use-media-query'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './queue-bar.module.css'

type Actions = { onSendNow: (mId: string) => void; onEdit: (mId: string) => void; onRemove: (mId: string) => void }

/** The questions that wait, above the text of the composer: the first one, and the others unfolded. */
export default function QueueBar({ queued, wait, ...actions }: Queue & Actions) {
  const { t } = useTranslation()
  const listId = useId()
  const [isUnfolded, setIsUnfolded] = useState(false)
  const rest = queued.length - 1

  return (
    <fieldset className={styles.queue} aria-label={t('queue.title')}>
      <ol id={listId}>
        {(isUnfolded ? queued : queued.slice(0, 1)).map((question, index) => (
          <Row key={question.mId} question={question} isFirst={index === 0} {...actions} />
        ))}
      </ol>
      <p role="status" className={wait && styles.reason}>
        {wait ? t(`queue.${wait}`) : <VisuallyHidden>{t('queue.waiting', { count: queued.length })}</VisuallyHidden>}
      </p>
      {rest > 0 && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isUnfolded}
          aria-controls={listId}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {isUnfolded ? t('queue.less') : t('queue.more', { count: rest })}
        </button>
      )}
    </fieldset>
  )
}

function Row({
  question: { mId, text, files },
  isFirst,
  onSendNow,
  onEdit,
  onRemove,
}: { question: QueuedQuestion; isFirst: boolean } & Actions) {
  const { t } = useTranslation()
  const isNarrow = useMediaQuery(media.narrow)
  const sendNow = { id: 'send', label: t('queue.sendNow'), onSelect: () => onSendNow(mId) }
  const edit = { id: 'edit', label: t('queue.edit'), onSelect: () => onEdit(mId) }
  return (
    <li data-queued={mId}>
      <CornerDownRight aria-hidden="true" />
      <span className={styles.text} dir="auto">
        {isFirst && !isNarrow && <span className={styles.next}>{t('queue.next')} </span>}
        {questionText({ chat_request: text, files })}
      </span>
      {isNarrow ? (
        <Menu label={t('queue.actions')} icon={Ellipsis} align="end" items={[sendNow, edit]} />
      ) : (
        <>
          <button type="button" className={styles.now} onClick={sendNow.onSelect}>
            {sendNow.label}
          </button>
          <IconButton label={edit.label} icon={Pencil} size="small" onClick={edit.onSelect} />
        </>
      )}
      <IconButton
        label={t('queue.remove')}
        icon={X}
        size={isNarrow ? 'medium' : 'small'}
        onClick={() => onRemove(mId)}
      />
    </li>
  )
}
