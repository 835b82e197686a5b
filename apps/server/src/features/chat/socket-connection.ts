import { closeCode } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import type { WebSocket } from 'ws'

type Times = { pingMs: number; silenceMs: number; slowReaderMs: number }

/** One socket as the rest of the chat sees it: it sends no faster than the other side reads, and notices silence. */
export class SocketConnection {
  readonly closed: AbortSignal
  private readonly controller = new AbortController()
  private readonly silence: NodeJS.Timeout
  private readonly ping: NodeJS.Timeout

  constructor(
    private readonly socket: WebSocket,
    private readonly times: Times = limits.chat,
  ) {
    this.closed = this.controller.signal
    socket.on('close', () => this.end())
    socket.on('error', () => socket.terminate())
    this.ping = setInterval(() => void this.send('{"event":"ping"}'), times.pingMs)
    this.silence = setTimeout(() => this.close(closeCode.goingAway), times.silenceMs)
  }

  /** Any sign of life. */
  heard(): void {
    this.silence.refresh()
  }

  /** Undefined while the reader keeps up; otherwise resolves when it has taken this frame. A reader that does not take it for too long is closed. */
  send(frame: string): Promise<void> | undefined {
    const { socket } = this
    if (socket.readyState !== socket.OPEN) return undefined
    if (socket.bufferedAmount > limits.chat.slowReaderMaxBytes) {
      this.close(closeCode.slowReader)
      return undefined
    }
    let taken = (): void => undefined
    socket.send(frame, () => taken())
    // Looked at afterwards: a snapshot alone may be more than should wait, and whoever sends the next frame has to wait for it.
    if (socket.bufferedAmount < limits.chat.slowReaderBytes) return undefined
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.close(closeCode.slowReader), this.times.slowReaderMs)
      taken = () => {
        clearTimeout(timer)
        this.closed.removeEventListener('abort', taken)
        resolve()
      }
      this.closed.addEventListener('abort', taken, { once: true })
    })
  }

  /** Reads nothing from the other side for a while. */
  setReading(isReading: boolean): void {
    if (isReading) this.socket.resume()
    else this.socket.pause()
  }

  close(code: number): void {
    this.socket.close(code)
    // Whoever does not read does not answer the closing handshake either.
    setTimeout(() => this.socket.terminate(), 2_000).unref()
  }

  private end(): void {
    clearInterval(this.ping)
    clearTimeout(this.silence)
    this.controller.abort()
  }
}
