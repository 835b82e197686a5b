// The chat as a pure function: what happens changes its state, and tells what has to be done about it.
import type { OutboxEntry } from '../channels/outbox'
import type { ChatEvent, ChatState, Effect, RunState, Step } from './chat-state'
import { stepAnswer } from './step-answer'
import { ask, isReceiving, pause, type RunStep, savePartial, stop } from './step-run'

type Of<T extends ChatEvent['type']> = Extract<ChatEvent, { type: T }>

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
  if (state.isDisposed) return nothing(state)
  switch (event.type) {
    case 'asked':
      return asked(state, event)
    case 'connected':
      return connected(state)
    case 'lost':
      return eachRun(state, pause)
    case 'page-hidden':
      return eachRun(state, savePartial)
    case 'stop':
      return stopped(state, event)
    case 'dispose':
      return disposed(state)
    default: {
      const run = state.runs[event.messageId]
      return run ? withRun(state, event.messageId, stepAnswer(run, event)) : nothing(state)
    }
  }
}

const nothing = (state: ChatState): Step => ({ state, effects: [] })

/** A run that is received already is found again with each look at the outbox; one that is not stored is tried again. */
function asked(state: ChatState, { entry, isLeft }: Of<'asked'>): Step {
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

function connected(state: ChatState): Step {
  const { state: next, effects } = eachRun(state, (run) => (isReceiving(run) ? ask(run) : { run, effects: [] }))
  const stops = state.pendingStops.map((messageId): Effect => send({ event: 'stop-message', messageId }))
  return { state: { ...next, pendingStops: [] }, effects: [...effects, ...stops] }
}

const send = (frame: Extract<Effect, { type: 'send' }>['frame']): Effect => ({ type: 'send', frame })

/** Where another tab receives the answer, the server stops it for any connection of the same person. */
function stopped(state: ChatState, { messageId, isOnline }: Of<'stop'>): Step {
  const isKept = isOnline || state.pendingStops.includes(messageId)
  // Its run may be abandoned before the next connection.
  const next = isKept ? state : { ...state, pendingStops: [...state.pendingStops, messageId] }
  const run = state.runs[messageId]
  if (run && isReceiving(run)) return withRun(next, messageId, stop(run))
  return { state: next, effects: [send({ event: 'stop-message', messageId })] }
}

/** The vault of whoever asked resumes the runs; nothing is done about them here any more. */
function disposed(state: ChatState): Step {
  const effects = Object.keys(state.runs).map((messageId): Effect => ({ type: 'leave-lease', messageId }))
  return { state: { runs: {}, pendingStops: [], isDisposed: true }, effects }
}

function eachRun(state: ChatState, change: (run: RunState) => RunStep): Step {
  let next: Step = nothing(state)
  for (const [messageId, run] of Object.entries(state.runs)) {
    const { state: changed, effects } = withRun(next.state, messageId, change(run))
    next = { state: changed, effects: [...next.effects, ...effects] }
  }
  return next
}

function withRun(state: ChatState, messageId: string, { run, effects }: RunStep): Step {
  if (run === state.runs[messageId]) return { state, effects }
  // A run keeps its place among the others: that of its question.
  if (run) return { state: { ...state, runs: { ...state.runs, [messageId]: run } }, effects }
  const { [messageId]: _over, ...others } = state.runs
  return { state: { ...state, runs: others }, effects }
}
