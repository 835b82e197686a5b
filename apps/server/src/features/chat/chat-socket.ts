import { setTimeout as delay } from 'node:timers/promises'
import { ClientFrame, type CreateChatMessage, closeCode } from '@parley/contract/chat'
import { AppError, type ErrorCode, errorText, isAboutCredits } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { RawData } from 'ws'
import * as z from 'zod/mini'
import { toAppError } from '../../plugins/errors'
import type { Bus } from '../../providers/bus'
import { watchAnswer } from './answer-watch'
import { type ChatService, type Person, RestartingError } from './chat-service'
import { FrameBucket } from './frame-bucket'
import { isFrameShaped } from './frame-shape'
import type { RunIds } from './frames'
import type { SocketConnection } from './socket-connection'

/** Frames of one socket that wait for their turn. */
const maxWaiting = 50

type Deps = {
  service: ChatService
  bus: Bus
  log: FastifyBaseLogger
  /** Whether the person may still speak: asked of the database for every frame that asks for something. */
  isAllowed: (person: Person) => Promise<boolean>
  rateLimitScale: number
}

/** Speaks the chat protocol with one person on one socket: reads frames, asks the service, shows answers. */
export class ChatSocket {
  private readonly watched = new Map<string, { controller: AbortController; channelId: string | undefined }>()
  private language: string | undefined
  private lastRead = Promise.resolve()
  private last = Promise.resolve()
  private waiting = 0
  private isThrottled = false
  private readonly bucket: FrameBucket

  constructor(
    private readonly connection: SocketConnection,
    private readonly person: Person,
    private readonly deps: Deps,
  ) {
    this.bucket = new FrameBucket(deps.rateLimitScale)
    connection.closed.addEventListener('abort', () => {
      for (const { controller } of this.watched.values()) controller.abort()
    })
  }

  /** Frames are handled one after the other, so that a stop never overtakes its question. Whoever sends faster than that is not read for a while. */
  receive(data: RawData): void {
    this.connection.heard()
    if (++this.waiting === maxWaiting) this.connection.setReading(false)
    this.lastRead = this.lastRead
      .then(() => this.read(bytesOf(data)))
      .then((handle) => {
        this.last = this.last.then(handle).finally(() => {
          if (this.waiting-- === maxWaiting) this.connection.setReading(true)
        })
      })
  }

  /** An answer is being written in a channel of this person. */
  tellBegun(answer: { channelId: string; messageId: string; mId: string }): void {
    void this.connection.send(JSON.stringify({ event: 'answer-begun', ...answer }))
  }

  /** There is something new in a channel that others write in too. */
  tellChanged(channelId: string): void {
    void this.connection.send(JSON.stringify({ event: 'channel-changed', channelId }))
  }

  /** Others received or read messages of a channel of this person. */
  tellReceipts(channelId: string): void {
    void this.connection.send(JSON.stringify({ event: 'receipts-changed', channelId }))
  }

  /** The person is not in the channel any more: not another word of it. */
  leave(channelId: string): void {
    for (const watch of this.watched.values()) if (watch.channelId === channelId) watch.controller.abort()
    void this.connection.send(JSON.stringify({ event: 'channel-left', channelId }))
  }

  /** Reads a frame when its turn has come; answers what is to be done about it. Neither ever throws: whatever arrives is answered by a frame. */
  private async read(bytes: Buffer): Promise<() => Promise<void>> {
    await this.throttle(bytes.length)
    if (this.connection.closed.aborted) return async () => undefined
    if (bytes.length > limits.chat.maxFrameBytes) return () => this.complain('chat.too-large', undefined)
    const frame = isFrameShaped(bytes) ? parse(bytes.toString('utf8')) : nothing
    if (!frame.success) return () => this.complain('chat.frame', frame.ids)
    // Before whatever is still under way: only the stop of an answer that is not there yet has to wait for its question.
    if ('event' in frame.data && frame.data.event === 'stop-message') this.deps.service.stopHere(this.person, frame.data.messageId)
    return () => this.answer(frame.data)
  }

  /** Nothing is lost of what comes too fast, it only waits. Told once, until the socket has been quiet for a while. */
  private async throttle(bytes: number): Promise<void> {
    if (this.bucket.isFull()) this.isThrottled = false
    const waitMs = this.bucket.take(bytes)
    if (waitMs > 0 && !this.isThrottled) {
      this.isThrottled = true
      void this.complain('chat.too-many-frames', undefined)
    }
    if (waitMs > 0) await delay(waitMs, undefined, { signal: this.connection.closed }).catch(() => undefined)
  }

  private async answer(frame: ClientFrame): Promise<void> {
    if (this.connection.closed.aborted) return
    try {
      await this.obey(frame)
    } catch (error) {
      if (error instanceof RestartingError) return this.connection.close(closeCode.restart)
      const ids = 'route' in frame ? idsOf(frame.body) : 'messageId' in frame ? { messageId: frame.messageId, mId: frame.messageId } : undefined
      if (!(error instanceof AppError)) this.deps.log.error({ err: error }, 'a chat frame failed')
      const { code, retryAfter } = toAppError(error)
      await this.complain(code, ids, retryAfter)
    }
  }

