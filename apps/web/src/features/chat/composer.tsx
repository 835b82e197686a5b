import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { canKeep } from '../../data/channels/capabilities'
import { readDraft, writeDraft } from '../../data/channels/drafts'
import { modeOf } from '../../data/channels/homes'
import { leaveTemporary, newChatDraftId, useIsNewChatTemporary } from '../../data/channels/new-chat'
import { useStorageMode } from '../../data/channels/storage-mode'
import { useChannel } from '../../data/channels/use-channels'
import { useSearchesWeb } from '../../data/channels/web-search'
import { useConfig } from '../../data/config/use-config'
import { useSendKey } from '../../data/session/send-key'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { useFirstSign } from '../../lib/first-sign'
import { useSelectChannel } from '../../lib/selected-channel'
import { lazyExtra, loadPart, tellOfFailure } from '../../ui/lazy-part'
import { toast } from '../../ui/toast'
import styles from './composer.module.css'
import { ComposerPicks } from './composer-picks'
import { createdText } from './created-text'
import { HomePromise } from './home-promise'
import { SettingsPick } from './settings-pick'
import { StoragePick } from './storage-pick'
import { useComposerText } from './use-composer-text'
import { useFirstText } from './use-first-text'
import { useGrowingHeight } from './use-growing-height'
import { useQueueOf } from './use-queue-of'
import { type SourceParts, useSourceWait } from './use-source-wait'

// Loaded separately: a failure to load must not break the screen.
const CostEstimate = lazyExtra(() => import('./cost-estimate'))
const ContextGauge = lazyExtra(() => import('./context-gauge'))
const QueueBar = lazyExtra(() => import('./queue-bar'))
const WebSearchSwitch = lazyExtra(() => import('./web-search-switch'))
// It comes with the chat view, at the first sign of the person (screens/chat-screen.tsx).
const sending = () => loadPart(() => import('../../data/chat/send-message'), tellOfFailure)

const nothing: readonly Message[] = []
const isFocusKept = () => document.activeElement?.closest('[data-keeps-focus]') != null

type Props = {
  channelId: string | undefined
  /** The channel of the question; without one a new channel is created. */
  sendTo?: string | undefined
  /** Of the answer that is in progress. */
  running?: { isSaving: boolean } | undefined
  lastQuestion?: string | undefined
  /** The newest messages of the channel. */
  said?: readonly Message[]
  /** An initial text, which the person completes. */
  suggestion?: { text: string } | undefined
  /** Pickers of other features, such as the model's. */
  tools?: ReactNode
  sources: SourceParts
}

