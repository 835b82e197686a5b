import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ChatSocket } from './chat-socket'

/** The browser's side of a connection, opened by the test. */
class Connection {
  static readonly OPEN = 1
  static all: Connection[] = []
  readyState = 0
  isClosed = false
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null

  constructor(readonly url: string) {
    Connection.all.push(this)
  }

  open(): void {
    this.readyState = Connection.OPEN
    this.onopen?.()
  }

  close(): void {
    this.readyState = 3
    this.isClosed = true
  }

  send(): void {}
}

/** A socket whose tickets are handed out by the test, in the order in which they were asked for. */
function aSocket() {
  const asked: ((ticket: string) => void)[] = []
  const opened = vi.fn()
  const socket = new ChatSocket({
    listener: ({ type }) => type === 'open' && opened(),
    isWanted: () => false,
    ticket: () => new Promise((resolve) => asked.push(resolve)),
    address: (ticket) => `ws://parley/${ticket}`,
  })
  return { socket, asked, opened }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))
const addresses = () => Connection.all.map(({ url }) => url)

beforeEach(() => {
  Connection.all = []
  vi.stubGlobal('WebSocket', Connection)
})
afterEach(() => vi.unstubAllGlobals())

it('after a change of person a ticket that was still on its way is not used', async () => {
  const { socket, asked } = aSocket()
  socket.connect()
  socket.restart()
  expect(asked).toHaveLength(2)
  asked[0]?.('of-the-stranger')
  asked[1]?.('of-ana')
  await settled()
  expect(addresses()).toEqual(['ws://parley/of-ana'])
})

it('after a change of person the former connection is left, whether it was open or not', async () => {
  const { socket, asked, opened } = aSocket()
  socket.connect()
  asked[0]?.('of-the-stranger')
  await settled()
  socket.restart()
  asked[1]?.('of-ana')
  await settled()
  const [former, current] = Connection.all
  former?.open()
  expect(opened).not.toHaveBeenCalled()
  expect(former?.isClosed).toBe(true)
  current?.open()
  expect(opened).toHaveBeenCalledOnce()
  expect(socket.isOpen).toBe(true)
})

it('what is sent while it connects does not go out, and can be sent again as soon as it is open [ST-091]', async () => {
  const { socket, asked, opened } = aSocket()
  socket.connect()
  expect(socket.send({ event: 'ping' })).toBe(false)
  asked[0]?.('ticket')
  await settled()
  expect(socket.send({ event: 'ping' })).toBe(false)
  expect(addresses()).toHaveLength(1)
  Connection.all[0]?.open()
  expect(opened).toHaveBeenCalledOnce()
  expect(socket.send({ event: 'ping' })).toBe(true)
})

it('a restart of what was never connected connects nothing', async () => {
  const { socket, asked } = aSocket()
  socket.restart()
  await settled()
  expect(asked).toEqual([])
})

it('a connection that is just closing is left for the next one, and its end begins no other', async () => {
  const { socket, asked, opened } = aSocket()
  socket.connect()
  asked[0]?.('first')
  await settled()
  const [first] = Connection.all
  first?.open()
  if (first) first.readyState = 2
  expect(socket.send({ event: 'ping' })).toBe(false)
  asked[1]?.('second')
  await settled()
  Connection.all[1]?.open()
  vi.useFakeTimers()
  first?.onclose?.()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect(addresses()).toEqual(['ws://parley/first', 'ws://parley/second'])
  expect(asked).toHaveLength(2)
  expect(opened).toHaveBeenCalledTimes(2)
  expect(socket.isOpen).toBe(true)
})
