import { webLimits } from '@parley/contract/limits/web'
import type { ChannelStore, Owner } from '../channels/channel-store'
import { storeOf } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { withTabLock } from '../local/tab-lock'
import type { Scope } from '../scope/scope'
import { storedSession } from '../session/stored-session'
import { answerLock } from './answer-lock'
import { isWhole } from './apply-frame'
import { AskEffects } from './ask-effects'
import { notify } from './chat-notices'
import type { ChatSocket } from './chat-socket'
import { type ChatEvent, type ChatState, type Effect, emptyChat } from './chat-state'
import { ifListed, messageToReceive } from './entry-message'
import { hideAnswer, markStored, showAnswer } from './live-chat'
import { returnQuestion } from './return-question'
import { withSources } from './sent-sources'
import { step } from './step'
import { suggestName } from './suggest-name'

/** The live answer stays this long after the final message is stored, until that has been read. */
const handOverMs = 1_500

type Lease = { isOver: Promise<void>; leave: () => void }
type Timers = { ask?: ReturnType<typeof setInterval>; save?: ReturnType<typeof setTimeout> | undefined }
type Of<T extends Effect['type']> = Extract<Effect, { type: T }>

export type RunnerOptions = {
  scope: Scope
  socket: Pick<ChatSocket, 'connect' | 'send' | 'isOpen'>
  /** Called when this tab is about to receive a run, whoever followed it before. */
  onReceive: (messageId: string) => void
  /** Called when nothing more is received of a run. */
  onOver: (entry: OutboxEntry) => void
  /** Called when a final message is stored. */
  onStored: () => void
  storeLater: () => void
  /** Called with a question that was stored after its person had left: the next chat looks after its run. */
  handOver: (entry: OutboxEntry) => void
}

/**
 * Does what the steps of the chat ask for, and tells them what came of it. After the end of its scope it does nothing.
 */
export class ChatRunner {
  state: ChatState = emptyChat
  private readonly leases = new Map<string, Lease>()
  private readonly timers = new Map<string, Timers>()
  /** One write of a run after the other, so that an older text never overwrites a newer one. */
  private readonly writes = new Map<string, Promise<unknown>>()
  /** Each run is stored where it was asked, whatever becomes of its channel. */
  private readonly stores = new Map<string, ChannelStore>()
  private readonly owner: Owner = { userId: storedSession()?.user.id }
  private readonly events: ChatEvent[] = []
  private isRunning = false
  readonly asks: AskEffects

  constructor(private readonly options: RunnerOptions) {
    this.asks = new AskEffects({
      dispatch: (event) => this.dispatch(event),
      isOnline: () => options.socket.isOpen,
      whenOver: (messageId) => this.whenOver(messageId),
      handOver: options.handOver,
    })
  }

  dispatch(event: ChatEvent): void {
    this.events.push(event)
    if (this.isRunning) return
    this.isRunning = true
    for (let next = this.events.shift(); next; next = this.events.shift()) {
      const { state, effects } = step(this.state, next)
      this.state = state
      for (const effect of effects) this.run(effect)
    }
    this.isRunning = false
    this.clearTimers()
  }

  /** Whether anything waits for the connection. */
  get isBusy(): boolean {
    const { runs, pendingStops } = this.state
    return pendingStops.length > 0 || Object.values(runs).some(({ receiving }) => receiving !== undefined)
  }

  /** Whether this tab receives the answer of a run. */
  isReceived(messageId: string): boolean {
    return this.state.runs[messageId]?.receiving !== undefined
  }

  isUnsaved(messageId: string): boolean {
    const run = this.state.runs[messageId]
    return run !== undefined && run.final !== undefined && run.receiving === undefined
  }

  /** Resolves once nothing more is received of a run, in whichever tab it was. */
  whenOver(messageId: string): Promise<void> {
    return this.leases.get(messageId)?.isOver ?? Promise.resolve()
  }

  /** All runs that this tab receives, or waits for. */
  whenAllOver(): Promise<unknown> {
    return Promise.all([...this.leases.values()].map(({ isOver }) => isOver))
  }

  private run(effect: Effect): void {
    const { scope, socket, storeLater } = this.options
    switch (effect.type) {
      case 'take-lease':
        this.takeLease(effect)
        break
      case 'leave-lease':
        this.leases.get(effect.messageId)?.leave()
        break
      case 'connect':
        socket.connect()
        break
      case 'send':
        socket.send(effect.frame)
        break
      case 'await-acceptance':
        this.awaitAcceptance(effect.messageId)
        break
      case 'accepted':
        clearInterval(this.timersOf(effect.messageId).ask)
        break
      case 'schedule-save': {
        const { messageId } = effect
        const save = scope.later(() => this.dispatch({ type: 'save', messageId }), webLimits.chat.partialSaveMs)
        this.timersOf(messageId).save = save
        break
      }
      case 'save-partial':
        this.savePartial(effect)
        break
      case 'check':
        void this.check(effect)
        break
      case 'return-question':
        void this.returnQuestion(effect)
        break
      case 'store':
        void this.store(effect)
        break
      case 'forget':
        void outbox.remove(effect.messageId).catch(noop)
        break
      case 'store-later':
        storeLater()
        break
      case 'show':
        showAnswer(effect.answer)
        break
      case 'hide': {
        const { mId, messageId, isHandedOver } = effect
        if (!isHandedOver) {
          hideAnswer(mId, messageId)
          break
        }
        markStored(mId, messageId)
        scope.later(() => hideAnswer(mId, messageId), handOverMs)
        break
      }
      case 'notify':
        notify(effect.notice)
        break
      case 'suggest-name':
        suggestName(effect.channelId, effect.name)
        break
      default:
        this.asks.run(effect)
    }
  }