export function Composer({
  channelId,
  sendTo,
  running,
  lastQuestion,
  said = nothing,
  suggestion,
  tools,
  sources,
}: Props) {
  const { t, language } = useTranslation()
  const isNewTemporary = useIsNewChatTemporary() && channelId === undefined
  const draftId = channelId ?? newChatDraftId(isNewTemporary)
  const [text, setText] = useComposerText(draftId)
  const [isBusy, setIsBusy] = useState(false)
  /** Sent before the app was there. */
  const [isDue, setIsDue] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const promiseId = useId()
  const select = useSelectChannel()
  const channel = useChannel(channelId)
  const chosen = useStorageMode()
  const isTemporary = channel ? canKeep(channel) : isNewTemporary
  const mode = channel ? modeOf(channel) : sendTo === undefined && !isNewTemporary ? chosen : 'local'
  const isSignedIn = useUser() !== undefined
  const canSearch = useConfig()?.webSearch !== undefined
  const isSearching = useSearchesWeb(channelId ?? sendTo)
  const sendKey = useSendKey()
  const queue = useQueueOf(channelId, { text, setText, box })
  // A new chat has none but those of a draft that was left: its first load does without them.
  const hasSign = useFirstSign()
  const isEnabled = channelId !== undefined || hasSign || text !== ''
  const wait = useSourceWait(draftId, { said, queued: queue.shown.queued, send: () => void send(), isEnabled })
  const hasQuestion = text.trim() !== '' || wait.hasFiles
  const canSend = hasQuestion && !isBusy

  useGrowingHeight(box, text)
  useEffect(() => {
    if (!suggestion) return
    setText(suggestion.text)
    box.current?.focus()
  }, [suggestion, setText])
  useFirstText(box, setText, () => setIsDue(true))
  useEffect(() => {
    // Without focus on a phone, whose keyboard would cover the page, and where somebody has opened something meanwhile.
    if (matchMedia('(hover: hover)').matches && !isFocusKept()) box.current?.focus()
  }, [])

  /**
   * `isUrgent`: it interrupts an answer that is being written, and goes before what waits. `isWithout`: it does not
   * wait for the sources that are being read.
   */
  const send = async ({ isUrgent = false, isWithout = false } = {}): Promise<void> => {
    if (!canSend || (!isWithout && wait.mustWait())) return
    wait.end()
    setIsBusy(true)
    // The box stays enabled while a question is being sent: text typed since is the next question of the chat that is
    // shown then.
    const typedSince = async (): Promise<string> => textSince(text, box.current?.value ?? (await readDraft(draftId)))
    try {
      const asked = { text, files: wait.files }
      if (await queue.add(asked, { isUrgent, isRunning: running !== undefined })) return setText(await typedSince())
      const { sendMessage } = await sending()
      const question = { channelId: channelId ?? sendTo, ...asked, mode, isTemporary }
      const sent = await sendMessage(question)
      if (!sent) return
      queue.endEdit()
      const rest = await typedSince()
      const isElsewhere = sent.channelId !== channelId
      if (isElsewhere && rest !== '') writeDraft(sent.channelId, rest)
      setText(isElsewhere ? '' : rest)
      if (isNewTemporary) leaveTemporary()
      else if (sent.isNewChannel) toast.success(t(createdText(mode, asked.files)))
      if (isElsewhere) select(sent.channelId)
    } catch (error) {
      const isInvalid =
        channelId === undefined &&
        mode === 'cloud' &&
        error instanceof AppError &&
        error.code === 'unknown' &&
        error.said === undefined
      const message = isInvalid ? t('chat.invalidResponse') : errorMessage(error, language)
      const isNotCreated =
        channelId === undefined && error instanceof AppError && (mode === 'cloud' || error.code.startsWith('storage.'))
      const notCreated = mode === 'cloud' ? 'chat.createFailedCloud' : 'chat.createFailed'
      toast.error(message === undefined ? t('chat.sendFailed') : isNotCreated ? t(notCreated, { message }) : message)
    } finally {
      setIsBusy(false)
      box.current?.focus()
    }
  }

  const sendDue = useEffectEvent(() => {
    setIsDue(false)
    void send()
  })
  useEffect(() => {
    if (isDue) sendDue()
  }, [isDue])

  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method is composing, Enter confirms a word (older browsers report 229 then).
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    const hasMod = event.ctrlKey || event.metaKey
    const isSendKey = event.shiftKey ? hasMod : sendKey === 'enter' || hasMod
    if (event.key === 'Enter' && !isComposing && isSendKey) {
      event.preventDefault()
      void send({ isUrgent: event.shiftKey })
    }
    if (event.key === 'Escape' && wait.wait) {
      event.preventDefault()
      wait.end()
    }
    const isPlain = !event.altKey && !event.shiftKey && !hasMod
    if (event.key === 'ArrowUp' && isPlain && text === '' && (queue.first || lastQuestion)) {
      event.preventDefault()
      if (queue.first) queue.edit(queue.first.mId)
      else if (lastQuestion) setText(lastQuestion)
    }
  }

  return (
    <div className={styles.composer} data-home={isTemporary ? 'temporary' : mode}>
      <form
        className={styles.box}
        onSubmit={(event) => {
          event.preventDefault()
          // Not what the dialogs of its parts submit.
          if (event.target === event.currentTarget) void send()
        }}
      >
        <Suspense>{queue.first && <QueueBar {...queue.shown} />}</Suspense>
        <Suspense>{isEnabled && <sources.Bar channelId={draftId} fresh={wait.fresh} />}</Suspense>
        <textarea
          ref={box}
          data-composer=""
          // The browser would otherwise store the text for autocompletion, in plain text.
          autoComplete="off"
          rows={1}
          className={styles.text}
          aria-label={t('chat.message')}
          aria-describedby={isTemporary ? promiseId : undefined}
          placeholder={t(channelId ? 'chat.placeholderAgain' : 'chat.placeholder')}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            if (event.target.value === '') {
              queue.endEdit()
              wait.end()
            }
          }}
          onKeyDown={onKeyDown}
        />
        <Suspense>
          {wait.wait && (
            <sources.Wait
              channelId={draftId}
              fresh={wait.fresh}
              wait={wait.wait}
              onSendWithout={() => void send({ isWithout: true })}
              onCancel={() => {
                wait.end()
                box.current?.focus()
              }}
            />
          )}
        </Suspense>
        <div className={styles.tools}>
          <Suspense fallback={<span className={styles.awaited} />}>
            <sources.Attach channelId={draftId} />
          </Suspense>
          <Suspense>{canSearch && <WebSearchSwitch channelId={channelId ?? sendTo} />}</Suspense>
          <ComposerPicks channelId={channelId ?? sendTo}>
            {tools}
            <SettingsPick channelId={channelId ?? sendTo} />
            <StoragePick
              home={isTemporary ? 'temporary' : mode}
              canChoose={channelId === undefined && sendTo === undefined}
            />
          </ComposerPicks>
          <span className={styles.space}>
            <Suspense>
              {isSignedIn && (
                <CostEstimate channelId={channelId ?? sendTo} draftId={draftId} draft={text} said={said} />
              )}
            </Suspense>
          </span>
          <Suspense>
            {channelId !== undefined && said.length > 0 && (
              <ContextGauge key={channelId} channelId={channelId} draft={text} said={said} />
            )}
          </Suspense>
          {running && (
            <button
              type="button"
              className={styles.send}
              data-stop=""
              aria-label={t('chat.stop')}
              disabled={running.isSaving}
              onClick={() => channelId && void sending().then(({ stopAnswer }) => stopAnswer(channelId))}
            >
              <Square aria-hidden="true" />
            </button>
          )}
          {(!running || hasQuestion) && (
            <button
              type="submit"
              className={styles.send}
              aria-label={t(running ? 'chat.queue' : 'chat.send')}
              disabled={!canSend}
            >
              <ArrowUp aria-hidden="true" />
            </button>
          )}
        </div>
      </form>
      <p id={promiseId} className={styles.fine}>
        <HomePromise home={isTemporary ? 'temporary' : mode} isSearching={isSearching} />
      </p>
    </div>
  )
}

/** The text typed since `sent` was sent, when the box has `now`. */
function textSince(sent: string, now: string): string {
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now
}
