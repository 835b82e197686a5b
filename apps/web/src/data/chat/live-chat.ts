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
   * its final message could not be stored yet.
   */
  phase: 'waiting' | 'writing' | 'lost' | 'unsaved'
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

type Paints = { pending: Record<string, LiveAnswer | undefined>; isScheduled: boolean }
const paints = scoped((): Paints => ({ pending: {}, isScheduled: false }))
const hiddenPaintMs = 250

/** Shows an answer with the next animation frame; changes until then are painted together. */
export function showAnswer(answer: LiveAnswer): void {
  paints().pending[answer.mId] = answer
  schedulePaint()
}

/** Hides the answer of this run; another run of the same message may be shown by now. */
export function hideAnswer(mId: string, messageId: string): void {
  const { pending } = paints()
  const shown = mId in pending ? pending[mId] : useLive.getState().answers[mId]
  if (shown?.messageId !== messageId) return
  pending[mId] = undefined
  schedulePaint()
}

function schedulePaint(): void {
  const scope = currentScope()
  const own = paints(scope)
  if (own.isScheduled) return
  own.isScheduled = true
  const paintOwn = (): void => {
    if (!scope.isDisposed) paint(own)
  }
  // A hidden page gets no animation frames.
  if (document.visibilityState === 'hidden') setTimeout(paintOwn, hiddenPaintMs)
  else requestAnimationFrame(paintOwn)
}

function paint(own: Paints): void {
  own.isScheduled = false
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

/**
 * Like useLiveAnswer, without text, thinking and sources: it changes a few times per answer, those with each animation
 * frame.
 */
export function useLiveState(mId: string | undefined): Omit<LiveAnswer, 'content' | keyof AnswerParts> | undefined {
  return useLive(
    useShallow(({ answers }) => {
      const answer = mId === undefined ? undefined : answers[mId]
      if (!answer) return undefined
      const { content: _content, reasoning: _reasoning, read: _read, sources: _sources, ...state } = answer
      return state
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
  return (paints().pending[mId] ?? useLive.getState().answers[mId])?.phase === 'lost'
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
    for (const [mId, { channelId, phase, isFollowed }] of Object.entries(before))
      if (!(mId in answers) && phase === 'writing' && !isFollowed) listener(channelId)
  })
}
