// The chat as a pure function: what happens changes its state, and tells what has to be done about it.
import type { OutboxEntry } from '../channels/outbox'
import type { ChatEvent, ChatState, Effect, Step } from './chat-state'
import { stepAnswer } from './step-answer'
import { stepAsk } from './step-ask'
import { ask, isReceiving, pause, savePartial } from './step-run'
import { beginRun, eachRun, nothing, stopRun, withRun } from './step-runs'

export function step(state: ChatState, event: ChatEvent): Step {
  return inOrder(state, stepOf(state, event))
}

/**
 * The cloud places a question after the answer that its reader sees. Those of one channel go out in the order in which
 * they were asked, each once the one before it is accepted: what is asked beside an edit follows the edit.
 */
function inOrder(before: ChatState, { state, effects }: Step): Step {
  const sent = effects.filter(
    (effect) => effect.type !== 'send' || !('route' in effect.frame) || !mustWait(state, effect.frame.body),
  )
  const released = Object.values(state.runs).flatMap((run) =>
    isReceiving(run) && mustWait(before, run.entry.body) && !mustWait(state, run.entry.body) ? ask(run).effects : [],
  )
  return { state, effects: [...sent, ...released] }
}

function mustWait({ runs }: ChatState, { messageId, channelId, storageMode }: OutboxEntry['body']): boolean {
  if (storageMode !== 'cloud') return false
  for (const { entry, phase, isLeft, receiving } of Object.values(runs)) {
    if (entry.body.messageId === messageId) return false
    // The lease of one that was left may be another tab's.
    const isUnsent = phase === 'leasing' ? !isLeft : phase === 'receiving' && receiving?.isAccepted === false
    if (entry.body.channelId === channelId && isUnsent) return true
  }
  return false
}

function stepOf(state: ChatState, event: ChatEvent): Step {
  // What was asked goes on when its person has left: it is stored, and the next chat looks after its run.
  if ('ask' in event || 'id' in event) return stepAsk(state, event)
  if (state.isDisposed) return nothing(state)
  switch (event.type) {
    case 'asked':
      return beginRun(state, event)
    case 'connected':
      return connected(state)
    case 'lost':
      return eachRun(state, pause)
    case 'page-hidden':
      return eachRun(state, savePartial)
    case 'stop':
      return stopRun(state, event)
    case 'dispose':
      return disposed(state)
    default: {
      const run = state.runs[event.messageId]
      return run ? withRun(state, event.messageId, stepAnswer(run, event)) : nothing(state)
    }
  }
}

function connected(state: ChatState): Step {
  const { state: next, effects } = eachRun(state, (run) => (isReceiving(run) ? ask(run) : { run, effects: [] }))
  const stops = state.pendingStops.map(
    (messageId): Effect => ({ type: 'send', frame: { event: 'stop-message', messageId } }),
  )
  return { state: { ...next, pendingStops: [] }, effects: [...effects, ...stops] }
}

/** The vault of whoever asked resumes the runs; nothing is done about them here any more. */
function disposed(state: ChatState): Step {
  const effects = Object.keys(state.runs).map((messageId): Effect => ({ type: 'leave-lease', messageId }))
  return { state: { ...state, runs: {}, pendingStops: [], isDisposed: true }, effects }
}
