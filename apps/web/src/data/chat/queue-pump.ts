import { isOver, type Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { FilePart } from '@parley/contract/parts'
import { uuidv7 } from '@parley/contract/uuid'
import { draftsAreStored } from '../channels/drafts'
import { findChannel, homeOf } from '../channels/homes'
import { outbox } from '../channels/outbox'
import {
  forgetQueue,
  putQueued,
  queuedChannels,
  queueLock,
  readQueue,
  removeQueued,
} from '../channels/queued-questions'
import { ensureCredits, hasCredits, useShortageState } from '../credits/shortage-state'
import { onChange } from '../local/changes'
import { withTabLock } from '../local/tab-lock'
import { currentScope, scoped } from '../scope/scope'
import { storedSession } from '../session/stored-session'
import { askChat } from './ask-chat'
import { isUnsaved } from './chat-engine'
import { onNotice } from './chat-notices'
import { isLost } from './live-chat'
import { isQueuePaused, type QueueWait, resumeQueue, useQueueWaits } from './queue-state'
import { stopAnswer } from './send-message'

/** Held while somebody edits a question of the queue: nothing of it is sent meanwhile. */
const editLock = (channelId: string): string => `queue-edit:${channelId}`

/**
 * So many messages are looked through for this person's last question, and for one that was sent: others may ask too.
 */
const lookBack = 20

type NewQuestion = { text: string; files?: readonly FilePart[] | undefined; mId?: string | undefined }

/**
 * Adds a question to a channel's queue and answers its id. `mId`: of a question that was taken out to be edited, whose
 * place it keeps.
 */
export async function enqueue(channelId: string, { text, files = [], mId = uuidv7() }: NewQuestion): Promise<string> {
  const question = text.trim()
  if (question.length > limits.chat.maxQuestionLength) throw new AppError('chat.too-large')
  await putQueued(channelId, { mId, text: question, ...(files.length === 0 ? {} : { files: [...files] }) })
  resumeQueue(channelId)
  wake(channelId)
  return mId
}

/**
 * Sends a question of the queue before the others, also after an answer that failed. An answer that is being written is
 * stopped. Does nothing while credits are missing, beyond saying so.
 */
export async function sendNow(channelId: string, mId: string): Promise<void> {
  if (!(await ensureCredits())) return
  const isThere = await withTabLock(queueLock(channelId), async () => {
    const question = (await readQueue(channelId)).find((each) => each.mId === mId)
    if (question) await putQueued(channelId, { ...question, isUrgent: true })
    return question !== undefined
  })
  if (!isThere) return
  resumeQueue(channelId)
  await stopAnswer(channelId)
  wake(channelId)
}

/** Takes a question out of the queue. It may have been sent meanwhile; then nothing happens. */
export function dropQueued(channelId: string, mId: string): Promise<void> {
  return withTabLock(queueLock(channelId), () => removeQueued(channelId, mId))
}

/**
 * Takes a question out of the queue to edit it. `keep` puts its text into the draft, which is stored before the
 * question is removed. Until the answered function is called nothing of the queue is sent. Undefined where the question
 * was sent or removed meanwhile.
 */
export function takeQueued(
  channelId: string,
  mId: string,
  keep: (text: string) => void,
): Promise<(() => void) | undefined> {
  const release = hold(channelId)
  return withTabLock(queueLock(channelId), async () => {
    const question = (await readQueue(channelId)).find((each) => each.mId === mId)
    if (!question) return undefined
    keep(question.text)
    await draftsAreStored()
    await removeQueued(channelId, mId)
    return release
  }).then(
    (taken) => {
      if (!taken) release()
      return taken
    },
    (error: unknown) => {
      release()
      throw error
    },
  )
}

function hold(channelId: string): () => void {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  void withTabLock(editLock(channelId), () => released)
  return () => {
    release()
    wake(channelId)
  }
}

type Pump = {
  /** The channels whose queues this tab is looking at; true: something has changed since. */
  looking: Map<string, boolean>
  failures: Map<string, { count: number; timer: ReturnType<typeof setTimeout> | undefined }>
}

/** From the first question that waits to the end of the scope, whatever lets a queue go on is heard. */
const pumpOf = scoped((scope): Pump => {
  scope.onDispose(
    onChange((change) => {
      // An answer that grows lets nothing go on.
      if (change.kind === 'message' && change.message && !isOver(change.message)) return
      if (change.kind === 'message' || change.kind === 'messages' || change.kind === 'queue')
        wakeIfQueued(change.channelId)
    }),
  )
  scope.onDispose(onNotice(({ kind }) => kind === 'connected' && void wakeAll()))
  scope.onDispose(useShortageState.subscribe(({ isShort }, before) => isShort !== before.isShort && void wakeAll()))
  return { looking: new Map(), failures: new Map() }
})

/** Sends the first question of a channel's queue if it may be sent now; one look at a time. */
export function wake(channelId: string): void {
  const { looking } = pumpOf()
  const isLooking = looking.has(channelId)
  looking.set(channelId, isLooking)
  if (!isLooking) void look(channelId)
}

async function look(channelId: string): Promise<void> {
  const scope = currentScope()
  const { looking, failures } = pumpOf(scope)
  const wait = await withTabLock(editLock(channelId), () =>
    withTabLock(queueLock(channelId), () => sendNext(channelId)),
  ).catch(waitFor)
  if (scope.isDisposed) return
  useQueueWaits.setState({ [channelId]: wait })
  if (wait === 'offline' || wait === 'unsent') tryLater(channelId)
  else failures.delete(channelId)
  const isAgain = looking.get(channelId)
  looking.delete(channelId)
  if (isAgain) wake(channelId)
}

export async function wakeAll(): Promise<void> {
  pumpOf()
  for (const channelId of await queuedChannels().catch(() => [])) wake(channelId)
}

const waitFor = (error: unknown): QueueWait =>
  !navigator.onLine || (error instanceof AppError && error.code === 'network') ? 'offline' : 'unsent'

/**
 * Called by one tab at a time. A question is removed after its message is stored, and its message has its id: whatever
 * this is interrupted by, the next call finds the question either unsent or sent. Answers why the first one waits.
 */
async function sendNext(channelId: string): Promise<QueueWait | undefined> {
  const person = storedSession()?.user.id
  const [first] = await readQueue(channelId)
  if (!first || isQueuePaused(channelId)) return undefined
  const channel = await findChannel(channelId)
  if (!channel) {
    await forgetQueue(channelId)
    return undefined
  }
  const running = (await outbox.list()).filter(({ body }) => body.channelId === channelId)
  const home = homeOf(channel)
  const { messages } = await home.messages(channelId, { limit: lookBack })
  // The cloud gets a question from the outbox alone; on the device an entry without a message was never asked.
  const isSent = channel.isLocalChannel
    ? (await home.message(channelId, first.mId)) !== undefined
    : [...messages, ...running].some(({ mId }) => mId === first.mId)
  if (isSent) {
    await removeQueued(channelId, first.mId)
    return sendNext(channelId)
  }
  // Whose connection is lost does not keep back what the person wants to send now.
  const isUrgent = first.isUrgent ?? false
  if (running.some(({ mId }) => !isUrgent || !isLost(mId)))
    return running.some(({ body }) => isUnsaved(body.messageId)) ? 'unsent' : undefined
  const last = messages.findLast(({ author }) => author === undefined)
  if (last && !isOver(last) && !(isUrgent && isLost(last.mId))) return undefined
  const wait = isUrgent ? undefined : waitAfter(last)
  if (wait) return wait
  if (!(await hasCredits())) return 'credits'
  if (storedSession()?.user.id !== person) return undefined
  const { mId, text, files = [] } = first
  const { kind } = await askChat({ kind: 'queued', id: mId, channelId, text, files })
  if (kind === 'refused') return 'unsent'
  await removeQueued(channelId, first.mId)
  return undefined
}

/** A question that was written before an answer went wrong may make no sense after it: it waits for the person. */
function waitAfter(last: Message | undefined): QueueWait | undefined {
  if (last?.error?.code === 'no-credits') return 'credits'
  if (last?.status === 'failed' || last?.empty) return 'failed'
  return last?.status === 'interrupted' ? 'interrupted' : undefined
}

/** Nothing tells that a server is well again, or that a device has space. */
function tryLater(channelId: string): void {
  const scope = currentScope()
  const { failures } = pumpOf(scope)
  const { count, timer } = failures.get(channelId) ?? { count: 0 }
  clearTimeout(timer)
  const afterMs = Math.min(webLimits.chat.storeRetryMs * 2 ** count, webLimits.chat.maxStoreRetryMs)
  failures.set(channelId, { count: count + 1, timer: scope.later(() => wake(channelId), afterMs) })
}

/** Most channels have no queue, and need no lock for it. */
function wakeIfQueued(channelId: string): void {
  queuedChannels().then(
    (channels) => (channels.has(channelId) ? wake(channelId) : useQueueWaits.setState({ [channelId]: undefined })),
    () => undefined,
  )
}
