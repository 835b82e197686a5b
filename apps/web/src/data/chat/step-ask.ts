// The steps of what a person asks, until its run begins.
import { isOver } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { Ask, AskEvent, AskOutcome, AskPhase, AskState } from './ask'
import type { ChatState, Effect, Step } from './chat-state'
import { newRun } from './new-run'
import { beginRun, nothing, stopRun } from './step-runs'

/**
 * An edited question is read once its channel is quiet: what is stopped may be its own answer. Of an answer in progress
 * another one is not asked for, so that it is looked at before anything is stopped.
 */
const phases: Record<Ask['kind'], readonly AskPhase[]> = {
  question: ['admission', 'finding', 'storing'],
  queued: ['finding', 'storing'],
  edit: ['admission', 'room', 'finding', 'storing'],
  again: ['admission', 'finding', 'dropping', 'room', 'storing'],
  continue: ['admission', 'finding', 'dropping', 'storing'],
}

type Of<T extends AskEvent['type']> = Extract<AskEvent, { type: T }>

export function stepAsk(state: ChatState, event: AskEvent): Step {
  if (event.type === 'ask') return asked(state, event)
  const asking = state.asks[event.id]
  if (!asking) return nothing(state)
  switch (event.type) {
    case 'admitted':
      return event.isAdmitted ? goOn(state, asking) : settle(state, asking, { kind: 'refused' })
    case 'room-taken':
      return roomTaken(state, asking, event)
    case 'found':
      return found(state, asking, event)
    case 'answers-ended':
    case 'dropped':
      return goOn(state, asking)
    case 'question-stored':
      return questionStored(state, asking, event)
    case 'ask-failed':
      return settle(state, asking, { kind: 'failed', error: toldError(asking, event.error) })
  }
}

function asked(state: ChatState, { ask, at }: Of<'ask'>): Step {
  if (state.asks[ask.id]) return nothing(state)
  const refusal = refusalOf(state, ask, at)
  if (refusal) return { state, effects: [answer(ask.id, refusal)] }
  const { id } = ask
  const isShownNoted = ask.kind === 'question' && ask.channelId !== undefined && isBeingEdited(state, ask.channelId)
  const noted: Effect[] = isShownNoted ? [{ type: 'note-shown', id, channelId: ask.channelId ?? '' }] : []
  const begun = enter(state, { ask, phase: phases[ask.kind][0] ?? 'storing', run: undefined, newChannel: undefined })
  return { state: begun.state, effects: [...noted, ...begun.effects] }
}

function refusalOf(state: ChatState, ask: Ask, at: number): AskOutcome | undefined {
  if (ask.kind === 'again' || ask.kind === 'continue')
    return isBeingAsked(state, ask.mId, ['again', 'continue']) ? { kind: 'refused' } : undefined
  const isEmpty = ask.text === '' && (ask.kind === 'edit' || ask.files.length === 0)
  if (isEmpty) return { kind: 'refused' }
  if (ask.kind === 'edit' && isBeingAsked(state, ask.mId, ['edit'])) return { kind: 'refused' }
  if (ask.kind === 'question' && isRepeated(state, ask, at)) return { kind: 'refused' }
  return ask.text.length > limits.chat.maxQuestionLength && ask.kind !== 'queued'
    ? { kind: 'failed', error: new AppError('chat.too-large') }
    : undefined
}

/** Two clicks must cause one question and one charge: the second may come before the first has changed the screen. */
const isBeingAsked = ({ asks }: ChatState, mId: string, kinds: readonly Ask['kind'][]): boolean =>
  Object.values(asks).some(({ ask }) => 'mId' in ask && ask.mId === mId && kinds.includes(ask.kind))

/** Whether the same question is on its way, or was asked a moment ago and is being answered. */
function isRepeated({ asks, runs, lastQuestion }: ChatState, ask: Extract<Ask, { kind: 'question' }>, at: number) {
  if (ask.text === '') return false
  const isOnItsWay = Object.values(asks).some(
    ({ ask: other }) => other.kind === 'question' && other.text === ask.text && other.channelId === ask.channelId,
  )
  if (isOnItsWay) return true
  if (lastQuestion?.text !== ask.text || at - lastQuestion.at > webLimits.chat.duplicateGuardMs) return false
  const { channelId } = lastQuestion
  const isOfChannel = ask.channelId === undefined || ask.channelId === channelId
  return isOfChannel && Object.values(runs).some((run) => !run.isAbandoned && run.entry.body.channelId === channelId)
}

