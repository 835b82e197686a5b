import { Button } from './button'
import styles from './load-failure.module.css'

type Props = { text: string; retryLabel: string; isBusy: boolean; onRetry: () => void }

/** Stands where something could not be loaded. */
export function LoadFailure({ text, retryLabel, isBusy, onRetry }: Props) {
  return (
    <div className={styles.failure} role="alert">
      <p>{text}</p>
      <Button size="small" busy={isBusy} onClick={onRetry}>
        {retryLabel}
      </Button>
    </div>
  )
}
