import '../../i18n/later-texts'
import { errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { sourceExtensions } from '@parley/contract/limits/sources'
import { FilePlus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { forgetDraftFiles, useAgentFileActions } from '../../data/agents/agent-files'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button, IconButton } from '../../ui/button'
import { FileIcon } from '../../ui/file-icon'
import editorStyles from './editor.module.css'
import { KnowledgeFile } from './knowledge-file'
import styles from './knowledge-files.module.css'

const { maxFiles } = limits.agents
const { specified, more, code } = sourceExtensions
const accepted = [...specified, ...more, ...code].map((extension) => `.${extension}`).join()

type Props = {
  files: readonly string[]
  onChange: (files: readonly string[]) => void
  /** Files are on their way: the agent cannot be saved with them yet. */
  onSending: (isSending: boolean) => void
}

type Sending = { key: number; name: string }

/** The files of an agent's knowledge: added here, read by the server, kept once the agent is saved. */
export function KnowledgeFiles({ files, onChange, onSending }: Props) {
  const { t, language } = useTranslation()
  const { add } = useAgentFileActions()
  const input = useRef<HTMLInputElement>(null)
  // Several uploads end in any order.
  const now = useRef(files)
  now.current = files
  const nextKey = useRef(0)
  const aborts = useRef(new Map<number, AbortController>())
  const [sending, setSending] = useState<readonly Sending[]>([])
  const [refused, setRefused] = useState<readonly string[]>([])

  const isSending = sending.length > 0
  useEffect(() => {
    onSending(isSending)
    return () => onSending(false)
  }, [isSending, onSending])
  useEffect(() => {
    const running = aborts.current
    return () => {
      for (const abort of running.values()) abort.abort()
    }
  }, [])

  const refuse = (name: string, why: string): void =>
    setRefused((before) => [...before, t('sources.refused', { name, why })])

  async function send(file: File) {
    const key = nextKey.current++
    const abort = new AbortController()
    aborts.current.set(key, abort)
    setSending((before) => [...before, { key, name: file.name }])
    try {
      const { id } = await add(file, abort.signal)
      now.current = [...now.current, id]
      onChange(now.current)
    } catch (error) {
      if (!abort.signal.aborted) refuse(file.name, errorMessage(error, language) ?? t('sources.sendFailed'))
    } finally {
      aborts.current.delete(key)
      setSending((before) => before.filter((each) => each.key !== key))
    }
  }

  function choose(chosen: readonly File[]) {
    setRefused([])
    const room = maxFiles - files.length - sending.length
    for (const [index, file] of chosen.entries()) {
      if (index >= room) refuse(file.name, errorText('agent.too-many-files', language))
      else if (file.size > limits.sources.maxFileBytes) refuse(file.name, errorText('source.too-large', language))
      else void send(file)
    }
  }

  function remove(id: string) {
    onChange(files.filter((each) => each !== id))
    // One that the agent is saved with goes when it is saved without it.
    void forgetDraftFiles([id])
  }

  return (
    <div className={editorStyles.knowledge}>
      {files.length + sending.length > 0 && (
        <ul className={styles.files} aria-label={t('agentEditor.files.list')}>
          {files.map((id) => (
            <KnowledgeFile key={id} id={id} onRemove={() => remove(id)} />
          ))}
          {sending.map(({ key, name }) => (
            <li key={key} className={styles.file}>
              <FileIcon mediaType="" is="reading" />
              <span className={styles.name} dir="auto">
                {name}
              </span>
              <span className={styles.state}>{t('sources.sendingFile')}</span>
              <IconButton
                size="small"
                icon={X}
                label={t('agentEditor.files.cancel', { name })}
                onClick={() => aborts.current.get(key)?.abort()}
              />
            </li>
          ))}
        </ul>
      )}
      <Button size="small" variant="quiet" icon={FilePlus} onClick={() => input.current?.click()}>
        {t('agentEditor.files.add')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept={accepted}
        hidden
        aria-label={t('agentEditor.files.add')}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])]
          event.target.value = ''
          choose(chosen)
        }}
      />
      <p className={editorStyles.said}>{t('agentEditor.files.hint', { max: maxFiles })}</p>
      {refused.map((text) => (
        <p key={text} className={editorStyles.error} role="alert">
          {text}
        </p>
      ))}
    </div>
  )
}
