import { isOver, type Message, type ServerFrame } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import { cloudChannels, storeOf } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { announceHere, onChange } from '../local/changes'
import { withTabLock } from '../local/tab-lock'
import type { AnswerRun } from './answer-run'
import { notify } from './chat-notices'
import { ChatSocket, type SocketEvent } from './chat-socket'
import { followAnswers, followedAnswers } from './follow-answers'
import { resetQueues, startQueues, wakeQueue } from './queue-state'
import { scheduleReload } from './reload-channel'
import { suggestName } from './suggest-name'
import { unsavedAnswers } from './unsaved-answers'

/** Loaded with the first question of a page, or the first orphaned run. */
const answerRuns = () => import('./answer-run')

/** The runs whose answers this tab receives, by message id. */
const runs = new Map<string, AnswerRun>()
/** Unfinished exchanges that this tab receives, or waits for the lock of, by message id. */
const tracked = new Map<string, Promise<void>>()
const seenBroadcasts = new Set<string>()

/** Stops that could not be sent yet: their runs may be gone by the time of the next connection. */
const pendingStops = new Set<string>()

const socket = new ChatSocket({
  listener: onSocket,
  isWanted: () => runs.size > 0 || !followedAnswers.isEmpty || pendingStops.size > 0,
})
const recoverDelayMs = 400
let isStarted = false
let wasConnected = false
/** The cloud channel on screen: after a reconnect it is refetched. */
let shownChannel: string | undefined

/** Connects, and resumes orphaned runs: of this tab before a reload, or of a closed tab. */
export function startChat(): void {
  socket.connect()
  // Called again: after an unlock more unfinished runs may be visible than before.
  if (isStarted) return void recover()
  isStarted = true
  const again = (): void => {
    socket.connect()
    void recover()
  }
  addEventListener('online', again)
  addEventListener('focus', again)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') again()
    else for (const run of runs.values()) run.savePartial()
  })
  addEventListener('pagehide', () => {
    for (const run of runs.values()) run.savePartial()
  })
  // Another tab may have started, ended or orphaned a run.
  let timer: ReturnType<typeof setTimeout> | undefined
  onChange(({ kind }) => {
    if (kind !== 'messages' && kind !== 'message') return
    clearTimeout(timer)
    timer = setTimeout(() => void recover(), recoverDelayMs)
  })
  void recover()
}

/** The name of the lock that one tab at a time holds while it stores a question or receives its answer. */
export const answerLock = (messageId: string): string => `answer:${messageId}`

/**
 * Receives the answer of an unfinished exchange, in one tab at a time: the next tab takes over when this one is closed.
 * `isLeft`: an orphaned run of another tab or page.
 */
export function track(entry: OutboxEntry, { isLeft = false } = {}): void {
  const { messageId } = entry.body
  if (tracked.has(messageId)) return
  // A new question is a reason to connect, whatever became of the connection before.
  if (!isLeft) socket.connect()
  const received = withTabLock(answerLock(messageId), () => receive(entry, isLeft))
    .catch((error: unknown) => notify({ kind: 'not-saved', error }))
    .finally(() => {
      runs.delete(messageId)
      tracked.delete(messageId)
      wakeQueue(entry.body.channelId)
    })
  tracked.set(messageId, received)
}

/** Resolves once nothing more is received of a run, in whichever tab it was. */
export const whenEnded = (messageId: string): Promise<void> => tracked.get(messageId) ?? Promise.resolve()

export function stopRun(messageId: string): void {
  // Where another tab receives the answer, the server stops it for any connection of the same person.
  const isHeard = runs.get(messageId)?.stop() ?? socket.send({ event: 'stop-message', messageId })
  if (!isHeard) pendingStops.add(messageId)
}

/** Follows the answers that other devices or people receive in the cloud channel on screen. */
export function followChannel(channelId: string, messages: readonly Message[]): void {
  shownChannel = channelId
  followAnswers(messages, { send: (frame) => socket.send(frame), isOwn: (messageId) => runs.has(messageId) })
}

/**
 * Called when another person signs in: abandons all runs, whose vault resumes them later, and reconnects in the new
 * person's name.
 */
export function resetChat(): void {
  const left = [...runs.keys()].flatMap((messageId) => tracked.get(messageId) ?? [])
  for (const run of runs.values()) run.abandon()
  followedAnswers.reset()
  unsavedAnswers.clear()
  resetQueues()
  pendingStops.clear()
  shownChannel = undefined
  wasConnected = false
  socket.restart()
  // Only after the runs have ended: tracked ones are not resumed.
  if (isStarted) void Promise.all(left).then(recover)
}

/** Abandons the runs of a channel that is being deleted or cleared. */
export function abandonRuns(messageIds: readonly string[]): void {
  for (const messageId of messageIds) {
    runs.get(messageId)?.abandon()
    unsavedAnswers.drop(messageId)
  }
}

