import '../../i18n/later-texts'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import styles from './code-tools.module.css'

const shownMs = 2_000

/** Copies the text and says so, to the ear too. */
export function CopyButton({ text }: { text: string }) {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => {
    navigator.clipboard.writeText(text.replace(/\n$/, '')).then(
      () => setOutcome('copied'),
      // Refused by the browser or its owner: the person is told and can select the text.
      () => setOutcome('failed'),
    )
  }
  const label =
    outcome === undefined ? t('markdown.copy') : outcome === 'copied' ? t('markdown.copied') : t('markdown.copyFailed')
  return (
    <>
      <button type="button" className={styles.tool} onClick={copy}>
        {outcome === 'copied' ? <Check aria-hidden size={13} /> : <Copy aria-hidden size={13} />}
        <span>{label}</span>
      </button>
      <span className={styles.hidden} aria-live="polite">
        {outcome && label}
      </span>
    </>
  )
}
