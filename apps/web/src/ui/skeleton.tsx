import styles from './skeleton.module.css'

/** The place of content whose shape is known. Appears after 150 ms, so that what is quick does not flicker. */
export function Skeleton({ width, height }: { width: string; height: string }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
}