async function receive(entry: OutboxEntry, isLeft: boolean): Promise<void> {
  const { messageId } = entry.body
  // The other tab may have finished while this one waited for the lock.
  if (!(await outbox.get(messageId))) return unsavedAnswers.drop(messageId)
  const ended = unsavedAnswers.get(messageId)
  if (ended) return storeEnd(entry, ended)
  const message = await messageOf(entry)
  // Another run has replaced this one, or its final message is stored already: the page was closed in between.
  if (message?.run?.messageId !== messageId || (isOver(message) && entry.body.storageMode === 'local'))
    return outbox.remove(messageId)
  const { AnswerRun } = await answerRuns()
  const run = new AnswerRun(entry, message, (frame) => socket.send(frame), suggestName)
  runs.set(messageId, run)
  followedAnswers.leaveToRun(messageId)
  run.ask()
  if (!(await outbox.get(messageId))) run.abandon()
  await run.ended
  if (unsavedAnswers.get(messageId)) return storeLater()
  if (isLeft) notify({ kind: 'taken-up' })
}

/**
 * Stores a final message whose first attempt failed. It is called with the next connection, visit of the page, or
 * change of the storage.
 */
async function storeEnd({ mId, body }: OutboxEntry, ended: Message): Promise<void> {
  const { channelId, messageId, storageMode } = body
  const store = storeOf(channelId, storageMode)
  try {
    const known = storageMode === 'local' ? await store.message(channelId, mId, messageId) : ended
    if (known?.run?.messageId === messageId) await store.put(ended)
    await outbox.remove(messageId)
  } catch (error) {
    if (!(await answerRuns()).isChannelGone(error)) return storeLater()
    await outbox.remove(messageId).catch(() => undefined)
  }
  failedStores = 0
  unsavedAnswers.drop(messageId)
}

let failedStores = 0
let storeTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Schedules another attempt with back-off: nothing notifies the page when a device has space again, or a server is
 * well.
 */
function storeLater(): void {
  clearTimeout(storeTimer)
  storeTimer = setTimeout(
    () => void recover(),
    Math.min(webLimits.chat.storeRetryMs * 2 ** failedStores++, webLimits.chat.maxStoreRetryMs),
  )
}

/**
 * The message of an entry. A question to the cloud may never have arrived there: then it is rebuilt from the entry. The
 * text so far is streamed again.
 */
async function messageOf({ mId, body }: OutboxEntry): Promise<Message | undefined> {
  const { channelId, messageId, storageMode } = body
  const known = await storeOf(channelId, storageMode).message(channelId, mId, messageId)
  if (storageMode === 'local' || known?.status === 'queued') return known
  const isAccepted = known?.run?.messageId === messageId
  const base = (isAccepted ? known.run?.base : body.isContinuation ? known?.chat_response.content.length : 0) ?? 0
  const thought = base === 0 ? undefined : isAccepted ? known?.run?.thought : known?.reasoning
  const { reasoning: _reasoning, ...message } = known ?? {
    ...{ mId, channelId, chat_request: body.question, datetime: new Date().toISOString(), status: 'queued' as const },
    ...(body.afterRunId === undefined ? {} : { afterRunId: body.afterRunId }),
    reasoning: undefined,
  }
  return {
    ...message,
    chat_response: { role: 'assistant', content: known?.chat_response.content.slice(0, base) ?? '' },
    run: {
      ...{ messageId, seq: 0, base },
      ...(body.isContinuation ? { question: body.question } : {}),
      ...(thought === undefined ? {} : { thought }),
    },
  }
}

/** Resumes unfinished runs: answers that no tab receives, and final messages that are not stored. */
export async function recover(): Promise<void> {
  const entries = await outbox.list().catch(() => [])
  for (const entry of entries) track(entry, { isLeft: true })
  await startQueues()
}

function onSocket(event: SocketEvent): void {
  switch (event.type) {
    case 'open':
      notify({ kind: 'connected', isAgain: wasConnected })
      wasConnected = true
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
      onFrame(event.frame)
  }
}

function onFrame(frame: ServerFrame): void {
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
      void leaveChannel(frame.channelId)
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
async function leaveChannel(channelId: string): Promise<void> {
  followedAnswers.leaveChannel(channelId)
  if (shownChannel === channelId) shownChannel = undefined
  const isNews = cloudChannels.forget(channelId)
  const entries = (await outbox.list().catch(() => [])).filter(({ body }) => body.channelId === channelId)
  for (const { body } of entries) await outbox.remove(body.messageId).catch(() => undefined)
  abandonRuns(entries.map(({ body }) => body.messageId))
  scheduleReload(channelId)
  if (isNews) notify({ kind: 'channel-left' })
}
