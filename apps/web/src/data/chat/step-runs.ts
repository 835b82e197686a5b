// What begins, changes and ends the runs of the chat, whichever event asks for it.
import type { OutboxEntry } from '../channels/outbox'
import type { ChatState, Effect, RunState, Step } from './chat-state'
import { isReceiving, type RunStep, stop } from './step-run'

export const nothing = (state: ChatState): Step => ({ state, effects: [] })

/**
 * A run that is received already is found again with each look at the outbox; one that is not stored is tried again.
 */
export function beginRun(state: ChatState, { entry, isLeft }: { entry: OutboxEntry; isLeft: boolean }): Step {
  const { messageId } = entry.body
  const known = state.runs[messageId]
  if (known && known.phase !== 'unsaved') return nothing(state)
  const run: RunState = known
    ? { ...known, phase: 'leasing' }
    : {
        ...{ entry, phase: 'leasing', isLeft, isStopRequested: false, isAbandoned: false },
        ...{ receiving: undefined, final: undefined },
      }
  return withRun(state, messageId, {
    run,
    effects: [
      // A new question is a reason to connect, whatever became of the connection before.
      ...(isLeft ? [] : [{ type: 'connect' } as const]),
      { type: 'take-lease', entry, isEnded: run.final !== undefined },
    ],
  })
}

/** Where another tab receives the answer, the server stops it for any connection of the same person. */
export function stopRun(state: ChatState, { messageId, isOnline }: { messageId: string; isOnline: boolean }): Step {
  const isKept = isOnline || state.pendingStops.includes(messageId)
  // Its run may be abandoned before the next connection.
  const next = isKept ? state : { ...state, pendingStops: [...state.pendingStops, messageId] }
  const run = state.runs[messageId]
  if (run && isReceiving(run)) return withRun(next, messageId, stop(run))
  const effect: Effect = { type: 'send', frame: { event: 'stop-message', messageId } }
  return { state: next, effects: [effect] }
}

export function eachRun(state: ChatState, change: (run: RunState) => RunStep): Step {
  let next: Step = nothing(state)
  for (const [messageId, run] of Object.entries(state.runs)) {
    const { state: changed, effects } = withRun(next.state, messageId, change(run))
    next = { state: changed, effects: [...next.effects, ...effects] }
  }
  return next
}

export function withRun(state: ChatState, messageId: string, { run, effects }: RunStep): Step {
  if (run === state.runs[messageId]) return { state, effects }
  // A run keeps its place among the others: that of its question.
  if (run) return { state: { ...state, runs: { ...state.runs, [messageId]: run } }, effects }
  const { [messageId]: _over, ...others } = state.runs
  return { state: { ...state, runs: others }, effects }
}
