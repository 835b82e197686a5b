import { closeCode } from '@parley/contract/chat-protocol'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { SocketConnection } from './socket-connection'

/** Both ends of a real socket. */
async function pair(times: { pingMs: number; silenceMs: number; slowReaderMs: number }) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const accepted = new Promise<WebSocket>((resolve) => server.once('connection', resolve))
  const person = new WebSocket(`ws://127.0.0.1:${address.port}`)
  onTestFinished(() => person.terminate())
  const closed = new Promise<number>((resolve) => person.once('close', resolve))
  await new Promise((resolve) => person.once('open', resolve))
  return { person, closed, connection: new SocketConnection(await accepted, times) }
}

it('pings, and closes when nothing is heard for too long [ST-089]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { person, closed, connection } = await pair({ pingMs: 20_000, silenceMs: 45_000, slowReaderMs: 1_000 })
  const frames: string[] = []
  person.on('message', (data) => frames.push(String(data)))
  vi.advanceTimersByTime(40_000)
  connection.resetSilence()
  vi.advanceTimersByTime(44_000)
  expect(connection.closed.aborted).toBe(false)
  vi.advanceTimersByTime(1_000)
  expect(await closed).toBe(closeCode.goingAway)
  expect(frames).toEqual(Array(4).fill('{"event":"ping"}'))
})

it('closes a reader that stands still with something waiting', async () => {
  const { person, connection } = await pair({ pingMs: 60_000, silenceMs: 60_000, slowReaderMs: 200 })
  person.pause()
  const frame = 'x'.repeat(256 * 1024)
  let waited = connection.send(frame)
  while (waited === undefined) waited = connection.send(frame)
  await waited
  if (!connection.closed.aborted) await new Promise((resolve) => connection.closed.addEventListener('abort', resolve))
})

it('lets nothing wait beyond the bound, whoever sends', async () => {
  const { person, connection } = await pair({ pingMs: 60_000, silenceMs: 60_000, slowReaderMs: 60_000 })
  person.pause()
  const frame = 'x'.repeat(1024 * 1024)
  for (let n = 0; n < 100; n++) void connection.send(frame)
  await new Promise<void>((resolve) => connection.closed.addEventListener('abort', () => resolve()))
})
