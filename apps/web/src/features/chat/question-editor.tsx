import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { editQuestion } from '../../data/chat/edit-question'
import { useSendKey } from '../../data/session/send-key'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { toast } from '../../ui/toast'
import { editing, useEditedText } from './edit-state'
import { versionVisit } from './version-visit'
import styles from './versions.module.css'

/** A question as a field, in place of its bubble. */
export default function QuestionEditor({ message }: { message: Message }) {
  const { t, language } = useTranslation()
  const { channelId, mId, chat_request } = message
  const text = useEditedText()
  const sendKey = useSendKey()
  const [isBusy, setIsBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const canSend = text.trim() !== '' && text.trim() !== chat_request.trim()

  useEffect(() => {
    const { current } = field
    current?.focus({ preventScroll: true })
    current?.setSelectionRange(current.value.length, current.value.length)
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the height depends on
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight}px`
  }, [text])

  const cancel = (): void => {
    const article = form.current?.closest('article')
    editing.end()
    // The button that began it is there again with the bubble.
    requestAnimationFrame(() => (article?.querySelector<HTMLElement>('[data-edit-question]') ?? article)?.focus())
  }
  const send = async (): Promise<void> => {
    if (!canSend || isBusy) return
    setIsBusy(true)
    try {
      const newId = await editQuestion(channelId, mId, text)
      if (newId === undefined) return
      versionVisit.begin({
        ...{ channelId, mId: newId, part: 'question', focus: 'message' },
        isShownIn: (messages) => messages.some((each) => each.mId === newId),
      })
      editing.end()
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('chat.sendFailed'))
    } finally {
      setIsBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      cancel()
    }
    const hasMod = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' && !event.shiftKey && (sendKey === 'enter' || hasMod)) {
      event.preventDefault()
      void send()
    }
  }

  return (
    <form
      ref={form}
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        // The browser would otherwise store the text for autocompletion, in plain text.
        autoComplete="off"
        aria-label={t('versions.field')}
        value={text}
        onChange={({ target }) => editing.type(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.editorFoot}>
        <span className={styles.hint}>{t('versions.hint')}</span>
        <Button size="small" variant="quiet" onClick={cancel}>
          {t('chat.cancel')}
        </Button>
        <Button size="small" variant="primary" type="submit" disabled={!canSend} busy={isBusy}>
          {t('chat.send')}
        </Button>
      </div>
    </form>
  )
}
