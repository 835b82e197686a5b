import type { Message, ServerFrame } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import { cloudChannels } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { announceHere, onChange } from '../local/changes'
import { type Scope, scoped } from '../scope/scope'
import type { Ask, AskOutcome } from './ask'
import { notify } from './chat-notices'
import { ChatSocket, type SocketEvent } from './chat-socket'
import { ChatSteps } from './chat-steps'
import { followAnswers, followedAnswers } from './follow-answers'
import { startQueues, wakeQueue } from './queue-state'
import { scheduleReload } from './reload-channel'

const recoverDelayMs = 400

/** The chat of one person's session. */
class Chat {
  readonly steps: ChatSteps
  readonly socket: ChatSocket
  isStarted = false
  wasConnected = false
  /** The cloud channel on screen: after a reconnect it is refetched. */
  shownChannel: string | undefined
  failedStores = 0
  storeTimer: ReturnType<typeof setTimeout> | undefined

  constructor(
    readonly scope: Scope,
    readonly seenBroadcasts = new Set<string>(),
  ) {
    this.socket = new ChatSocket({
      listener: (event) => onSocket(this, event),
      isWanted: () => this.steps.isBusy || !followedAnswers.isEmpty,
    })
    this.steps = new ChatSteps({
      scope,
      socket: this.socket,
      onReceive: (messageId) => followedAnswers.leaveToRun(messageId),
      onOver: ({ body }) => wakeQueue(body.channelId),
      onStored: () => {
        this.failedStores = 0
      },
      storeLater: () => storeLater(this),
      handOver: (entry) => track(entry),
    })
    scope.onDispose(() => {
      this.steps.dispatch({ type: 'dispose' })
      this.socket.close()
    })
  }

  start(): void {
    this.isStarted = true
    const again = (): void => {
      this.socket.connect()
      void recover(this)
    }
    const savePartials = (): void => this.steps.dispatch({ type: 'page-hidden' })
    const { signal } = this.scope
    addEventListener('online', again, { signal })
    addEventListener('focus', again, { signal })
    document.addEventListener(
      'visibilitychange',
      () => (document.visibilityState === 'visible' ? again() : savePartials()),
      { signal },
    )
    addEventListener('pagehide', savePartials, { signal })
    // Another tab may have started, ended or orphaned a run.
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onChange(({ kind }) => {
      if (kind !== 'messages' && kind !== 'message') return
      clearTimeout(timer)
      timer = this.scope.later(() => void recover(this), recoverDelayMs)
    })
    this.scope.onDispose(stop)
  }
}

const chatOf = scoped((scope) => new Chat(scope), {
  /** The next person's chat goes on, in their name. Their vault resumes what it has of the abandoned runs. */
  carry: (before, next) => {
    const chat = new Chat(next, before.seenBroadcasts)
    const left = before.steps.whenAllOver()
    if (before.socket.isInUse) chat.socket.connect()
    if (before.isStarted) {
      chat.start()
      void left.then(() => recover(chat))
    }
    return chat
  },
})

/** Connects, and resumes orphaned runs: of this tab before a reload, or of a closed tab. */
export function startChat(): void {
  const chat = chatOf()
  chat.socket.connect()
  // Called again: after an unlock more unfinished runs may be visible than before.
  if (!chat.isStarted) chat.start()
  void recover(chat)
}

/**
 * Receives the answer of an unfinished exchange, in one tab at a time: the next tab takes over when this one is closed.
 * `isLeft`: an orphaned run of another tab or page.
 */
function track(entry: OutboxEntry, { isLeft = false, chat = chatOf() } = {}): void {
  chat.steps.dispatch({ type: 'asked', entry, isLeft })
}

export const askInChat = (ask: Ask): Promise<AskOutcome> => chatOf().steps.ask(ask)

export function stopRun(messageId: string): void {
  const { steps, socket } = chatOf()
  steps.dispatch({ type: 'stop', messageId, isOnline: socket.isOpen })
}

/** Whether the answer of a run has ended, and could not be stored yet: only this page has it. */
export const isUnsaved = (messageId: string): boolean => chatOf().steps.isUnsaved(messageId)

/** Follows the answers that other devices or people receive in the cloud channel on screen. */
export function followChannel(channelId: string, messages: readonly Message[]): void {
  const chat = chatOf()
  chat.shownChannel = channelId
  const send = chat.socket.send.bind(chat.socket)
  followAnswers(messages, { send, isOwn: (messageId) => chat.steps.isReceived(messageId) })
}

