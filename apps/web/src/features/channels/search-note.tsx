import { useTranslation } from 'react-i18next'
import type { MessageSearch } from '../../data/search/use-message-search'
import { errorMessage } from '../../lib/error-message'
import { percentText } from '../../lib/percent-text'
import { Button } from '../../ui/button'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './channel-list.module.css'
import type { Note } from './list-entries'

/** What there is to say between the results of a search. */
export function SearchNote({ note, search }: { note: Note; search: MessageSearch | undefined }) {
  const { t, i18n } = useTranslation()
  if (note !== 'searchFailed') return <p className={styles.note}>{t(`channels.${note}`)}</p>
  const { error, retry } = search ?? {}
  const reason = error && (errorMessage(error.reason, i18n.language) ?? '')
  return (
    <div className={styles.note}>
      <p role="alert">{t(error?.home === 'indexeddb' ? 'channels.searchFailedLocal' : 'channels.searchFailedCloud', { message: reason })}</p>
      <Button size="small" onClick={retry}>
        {t('channels.retry')}
      </Button>
    </div>
  )
}

/** Beside the heading of the messages while they are looked for. */
export function SearchProgress({ search }: { search: MessageSearch | undefined }) {
  const { t, i18n } = useTranslation()
  if (!search?.isSearching) return null
  const { progress } = search
  return (
    <span className={styles.searching}>
      {progress === undefined ? t('channels.searching') : t('channels.searchingPart', { percent: percentText(progress, i18n.language) })}
    </span>
  )
}

/** For screen readers: that it is looked for, and how much was found. */
export function SearchAnnouncer({ search }: { search: MessageSearch | undefined }) {
  const { t } = useTranslation()
  const count = search?.hits.length ?? 0
  return (
    <VisuallyHidden>
      <span role="status">{search && (search.isSearching ? t('channels.searching') : t('channels.messagesFound', { count }))}</span>
    </VisuallyHidden>
  )
}
