import type { AnswerParts } from '@parley/contract/answer-parts'
import type { Message } from '@parley/contract/chat'
import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { currentScope, resetWithScope, scoped } from '../scope/scope'

/** An answer that this tab is receiving, as the screen shows it. */
export type LiveAnswer = AnswerParts & {
  mId: string
  channelId: string
  messageId: string
  /**
   * waiting: not accepted yet. writing: the server generates it. lost: reconnecting failed. unsaved: it has ended, but
   * its final message could not be stored yet. stored: it is, and this one is shown until that has been read.
   */
  phase: 'waiting' | 'writing' | 'lost' | 'unsaved' | 'stored'
  /** The whole text: of earlier runs and of this one. */
  content: string
  /** The model thinks: no text has come since. */
  isThinking?: boolean
  /** The web is searched for the question. */
  isSearching?: boolean
  isSaving: boolean
  /** The final message of an unsaved answer. */
  ended?: Message
  /** The answer belongs to another device or person, and this page only follows it. */
  isFollowed?: boolean
}

type State = { answers: Readonly<Record<string, LiveAnswer>> }

const useLive = resetWithScope(create<State>(() => ({ answers: {} })))

/**
 * What is scheduled: `soon` is after this task; `growth` waits, so that a growing text is not painted with each frame.
 */
type Paints = {
  pending: Record<string, LiveAnswer | undefined>
  scheduled?: 'soon' | 'growth'
  timer?: ReturnType<typeof setTimeout>
  paintedAt: number
}
const paints = scoped((): Paints => ({ pending: {}, paintedAt: Number.NEGATIVE_INFINITY }))
const hiddenPaintMs = 250
/**
 * Between two paints of a growing text: more of them are not read faster, and each costs style, layout, paint and a hit
 * test of what lies under the pointer, together three times as much as the scripts. Nothing waits for an animation
 * frame: React renders after it, for the next one, and the first would be empty.
 */
const growthPaintMs = 66
/**
 * A long text costs more with each paint, and is followed word by word by nobody: up to this, a millisecond more each.
 */
const longestGrowthPaintMs = 100
const charactersPerMs = 500

/** Shows an answer at once, or when its growing text has been painted long enough ago. */
export function showAnswer(answer: LiveAnswer): void {
  const shown = shownOf(answer.mId)
  paints().pending[answer.mId] = answer
  schedulePaint(shown !== undefined && isGrowth(shown, answer) ? answer.content.length : undefined)
}

/** The final message of this run is stored: it can be asked on. */
export function markStored(mId: string, messageId: string): void {
  const shown = shownOf(mId)
  if (shown?.messageId === messageId) showAnswer({ ...shown, phase: 'stored' })
}

/** Hides the answer of this run; another run of the same message may be shown by now. */
export function hideAnswer(mId: string, messageId: string): void {
  if (shownOf(mId)?.messageId !== messageId) return
  paints().pending[mId] = undefined
  schedulePaint(undefined)
}

function shownOf(mId: string): LiveAnswer | undefined {
  const { pending } = paints()
  return mId in pending ? pending[mId] : useLive.getState().answers[mId]
}

/** Whether nothing but more text or thinking has come. The first of it is shown at once. */
function isGrowth(before: LiveAnswer, after: LiveAnswer): boolean {
  return (
    before.messageId === after.messageId &&
    before.phase === after.phase &&
    before.isThinking === after.isThinking &&
    before.isSaving === after.isSaving &&
    (before.content === '') === (after.content === '') &&
    (before.reasoning === undefined) === (after.reasoning === undefined)
  )
}

