import { Circle, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './auth.module.css'

export function CheckLine({ isMet, children }: { isMet: boolean; children: ReactNode }) {
  const Icon = isMet ? CircleCheck : Circle
  return (
    <span className={styles.check} data-met={isMet || undefined}>
      <Icon aria-hidden="true" />
      <span>{children}</span>
    </span>
  )
}
