import '../../i18n/later-texts'
import { useEffect } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { toast } from '../../ui/toast'
import styles from './marketplace.module.css'

/** Shows each failure once, however many lists show it and however often they render. */
const reported = new WeakSet<Error>()

export function useErrorToast(error: Error | undefined): void {
  const { t, language } = useTranslation()
  const message = error && (errorMessage(error, language) ?? t('agents.loadFailed'))
  useEffect(() => {
    if (!error || !message || reported.has(error)) return
    reported.add(error)
    toast.error(message)
  }, [error, message])
}

/** Shown instead of a list that could not be fetched. */
export function ListProblem({ onRetry, isBusy }: { onRetry: () => void; isBusy: boolean }) {
  const { t } = useTranslation()
  const retry = (
    <Button size="small" busy={isBusy} onClick={onRetry}>
      {t('agents.retry')}
    </Button>
  )
  return (
    <div className={styles.note}>
      <EmptyState title={t('agents.loadFailed')} action={retry} />
    </div>
  )
}
