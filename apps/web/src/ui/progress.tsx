import styles from './progress.module.css'

export function Progress({ value, max, label }: { value: number; max: number; label: string }) {
  return <progress className={styles.progress} value={value} max={max} aria-label={label} />
}
