import styles from './coming-screen.module.css'
import { Spinner } from './spinner'

/** In the place of a screen whose code takes more than a second to load. */
export function ComingScreen() {
  return (
    <div className={styles.screen} aria-busy="true">
      <Spinner />
    </div>
  )
}
