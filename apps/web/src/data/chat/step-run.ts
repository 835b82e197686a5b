// The steps of one run that do not depend on what its answer says.
import { liveAnswer, partialMessage } from './answer-message'
import type { Effect, Receiving, RunState } from './chat-state'

/** `run`: undefined when it is over. */
export type RunStep = { run: RunState | undefined; effects: Effect[] }
export type ReceivingRun = RunState & { receiving: Receiving }

/** Whether frames of it change anything. */
export const isReceiving = (run: RunState): run is ReceivingRun =>
  run.phase === 'receiving' && run.receiving !== undefined

export const show = ({ receiving }: ReceivingRun): Effect => ({ type: 'show', answer: liveAnswer(receiving) })

/** Sends the question, or resumes the stream: with the lease, and after each new connection. */
export function ask({ receiving, ...run }: ReceivingRun): RunStep {
  const asked = { ...run, receiving: { ...receiving, isPaused: false } }
  const { messageId, seq } = receiving.answer
  const effects: Effect[] = [show(asked)]
  if (receiving.isAccepted) effects.push({ type: 'send', frame: { event: 'resume', messageId, afterSeq: seq } })
  else
    effects.push(
      { type: 'send', frame: { route: 'createChatMessage', body: run.entry.body } },
      { type: 'await-acceptance', messageId },
    )
  // The stop may have been lost with the connection, or never been sent.
  if (run.isStopRequested) effects.push({ type: 'send', frame: { event: 'stop-message', messageId } })
  return { run: asked, effects }
}

/**
 * Shows that reconnecting failed, so that the person may ask again. The run resumes by itself with the next connection.
 */
export function pause(run: RunState): RunStep {
  if (!isReceiving(run)) return { run, effects: [] }
  const paused = { ...run, receiving: { ...run.receiving, isPaused: true } }
  return { run: paused, effects: [show(paused)] }
}

/** It is repeated with the next connection, as long as the run stands. */
export function stop(run: ReceivingRun): RunStep {
  const { messageId } = run.entry.body
  return {
    run: { ...run, isStopRequested: true },
    effects: [{ type: 'send', frame: { event: 'stop-message', messageId } }],
  }
}

/** Stores the text so far; also when the page is closed. */
export function savePartial(run: RunState): RunStep {
  if (!isReceiving(run)) return { run, effects: [] }
  const { receiving } = run
  const { messageId } = run.entry.body
  const saved = receiving.isSaveScheduled ? { ...run, receiving: { ...receiving, isSaveScheduled: false } } : run
  if (receiving.answer.seq === 0) return { run: saved, effects: [] }
  return { run: saved, effects: [{ type: 'save-partial', messageId, message: partialMessage(receiving) }] }
}

/** Ends without storing anything: its channel was deleted, or it is over elsewhere. */
export function abandon(run: RunState): RunStep {
  // The lease comes later, and is left then.
  if (run.phase === 'leasing') return { run: { ...run, isAbandoned: true }, effects: hide(run) }
  const effects = hide(run)
  return { run: undefined, effects: run.phase === 'unsaved' ? effects : [...effects, leave(run)] }
}

export const leave = ({ entry }: RunState): Effect => ({ type: 'leave-lease', messageId: entry.body.messageId })

export function hide({ entry, receiving, final }: RunState, isHandedOver = false): Effect[] {
  if (!receiving && !final) return []
  return [{ type: 'hide', mId: entry.mId, messageId: entry.body.messageId, isHandedOver }]
}
