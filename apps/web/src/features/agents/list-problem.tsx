import '../../i18n/later-texts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { toast } from '../../ui/toast'
import styles from './marketplace.module.css'

/** A failure is told once, however many lists show it and however often they are drawn. */
const told = new WeakSet<Error>()

export function useErrorToast(error: Error | undefined): void {
  const { t, i18n } = useTranslation()
  const message = error && (errorMessage(error, i18n.language) ?? t('agents.loadFailed'))
  useEffect(() => {
    if (!error || !message || told.has(error)) return
    told.add(error)
    toast.error(message)
  }, [error, message])
}

/** In the place of a list that could not be read. */
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
