import { type ClientFrame, ServerFrame, Uuid } from '@parley/contract/chat'
import { closeCode, optionalFrames } from '@parley/contract/chat-protocol'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import { sessionRoutes } from '@parley/contract/session'
import * as z from 'zod/mini'
import { api } from '../api/api'

/** open: frames can be sent. lost: three attempts failed; it retries when there is a reason to. */
export type SocketEvent = { type: 'open' } | { type: 'lost' } | { type: 'frame'; frame: ServerFrame }

type Options = {
  listener: (event: SocketEvent) => void
  /** Whether anything waits for the connection. */
  isWanted: () => boolean
  ticket?: () => Promise<string>
  address?: (ticket: string) => string
  random?: () => number
}

const askTicket = async (): Promise<string> => (await api(sessionRoutes.socketTicket)).token

/** The URL contains no channel id of this device: proxies log URLs. */
function socketAddress(ticket: string): string {
  return `${location.origin.replace(/^http/, 'ws')}/ws/chat?${new URLSearchParams({ channelId: 'local', token: ticket, frames: optionalFrames.join() })}`
}

/** Maintains one connection to the server: tickets, pings, retries. It knows frames, not messages. */
export class ChatSocket {
  private socket: WebSocket | undefined
  private isConnecting = false
  private isClosed = false
  private attempts = 0
  private retry: ReturnType<typeof setTimeout> | undefined
  private ping: ReturnType<typeof setInterval> | undefined
  /** Closes a connection that stays silent: after a sleep or a network change nothing else reveals that it is dead. */
  private silence: ReturnType<typeof setTimeout> | undefined
  private heardAt = 0
  /**
   * The server refused the connection because this person has too many: only a visit of this page is a reason to retry.
   */
  private isRefused = false

  constructor(private readonly options: Options) {}

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  /**
   * Connects if it is not connected. The caller has a reason, so that the attempts are counted from zero. A connection
   * that may be dead is probed.
   */
  connect(): void {
    if (this.isClosed) return
    if (this.isOpen) this.probe()
    if (this.isOpen || this.isConnecting) return
    this.isRefused = false
    clearTimeout(this.retry)
    this.detach()
    this.attempts = 0
    void this.open()
  }

  /** Whether it is connected, or about to be. */
  get isInUse(): boolean {
    return this.socket !== undefined || this.isConnecting
  }

  /** Closes the connection for good: whoever still sends by it opens none. */
  close(): void {
    this.isClosed = true
    clearTimeout(this.retry)
    this.detach()
  }

  /** Detaches a connection: its close event must not open another one beside the next. */
  private detach(): void {
    const { socket } = this
    this.stopWatching()
    this.socket = undefined
    if (!socket) return
    socket.onopen = null
    socket.onclose = null
    socket.onmessage = null
    socket.close()
  }

  /** Answers false when the frame could not be sent: it has to be sent again when the socket is open. */
  send(frame: ClientFrame): boolean {
    if (!this.isOpen) {
      if (!this.isRefused) this.connect()
      return false
    }
    this.socket?.send(JSON.stringify(frame))
    return true
  }

  private async open(): Promise<void> {
    this.isConnecting = true
    try {
      const { ticket = askTicket, address = socketAddress } = this.options
      const admission = await ticket()
      if (this.isClosed) return
      const socket = new WebSocket(address(admission))
      this.socket = socket
      let openedAt: number | undefined
      this.silence = setTimeout(() => {
        this.detach()
        this.retryAfterFailure()
      }, webLimits.chat.connectTimeoutMs)
      socket.onopen = () => {
        openedAt = Date.now()
        this.isConnecting = false
        this.startWatching()
        this.options.listener({ type: 'open' })
      }
      socket.onmessage = ({ data }: MessageEvent<unknown>) => this.receive(data)
      socket.onclose = ({ code }) => {
        this.isConnecting = false
        this.stopWatching()
        this.socket = undefined
        if (code === closeCode.tooMany) return this.refuse()
        const { random = Math.random } = this.options
        const spreadMs = code === closeCode.restart ? random() * webLimits.chat.restartSpreadMs : 0
        // A connection that is closed as soon as it is open counts as a failed attempt: it must not reconnect ten times
        // a second.
        if (openedAt === undefined || Date.now() - openedAt < webLimits.chat.reconnectDelayMs)
          return this.retryAfterFailure(spreadMs)
        this.attempts = 0
        this.retryAfter(webLimits.chat.connectingRetryMs + spreadMs)
      }
    } catch {
      if (this.isClosed) return
      // Without a ticket the server or the network is unavailable.
      this.retryAfterFailure()
    }
  }

  /**
   * The server refused the connection because this person has too many: the page shows it, and only a visit is a reason
   * to retry.
   */
  private refuse(): void {
    this.isRefused = true
    this.options.listener({ type: 'lost' })
  }

  private retryAfterFailure(spreadMs = 0): void {
    this.isConnecting = false
    this.attempts++
    if (this.attempts === webLimits.chat.reconnectAttempts) this.options.listener({ type: 'lost' })
    if (this.attempts < webLimits.chat.reconnectAttempts) this.retryAfter(webLimits.chat.reconnectDelayMs + spreadMs)
    // A person who looks at an unfinished answer should not have to do anything; in other cases retries are not worth
    // the calls.
    else if (this.options.isWanted() && document.visibilityState === 'visible')
      this.retryAfter(webLimits.chat.lostRetryMs)
  }

  private retryAfter(ms: number): void {
    clearTimeout(this.retry)
    this.retry = setTimeout(() => void this.open(), ms)
  }

  private startWatching(): void {
    this.stopWatching()
    this.heard()
    this.ping = setInterval(() => this.send({ event: 'ping' }), limits.chat.pingMs)
  }

  private stopWatching(): void {
    clearInterval(this.ping)
    clearTimeout(this.silence)
    this.silence = undefined
  }

  private heard(): void {
    this.heardAt = Date.now()
    this.expectFrame(limits.chat.silenceMs)
  }

  private expectFrame(withinMs: number): void {
    clearTimeout(this.silence)
    this.silence = setTimeout(() => this.reopen(), withinMs)
  }

  /**
   * A person who returns to the page may have slept. A connection that received a frame moments ago is alive; another
   * one must answer a ping.
   */
  private probe(): void {
    if (Date.now() - this.heardAt < webLimits.chat.probeMs) return
    this.send({ event: 'ping' })
    this.expectFrame(webLimits.chat.probeMs)
  }

  /** Detaches the dead connection instead of closing it: the browser would wait for an answer that does not arrive. */
  private reopen(): void {
    this.detach()
    this.attempts = 0
    void this.open()
  }

  private receive(data: unknown): void {
    this.heard()
    const frame = z.safeParse(KnownFrame, parseJson(data))
    // A newer server may send frames that this page does not know.
    if (!frame.success) return
    if (frame.data.event === 'ping') this.send({ event: 'pong' })
    else if (frame.data.event !== 'pong') this.options.listener({ type: 'frame', frame: frame.data })
  }
}

/** An unknown frame of an answer counts as a status: its number would be missing otherwise, and look like a gap. */
const KnownFrame = z.union([
  ServerFrame,
  z.pipe(
    z.object({ messageId: Uuid, mId: z.string(), seq: z.int() }),
    z.transform((ids): ServerFrame => ({ event: 'status', content: '', ...ids })),
  ),
])

function parseJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
