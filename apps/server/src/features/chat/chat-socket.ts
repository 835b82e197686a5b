import { setTimeout as delay } from 'node:timers/promises'
import type { ChannelChange } from '@parley/contract/channel-change'
import { ClientFrame, type CreateChatMessage, type ServerFrame } from '@parley/contract/chat'
import { closeCode } from '@parley/contract/chat-protocol'
import { AppError, type ErrorCode, errorText, isAboutCredits } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { FastifyBaseLogger } from 'fastify'
import type { RawData } from 'ws'
import * as z from 'zod/mini'
import { toAppError } from '../../plugins/errors'
import type { Bus } from '../../providers/bus/bus'
import type { AnswerService } from './answer-service'
import { watchAnswer } from './answer-watch'
import { FrameBucket } from './frame-bucket'
import { isFrameShaped } from './frame-shape'
import { frameFor, type OptionalFrame, type RunIds } from './frames'
import { type QuestionService, RestartingError } from './question-service'
import type { SocketConnection } from './socket-connection'
import type { Visitor } from './visitor'

/** Frames of one socket that are queued before it is paused. */
const maxQueued = 50

type Deps = {
  questions: QuestionService
  answers: AnswerService
  bus: Bus
  log: FastifyBaseLogger
  /** Whether the visitor's session is live: read from the database for every frame but ping and pong. */
  isAllowed: (visitor: Visitor) => Promise<boolean>
  rateLimitScale: number
  /** The frames that not every client knows, as far as this one does. */
  knownFrames: ReadonlySet<OptionalFrame>
}

/** The chat protocol on one socket: parses frames, calls the services, sends answers. */
export class ChatSocket {
  private readonly watched = new Map<string, { controller: AbortController; channelId: string | undefined }>()
  private language: string | undefined
  private lastRead = Promise.resolve()
  private last = Promise.resolve()
  private queued = 0
  private isThrottled = false
  private readonly bucket: FrameBucket

  constructor(
    private readonly connection: SocketConnection,
    private readonly visitor: Visitor,
    private readonly deps: Deps,
  ) {
    this.bucket = new FrameBucket(deps.rateLimitScale)
    connection.closed.addEventListener('abort', () => {
      for (const { controller } of this.watched.values()) controller.abort()
    })
  }

  /** Handles frames one by one, so that a stop never overtakes its question; pauses a socket that sends faster. */
  receive(data: RawData): void {
    this.connection.resetSilence()
    if (++this.queued === maxQueued) this.connection.setReading(false)
    this.lastRead = this.lastRead
      .then(() => this.read(bytesOf(data)))
      .then((handle) => {
        this.last = this.last.then(handle).finally(() => {
          if (this.queued-- === maxQueued) this.connection.setReading(true)
        })
      })
  }

  sendAnswerStarted(answer: { channelId: string; messageId: string; mId: string }): void {
    void this.connection.send(JSON.stringify({ event: 'answer-begun', ...answer }))
  }

  sendChannelChanged(channelId: string, change?: ChannelChange): void {
    void this.connection.send(JSON.stringify({ event: 'channel-changed', channelId, change }))
  }

  sendReceiptsChanged(channelId: string): void {
    void this.connection.send(JSON.stringify({ event: 'receipts-changed', channelId }))
  }

  sendSourcesChanged(changed: Omit<Extract<ServerFrame, { event: 'source-changed' }>, 'event'>): void {
    void this.connection.send(JSON.stringify({ event: 'source-changed', ...changed }))
  }

  /** The person is no longer in the channel: aborts its answers on this socket. */
  leaveChannel(channelId: string): void {
    for (const watch of this.watched.values()) if (watch.channelId === channelId) watch.controller.abort()
    void this.connection.send(JSON.stringify({ event: 'channel-left', channelId }))
  }

  /** Parses a frame and returns its handler. Neither throws: every error is sent as a frame. */
  private async read(bytes: Buffer): Promise<() => Promise<void>> {
    await this.throttle(bytes.length)
    if (this.connection.closed.aborted) return async () => undefined
    if (bytes.length > limits.chat.maxFrameBytes) return () => this.sendError('chat.too-large', undefined)
    const frame = isFrameShaped(bytes) ? parse(bytes.toString('utf8')) : unreadable
    if (!frame.success) return () => this.sendError('chat.frame', frame.ids)
    // A stop takes effect ahead of the queue; only that of an answer that is not running yet waits for its question.
    if ('event' in frame.data && frame.data.event === 'stop-message')
      this.deps.answers.stopHere(this.visitor, frame.data.messageId)
    return () => this.handle(frame.data)
  }

  /** Delays frames that arrive too fast, and warns once until the socket has been quiet for a while. */
  private async throttle(bytes: number): Promise<void> {
    if (this.bucket.isFull()) this.isThrottled = false
    const waitMs = this.bucket.take(bytes)
    if (waitMs > 0 && !this.isThrottled) {
      this.isThrottled = true
      void this.sendError('chat.too-many-frames', undefined)
    }
    if (waitMs > 0) await delay(waitMs, undefined, { signal: this.connection.closed }).catch(() => undefined)
  }

