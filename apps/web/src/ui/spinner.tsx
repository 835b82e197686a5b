import styles from './spinner.module.css'

/** Only ever inside the control that is busy; the control says so itself. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}
