import type { ReactNode } from 'react'
import { hostOf, isMisleading } from './link-url'
import styles from './markdown.module.css'

/** A link out of an answer. Where its words name another place than it leads to, the real host stands behind them. */
export function SafeLink({ address, words, children }: { address: string; words: string; children: ReactNode }) {
  if (!address) return <span>{children}</span>
  const host = hostOf(address)
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={host ?? address}>
      {children}
      {host && isMisleading(words, address) && (
        <span className={styles.host} dir="ltr">
          {' '}
          ({host})
        </span>
      )}
    </a>
  )
}
