import { type ClientFrame, ServerFrame } from '@parley/contract/chat'
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

  constructor(private readonly options: Options) {}

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN
  }

  /** Connects if it is not connected. Whoever calls has a reason, so that the attempts are counted anew. */
  connect(): void {
    if (this.isOpen || this.isConnecting) return
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
    clearInterval(this.ping)
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
      this.connect()
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
      let wasOpen = false
      socket.onopen = () => {
        wasOpen = true
        this.isConnecting = false
        this.attempts = 0
        this.startPing()
        this.options.listener({ type: 'open' })
      }
      socket.onmessage = ({ data }: MessageEvent<unknown>) => this.receive(data)
      socket.onclose = () => {
        this.isConnecting = false
        clearInterval(this.ping)
        this.socket = undefined
        this.scheduleRetry(wasOpen)
      }
    } catch {
      if (life !== this.life) return
      // No ticket: the server or the network is away.
      this.isConnecting = false
      this.scheduleRetry(false)
    }
  }

  private scheduleRetry(wasOpen: boolean): void {
    if (!wasOpen) this.attempts++
    if (this.attempts === limits.chat.reconnectAttempts) this.options.listener({ type: 'lost' })
    if (this.attempts >= limits.chat.reconnectAttempts) {
      // Somebody who looks at an unfinished answer should not have to do anything; nobody else is worth the calls.
      if (this.options.isWanted() && document.visibilityState === 'visible') this.retry = setTimeout(() => void this.open(), limits.chat.lostRetryMs)
      return
    }
    this.retry = setTimeout(() => void this.open(), wasOpen ? limits.chat.connectingRetryMs : limits.chat.reconnectDelayMs)
  }

  private startPing(): void {
    clearInterval(this.ping)
    this.ping = setInterval(() => this.send({ event: 'ping' }), limits.chat.pingMs)
  }

  private receive(data: unknown): void {
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
