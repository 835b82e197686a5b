import '../../i18n/later-texts'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import styles from './table.module.css'

/** A wide table scrolls sideways inside its frame, with the arrow keys too. */
export function TableFrame({ children, footer }: { children: ReactNode; footer?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className={styles.table}>
      {/* biome-ignore lint/a11y/useSemanticElements: a table is no set of fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className={styles.scroller} role="group" aria-label={t('markdown.table')} tabIndex={0}>
        <table>{children}</table>
      </div>
      {footer}
    </div>
  )
}
