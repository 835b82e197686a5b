import '../../i18n/later-texts'
import { FileInput } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { readCardFile } from '../../data/agents/agent-card-file'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { toast } from '../../ui/toast'
import { beginDraftWith } from './begin-draft'
import styles from './editor.module.css'

/** Fills the wizard from an agent card. `isWanted`: the person opened the wizard for this. */
export function ImportCard({ isWanted }: { isWanted: boolean }) {
  const { t, language } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (isWanted) button.current?.focus()
  }, [isWanted])

  async function read(file: File) {
    setProblem(undefined)
    try {
      if (await beginDraftWith(await readCardFile(file), t)) toast.info(t('agentEditor.imported'))
    } catch (error) {
      const message = errorMessage(error, language)
      if (message === undefined) throw error
      setProblem(message)
      toast.error(message)
    }
  }

  return (
    <div className={styles.importCard}>
      <Button ref={button} size="small" variant="quiet" icon={FileInput} onClick={() => input.current?.click()}>
        {t('agentEditor.importCard')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t('agentEditor.importCard')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void read(file)
        }}
      />
      {problem !== undefined && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
