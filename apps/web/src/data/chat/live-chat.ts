import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'

/** What the screen shows of an answer that this tab is receiving. */
export type LiveAnswer = {
  mId: string
  channelId: string
  messageId: string
  /** waiting: not accepted yet, or the connection is away. writing: the server works on it. */
  phase: 'waiting' | 'writing'
  /** All of it: what stood before this run, and the run's own text. */
  content: string
  isSaving: boolean
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

/** The answers that this tab is receiving in a channel, by message. */
export function useLiveAnswers(channelId: string): Readonly<Record<string, LiveAnswer>> {
  return useLive(useShallow(({ answers }) => Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer.channelId === channelId))))
}

export function useLiveAnswer(mId: string): LiveAnswer | undefined {
  return useLive(({ answers }) => answers[mId])
}

/** Whether this tab is receiving an answer in the channel. */
export function isAnswering(channelId: string): boolean {
  const shown = Object.values({ ...useLive.getState().answers, ...waiting })
  return shown.some((answer) => answer?.channelId === channelId)
}