/** `grownTo`: the length of a text that has grown, where nothing else has changed. */
function schedulePaint(grownTo: number | undefined): void {
  const scope = currentScope()
  const own = paints(scope)
  const isGrown = grownTo !== undefined
  if (own.scheduled === 'soon' || (isGrown && own.scheduled)) return
  clearTimeout(own.timer)
  own.scheduled = isGrown ? 'growth' : 'soon'
  const betweenMs = Math.min(longestGrowthPaintMs, growthPaintMs + (grownTo ?? 0) / charactersPerMs)
  const leftMs = Math.max(0, own.paintedAt + betweenMs - performance.now())
  const waitMs = document.visibilityState === 'hidden' ? hiddenPaintMs : isGrown ? leftMs : 0
  own.timer = setTimeout(() => {
    if (!scope.isDisposed) paint(own)
  }, waitMs)
}

function paint(own: Paints): void {
  delete own.scheduled
  own.paintedAt = performance.now()
  const changes = own.pending
  own.pending = {}
  useLive.setState(({ answers }) => {
    const next = { ...answers }
    for (const [mId, answer] of Object.entries(changes)) {
      if (answer) next[mId] = answer
      else delete next[mId]
    }
    return { answers: next }
  })
}

export function useLiveAnswer(mId: string | undefined): LiveAnswer | undefined {
  return useLive(({ answers }) => (mId === undefined ? undefined : answers[mId]))
}

/** Calls the listener with the answer to a question as it is painted now, and each time that this changes. */
export function watchAnswer(mId: string, listener: (answer: LiveAnswer | undefined) => void): () => void {
  listener(paintedAnswer(mId))
  return useLive.subscribe(({ answers }, { answers: before }) => {
    if (answers[mId] !== before[mId]) listener(answers[mId])
  })
}

/** The answer to a question as it is painted now. */
export const paintedAnswer = (mId: string): LiveAnswer | undefined => useLive.getState().answers[mId]

export type LiveState = Omit<LiveAnswer, 'content' | keyof AnswerParts> & { hasReasoning: boolean }

/**
 * Like useLiveAnswer, without text, thinking and sources: it changes a few times per answer, those with each paint.
 */
export function useLiveState(mId: string | undefined): LiveState | undefined {
  return useLive(
    useShallow(({ answers }) => {
      const answer = mId === undefined ? undefined : answers[mId]
      if (!answer) return undefined
      const { content: _content, reasoning, read: _read, sources: _sources, ...state } = answer
      return { ...state, hasReasoning: reasoning !== undefined }
    }),
  )
}

/** Whether an answer to this person is written in the channel to another question than this one. */
export function useIsAnsweringElse(channelId: string, mId: string | undefined): boolean {
  return useLive(({ answers }) =>
    Object.values(answers).some(
      (answer) =>
        answer.channelId === channelId &&
        answer.mId !== mId &&
        !answer.isFollowed &&
        (answer.phase === 'waiting' || answer.phase === 'writing'),
    ),
  )
}

/** Whether reconnecting failed while this page was receiving the answer. */
export function isLost(mId: string): boolean {
  return shownOf(mId)?.phase === 'lost'
}

/** Whether this tab is receiving an answer in the channel. */
export function isAnswering(channelId: string): boolean {
  const shown = Object.values({ ...useLive.getState().answers, ...paints().pending })
  return shown.some((answer) => answer?.channelId === channelId)
}

/** Resolves as soon as every answer to a question of this tab has ended. */
export function whenAnswersEnd(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const shown = Object.values({ ...useLive.getState().answers, ...paints().pending })
      if (
        shown.some(
          (answer) => answer && !answer.isFollowed && (answer.phase === 'waiting' || answer.phase === 'writing'),
        )
      )
        return
      stop()
      resolve()
    }
    const stop = useLive.subscribe(look)
    look()
  })
}

/** Calls the listener with the channel of each answer that has ended and whose question this tab sent. */
export function onAnswerEnd(listener: (channelId: string) => void): () => void {
  return useLive.subscribe(({ answers }, { answers: before }) => {
    for (const [mId, { channelId, phase, isFollowed }] of Object.entries(before)) {
      const hasEnded = !(mId in answers) || answers[mId]?.phase === 'stored'
      if (hasEnded && phase === 'writing' && !isFollowed) listener(channelId)
    }
  })
}
