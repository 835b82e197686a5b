import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { findHome } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { queueLock } from '../channels/queued-questions'
import { ensureCredits } from '../credits/shortage-state'
import { withTabLock } from '../local/tab-lock'
import type { Ask, AskEffect, AskEvent, AskOutcome } from './ask'
import type { ChatEvent } from './chat-state'
import { dropRuns } from './drop-runs'
import { findAsked, takeBack } from './find-asked'
import { isLost } from './live-chat'
import { readShownBranch, type ShownBranch } from './shown-branch'
import { storeQuestion } from './store-question'
import { noteAsked } from './summary-state'

type Options = {
  dispatch: (event: ChatEvent) => void
  /** Whether a frame can be sent now. */
  isOnline: () => boolean
  /** Resolves once nothing more is received of a run, in whichever tab it was. */
  whenOver: (messageId: string) => Promise<void>
  /** Called with a question that was stored after its person had left. */
  handOver: (entry: OutboxEntry) => void
}
type Told = { outcome: Promise<AskOutcome>; tell: (outcome: AskOutcome) => void }
type Of<T extends AskEffect['type']> = Extract<AskEffect, { type: T }>

/** Does what the steps ask for until a question is stored, and tells its outcome to whoever asked it. */
export class AskEffects {
  private readonly told = new Map<string, Told>()
  private readonly shown = new Map<string, Promise<ShownBranch | undefined>>()
  private readonly rooms = new Map<string, () => void>()

  constructor(private readonly options: Options) {}

  ask(ask: Ask): Promise<AskOutcome> {
    const known = this.told.get(ask.id)
    if (known) return known.outcome
    let tell: Told['tell'] = () => undefined
    const outcome = new Promise<AskOutcome>((resolve) => {
      tell = resolve
    })
    this.told.set(ask.id, { outcome, tell })
    this.options.dispatch({ type: 'ask', ask, at: Date.now() })
    return outcome
  }

  run(effect: AskEffect): void {
    switch (effect.type) {
      case 'note-shown':
        this.shown.set(effect.id, shownIn(effect.channelId))
        break
      case 'admit':
        this.perform(effect.id, async (id) => ({ type: 'admitted', id, isAdmitted: await ensureCredits() }))
        break
      case 'take-room':
        this.takeRoom(effect)
        break
      case 'await-ends':
        this.perform(effect.id, async (id) => {
          await inTime(Promise.all(effect.messageIds.map(this.options.whenOver)))
          return { type: 'answers-ended', id }
        })
        break
      case 'leave-room':
        this.rooms.get(effect.id)?.()
        break
      case 'find':
        this.perform(effect.ask.id, async (id) => {
          const found = await findAsked(effect.ask, this.shown.get(id) ?? Promise.resolve(undefined))
          return { type: 'found', id, found, at: Date.now() }
        })
        break
      case 'drop-answers':
        this.perform(effect.id, async (id) => {
          const { channelId, mId } = effect
          const { dispatch, isOnline } = this.options
          await dropRuns((entry) => entry.body.channelId === channelId && entry.mId === mId, {
            stop: (messageId) => dispatch({ type: 'stop', messageId, isOnline: isOnline() }),
            abandon: (messageId) => dispatch({ type: 'abandon', messageId }),
          })
          return { type: 'dropped', id }
        })
        break
      case 'store-question':
        this.perform(effect.id, async (id) => {
          const entry = await storeQuestion(effect.run)
          return { type: 'question-stored', id, entry, at: Date.now() }
        })
        break
      case 'note-asked':
        noteAsked(effect.channelId, effect.mId)
        break
      case 'hand-over':
        this.options.handOver(effect.entry)
        break
      case 'answer-ask':
        void this.answer(effect)
        break
    }
  }

  /** Whatever is done for a question is an event in the end. */
  private perform(id: string, action: (id: string) => Promise<AskEvent>): void {
    void action(id)
      .catch((error: unknown): AskEvent => ({ type: 'ask-failed', id, error }))
      .then(this.options.dispatch)
  }

  /** Questions that wait in the channel are not sent until the room is left. */
  private takeRoom({ id, channelId }: Of<'take-room'>): void {
    const left = new Promise<void>((resolve) => {
      this.rooms.set(id, resolve)
    })
    void withTabLock(queueLock(channelId), async () => {
      const running = (await outbox.list())
        .filter(({ body }) => body.channelId === channelId)
        .map(({ mId, body: { messageId } }) => ({ messageId, isLost: isLost(mId) }))
      this.options.dispatch({ type: 'room-taken', id, running, isOnline: this.options.isOnline() })
      await left
    })
      .catch((error: unknown) => this.options.dispatch({ type: 'ask-failed', id, error }))
      .finally(() => this.rooms.delete(id))
  }

  private async answer({ id, outcome, newChannel }: Of<'answer-ask'>): Promise<void> {
    const told = this.told.get(id)
    this.told.delete(id)
    this.shown.delete(id)
    // Without its question the channel would be an empty row in the list, and the next attempt would create another
    // one.
    if (newChannel) await takeBack(newChannel).catch(() => undefined)
    told?.tell(outcome)
  }
}

/** Undefined where it cannot be read: the question follows what its store shows then. */
const shownIn = async (channelId: string): Promise<ShownBranch | undefined> =>
  findHome(channelId)
    .then((home) => readShownBranch(home, channelId))
    .catch(() => undefined)

/** Throws channel.answering where an answer does not end. */
function inTime(ended: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('channel.answering')), webLimits.chat.acceptTimeoutMs)
    void ended.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
