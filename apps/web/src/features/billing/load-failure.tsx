import '../../i18n/later-texts'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button'
import styles from './billing.module.css'

/** In the place of what could not be loaded. */
export function LoadFailure({ text, isBusy, onRetry }: { text: string; isBusy: boolean; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={styles.failure} role="alert">
      <p>{text}</p>
      <Button size="small" busy={isBusy} onClick={onRetry}>
        {t('billing.retry')}
      </Button>
    </div>
  )
}
