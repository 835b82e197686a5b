import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import { shownRunOf } from '@parley/contract/context'
import type { Summary } from '@parley/contract/conversations'
import { limits } from '@parley/contract/limits/shared'
import { estimateTokens } from '@parley/contract/token-estimate'
import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react'
import { changeSummary } from '../../data/chat/change-summary'
import { useSummaryLine } from '../../data/chat/summary-state'
import { cancelSummary, writeSummary } from '../../data/chat/write-summary'
import { useShortageState } from '../../data/credits/shortage-state'
import { openNoCredits } from '../../data/session/no-credits-dialog'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Spinner } from '../../ui/spinner'
import { toast } from '../../ui/toast'
import AnswerCost from './answer-cost'
import styles from './summary-line.module.css'

/** What stands in a chat between what is sent and what is not: the summary, or why there is none. */
export default function SummaryLine({ message }: { message: Message }) {
  const { t } = useTranslation()
  const { channelId, mId } = message
  const line = useSummaryLine(channelId, mId)
  const save = useSave()
  if (!line) return null
  if (line.kind === 'summary') return <Written key={line.summary.id} summary={line.summary} />
  const write = (): void => void writeSummary(channelId, { mId, runId: shownRunOf(message) })
  return (
    <Line title={t(line.kind === 'writing' ? 'context.notSentYet' : 'context.unsent', { count: line.unsent })}>
      {line.kind === 'writing' && (
        <>
          <span className={styles.busy} role="status">
            <Spinner /> {t('context.writing')}
          </span>
          <Act onClick={() => cancelSummary(channelId)}>{t('context.cancel')}</Act>
        </>
      )}
      {line.kind === 'failed' && (
        <>
          <span role="status">{t('context.failed')}</span>
          <Act onClick={write}>{t('context.tryAgain')}</Act>
        </>
      )}
      {line.kind === 'undone' && (
        <Act onClick={() => void save({ ...line.summary, isUndone: undefined })}>{t('context.useSummary')}</Act>
      )}
      {line.kind === 'due' && <Due onWrite={write} />}
    </Line>
  )
}

/** For who pays, and has what to pay with; for others the way to it. */
function Due({ onWrite }: { onWrite: () => void }) {
  const { t } = useTranslation()
  const isSignedIn = useUser() !== undefined
  const isShort = useShortageState((state) => state.isShort === true)
  if (!isSignedIn) return null
  return isShort ? (
    <Act onClick={openNoCredits}>{t('context.getCredits')}</Act>
  ) : (
    <Act onClick={onWrite}>{t('context.summarise')}</Act>
  )
}

function Written({ summary }: { summary: Summary }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const [isEditing, setIsEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const save = useSave()
  const id = useId()
  const { text, messages, cost, editedByPerson } = summary
  if (isEditing)
    return (
      <Line title={t('context.from')}>
        <Editor
          summary={summary}
          onClose={() => {
            setIsEditing(false)
            requestAnimationFrame(() => edit.current?.focus())
          }}
        />
      </Line>
    )
  return (
    <Line
      title={t('context.from')}
      text={
        <p id={id} className={styles.text} data-open={isOpen || undefined} dir="auto">
          {text}
        </p>
      }
    >
      <span className={styles.facts}>
        {editedByPerson && <b>{t('context.yourText')} · </b>}
        {t('context.stands', { count: messages, tokens: estimateTokens(text) })}
        {cost !== undefined && (
          <span className={styles.cost}>
            {' · '}
            <AnswerCost cost={cost} />
          </span>
        )}
      </span>
      <Act aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        {t(isOpen ? 'context.less' : 'context.read')}
      </Act>
      <Act ref={edit} onClick={() => setIsEditing(true)}>
        {t('context.edit')}
      </Act>
      <Act onClick={() => void save({ ...summary, isUndone: true })}>{t('context.undo')}</Act>
    </Line>
  )
}

function Editor({ summary, onClose }: { summary: Summary; onClose: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState(summary.text)
  const [isBusy, setIsBusy] = useState(false)
  const save = useSave()
  const submit = async (): Promise<void> => {
    setIsBusy(true)
    const isSaved = await save({ ...summary, text: text.trim(), editedByPerson: true })
    setIsBusy(false)
    if (isSaved) onClose()
  }
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person has asked to edit it
        autoFocus
        autoComplete="off"
        aria-label={t('context.text')}
        maxLength={limits.context.maxSummaryLength}
        rows={6}
        dir="auto"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className={styles.buttons}>
        <Button size="small" onClick={onClose}>
          {t('context.cancel')}
        </Button>
        <Button size="small" variant="primary" type="submit" busy={isBusy} disabled={text.trim() === ''}>
          {t('context.save')}
        </Button>
      </span>
    </form>
  )
}

/** Stores a changed summary, and says where that failed. */
function useSave(): (summary: Summary) => Promise<boolean> {
  const { t, language } = useTranslation()
  return async (summary) => {
    try {
      await changeSummary(summary)
      return true
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('context.notSaved'))
      return false
    }
  }
}

function Line({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.line} aria-label={title} data-summary="">
      <div className={styles.rule}>{title}</div>
      {text}
      <div className={styles.acts}>{children}</div>
    </section>
  )
}

function Act(props: ComponentProps<'button'>) {
  return <button type="button" className={styles.act} {...props} />
}