/** From the admission of an edit until it is shown: what is asked meanwhile follows what was shown in that moment. */
const isBeingEdited = ({ asks }: ChatState, channelId: string): boolean =>
  Object.values(asks).some(
    ({ ask, phase }) => ask.kind === 'edit' && ask.channelId === channelId && phase !== 'admission',
  )

function goOn(state: ChatState, asking: AskState): Step {
  const own = phases[asking.ask.kind]
  return enter(state, { ...asking, phase: own[own.indexOf(asking.phase) + 1] ?? 'storing' })
}

function enter(state: ChatState, asking: AskState): Step {
  const { ask, phase, run } = asking
  const { id } = ask
  const entered = withAsk(state, asking)
  if (phase === 'admission') return { state: entered, effects: [{ type: 'admit', id }] }
  if (phase === 'finding') return { state: entered, effects: [{ type: 'find', ask }] }
  if (phase === 'storing' && run) return { state: entered, effects: [{ type: 'store-question', id, run }] }
  const { channelId } = ask
  if (phase === 'room' && channelId !== undefined)
    return { state: entered, effects: [{ type: 'take-room', id, channelId }] }
  return goOn(state, asking)
}

/** This person's answers in the channel are stopped, and their partial texts stay. What is lost stops by itself. */
function roomTaken(state: ChatState, asking: AskState, { running, isOnline }: Of<'room-taken'>): Step {
  const messageIds = running.filter(({ isLost }) => !isLost).map(({ messageId }) => messageId)
  let stopped: Step = nothing(state)
  for (const messageId of messageIds) {
    const { state: next, effects } = stopRun(stopped.state, { messageId, isOnline })
    stopped = { state: next, effects: [...stopped.effects, ...effects] }
  }
  return { ...stopped, effects: [...stopped.effects, { type: 'await-ends', id: asking.ask.id, messageIds }] }
}

function found(state: ChatState, asking: AskState, { found: read, at }: Of<'found'>): Step {
  const newChannel = read.kind === 'channel' && read.isNew ? read.channel : undefined
  const made = newRun(asking.ask, read, at)
  if ('kind' in made) return settle(state, { ...asking, newChannel }, made)
  const next = { ...asking, newChannel, run: made }
  const isAskedAnew = asking.ask.kind === 'again' || asking.ask.kind === 'continue'
  if (!isAskedAnew || read.kind !== 'message' || isOver(read.message)) return goOn(state, next)
  const { channelId, mId } = read.message
  // The run that waits for the connection is abandoned.
  return {
    state: withAsk(state, { ...next, phase: 'dropping' }),
    effects: [{ type: 'drop-answers', id: asking.ask.id, channelId, mId }],
  }
}

function questionStored(state: ChatState, asking: AskState, { entry, at }: Of<'question-stored'>): Step {
  const { ask, newChannel } = asking
  const { channelId } = entry.body
  const outcome = { kind: 'stored', channelId, mId: entry.mId, isNewChannel: newChannel !== undefined } as const
  const settled = settle(state, asking, outcome)
  const lastQuestion = ask.kind === 'question' ? { channelId, text: ask.text, at } : state.lastQuestion
  const next = { ...settled.state, lastQuestion }
  const begun: Step = state.isDisposed
    ? { state: next, effects: [{ type: 'hand-over', entry }] }
    : beginRun(next, { entry, isLeft: false })
  const noted: Effect = { type: 'note-asked', channelId, mId: entry.mId }
  return { state: begun.state, effects: [...begun.effects, noted, ...settled.effects] }
}

/** What an edited question follows was deleted meanwhile. */
const toldError = ({ ask, phase }: AskState, error: unknown): unknown =>
  ask.kind === 'edit' && phase === 'storing' && error instanceof AppError && error.code === 'not-found'
    ? new AppError('chat.version-gone')
    : error

function settle(state: ChatState, { ask, newChannel }: AskState, outcome: AskOutcome): Step {
  const { [ask.id]: _settled, ...asks } = state.asks
  const left: Effect[] = phases[ask.kind].includes('room') ? [{ type: 'leave-room', id: ask.id }] : []
  return { state: { ...state, asks }, effects: [...left, answer(ask.id, outcome, newChannel)] }
}

const withAsk = (state: ChatState, asking: AskState): ChatState => ({
  ...state,
  asks: { ...state.asks, [asking.ask.id]: asking },
})

const answer = (id: string, outcome: AskOutcome, newChannel?: AskState['newChannel']): Effect => ({
  ...{ type: 'answer-ask', id, outcome },
  newChannel: outcome.kind === 'stored' ? undefined : newChannel,
})
