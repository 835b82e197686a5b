import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './badge.module.css'

type Props = { tone: 'local' | 'cloud' | 'good' | 'warn' | 'bad' | 'plain'; icon?: LucideIcon; children: ReactNode }

/** Colour is never the only sign: it always holds a word. */
export function Badge({ tone, icon: Icon, children }: Props) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {Icon && <Icon aria-hidden="true" />}
      {children}
    </span>
  )
}
