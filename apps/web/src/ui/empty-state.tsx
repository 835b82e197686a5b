import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

/** One sentence and at most one action. */
export function EmptyState({ title, action }: { title: string; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{title}</p>
      {action}
    </div>
  )
}
