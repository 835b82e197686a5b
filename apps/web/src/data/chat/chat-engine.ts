import { freeName, isDefaultChannelName } from '@parley/contract/channels'
import { isOver, type Message, type ServerFrame } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import { takenNames } from '../channels/channel-names'
import { cloudChannels, findChannel, homeOf, homes } from '../channels/homes'
import { type OutboxEntry, outbox } from '../channels/outbox'
import { announceHere, onChange } from '../local/changes'
import { withTabLock } from '../local/tab-lock'
import { AnswerRun, isGone } from './answer-run'
import { notify } from './chat-notices'
import { ChatSocket, type SocketEvent } from './chat-socket'
import { followAnswers, followedAnswers } from './follow-answers'
import { unsavedAnswers } from './unsaved-answers'

/** Runs that this tab receives, by message id. */
const runs = new Map<string, AnswerRun>()
/** Unfinished exchanges that this tab receives or would take over, by message id. */
const tracked = new Map<string, Promise<void>>()
const heardBroadcasts = new Set<string>()

/** Answers to stop that the server has not heard of yet: their runs may be gone by then. */
const unheardStops = new Set<string>()

const socket = new ChatSocket({ listener: onSocket, isWanted: () => runs.size > 0 || !followedAnswers.isEmpty || unheardStops.size > 0 })
const recoverDelayMs = 400
const gatherMs = 150
let isStarted = false
let wasConnected = false
/** The cloud channel that is on the screen: what happened in it while the connection was away is read again. */
let shownChannel: string | undefined

/** Connects, and takes up what was left unfinished: by this tab before a reload, or by a tab that was closed. */
export function startChat(): void {
  socket.connect()
  // Shown again: behind a lock that was opened meanwhile more may be unfinished than could be seen before.
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
  // Another tab has begun, ended or left something.
  let timer: ReturnType<typeof setTimeout> | undefined
  onChange(({ kind }) => {
    if (kind !== 'messages' && kind !== 'message') return
    clearTimeout(timer)
    timer = setTimeout(() => void recover(), recoverDelayMs)
  })
  void recover()
}

/** Held by whoever puts a question on the device or receives its answer, in one tab at a time. */
export const answerLock = (messageId: string): string => `answer:${messageId}`

/** Receives the answer of an unfinished exchange, in one tab at a time: the next tab takes over when this one is closed. `isLeft`: it was begun elsewhere. */
export function track(entry: OutboxEntry, { isLeft = false } = {}): void {
  const { messageId } = entry.body
  if (tracked.has(messageId)) return
  // Somebody has just asked: that is a reason to connect, whatever became of the connection before.
  if (!isLeft) socket.connect()
  const received = withTabLock(answerLock(messageId), () => receive(entry, isLeft))
    .catch((error: unknown) => notify({ kind: 'not-saved', error }))
    .finally(() => {
      runs.delete(messageId)
      tracked.delete(messageId)
    })
  tracked.set(messageId, received)
}

export function stopRun(messageId: string): void {
  // Where another tab receives it, the server stops it for whoever asks in the same person's name.
  const isHeard = runs.get(messageId)?.stop() ?? socket.send({ event: 'stop-message', messageId })
  if (!isHeard) unheardStops.add(messageId)
}

/** Follows what is being written, for other devices or people, in the cloud channel that is on the screen. */
export function followShown(channelId: string, messages: readonly Message[]): void {
  shownChannel = channelId
  followAnswers(messages, { send: (frame) => socket.send(frame), isOwn: (messageId) => runs.has(messageId) })
}

/** Another person uses this page from now on: what runs is left to the vault it belongs to, and the connection is made anew in the new name. */
export function resetChat(): void {
  const left = [...runs.keys()].flatMap((messageId) => tracked.get(messageId) ?? [])
  for (const run of runs.values()) run.abandon()
  followedAnswers.reset()
  unsavedAnswers.clear()
  unheardStops.clear()
  shownChannel = undefined
  wasConnected = false
  socket.restart()
  // Not before they are left: what is still tracked is not taken up again.
  if (isStarted) void Promise.all(left).then(recover)
}

/** Forgets the runs of a channel that is being deleted or cleared. */
export function abandonRuns(messageIds: readonly string[]): void {
  for (const messageId of messageIds) {
    runs.get(messageId)?.abandon()
    unsavedAnswers.drop(messageId)
  }
}

async function receive(entry: OutboxEntry, isLeft: boolean): Promise<void> {
  const { messageId } = entry.body
  // While this tab waited for its turn the other one may have finished.
  if (!(await outbox.get(messageId))) return unsavedAnswers.drop(messageId)
  const ended = unsavedAnswers.get(messageId)
  if (ended) return storeEnd(entry, ended)
  const message = await messageOf(entry)
  // Another run has taken its place, or its end is stored already: the page was left between that and this.
  if (message?.run?.messageId !== messageId || (isOver(message) && entry.body.storageMode === 'local')) return outbox.remove(messageId)
  const run = new AnswerRun(entry, message, (frame) => socket.send(frame), suggestName)
  runs.set(messageId, run)
  followedAnswers.leaveToRun(messageId)
  run.ask()
  if (!(await outbox.get(messageId))) run.abandon()
  await run.ended
  if (unsavedAnswers.get(messageId)) return storeLater()
  if (isLeft) notify({ kind: 'taken-up' })
}