  private takeLease({ entry, isEnded }: Of<'take-lease'>): void {
    const { scope, onReceive, onOver } = this.options
    const { messageId, channelId, storageMode } = entry.body
    this.stores.set(messageId, this.stores.get(messageId) ?? storeOf(channelId, storageMode))
    let leave = noop
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    const ended = withTabLock(answerLock(messageId), async () => {
      if (scope.isDisposed) return
      const final = isEnded ? this.state.runs[messageId]?.final : undefined
      const message = final
        ? await ifListed(messageId, final.message)
        : await messageToReceive(entry, this.storeFor(entry))
      if (message && !final) onReceive(messageId)
      this.dispatch({ type: 'leased', messageId, message })
      await left
      await this.writes.get(messageId)
    })
      .catch((error: unknown) => {
        if (scope.isDisposed) return
        notify({ kind: 'not-saved', error })
        this.dispatch({ type: 'lease-failed', messageId })
      })
      .finally(() => {
        this.leases.delete(messageId)
        this.writes.delete(messageId)
        if (this.state.runs[messageId] === undefined) this.stores.delete(messageId)
        if (!scope.isDisposed) onOver(entry)
      })
    this.leases.set(messageId, { isOver: ended, leave })
  }

  private storeFor({ body: { messageId, channelId, storageMode } }: OutboxEntry): ChannelStore {
    return this.stores.get(messageId) ?? storeOf(channelId, storageMode)
  }

  /** Repeats the question until it is acknowledged: the id keeps the server from starting a second answer. */
  private awaitAcceptance(messageId: string): void {
    this.timersOf(messageId).ask ??= setInterval(
      () => this.dispatch({ type: 'ask-again', messageId }),
      webLimits.chat.acceptTimeoutMs,
    )
  }

  private savePartial({ messageId, message }: Of<'save-partial'>): void {
    clearTimeout(this.timersOf(messageId).save)
    const entry = this.state.runs[messageId]?.entry
    if (!entry) return
    const store = this.storeFor(entry)
    void this.write(messageId, async () => {
      if (!this.options.scope.isDisposed) await store.put(message, this.owner, { isAnswer: true })
    }).catch(noop)
  }

  private async check({ messageId, text, end }: Of<'check'>): Promise<void> {
    this.dispatch({ type: 'checked', messageId, isWhole: await isWhole(text, end) })
  }

  private async returnQuestion({ entry, message, code, content }: Of<'return-question'>): Promise<void> {
    const { messageId } = entry.body
    await this.writes.get(messageId)
    const request = { store: this.storeFor(entry), owner: this.owner, message, messageId, code, content }
    const isReturned = !this.options.scope.isDisposed && (await returnQuestion(request).catch(() => false))
    this.dispatch({ type: 'returned', messageId, isReturned })
  }

  /** Waits for the partial texts that are being stored. */
  private async store({ entry, message }: Of<'store'>): Promise<void> {
    const { messageId } = entry.body
    const store = this.storeFor(entry)
    const isStanding = (): boolean => !this.options.scope.isDisposed && this.state.runs[messageId]?.phase === 'storing'
    try {
      await this.write(messageId, async () => {
        // Abandoned meanwhile: the channel was deleted, or its vault closed.
        if (!isStanding()) return
        await store.put(await withSources(entry, message), this.owner, { isAnswer: true })
        // An entry that cannot be removed now is removed at the next start, which finds the stored message.
        await outbox.remove(messageId).catch(noop)
      })
      this.options.onStored()
      this.dispatch({ type: 'stored', messageId })
    } catch (error) {
      this.dispatch({ type: 'store-failed', messageId, error, isChannelGone: isChannelGone(error) })
    }
  }

  private write(messageId: string, action: () => Promise<void>): Promise<void> {
    const before = this.writes.get(messageId) ?? Promise.resolve()
    const written = before.then(action)
    this.writes.set(messageId, written.catch(noop))
    return written
  }

  private timersOf(messageId: string): Timers {
    const timers = this.timers.get(messageId) ?? {}
    this.timers.set(messageId, timers)
    return timers
  }

  /** A run that receives nothing has nothing to repeat. */
  private clearTimers(): void {
    for (const [messageId, { ask, save }] of this.timers) {
      if (this.state.runs[messageId]?.phase === 'receiving') continue
      clearInterval(ask)
      clearTimeout(save)
      this.timers.delete(messageId)
    }
  }
}

const noop = (): void => undefined

function isChannelGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'channel.not-found'
}
