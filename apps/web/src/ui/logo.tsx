import { product } from '@parley/contract/product'
import styles from './logo.module.css'

/** Two people's speech in one sign. */
export function LogoMark({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" className={styles.mark}>
      <path d="M4 3h10a6 6 0 0 1 0 12H9l-5 5z" fill="currentColor" />
      <path
        d="M20 9.5V21l-4.2-3.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}

export function Logo() {
  return (
    <span className={styles.logo}>
      <LogoMark />
      {product.name}
    </span>
  )
}
