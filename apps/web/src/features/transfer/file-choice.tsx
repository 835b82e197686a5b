import '../../i18n/later-texts'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import styles from './transfer.module.css'

type Props = { problem: string | undefined; onChoose: (file: File) => void }

/** A file from the file input, or dropped. */
export function FileChoice({ problem, onChoose }: Props) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  return (
    <div className={styles.form}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same */}
      <div
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          const file = event.dataTransfer.files[0]
          if (file) onChoose(file)
        }}
      >
        <FileUp aria-hidden="true" />
        <Button variant="primary" data-autofocus="" onClick={() => input.current?.click()}>
          {t('transfer.chooseFile')}
        </Button>
        <span className={`${styles.note} ${styles.dropHint}`}>{t('transfer.dropHere')}</span>
      </div>
      <input
        ref={input}
        type="file"
        accept=".json,.zip,application/json,application/zip"
        hidden
        aria-label={t('transfer.chooseFile')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          // Reset, so that the same file can be chosen again.
          event.target.value = ''
          if (file) onChoose(file)
        }}
      />
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <p className={styles.note}>{t('transfer.fileKinds')}</p>
    </div>
  )
}