/** Abandons the runs of a channel that is being deleted or cleared. */
export function abandonRuns(messageIds: readonly string[]): void {
  const { steps } = chatOf()
  for (const messageId of messageIds) steps.dispatch({ type: 'abandon', messageId })
}

/**
 * Schedules another attempt with back-off: nothing notifies the page when a device has space again, or a server is
 * well.
 */
function storeLater(chat: Chat): void {
  clearTimeout(chat.storeTimer)
  chat.storeTimer = chat.scope.later(
    () => void recover(chat),
    Math.min(webLimits.chat.storeRetryMs * 2 ** chat.failedStores++, webLimits.chat.maxStoreRetryMs),
  )
}

/** Resumes unfinished runs: answers that no tab receives, and final messages that are not stored. */
export async function recover(chat: Chat = chatOf()): Promise<void> {
  const entries = await outbox.list().catch(() => [])
  if (chat.scope.isDisposed) return
  for (const entry of entries) track(entry, { isLeft: true, chat })
  await startQueues()
}

function onSocket(chat: Chat, event: SocketEvent): void {
  const { steps, shownChannel } = chat
  switch (event.type) {
    case 'open':
      notify({ kind: 'connected', isAgain: chat.wasConnected })
      chat.wasConnected = true
      steps.dispatch({ type: 'connected' })
      followedAnswers.resume()
      if (shownChannel !== undefined) announceHere({ kind: 'messages', channelId: shownChannel })
      return
    case 'lost':
      steps.dispatch({ type: 'lost' })
      followedAnswers.pause()
      return
    case 'frame':
      onFrame(chat, event.frame)
  }
}

function onFrame(chat: Chat, frame: ServerFrame): void {
  const { steps, seenBroadcasts } = chat
  switch (frame.event) {
    case 'credits-updated':
      notify({ kind: 'credits-updated', amount: frame.content })
      break
    case 'broadcast':
      // Shown once, however often a reconnected socket receives it.
      if (seenBroadcasts.has(frame.id)) break
      seenBroadcasts.add(frame.id)
      notify({ kind: 'broadcast', id: frame.id, content: frame.content })
      break
    case 'channel-changed':
      scheduleReload(frame.channelId, frame.change)
      break
    case 'receipts-changed':
      announceHere({ kind: 'receipts', channelId: frame.channelId })
      break
    case 'source-changed': {
      const { channelId, sourceId, progress } = frame
      const told = sourceId === undefined ? {} : { told: { sourceId, ...(progress ? { progress } : {}) } }
      announceHere({ kind: 'sources', channelId, ...told })
      break
    }
    case 'channel-left':
      void leaveChannel(chat, frame.channelId)
      break
    case 'answer-begun':
      if (steps.isReceived(frame.messageId)) break
      // The message that is read is in progress, and is followed from there.
      scheduleReload(frame.channelId, { kind: 'exchanges', mIds: [frame.mId] })
      void noteReceived(frame.channelId, frame.mId)
      break
    default:
      if ('messageId' in frame && frame.messageId !== undefined) {
        const { messageId } = frame
        steps.dispatch({ type: 'frame', messageId, frame })
        followedAnswers.receive(messageId, frame)
      } else if (frame.event === 'error' || frame.event === 'no-credits')
        notify({ kind: 'failed', content: frame.content, code: frame.event === 'error' ? frame.code : frame.event })
  }
}

/** Loaded with the first shared channel. A lost receipt is superseded by the next one. */
async function noteReceived(channelId: string, mId: string): Promise<void> {
  const sharing = await import('../channels/sharing').catch(() => undefined)
  await sharing?.markReceived(channelId, mId)
}

/** The server reports that this person has left a channel: its runs and outbox entries are dropped. */
async function leaveChannel(chat: Chat, channelId: string): Promise<void> {
  followedAnswers.leaveChannel(channelId)
  if (chat.shownChannel === channelId) chat.shownChannel = undefined
  const isNews = cloudChannels.forget(channelId)
  const entries = (await outbox.list().catch(() => [])).filter(({ body }) => body.channelId === channelId)
  for (const { body } of entries) await outbox.remove(body.messageId).catch(() => undefined)
  abandonRuns(entries.map(({ body }) => body.messageId))
  scheduleReload(channelId)
  if (isNews) notify({ kind: 'channel-left' })
}
