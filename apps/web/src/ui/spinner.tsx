import styles from './spinner.module.css'

/** Only ever inside what is busy, which says so itself. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}
