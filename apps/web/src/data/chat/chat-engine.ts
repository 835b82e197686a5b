import { isOver, type Message, type ServerFrame } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import { cloudChannels, storeOf } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { announceHere, onChange } from '../local/changes'
import { withTabLock } from '../local/tab-lock'
import { type Scope, scoped } from '../scope/scope'
import type { AnswerRun } from './answer-run'
import { notify } from './chat-notices'
import { ChatSocket, type SocketEvent } from './chat-socket'
import { messageOf } from './entry-message'
import { followAnswers, followedAnswers } from './follow-answers'
import { startQueues, wakeQueue } from './queue-state'
import { scheduleReload } from './reload-channel'
import { suggestName } from './suggest-name'
import { unsavedAnswers } from './unsaved-answers'

/** Loaded with the first question of a page, or the first orphaned run. */
const answerRuns = () => import('./answer-run')

const recoverDelayMs = 400

/** The chat of one person's session. */
class Chat {
  /** The runs whose answers this tab receives, by message id. */
  readonly runs = new Map<string, AnswerRun>()
  /** Unfinished exchanges that this tab receives, or waits for the lock of, by message id. */
  readonly tracked = new Map<string, Promise<void>>()
  /** Stops that could not be sent yet: their runs may be gone by the time of the next connection. */
  readonly pendingStops = new Set<string>()
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
      isWanted: () => this.runs.size > 0 || !followedAnswers.isEmpty || this.pendingStops.size > 0,
    })
    scope.onDispose(() => {
      for (const run of this.runs.values()) run.abandon()
      this.socket.close()
    })
  }

  start(): void {
    this.isStarted = true
    const again = (): void => {
      this.socket.connect()
      void recover(this)
    }
    const savePartials = (): void => {
      for (const run of this.runs.values()) run.savePartial()
    }
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
    const left = [...before.runs.keys()].flatMap((messageId) => before.tracked.get(messageId) ?? [])
    if (before.socket.isInUse) chat.socket.connect()
    if (before.isStarted) {
      chat.start()
      void Promise.all(left).then(() => recover(chat))
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

/** The name of the lock that one tab at a time holds while it stores a question or receives its answer. */
export const answerLock = (messageId: string): string => `answer:${messageId}`

/**
 * Receives the answer of an unfinished exchange, in one tab at a time: the next tab takes over when this one is closed.
 * `isLeft`: an orphaned run of another tab or page.
 */
export function track(entry: OutboxEntry, { isLeft = false, chat = chatOf() } = {}): void {
  const { messageId } = entry.body
  const { runs, tracked, socket } = chat
  if (tracked.has(messageId)) return
  // A new question is a reason to connect, whatever became of the connection before.
  if (!isLeft) socket.connect()
  const received = withTabLock(answerLock(messageId), () => receive(chat, entry, isLeft))
    .catch((error: unknown) => notify({ kind: 'not-saved', error }))
    .finally(() => {
      runs.delete(messageId)
      tracked.delete(messageId)
      wakeQueue(entry.body.channelId)
    })
  tracked.set(messageId, received)
}

/** Resolves once nothing more is received of a run, in whichever tab it was. */
export const whenEnded = (messageId: string): Promise<void> => chatOf().tracked.get(messageId) ?? Promise.resolve()

export function stopRun(messageId: string): void {
  const { runs, socket, pendingStops } = chatOf()
  // Where another tab receives the answer, the server stops it for any connection of the same person.
  const isHeard = runs.get(messageId)?.stop() ?? socket.send({ event: 'stop-message', messageId })
  if (!isHeard) pendingStops.add(messageId)
}

/** Follows the answers that other devices or people receive in the cloud channel on screen. */
export function followChannel(channelId: string, messages: readonly Message[]): void {
  const chat = chatOf()
  chat.shownChannel = channelId
  followAnswers(messages, { send: (frame) => chat.socket.send(frame), isOwn: (messageId) => chat.runs.has(messageId) })
}

/** Abandons the runs of a channel that is being deleted or cleared. */
export function abandonRuns(messageIds: readonly string[]): void {
  for (const messageId of messageIds) {
    chatOf().runs.get(messageId)?.abandon()
    unsavedAnswers.drop(messageId)
  }
}

async function receive(chat: Chat, entry: OutboxEntry, isLeft: boolean): Promise<void> {
  const { runs, socket } = chat
  const { messageId } = entry.body
  if (chat.scope.isDisposed) return
  // The other tab may have finished while this one waited for the lock.
  if (!(await outbox.get(messageId))) return unsavedAnswers.drop(messageId)
  const ended = unsavedAnswers.get(messageId)
  if (ended) return storeEnd(chat, entry, ended)
  const message = await messageOf(entry)
  // Another run has replaced this one, or its final message is stored already: the page was closed in between.
  if (message?.run?.messageId !== messageId || (isOver(message) && entry.body.storageMode === 'local'))
    return outbox.remove(messageId)
  const { AnswerRun } = await answerRuns()
  // Another person has signed in: whose entry it is resumes it.
  if (chat.scope.isDisposed) return
  const run = new AnswerRun(entry, message, (frame) => socket.send(frame), suggestName)
  runs.set(messageId, run)
  followedAnswers.leaveToRun(messageId)
  run.ask()
  if (!(await outbox.get(messageId))) run.abandon()
  await run.ended
  if (unsavedAnswers.get(messageId)) return storeLater(chat)
  if (isLeft) notify({ kind: 'taken-up' })
}

/**
 * Stores a final message whose first attempt failed. It is called with the next connection, visit of the page, or
 * change of the storage.
 */
async function storeEnd(chat: Chat, { mId, body }: OutboxEntry, ended: Message): Promise<void> {
  const { channelId, messageId, storageMode } = body
  const store = storeOf(channelId, storageMode)
  try {
    const known = storageMode === 'local' ? await store.message(channelId, mId, messageId) : ended
    if (known?.run?.messageId === messageId) await store.put(ended)
    await outbox.remove(messageId)
  } catch (error) {
    if (!(await answerRuns()).isChannelGone(error)) return storeLater(chat)
    await outbox.remove(messageId).catch(() => undefined)
  }
  chat.failedStores = 0
  unsavedAnswers.drop(messageId)
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
  const { runs, pendingStops, socket, shownChannel } = chat
  switch (event.type) {
    case 'open':
      notify({ kind: 'connected', isAgain: chat.wasConnected })
      chat.wasConnected = true
      for (const run of runs.values()) run.ask()
      for (const messageId of pendingStops) socket.send({ event: 'stop-message', messageId })
      pendingStops.clear()
      followedAnswers.resume()
      if (shownChannel !== undefined) announceHere({ kind: 'messages', channelId: shownChannel })
      return
    case 'lost':
      for (const run of runs.values()) run.pause()
      followedAnswers.pause()
      return
    case 'frame':
      onFrame(chat, event.frame)
  }
}

function onFrame(chat: Chat, frame: ServerFrame): void {
  const { runs, seenBroadcasts } = chat
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
      scheduleReload(frame.channelId)
      break
    case 'receipts-changed':
      announceHere({ kind: 'receipts', channelId: frame.channelId })
      break
    case 'channel-left':
      void leaveChannel(chat, frame.channelId)
      break
    case 'answer-begun':
      if (runs.has(frame.messageId)) break
      // The refetched message is in progress, and is followed from there.
      scheduleReload(frame.channelId)
      void noteReceived(frame.channelId, frame.mId)
      break
    default:
      if ('messageId' in frame && frame.messageId !== undefined) {
        runs.get(frame.messageId)?.receive(frame)
        followedAnswers.receive(frame.messageId, frame)
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
