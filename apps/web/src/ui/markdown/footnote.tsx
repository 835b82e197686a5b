import '../../i18n/later-texts'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { useFootnoteId } from './document-id'
import styles from './markdown.module.css'

export function FootnoteReference({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation()
  const id = useFootnoteId(label)
  // Not a link: the page's fragment names the selected channel.
  const show = () => {
    const note = document.getElementById(id)
    note?.scrollIntoView({ block: 'nearest' })
    note?.focus({ preventScroll: true })
  }
  return (
    <sup>
      <button type="button" className={styles.reference} aria-label={t('markdown.footnote', { label })} onClick={show}>
        {children}
      </button>
    </sup>
  )
}

export function Footnote({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div id={useFootnoteId(label)} className={styles.footnote} role="note" tabIndex={-1} dir="auto">
      {children}
    </div>
  )
}
