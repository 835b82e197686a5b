import '../../i18n/later-texts'
import type { HomePreview } from '../../data/transfer/preview-import'
import { useTranslation } from '../../i18n/interface-language'
import styles from './transfer.module.css'

/** The preview of the import for each home, before anything is written. */
export function PreviewNote({ homes }: { homes: readonly HomePreview[] }) {
  const { t } = useTranslation()
  if (homes.length === 0) return <p className={styles.note}>{t('transfer.previewNothing')}</p>
  return (
    <div role="status">
      {homes.map(({ home, chatsAdded, chatsReplaced, messagesAdded, messagesReplaced, messagesLost, filesAdded }) => (
        <div key={home}>
          <p className={styles.note}>
            <b>{t(`transfer.${home}`)}</b>
            {': '}
            {[
              chatsAdded > 0 && t('transfer.chatsAdded', { count: chatsAdded }),
              chatsReplaced > 0 && t('transfer.chatsReplaced', { count: chatsReplaced }),
              messagesAdded > 0 && t('transfer.messagesAdded', { count: messagesAdded }),
              messagesReplaced > 0 && t('transfer.messagesReplaced', { count: messagesReplaced }),
              filesAdded > 0 && t('transfer.filesAdded', { count: filesAdded }),
            ]
              .filter((text) => text !== false)
              .join(', ')}
          </p>
          {messagesLost > 0 && <p className={styles.problem}>{t(`transfer.lost.${home}`, { count: messagesLost })}</p>}
        </div>
      ))}
    </div>
  )
}
