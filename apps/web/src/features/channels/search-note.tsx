import '../../i18n/later-texts'
import type { MessageSearch } from '../../data/search/use-message-search'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { percentText } from '../../lib/percent-text'
import { Button } from '../../ui/button'
import styles from './channel-list.module.css'
import type { Note } from './list-entries'

/** The notes between the results of a search. */
export function SearchNote({ note, search }: { note: Note; search: MessageSearch | undefined }) {
  const { t, language } = useTranslation()
  if (note !== 'searchFailed') return <p className={styles.note}>{t(`channels.${note}`)}</p>
  const { error, retry } = search ?? {}
  const reason = error && (errorMessage(error.reason, language) ?? '')
  return (
    <div className={styles.note}>
      <p role="alert">
        {t(error?.home === 'indexeddb' ? 'channels.searchFailedLocal' : 'channels.searchFailedCloud', {
          message: reason,
        })}
      </p>
      <Button size="small" onClick={retry}>
        {t('channels.retry')}
      </Button>
    </div>
  )
}

/** Shown beside the heading of the messages while the search runs. */
export function SearchProgress({ search }: { search: MessageSearch | undefined }) {
  const { t, language } = useTranslation()
  if (!search?.isSearching) return null
  const { progress } = search
  return (
    <span className={styles.searching}>
      {progress === undefined
        ? t('channels.searching')
        : t('channels.searchingPart', { percent: percentText(progress, language) })}
    </span>
  )
}
