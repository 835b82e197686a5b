import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import { ArrowUp, RotateCcw, Square, X } from 'lucide-react'
import { type FormEvent, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { AgentForm } from '../../data/agents/agent-form'
import { ensureCredits } from '../../data/credits/shortage-state'
import { useTranslation } from '../../i18n/interface-language'
import { useFollowedEnd } from '../../lib/use-followed-end'
import { AgentFace } from '../../ui/agent-face'
import { IconButton } from '../../ui/button'
import { Markdown } from '../../ui/markdown/later-markdown'
import { VisuallyHidden } from '../../ui/visually-hidden'
import styles from './try-panel.module.css'
import { type Trial, useTrial } from './use-trial'

/** A trial chat with the current draft, beside its fields. */
export function TryPanel({ form, onClose }: { form: AgentForm; onClose: () => void }) {
  const { t } = useTranslation()
  const { trials, isWriting, ask, stop, startOver } = useTrial(form)
  const [question, setQuestion] = useState('')
  const box = useRef<HTMLTextAreaElement>(null)
  const titleId = useId()
  const canAsk = form.prompt.trim() !== ''
  useEffect(() => box.current?.focus(), [])

  const isAsking = useRef(false)
  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    if (isAsking.current || isWriting || !canAsk || question.trim() === '') return
    isAsking.current = true
    const may = await ensureCredits()
    isAsking.current = false
    if (!may) return
    ask(question)
    setQuestion('')
  }

  return (
    <section className={styles.panel} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h3 id={titleId} dir="auto">
          {form.name.trim() === '' ? t('agentEditor.try.titlePlain') : t('agentEditor.try.title', { name: form.name })}
        </h3>
        <IconButton
          size="small"
          label={t('agentEditor.try.startOver')}
          icon={RotateCcw}
          disabled={trials.length === 0}
          onClick={startOver}
        />
        <IconButton size="small" label={t('agentEditor.try.close')} icon={X} onClick={onClose} />
      </header>
      <Talk form={form} trials={trials} />
      <form
        className={styles.composer}
        onSubmit={(event) => void submit(event)}
        onKeyDown={(event) => {
          // Esc closes only the trial: closing the dialog would lose all fields.
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }}
      >
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label={t('agentEditor.try.box')}
          placeholder={canAsk ? t('agentEditor.try.placeholder') : t('agentEditor.try.needsPrompt')}
          maxLength={limits.chat.maxQuestionLength}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            void submit()
          }}
        />
        {isWriting ? (
          <IconButton label={t('agentEditor.try.stop')} icon={Square} className={styles.stop} onClick={stop} />
        ) : (
          <IconButton
            label={t('agentEditor.try.send')}
            icon={ArrowUp}
            type="submit"
            className={styles.send}
            disabled={!canAsk || question.trim() === ''}
          />
        )}
      </form>
      <p className={styles.note}>{t(canAsk ? 'agentEditor.try.hint' : 'agentEditor.try.needsPrompt')}</p>
    </section>
  )
}

function Talk({ form, trials }: { form: AgentForm; trials: readonly Trial[] }) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  const last = trials.at(-1)
  const onScroll = useFollowedEnd(list, last, last?.id)
  return (
    <div
      ref={list}
      className={styles.talk}
      onScroll={onScroll}
      role="log"
      aria-live="off"
      aria-label={t('agentEditor.try.titlePlain')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable
      tabIndex={0}
    >
      {form.greeting.trim() !== '' && (
        <div className={styles.answer}>
          <Speaker form={form} />
          <p className={styles.plain} dir="auto">
            {form.greeting}
          </p>
        </div>
      )}
      {trials.map((trial) => (
        <Exchange key={trial.id} form={form} trial={trial} />
      ))}
      <VisuallyHidden>
        {/* Screen readers get whole answers: word by word nobody could follow. */}
        <span aria-live="polite">
          {last && announcementOf(last, t('agentEditor.try.writing'), t('agentEditor.try.done'))}
        </span>
      </VisuallyHidden>
    </div>
  )
}

function announcementOf({ state, text, problem }: Trial, writing: string, done: string): string {
  if (state === 'writing') return writing
  return problem ?? `${text} ${done}`
}

function Speaker({ form }: { form: AgentForm }) {
  return (
    <p className={styles.speaker}>
      <AgentFace src={form.avatar} size={20} />
      <bdi>{form.name}</bdi>
    </p>
  )
}

function Exchange({ form, trial }: { form: AgentForm; trial: Trial }) {
  const { t } = useTranslation()
  const { question, text, state, problem } = trial
  return (
    <>
      <p className={styles.question} dir="auto">
        <VisuallyHidden>{t('agentEditor.try.you')}: </VisuallyHidden>
        {question}
      </p>
      <div className={styles.answer} data-trial={state}>
        <Speaker form={form} />
        {text === '' && state === 'writing' && <p className={styles.muted}>{t('agentEditor.try.writing')}</p>}
        {text !== '' && (
          <Suspense fallback={<p className={styles.plain}>{text}</p>}>
            <Markdown text={text} streaming={state === 'writing'} />
          </Suspense>
        )}
        {state === 'stopped' && <p className={styles.muted}>{t('agentEditor.try.stopped')}</p>}
        {state === 'failed' && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
    </>
  )
}
