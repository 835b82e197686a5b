import { type ClientFrame, type CreateChatMessage, ServerFrame } from '@parley/contract/chat'
import { finalEvents } from '@parley/contract/chat-protocol'
import { SocketTicket } from '@parley/contract/session'
import { uuidv7 } from '@parley/contract/uuid'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'

type Place = { url: string }
type EventName = ServerFrame['event']
type Frame<E extends EventName> = Extract<ServerFrame, { event: E }>

/** Real time, since sockets are: ten times what a busy machine takes, and less than a test may. */
const untilMs = 45_000

/**
 * A browser of an anonymous person, which keeps the cookie that the first ticket sets; with an access token, of a
 * signed-in one.
 */
export class Visitor {
  private cookie = ''

  constructor(private readonly accessToken?: string) {}

  headers(): Record<string, string> {
    return {
      ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      ...(this.accessToken === undefined ? {} : { authorization: `Bearer ${this.accessToken}` }),
    }
  }

  async ticket(place: Place): Promise<string> {
    const response = await fetch(`${place.url}/api/ws/ticket`, { method: 'POST', headers: this.headers() })
    const set = response.headers.get('set-cookie')?.split(';')[0]
    if (set) this.cookie = set
    return z.parse(SocketTicket, await response.json()).token
  }

  /** `frames`: the kinds of frames that not every client knows, which this one does. */
  async connect(place: Place, { frames = '' } = {}): Promise<ChatClient> {
    const token = await this.ticket(place)
    const headers = this.cookie === '' ? {} : { cookie: this.cookie }
    const query = new URLSearchParams({ channelId: 'local', token, ...(frames === '' ? {} : { frames }) })
    const socket = new WebSocket(`${place.url.replace('http', 'ws')}/ws/chat?${query}`, { headers })
    onTestFinished(() => socket.terminate())
    const client = new ChatClient(socket)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return client
  }
}

/** One socket. Every frame that arrives must be one of the contract. */
export class ChatClient {
  readonly frames: ServerFrame[] = []
  /** The close code. */
  readonly closed: Promise<number>
  private readonly watchers = new Set<() => void>()
  private text = ''

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      const frame = z.parse(ServerFrame, JSON.parse(String(data)))
      this.frames.push(frame)
      if (frame.event === 'content') this.text += frame.content
      else if (frame.event === 'snapshot') this.text = frame.content
      for (const look of [...this.watchers]) look()
    })
    socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => socket.once('close', resolve))
  }

  send(frame: ClientFrame): void {
    this.socket.send(JSON.stringify(frame))
  }

  /** Sends a question; answers its message id. */
  ask(question: string, more: Partial<CreateChatMessage> = {}): string {
    const messageId = more.messageId ?? uuidv7()
    this.send({
      route: 'createChatMessage',
      body: { question, channelId: 'secret-channel-id', messageId, lastMessages: [], storageMode: 'local', ...more },
    })
    return messageId
  }

  /** Resolves when a frame that arrived already, or arrives, fits. */
  until<T extends ServerFrame>(fits: (frame: ServerFrame) => frame is T, wanted = 'the frame'): Promise<T> {
    let seen = 0
    return this.eventually(() => {
      const fresh = this.frames.slice(seen)
      seen = this.frames.length
      return fresh.find(fits)
    }, wanted)
  }

  /**
   * Resolves with what `find` finds now or after a frame. Rejects with what came instead, at once when the socket
   * closes.
   */
  private eventually<T>(find: () => T | undefined, wanted: string): Promise<T> {
    const found = new Promise<T>((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        this.watchers.delete(look)
        this.socket.off('close', onClose)
      }
      const fail = (why: string): void => {
        stop()
        reject(new Error(`${wanted} did not come ${why}. Instead:\n${this.seen()}`))
      }
      const onClose = (code: number): void => fail(`before the socket closed with ${code}`)
      const look = (): void => {
        const one = find()
        if (one === undefined) return
        stop()
        resolve(one)
      }
      const timer = setTimeout(() => fail(`within ${untilMs} ms`), untilMs)
      this.watchers.add(look)
      this.socket.once('close', onClose)
      look()
      if (this.socket.readyState === WebSocket.CLOSED) fail('before the socket closed')
    })
    // A test may begin to wait and then end without.
    found.catch(() => undefined)
    return found
  }

  /** The frames so far, for a person to read: pieces of text that follow each other are one line. */
  private seen(): string {
    const lines: string[] = []
    let pieces = 0
    for (const [at, frame] of this.frames.entries()) {
      if (frame.event === 'content') pieces++
      if (frame.event === 'content' && this.frames[at + 1]?.event === 'content') continue
      lines.push(
        frame.event === 'content'
          ? `${pieces} × content, the last: ${JSON.stringify(frame)}`
          : JSON.stringify(frame).slice(0, 300),
      )
      if (frame.event === 'content') pieces = 0
    }
    return lines.length === 0 ? 'nothing' : lines.slice(-20).join('\n')
  }

  untilEvent<E extends EventName>(event: E, messageId?: string): Promise<Frame<E>> {
    return this.until(
      (frame): frame is Frame<E> =>
        frame.event === event && (messageId === undefined || ('messageId' in frame && frame.messageId === messageId)),
      messageId === undefined ? event : `${event} of ${messageId}`,
    )
  }

  /** How the answer ends. */
  untilOver(messageId: string): Promise<ServerFrame> {
    return this.until(
      (frame): frame is ServerFrame =>
        'messageId' in frame && frame.messageId === messageId && finalEvents.some((event) => event === frame.event),
      `the end of ${messageId}`,
    )
  }

  /** Of the answer that was shown on this socket from its beginning. */
  untilText(wanted: string): Promise<true> {
    return this.eventually(() => (this.text.includes(wanted) ? true : undefined), `the text “${wanted}”`)
  }

  /** As when the network breaks. */
  cut(): void {
    this.socket.terminate()
  }
}

/**
 * Frames of one answer in order, each seq once; throws when one is missing or repeated. A snapshot stands for all
 * before it.
 */
export function inOrder(frames: readonly ServerFrame[], messageId: string): ServerFrame[] {
  const own = frames.filter(
    (frame) => 'messageId' in frame && frame.messageId === messageId && 'seq' in frame && frame.seq !== undefined,
  )
  let last = 0
  for (const frame of own) {
    const seq = 'seq' in frame && frame.seq !== undefined ? frame.seq : 0
    if (seq !== last + 1 && frame.event !== 'snapshot') throw new Error(`seq ${seq} came after ${last}`)
    last = seq
  }
  return own
}

const unasked: readonly string[] = ['ping', 'credits-updated', 'broadcast']

/**
 * Without those that come by themselves, at any time: what an operator says reaches every node on a Redis, those of
 * other tests too.
 */
export function answersIn(frames: readonly ServerFrame[]): ServerFrame[] {
  return frames.filter(({ event }) => !unasked.includes(event))
}

export function textOf(frames: readonly ServerFrame[]): string {
  return frames.reduce(
    (text, frame) =>
      frame.event === 'content' ? text + frame.content : frame.event === 'snapshot' ? frame.content : text,
    '',
  )
}

/** What the model thought, as a client that knows the frames has it. */
export function thinkingOf(frames: readonly ServerFrame[]): string {
  return frames.reduce(
    (text, frame) =>
      frame.event === 'reasoning'
        ? text + frame.content
        : frame.event === 'snapshot'
          ? (frame.reasoning?.text ?? '')
          : text,
    '',
  )
}
