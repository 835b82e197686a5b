import type { ServerFrame } from '@parley/contract/chat'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChatSocket, type SocketEvent } from './chat-socket'

/** The browser's side of a connection, opened by the test. */
class Connection {
  static readonly OPEN = 1
  static all: Connection[] = []
  readyState = 0
  isClosed = false
  sent: string[] = []
  onopen: (() => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
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

  send(text: string): void {
    this.sent.push(JSON.parse(text).event)
  }

  /** The network or the server ends it. */
  end(code: number): void {
    this.readyState = 3
    this.onclose?.({ code })
  }
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
  socket.close()
  asked[0]?.('of-the-stranger')
  await settled()
  expect(addresses()).toEqual([])
})

it('after a change of person the former connection is left, whether it was open or not, and none follows it', async () => {
  const { socket, asked, opened } = aSocket()
  socket.connect()
  asked[0]?.('of-the-stranger')
  await settled()
  const [former] = Connection.all
  socket.close()
  former?.open()
  expect(opened).not.toHaveBeenCalled()
  expect(former?.isClosed).toBe(true)
  expect(socket.send({ event: 'ping' })).toBe(false)
  await settled()
  expect(asked).toHaveLength(1)
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

it('a frame of an answer that only a newer page knows counts as a status: its number would be missing otherwise', async () => {
  const frames: ServerFrame[] = []
  const socket = new ChatSocket({
    listener: (event) => event.type === 'frame' && frames.push(event.frame),
    isWanted: () => false,
    ticket: async () => 'ticket',
    address: (ticket) => `ws://parley/${ticket}`,
  })
  socket.connect()
  await settled()
  const [connection] = Connection.all
  connection?.open()
  const ids = { messageId: '01a1fbfc-eff3-78e3-a274-84f6c2574fad', mId: 'm', seq: 3 }
  for (const data of [
    { event: 'tool-call', ...ids, id: 'x' },
    { event: 'weather' },
    { event: 'content', ...ids, content: 'Hi' },
  ])
    connection?.onmessage?.({ data: JSON.stringify(data) })
  expect(frames).toEqual([
    { event: 'status', content: '', ...ids },
    { event: 'content', content: 'Hi', ...ids },
  ])
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
  first?.end(1006)
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect(addresses()).toEqual(['ws://parley/first', 'ws://parley/second'])
  expect(asked).toHaveLength(2)
  expect(opened).toHaveBeenCalledTimes(2)
  expect(socket.isOpen).toBe(true)
})

describe('with the clock in hand', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A page whose tickets come at once; `heard` is what its chat was told. */
  function aPage({ isWanted = true, random = 0.5 } = {}) {
    const heard: SocketEvent['type'][] = []
    const tickets = vi.fn(async () => 'ticket')
    const socket = new ChatSocket({
      listener: ({ type }) => heard.push(type),
      isWanted: () => isWanted,
      ticket: tickets,
      random: () => random,
    })
    return { socket, heard, tickets }
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  const last = () => Connection.all.at(-1)

  /** Connected, and quiet for as long as a server may be. */
  async function anOpenPage(options?: { isWanted?: boolean; random?: number }) {
    const page = aPage(options)
    page.socket.connect()
    await pass(0)
    last()?.open()
    for (let n = 0; n < 3; n++) {
      await pass(20_000)
      last()?.onmessage?.({ data: '{"event":"ping"}' })
    }
    return page
  }

  it('a connection that says nothing for 45 s is given up for another one', async () => {
    const { heard } = await anOpenPage()
    const dead = last()
    await pass(44_000)
    expect(Connection.all).toHaveLength(1)
    await pass(1_001)
    expect(dead?.isClosed).toBe(true)
    expect(Connection.all).toHaveLength(2)
    last()?.open()
    expect(heard.filter((type) => type === 'open')).toHaveLength(2)
  })

  it('a page that wakes up asks a connection it believes open, and leaves it when nothing comes back', async () => {
    const { socket } = await anOpenPage()
    await pass(15_000)
    socket.connect()
    expect(last()?.sent.at(-1)).toBe('ping')
    await pass(4_999)
    expect(Connection.all).toHaveLength(1)
    await pass(2)
    expect(Connection.all).toHaveLength(2)
  })

  it('a page that wakes up keeps a connection that answers', async () => {
    const { socket } = await anOpenPage()
    await pass(15_000)
    socket.connect()
    last()?.onmessage?.({ data: '{"event":"pong"}' })
    await pass(30_000)
    expect(Connection.all).toHaveLength(1)
  })

  it('a connection that does not open within 10 s counts as failed', async () => {
    const { socket, heard } = aPage()
    socket.connect()
    for (let n = 0; n < 3; n++) await pass(11_000)
    expect(heard).toEqual(['lost'])
  })

  it('the eleventh tab does not come back by itself, and says that it has no connection', async () => {
    const { socket, heard, tickets } = await anOpenPage()
    last()?.end(4429)
    await pass(120_000)
    expect(socket.send({ event: 'ping' })).toBe(false)
    await pass(120_000)
    expect(heard).toEqual(['open', 'lost'])
    expect(tickets).toHaveBeenCalledTimes(1)
    // Somebody looks at it.
    socket.connect()
    await pass(0)
    expect(tickets).toHaveBeenCalledTimes(2)
  })

  it.each([
    [0, 100],
    [0.75, 1_600],
  ])('the clients of a server that ended come back spread over two seconds (%d)', async (random, afterMs) => {
    await anOpenPage({ random })
    last()?.end(1012)
    await pass(afterMs - 1)
    expect(Connection.all).toHaveLength(1)
    await pass(2)
    expect(Connection.all).toHaveLength(2)
  })

  it('a server that closes each connection as it opens is asked once a second, and counts as away after the third time', async () => {
    const { heard, tickets, socket } = aPage({ isWanted: false })
    socket.connect()
    for (let n = 0; n < 30; n++) {
      await pass(100)
      if (last()?.readyState === 0) {
        last()?.open()
        last()?.end(4403)
      }
    }
    await pass(60_000)
    expect(tickets).toHaveBeenCalledTimes(3)
    expect(heard.at(-1)).toBe('lost')
  })

  it('three failed reconnects, a second apart, are told once [ST-090]', async () => {
    const { heard, tickets } = await anOpenPage()
    tickets.mockRejectedValue(new Error('away'))
    last()?.end(1006)
    await pass(100)
    expect(heard).toEqual(['open'])
    await pass(2_000)
    expect(heard).toEqual(['open', 'lost'])
    expect(tickets).toHaveBeenCalledTimes(4)
    await pass(20_000)
    expect(heard).toEqual(['open', 'lost'])
  })
})
