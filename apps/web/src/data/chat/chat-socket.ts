import { type ClientFrame, closeCode, ServerFrame } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import { sessionRoutes } from '@parley/contract/session'
import * as z from 'zod/mini'
import { api } from '../http/api'

/** open: frames can be sent. lost: three attempts failed; it tries again when there is a reason to. */
export type SocketEvent = { type: 'open' } | { type: 'lost' } | { type: 'frame'; frame: ServerFrame }

type Options = {
  listener: (event: SocketEvent) => void
  /** Whether something waits for the connection. */
  isWanted: () => boolean
  ticket?: () => Promise<string>
  address?: (ticket: string) => string
  random?: () => number
}

const askTicket = async (): Promise<string> => (await api(sessionRoutes.socketTicket)).token

/** Channels of this device are not named in the address: proxies keep addresses in their logs. */
function socketAddress(ticket: string): string {
  return `${location.origin.replace(/^http/, 'ws')}/ws/chat?${new URLSearchParams({ channelId: 'local', token: ticket })}`
}

/** Keeps one connection to the server: tickets, pings, retries. It knows frames, not messages. */
export class ChatSocket {
  private socket: WebSocket | undefined
  private isConnecting = false
  /** Grows with each restart: what began before it is left. */
  private life = 0
  private attempts = 0
  private retry: ReturnType<typeof setTimeout> | undefined
  private ping: ReturnType<typeof setInterval> | undefined
  /** Closes a connection that stays silent: after sleep, or another network, nothing else tells that it is dead. */
  private silence: ReturnType<typeof setTimeout> | undefined
  private heardAt = 0
  /** The server refused it because this person has too many: only somebody who looks at this page is a reason to try again. */
  private isRefused = false

  constructor(private readonly options: Options) {}

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  /** Connects if it is not connected. Whoever calls has a reason, so that the attempts are counted anew. A connection that may be dead is asked. */
  connect(): void {
    if (this.isOpen) this.probe()
    if (this.isOpen || this.isConnecting) return
    this.isRefused = false
    clearTimeout(this.retry)
    this.leave()
    this.attempts = 0
    void this.open()
  }

  /** Leaves the connection and makes another one, with a ticket of whoever is signed in now. */
  restart(): void {
    const { socket } = this
    if (!socket && !this.isConnecting) return
    // A ticket that is still on its way is the former person's.
    this.life++
    this.leave()
    this.isConnecting = false
    this.connect()
  }

  /** Hears no more of a connection: the end of one that is just closing would begin another beside the next. */
  private leave(): void {
    const { socket } = this
    this.stopWatching()
    this.socket = undefined
    if (!socket) return
    socket.onopen = null
    socket.onclose = null
    socket.onmessage = null
    socket.close()
  }

  /** False when it could not go out: it has to be sent again when the socket is open. */
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
    const { life } = this
    try {
      const { ticket = askTicket, address = socketAddress } = this.options
      const admission = await ticket()
      if (life !== this.life) return
      const socket = new WebSocket(address(admission))
      this.socket = socket
      let openedAt: number | undefined
      this.silence = setTimeout(() => {
        this.leave()
        this.retryAfterFailure()
      }, limits.chat.connectTimeoutMs)
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
        const spreadMs = code === closeCode.restart ? random() * limits.chat.restartSpreadMs : 0
        // One that is closed as soon as it is open was no connection: it must not come back ten times a second.
        if (openedAt === undefined || Date.now() - openedAt < limits.chat.reconnectDelayMs) return this.retryAfterFailure(spreadMs)
        this.attempts = 0
        this.retryAfter(limits.chat.connectingRetryMs + spreadMs)
      }
    } catch {
      if (life !== this.life) return
      // No ticket: the server or the network is away.
      this.retryAfterFailure()
    }
  }

  /** This person has too many connections: they are told, and only somebody who looks at this page is a reason to try again. */
  private refuse(): void {
    this.isRefused = true
    this.options.listener({ type: 'lost' })
  }

  private retryAfterFailure(spreadMs = 0): void {
    this.isConnecting = false
    this.attempts++
    if (this.attempts === limits.chat.reconnectAttempts) this.options.listener({ type: 'lost' })
    if (this.attempts < limits.chat.reconnectAttempts) this.retryAfter(limits.chat.reconnectDelayMs + spreadMs)
    // Somebody who looks at an unfinished answer should not have to do anything; nobody else is worth the calls.
    else if (this.options.isWanted() && document.visibilityState === 'visible') this.retryAfter(limits.chat.lostRetryMs)
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

  /** Whoever looks again has perhaps slept meanwhile. A connection that spoke a moment ago is alive; another one has to answer. */
  private probe(): void {
    if (Date.now() - this.heardAt < limits.chat.probeMs) return
    this.send({ event: 'ping' })
    this.expectFrame(limits.chat.probeMs)
  }

  /** The dead connection is left, not closed and waited for: the browser would wait for an answer that does not come. */
  private reopen(): void {
    this.leave()
    this.attempts = 0
    void this.open()
  }

  private receive(data: unknown): void {
    this.heard()
    const frame = z.safeParse(ServerFrame, parseJson(data))
    // A newer server may say more than this page understands.
    if (!frame.success) return
    if (frame.data.event === 'ping') this.send({ event: 'pong' })
    else if (frame.data.event !== 'pong') this.options.listener({ type: 'frame', frame: frame.data })
  }
}

function parseJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch {
    return undefined
  }
}