/** The end of an answer that could not be stored when it came. The next connection, look at the page, or change of the storage is another chance. */
async function storeEnd({ mId, body }: OutboxEntry, ended: Message): Promise<void> {
  const { channelId, messageId, storageMode } = body
  try {
    const known = storageMode === 'local' ? await homes.local.message(channelId, mId) : ended
    if (known?.run?.messageId === messageId) await homes[storageMode].put(ended)
    await outbox.remove(messageId)
  } catch (error) {
    if (!isGone(error)) return storeLater()
    await outbox.remove(messageId).catch(() => undefined)
  }
  failedStores = 0
  unsavedAnswers.drop(messageId)
}

let failedStores = 0
let storeTimer: ReturnType<typeof setTimeout> | undefined

/** Nobody tells that a device has room again, or that a server is well: with back-off the page looks by itself. */
function storeLater(): void {
  clearTimeout(storeTimer)
  storeTimer = setTimeout(() => void recover(), Math.min(limits.chat.storeRetryMs * 2 ** failedStores++, limits.chat.maxStoreRetryMs))
}

/** A question to the cloud may never have arrived there: its entry on this device says it all. What the server has written so far comes again from the stream. */
async function messageOf({ mId, body }: OutboxEntry): Promise<Message | undefined> {
  const { channelId, messageId, storageMode } = body
  const known = await homes[storageMode].message(channelId, mId)
  if (storageMode === 'local' || known?.status === 'queued') return known
  const isAccepted = known?.run?.messageId === messageId
  const base = (isAccepted ? known.run?.base : body.isContinuation ? known?.chat_response.content.length : 0) ?? 0
  return {
    ...(known ?? { mId, channelId, chat_request: body.question, datetime: new Date().toISOString(), status: 'queued' }),
    chat_response: { role: 'assistant', content: known?.chat_response.content.slice(0, base) ?? '' },
    run: { messageId, seq: 0, base, ...(body.isContinuation ? { question: body.question } : {}) },
  }
}

/** Takes up what is unfinished: answers that nobody receives, and ends that are not stored. */
export async function recover(): Promise<void> {
  const entries = await outbox.list().catch(() => [])
  for (const entry of entries) track(entry, { isLeft: true })
}

function onSocket(event: SocketEvent): void {
  switch (event.type) {
    case 'open':
      notify({ kind: 'connected', isAgain: wasConnected })
      wasConnected = true
      for (const run of runs.values()) run.ask()
      for (const messageId of unheardStops) socket.send({ event: 'stop-message', messageId })
      unheardStops.clear()
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
      // Once, however often a socket that comes back is told of it.
      if (heardBroadcasts.has(frame.id)) break
      heardBroadcasts.add(frame.id)
      notify({ kind: 'broadcast', id: frame.id, content: frame.content })
      break
    case 'channel-changed':
      readAgain(frame.channelId)
      break
    case 'receipts-changed':
      announceHere({ kind: 'receipts', channelId: frame.channelId })
      break
    case 'channel-left':
      void leave(frame.channelId)
      break
    case 'answer-begun':
      if (runs.has(frame.messageId)) break
      // What is being written shows itself as such when it is read, and is followed from where it stands.
      readAgain(frame.channelId)
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

/** Only shared channels need it: it comes with the first of them. A receipt that is not sent is made up for by the next. */
async function noteReceived(channelId: string, mId: string): Promise<void> {
  const sharing = await import('../channels/sharing').catch(() => undefined)
  await sharing?.markReceived(channelId, mId)
}

const reading = new Map<string, ReturnType<typeof setTimeout>>()

/** What the server tells of one channel within a moment is one reading, and of that channel alone. */
function readAgain(channelId: string): void {
  if (reading.has(channelId)) return
  reading.set(
    channelId,
    setTimeout(() => {
      reading.delete(channelId)
      announceHere({ kind: 'messages', channelId })
      announceHere({ kind: 'channel', channelId, home: 'cloud' })
    }, gatherMs),
  )
}

/** The server says that this person is out of a channel: what waits there for an answer waits in vain. */
async function leave(channelId: string): Promise<void> {
  followedAnswers.leaveChannel(channelId)
  if (shownChannel === channelId) shownChannel = undefined
  const isNews = cloudChannels.forget(channelId)
  const entries = (await outbox.list().catch(() => [])).filter(({ body }) => body.channelId === channelId)
  for (const { body } of entries) await outbox.remove(body.messageId).catch(() => undefined)
  abandonRuns(entries.map(({ body }) => body.messageId))
  readAgain(channelId)
  if (isNews) notify({ kind: 'channel-left' })
}

/** Only a default name gives way to a suggested one, and not to what the person calls the chat meanwhile. */
async function suggestNameFor(channelId: string, name: string): Promise<void> {
  const channel = await findChannel(channelId)
  if (!channel || !isDefaultChannelName(channel.channelName)) return
  await homeOf(channel).rename(channelId, freeName(name, await takenNames(channel.assistantId)), channel.channelName)
}

function suggestName(channelId: string, name: string): void {
  // A name is a courtesy: without it the default one stays.
  suggestNameFor(channelId, name).catch(() => undefined)
}