  private async handle(frame: ClientFrame): Promise<void> {
    if (this.connection.closed.aborted) return
    try {
      await this.dispatch(frame)
    } catch (error) {
      if (error instanceof RestartingError) return this.connection.close(closeCode.restart)
      const ids =
        'route' in frame
          ? idsOf(frame.body)
          : 'messageId' in frame
            ? { messageId: frame.messageId, mId: frame.messageId }
            : undefined
      if (!(error instanceof AppError)) this.deps.log.error({ err: error }, 'a chat frame failed')
      const { code, retryAfter } = toAppError(error)
      await this.sendError(code, ids, retryAfter)
    }
  }

  private async dispatch(frame: ClientFrame): Promise<void> {
    const isHeartbeat = 'event' in frame && (frame.event === 'ping' || frame.event === 'pong')
    if (!isHeartbeat && !(await this.deps.isAllowed(this.visitor)))
      return this.connection.close(closeCode.unauthenticated)
    if ('route' in frame) {
      this.language = frame.body.userLanguage
      await this.deps.questions.ask(this.visitor, frame.body)
      this.watch(frame.body.messageId, 0, frame.body.storageMode === 'cloud' ? frame.body.channelId : undefined)
      return
    }
    switch (frame.event) {
      case 'resume':
        return this.resume(frame.messageId, frame.afterSeq)
      case 'stop-message':
        return this.deps.answers.stop(this.visitor, frame.messageId)
      case 'ping':
        // Not awaited, so that a stop behind it does not wait for a slow reader.
        void this.connection.send('{"event":"pong"}')
        return
      case 'pong':
        return
    }
  }

  /** Awaits the database before the next frame is handled, so that a flood of these runs one query at a time. */
  private async resume(messageId: string, afterSeq: number): Promise<void> {
    // The stream log is keyed by the message id alone, so the row decides who may read it.
    const row = await this.deps.answers.find(this.visitor, messageId)
    if (!row) return this.sendError('chat.answer-gone', { messageId, mId: messageId })
    this.watch(messageId, afterSeq, row.channelId ?? undefined)
  }

  /** A second request for the same answer replaces the first, so that no frame is sent twice. */
  private watch(messageId: string, afterSeq: number, channelId: string | undefined): void {
    this.watched.get(messageId)?.controller.abort()
    this.watched.delete(messageId)
    if (this.watched.size >= serverLimits.chat.maxWatchedAnswers) throw new AppError('chat.too-many-watched')
    const controller = new AbortController()
    const watch = { controller, channelId }
    this.watched.set(messageId, watch)
    const { answers, bus, log, knownFrames } = this.deps
    const find = () => answers.find(this.visitor, messageId)
    const run = async (): Promise<void> => {
      if (channelId !== undefined) {
        // The person may have left the channel after the answer was found and before it was added to `watched`.
        if (!(await find())) return this.sendError('chat.answer-gone', { messageId, mId: messageId })
        this.pollAccess(controller, find)
      }
      await watchAnswer({
        bus,
        messageId,
        afterSeq,
        language: this.language,
        find,
        send: (sent) => this.connection.send(frameFor(knownFrames, sent)),
        signal: controller.signal,
      })
    }
    run()
      .catch(async (error: unknown) => {
        log.error({ err: error }, 'showing an answer failed')
        await this.sendError(toAppError(error).code, { messageId, mId: messageId })
      })
      .finally(() => {
        controller.abort()
        if (this.watched.get(messageId) === watch) this.watched.delete(messageId)
      })
  }

  /** Fallback poll in case the `left` event of the channel is lost. Ends with the controller. */
  private pollAccess(controller: AbortController, find: () => Promise<unknown>): void {
    const check = async (): Promise<void> => {
      if (!(await find())) controller.abort()
    }
    const timer = setInterval(
      () => void check().catch((error: unknown) => this.deps.log.warn({ err: error }, 'a reader could not be checked')),
      serverLimits.auth.revocationCheckMs,
    )
    timer.unref()
    controller.signal.addEventListener('abort', () => clearInterval(timer))
  }

  private async sendError(code: ErrorCode, ids: RunIds | undefined, retryAfter?: number): Promise<void> {
    if (isAboutCredits(code))
      return void (await this.connection.send(
        JSON.stringify({ event: 'no-credits', ...ids, content: errorText(code, this.language) }),
      ))
    await this.connection.send(
      JSON.stringify({ event: 'error', ...ids, code, content: errorText(code, this.language), retryAfter }),
    )
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}

/** In a local channel the message has the id of its run. */
function idsOf({ messageId, mId, storageMode }: Pick<CreateChatMessage, 'messageId' | 'mId' | 'storageMode'>): RunIds {
  return { messageId, mId: storageMode === 'cloud' && mId !== undefined ? mId : messageId }
}

const unreadable = { success: false, ids: undefined } as const

const MessageIdOnly = z.union([
  z.object({ body: z.object({ messageId: z.uuid() }) }),
  z.object({ messageId: z.uuid() }),
])

/** The error of an invalid frame carries its message id where it has one, so that the client knows what failed. */
function parse(text: string): { success: true; data: ClientFrame } | { success: false; ids: RunIds | undefined } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return unreadable
  }
  const frame = z.safeParse(ClientFrame, json)
  if (frame.success) return frame
  const identified = z.safeParse(MessageIdOnly, json)
  if (!identified.success) return unreadable
  const { messageId } = 'body' in identified.data ? identified.data.body : identified.data
  return { success: false, ids: { messageId, mId: messageId } }
}