  private async obey(frame: ClientFrame): Promise<void> {
    const isChatter = 'event' in frame && (frame.event === 'ping' || frame.event === 'pong')
    if (!isChatter && !(await this.deps.isAllowed(this.person))) return this.connection.close(closeCode.unauthenticated)
    if ('route' in frame) {
      this.language = frame.body.userLanguage
      await this.deps.service.ask(this.person, frame.body)
      this.watch(frame.body.messageId, 0, frame.body.storageMode === 'cloud' ? frame.body.channelId : undefined)
      return
    }
    switch (frame.event) {
      case 'resume':
        return this.resume(frame.messageId, frame.afterSeq)
      case 'stop-message':
        return this.deps.service.stop(this.person, frame.messageId)
      case 'ping':
        // Not waited for: a stop behind it must not wait for a slow reader.
        void this.connection.send('{"event":"pong"}')
        return
      case 'pong':
        return
    }
  }

  /** Looks before the next frame is handled: whoever sends a thousand of these has one question at a time in the database. */
  private async resume(messageId: string, afterSeq: number): Promise<void> {
    // The log is named by the message alone, so the row decides whose it is.
    const row = await this.deps.service.find(this.person, messageId)
    if (!row) return this.complain('chat.answer-gone', { messageId, mId: messageId })
    this.watch(messageId, afterSeq, row.channelId ?? undefined)
  }

  /** A second wish for the same answer takes the place of the first, so that no frame is sent twice. */
  private watch(messageId: string, afterSeq: number, channelId: string | undefined): void {
    this.watched.get(messageId)?.controller.abort()
    this.watched.delete(messageId)
    if (this.watched.size >= limits.chat.maxWatchedAnswers) throw new AppError('chat.too-many-watched')
    const controller = new AbortController()
    const watch = { controller, channelId }
    this.watched.set(messageId, watch)
    const { service, bus, log } = this.deps
    const find = () => service.find(this.person, messageId)
    const run = async (): Promise<void> => {
      if (channelId !== undefined) {
        // Whoever was put out of the channel between the look and the line above was not put out of this answer.
        if (!(await find())) return this.complain('chat.answer-gone', { messageId, mId: messageId })
        this.keepAllowed(controller, find)
      }
      await watchAnswer({ bus, messageId, afterSeq, language: this.language, find, send: (sent) => this.connection.send(sent), signal: controller.signal })
    }
    run()
      .catch(async (error: unknown) => {
        log.error({ err: error }, 'showing an answer failed')
        await this.complain(toAppError(error).code, { messageId, mId: messageId })
      })
      .finally(() => {
        controller.abort()
        if (this.watched.get(messageId) === watch) this.watched.delete(messageId)
      })
  }

  /** Whoever is put out of a channel is told so; this is for when the news are lost on their way. Ends with the controller. */
  private keepAllowed(controller: AbortController, find: () => Promise<unknown>): void {
    const look = async (): Promise<void> => {
      if (!(await find())) controller.abort()
    }
    const timer = setInterval(
      () => void look().catch((error: unknown) => this.deps.log.warn({ err: error }, 'a reader could not be checked')),
      limits.auth.revocationCheckMs,
    )
    timer.unref()
    controller.signal.addEventListener('abort', () => clearInterval(timer))
  }

  private async complain(code: ErrorCode, ids: RunIds | undefined, retryAfter?: number): Promise<void> {
    if (isAboutCredits(code)) return void (await this.connection.send(JSON.stringify({ event: 'no-credits', ...ids, content: errorText(code, this.language) })))
    await this.connection.send(JSON.stringify({ event: 'error', ...ids, code, content: errorText(code, this.language), retryAfter }))
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}

/** On a device the record and the exchange on the wire have one id. */
function idsOf({ messageId, mId, storageMode }: Pick<CreateChatMessage, 'messageId' | 'mId' | 'storageMode'>): RunIds {
  return { messageId, mId: storageMode === 'cloud' && mId !== undefined ? mId : messageId }
}

const nothing = { success: false, ids: undefined } as const

const Addressed = z.union([z.object({ body: z.object({ messageId: z.uuid() }) }), z.object({ messageId: z.uuid() })])

/** What is no frame is answered under the message's own id where it has one, so that the client knows which question failed. */
function parse(text: string): { success: true; data: ClientFrame } | { success: false; ids: RunIds | undefined } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return nothing
  }
  const frame = z.safeParse(ClientFrame, json)
  if (frame.success) return frame
  const addressed = z.safeParse(Addressed, json)
  if (!addressed.success) return nothing
  const { messageId } = 'body' in addressed.data ? addressed.data.body : addressed.data
  return { success: false, ids: { messageId, mId: messageId } }
}
