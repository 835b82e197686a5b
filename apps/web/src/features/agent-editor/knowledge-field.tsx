import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import { FilePlus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Field, TextArea } from '../../ui/field'
import styles from './editor.module.css'

const max = limits.agents.knowledge

type Props = { knowledge: string; takesTextFiles: boolean; onChange: (knowledge: string) => void }

/** The field of an agent's knowledge: typed, or read from text files where it takes no files as they are. */
export function KnowledgeField({ knowledge, takesTextFiles, onChange }: Props) {
  const { t, language } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  // The person may type while the file is read.
  const now = useRef(knowledge)
  now.current = knowledge
  const [said, setSaid] = useState<{ text: string; isProblem: boolean }>()

  async function add(file: File) {
    const text = await textOf(file)
    if (text === undefined)
      return setSaid({ text: t('agentEditor.textFileUnreadable', { file: file.name }), isProblem: true })
    const added = now.current.trim() === '' ? text : `${now.current.trimEnd()}\n\n${text}`
    if (added.length > max)
      return setSaid({
        text: t('agentEditor.knowledgeFull', { file: file.name, max: max.toLocaleString(language) }),
        isProblem: true,
      })
    onChange(added)
    setSaid({ text: t('agentEditor.textFileAdded', { file: file.name }), isProblem: false })
  }

  return (
    <div className={styles.knowledge}>
      <Field label={t('agentEditor.knowledge')} hint={t('agentEditor.knowledgeHint')}>
        <TextArea
          rows={4}
          dir="auto"
          className={styles.tall ?? ''}
          maxLength={max}
          value={knowledge}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      {takesTextFiles && (
        <>
          <Button size="small" variant="quiet" icon={FilePlus} onClick={() => input.current?.click()}>
            {t('agentEditor.addTextFile')}
          </Button>
          <input
            ref={input}
            type="file"
            accept=".txt,.md,.markdown,.csv,.tsv,.json,.xml,.html,.log,.yaml,.yml,text/*"
            hidden
            aria-label={t('agentEditor.addTextFile')}
            onChange={(event) => {
              const file = event.target.files?.[0]
              event.target.value = ''
              if (file) void add(file)
            }}
          />
          <p className={said?.isProblem ? styles.error : styles.said} role={said?.isProblem ? 'alert' : 'status'}>
            {said?.text}
          </p>
        </>
      )}
    </div>
  )
}

/** Undefined for a file that is no text, or too large to fit: a character has at most four bytes. */
async function textOf(file: File): Promise<string | undefined> {
  if (file.size > 4 * max) return 'x'.repeat(max + 1)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return text.includes('\0') ? undefined : text.replace(/\r\n?/g, '\n').trim()
  } catch {
    return undefined
  }
}
