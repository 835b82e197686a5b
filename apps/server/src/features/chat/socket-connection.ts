import { closeCode } from '@parley/contract/chat-protocol'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { WebSocket } from 'ws'

type Times = { pingMs: number; silenceMs: number; slowReaderMs: number }

const { pingMs, silenceMs } = limits.chat
const { slowReaderMs } = serverLimits.chat
const defaultTimes: Times = { pingMs, silenceMs, slowReaderMs }

/** A socket that sends no faster than its reader reads, and closes after silence. */
export class SocketConnection {
  readonly closed: AbortSignal
  private readonly controller = new AbortController()
  private readonly silence: NodeJS.Timeout
  private readonly ping: NodeJS.Timeout

  constructor(
    private readonly socket: WebSocket,
    private readonly times: Times = defaultTimes,
  ) {
    this.closed = this.controller.signal
    socket.on('close', () => this.end())
    socket.on('error', () => socket.terminate())
    this.ping = setInterval(() => void this.send('{"event":"ping"}'), times.pingMs)
    this.silence = setTimeout(() => this.close(closeCode.goingAway), times.silenceMs)
  }

  /** Call for every received message. */
  resetSilence(): void {
    this.silence.refresh()
  }

  /**
   * Undefined while the reader keeps up; otherwise resolves when this frame was flushed. Closes the socket of a reader
   * that takes too long.
   */
  send(frame: string): Promise<void> | undefined {
    const { socket } = this
    if (socket.readyState !== socket.OPEN) return undefined
    if (socket.bufferedAmount > serverLimits.chat.slowReaderMaxBytes) {
      this.close(closeCode.slowReader)
      return undefined
    }
    let flushed = (): void => undefined
    socket.send(frame, () => flushed())
    // Checked after sending: a single snapshot may exceed the limit, and then delays the next frame.
    if (socket.bufferedAmount < serverLimits.chat.slowReaderBytes) return undefined
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.close(closeCode.slowReader), this.times.slowReaderMs)
      flushed = () => {
        clearTimeout(timer)
        this.closed.removeEventListener('abort', flushed)
        resolve()
      }
      this.closed.addEventListener('abort', flushed, { once: true })
    })
  }

  /** Pauses or resumes receiving. */
  setReading(isReading: boolean): void {
    if (isReading) this.socket.resume()
    else this.socket.pause()
  }

  close(code: number): void {
    this.socket.close(code)
    // A client that does not read does not answer the closing handshake either.
    setTimeout(() => this.socket.terminate(), 2_000).unref()
  }

  private end(): void {
    clearInterval(this.ping)
    clearTimeout(this.silence)
    this.controller.abort()
  }
}
