// The steps of one run from its lease to the message that is stored.
import { partsAfter, partsBefore } from '@parley/contract/answer-parts'
import type { Message, ServerFrame } from '@parley/contract/chat'
import { finalMessage, unsavedAnswer } from './answer-message'
import { type AnswerEnd, applyFrame, newAnswer } from './apply-frame'
import type { AskEvent } from './ask'
import type { ChatEvent, Effect, Final, Receiving, RunState } from './chat-state'
import { abandon, ask, hide, isReceiving, leave, type ReceivingRun, type RunStep, savePartial, show } from './step-run'

type AnswerEvent = Exclude<
  ChatEvent,
  AskEvent | { type: 'asked' | 'connected' | 'lost' | 'page-hidden' | 'stop' | 'dispose' }
>

export function stepAnswer(run: RunState, event: AnswerEvent): RunStep {
  switch (event.type) {
    case 'leased':
      return leased(run, event.message)
    case 'lease-failed':
      return leaseFailed(run)
    case 'ask-again':
      return isReceiving(run) && !run.receiving.isAccepted
        ? { run, effects: [{ type: 'send', frame: { route: 'createChatMessage', body: run.entry.body } }] }
        : { run, effects: [] }
    case 'save':
      return savePartial(run)
    case 'frame':
      return isReceiving(run) ? received(run, event.frame) : { run, effects: [] }
    case 'checked':
      return run.phase === 'checking' && run.receiving
        ? checked(run as ReceivingRun, event.isWhole)
        : { run, effects: [] }
    case 'returned':
      return run.phase === 'returning' && run.receiving
        ? returned(run as ReceivingRun, event.isReturned)
        : { run, effects: [] }
    case 'stored':
      return run.phase === 'storing' ? stored(run) : { run, effects: [] }
    case 'store-failed':
      return run.phase === 'storing' ? storeFailed(run, event) : { run, effects: [] }
    case 'abandon':
      return abandon(run)
  }
}

function leased(run: RunState, message: Message | undefined): RunStep {
  if (run.phase !== 'leasing') return { run, effects: [] }
  // Another tab has finished it, or its channel is gone.
  if (run.isAbandoned || !message) return { run: undefined, effects: [...hide(run), leave(run)] }
  if (run.final) return store(run, run.final)
  return ask({ ...run, phase: 'receiving', receiving: begin(run, message) })
}

/** What could not be read is found again by a later look at the outbox. A final message stays on screen meanwhile. */
function leaseFailed(run: RunState): RunStep {
  if (run.phase !== 'leasing') return { run, effects: [] }
  if (!run.final || run.isAbandoned) return { run: undefined, effects: [...hide(run), leave(run)] }
  return { run: { ...run, phase: 'unsaved' }, effects: [leave(run), { type: 'store-later' }] }
}

function begin({ entry }: RunState, message: Message): Receiving {
  const answer = newAnswer(entry.body.messageId, {
    seq: message.run?.seq ?? 0,
    text: message.chat_response.content.slice(message.run?.base ?? 0),
    ...partsAfter(message, partsBefore(message.run ?? {})),
  })
  return { message, answer, isAccepted: answer.seq > 0, isChecked: false, isPaused: false, isSaveScheduled: false }
}

function received(run: ReceivingRun, frame: ServerFrame): RunStep {
  const { receiving } = run
  const before = receiving.answer
  const answer = applyFrame(before, frame)
  if (answer === before) return { run, effects: [] }
  const { messageId } = answer
  const isAccepted = receiving.isAccepted || answer.seq > 0
  const effects: Effect[] = []
  if (isAccepted && !receiving.isAccepted) effects.push({ type: 'accepted', messageId })
  if (answer.hasGap && !before.hasGap)
    effects.push({ type: 'send', frame: { event: 'resume', messageId, afterSeq: answer.seq } })
  if (answer.suggestedName !== undefined && before.suggestedName === undefined)
    effects.push({ type: 'suggest-name', channelId: receiving.message.channelId, name: answer.suggestedName })
  const next = { ...run, receiving: { ...receiving, answer, isAccepted } }
  if (answer.end) {
    const ended = finish(next, answer.end)
    return { run: ended.run, effects: [...effects, ...ended.effects] }
  }
  effects.push(show(next))
  if (next.receiving.isSaveScheduled) return { run: next, effects }
  effects.push({ type: 'schedule-save', messageId })
  return { run: { ...next, receiving: { ...next.receiving, isSaveScheduled: true } }, effects }
}

