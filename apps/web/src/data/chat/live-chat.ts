import type { Message } from '@parley/contract/chat'
import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'

/** What the screen shows of an answer that this tab is receiving. */
export type LiveAnswer = {
  mId: string
  channelId: string
  messageId: string
  /**
   * waiting: not accepted yet. writing: the server works on it. lost: the reconnects failed, and nothing runs on this page until the
   * connection is back. unsaved: it has ended, but its end could not be stored yet.
   */
  phase: 'waiting' | 'writing' | 'lost' | 'unsaved'
  /** All of it: what stood before this run, and the run's own text. */
  content: string
  isSaving: boolean
  /** Of an answer that is unsaved: the message as it ended. */
  ended?: Message
  /** This page only follows the answer to what another device or person asked. */
  isFollowed?: boolean
}

type State = { answers: Readonly<Record<string, LiveAnswer>> }

const useLive = create<State>(() => ({ answers: {} }))

let waiting: Record<string, LiveAnswer | undefined> = {}
let isScheduled = false
const hiddenPaintMs = 250

/** Shows an answer with the next frame of the screen; many changes until then are one. */
export function showAnswer(answer: LiveAnswer): void {
  waiting[answer.mId] = answer
  schedulePaint()
}

/** Hides what this run showed; another run of the same message may show its own by now. */
export function hideAnswer(mId: string, messageId: string): void {
  const shown = mId in waiting ? waiting[mId] : useLive.getState().answers[mId]
  if (shown?.messageId !== messageId) return
  waiting[mId] = undefined
  schedulePaint()
}

function schedulePaint(): void {
  if (isScheduled) return
  isScheduled = true
  // A hidden page is given no frames.
  if (document.visibilityState === 'hidden') setTimeout(paint, hiddenPaintMs)
  else requestAnimationFrame(paint)
}

function paint(): void {
  isScheduled = false
  const changes = waiting
  waiting = {}
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

/** As useLiveAnswer, without the text: it changes a few times in the life of an answer, the text with each frame of the screen. */
export function useLiveState(mId: string | undefined): Omit<LiveAnswer, 'content'> | undefined {
  return useLive(
    useShallow(({ answers }) => {
      const answer = mId === undefined ? undefined : answers[mId]
      if (!answer) return undefined
      const { content: _content, ...state } = answer
      return state
    }),
  )
}

/** Whether the reconnects failed while this page was receiving the answer. */
export function isLost(mId: string): boolean {
  return (waiting[mId] ?? useLive.getState().answers[mId])?.phase === 'lost'
}

/** Whether this tab is receiving an answer in the channel. */
export function isAnswering(channelId: string): boolean {
  const shown = Object.values({ ...useLive.getState().answers, ...waiting })
  return shown.some((answer) => answer?.channelId === channelId)
}

/** Resolves as soon as this tab waits for no answer to what was asked in it. */
export function untilQuiet(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const shown = Object.values({ ...useLive.getState().answers, ...waiting })
      if (shown.some((answer) => answer && !answer.isFollowed && (answer.phase === 'waiting' || answer.phase === 'writing'))) return
      stop()
      resolve()
    }
    const stop = useLive.subscribe(look)
    look()
  })
}

/** Tells the channel of each answer that has ended and that this tab was asked for. */
export function onAnswered(listener: (channelId: string) => void): () => void {
  return useLive.subscribe(({ answers }, { answers: before }) => {
    for (const [mId, { channelId, phase, isFollowed }] of Object.entries(before))
      if (!(mId in answers) && phase === 'writing' && !isFollowed) listener(channelId)
  })
}
