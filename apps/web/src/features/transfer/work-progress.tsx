import { Progress } from '../../ui/progress'
import styles from './transfer.module.css'

type Props = { label: string; hint?: string; progress: { done: number; total: number } | undefined; text: string }

/** The progress of a running task, with numbers. */
export function WorkProgress({ label, hint, progress, text }: Props) {
  return (
    <div className={styles.work}>
      <p>{label}</p>
      <Progress value={progress?.done ?? 0} max={Math.max(1, progress?.total ?? 1)} label={label} />
      <p className={styles.note} role="status">
        {text}
      </p>
      {hint && <p className={styles.note}>{hint}</p>}
    </div>
  )
}
