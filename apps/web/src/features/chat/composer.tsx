import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { ArrowUp, Cloud, Lock, Square } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readDraft, writeDraft } from '../../data/channels/drafts'
import { modeOf } from '../../data/channels/homes'
import { useStorageMode } from '../../data/channels/storage-mode'
import { useChannel } from '../../data/channels/use-channels'
import { sendMessage, stopAnswer } from '../../data/chat/send-message'
import { useUser } from '../../data/session/stored-session'
import { errorMessage } from '../../lib/error-message'
import { useSelectChannel } from '../../lib/selected-channel'
import { lazyExtra } from '../../ui/lazy-part'
import { toast } from '../../ui/toast'
import styles from './composer.module.css'
import { ComposerPicks } from './composer-picks'
import { StoragePick } from './storage-pick'
import { useComposerText } from './use-composer-text'

// It comes by itself: what cannot be loaded must not take the screen with it.
const CostEstimate = lazyExtra(() => import('./cost-estimate'))

const nothing: readonly Message[] = []

type Props = {
  channelId: string | undefined
  /** Where a question of the home goes; without it a new channel is made. */
  sendTo?: string | undefined
  /** An answer is being written in this channel. */
  running?: { isSaving: boolean } | undefined
  lastQuestion?: string | undefined
  /** The newest of the channel. */
  said?: readonly Message[]
  /** A text to begin with; the person goes on from there. */
  suggestion?: { text: string } | undefined
  /** Choices of other features, such as the model. */
  tools?: ReactNode
}

export function Composer({ channelId, sendTo, running, lastQuestion, said = nothing, suggestion, tools }: Props) {
  const { t, i18n } = useTranslation()
  const draftId = channelId ?? 'new'
  const [text, setText] = useComposerText(draftId)
  const [isBusy, setIsBusy] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const select = useSelectChannel()
  const channel = useChannel(channelId)
  const chosen = useStorageMode()
  const mode = channel ? modeOf(channel) : sendTo === undefined ? chosen : 'local'
  const isSignedIn = useUser() !== undefined
  const canSend = text.trim() !== '' && !isBusy && !running

  useGrowingHeight(box, text)
  useEffect(() => {
    if (!suggestion) return
    setText(suggestion.text)
    box.current?.focus()
  }, [suggestion, setText])
  useEffect(() => {
    // On a phone the keyboard would cover the page before anyone asked for it.
    if (matchMedia('(hover: hover)').matches) box.current?.focus()
  }, [])

  const send = async (): Promise<void> => {
    if (!canSend) return
    setIsBusy(true)
    try {
      const sent = await sendMessage({ channelId: channelId ?? sendTo, text, mode })
      if (!sent) return
      // The box stays open while a question is on its way: what was typed since is the next one, in the chat that is shown then.
      const rest = textSince(text, box.current?.value ?? (await readDraft(draftId)))
      const isElsewhere = sent.channelId !== channelId
      if (isElsewhere && rest !== '') writeDraft(sent.channelId, rest)
      setText(isElsewhere ? '' : rest)
      if (sent.isNewChannel) toast.success(t(mode === 'cloud' ? 'chat.createdCloud' : 'chat.created'))
      if (isElsewhere) select(sent.channelId)
    } catch (error) {
      const isInvalid = channelId === undefined && mode === 'cloud' && error instanceof AppError && error.code === 'unknown' && error.said === undefined
      const message = isInvalid ? t('chat.invalidResponse') : errorMessage(error, i18n.language)
      const isNotCreated = channelId === undefined && error instanceof AppError && (mode === 'cloud' || error.code.startsWith('storage.'))
      const notCreated = mode === 'cloud' ? 'chat.createFailedCloud' : 'chat.createFailed'
      toast.error(message === undefined ? t('chat.sendFailed') : isNotCreated ? t(notCreated, { message }) : message)
    } finally {
      setIsBusy(false)
      box.current?.focus()
    }
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method is composing, Enter chooses a word (229 is what older browsers report then).
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.key === 'Enter' && !event.shiftKey && !isComposing) {
      event.preventDefault()
      void send()
    }
    if (event.key === 'ArrowUp' && text === '' && lastQuestion) {
      event.preventDefault()
      setText(lastQuestion)
    }
  }

  return (
    <div className={styles.composer} data-home={mode}>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <textarea
          ref={box}
          data-composer=""
          // What is typed here would otherwise stand in the browser's own files, in plain text.
          autoComplete="off"
          rows={1}
          className={styles.text}
          aria-label={t('chat.message')}
          placeholder={t(channelId ? 'chat.placeholderAgain' : 'chat.placeholder')}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className={styles.tools}>
          <ComposerPicks>
            {tools}
            <StoragePick mode={mode} canChoose={channelId === undefined && sendTo === undefined} />
          </ComposerPicks>
          <span className={styles.space}>
            <Suspense>{isSignedIn && <CostEstimate draft={text} said={said} />}</Suspense>
          </span>
          {running ? (
            <button
              type="button"
              className={styles.send}
              data-stop=""
              aria-label={t('chat.stop')}
              disabled={running.isSaving}
              onClick={() => channelId && void stopAnswer(channelId)}
            >
              <Square aria-hidden="true" />
            </button>
          ) : (
            <button type="submit" className={styles.send} aria-label={t('chat.send')} disabled={!canSend}>
              <ArrowUp aria-hidden="true" />
            </button>
          )}
        </div>
      </form>
      <p className={styles.fine}>
        {mode === 'cloud' ? <Cloud aria-hidden="true" /> : <Lock aria-hidden="true" />}
        {t(mode === 'cloud' ? 'chat.cloudPromise' : 'chat.localPromise')}
      </p>
    </div>
  )
}

/** What somebody typed after they had sent `sent`, when `now` is in the box. */
function textSince(sent: string, now: string): string {
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now
}

function useGrowingHeight(box: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the height depends on
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text, box])
}