function finish(run: ReceivingRun, end: AnswerEnd): RunStep {
  const { receiving, entry } = run
  const { messageId } = entry.body
  if (end.kind !== 'failed' && !receiving.isChecked)
    return {
      run: { ...run, phase: 'checking' },
      effects: [{ type: 'check', messageId, text: receiving.answer.text, end }],
    }
  if (end.kind === 'failed' && isReturnable(run, end.code)) {
    const { message } = receiving
    const { code, content } = end
    return {
      run: { ...run, phase: 'returning' },
      effects: [{ type: 'return-question', entry, message, code, content }],
    }
  }
  return store(run, finalMessage(receiving, end))
}

/**
 * A text that differs from the server's digest is fetched once more from the beginning. If it differs again, the
 * server's own text is used.
 */
function checked(run: ReceivingRun, isWhole: boolean): RunStep {
  const { receiving, entry } = run
  const { end } = receiving.answer
  if (isWhole && end) return store(run, finalMessage(receiving, end))
  const { messageId } = entry.body
  return {
    run: { ...run, phase: 'receiving', receiving: { ...receiving, answer: newAnswer(messageId), isChecked: true } },
    effects: [{ type: 'send', frame: { event: 'resume', messageId, afterSeq: 0 } }],
  }
}

/** Where nothing was answered: the cloud cannot store an edited question that it refuses in its place. */
function isReturnable({ receiving, entry }: ReceivingRun, code: string): boolean {
  const { message, answer, isAccepted } = receiving
  if (answer.messageId !== message.mId || answer.text !== '' || message.chat_request === '') return false
  const isRefusedEdit = !isAccepted && message.afterRunId !== undefined
  return code === 'no-credits' || (isRefusedEdit && entry.body.storageMode === 'cloud')
}

function returned(run: ReceivingRun, isReturned: boolean): RunStep {
  if (isReturned) return { run: undefined, effects: [...hide(run), leave(run)] }
  const { end } = run.receiving.answer
  // The message stays, with the reason of the refusal.
  return end ? store(run, finalMessage(run.receiving, end)) : { run, effects: [] }
}

function store(run: RunState, final: Final): RunStep {
  return {
    run: { ...run, phase: 'storing', final },
    effects: [{ type: 'store', entry: run.entry, message: final.message }],
  }
}

function stored(run: RunState): RunStep {
  const { final, isLeft } = run
  const notices: Effect[] = final?.notice ? [{ type: 'notify', notice: final.notice }] : []
  if (isLeft) notices.push({ type: 'notify', notice: { kind: 'taken-up' } })
  return { run: undefined, effects: [...notices, ...hide(run, run.receiving !== undefined), leave(run)] }
}

/** It stays on screen, and its entry on the list: this page tries again, or the next start asks the server again. */
function storeFailed(run: RunState, { error, isChannelGone }: Extract<ChatEvent, { type: 'store-failed' }>): RunStep {
  const { final, entry } = run
  // Once: it is tried again and again.
  const told: Effect[] = run.receiving ? [{ type: 'notify', notice: { kind: 'not-saved', error } }] : []
  if (isChannelGone || !final) {
    const { messageId } = entry.body
    return { run: undefined, effects: [...told, { type: 'forget', messageId }, ...hide(run, true), leave(run)] }
  }
  return {
    run: { ...run, phase: 'unsaved', isLeft: false, receiving: undefined, final: { ...final, notice: undefined } },
    effects: [
      ...told,
      { type: 'show', answer: unsavedAnswer(final.message, final.message) },
      leave(run),
      { type: 'store-later' },
    ],
  }
}
