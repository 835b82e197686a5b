// What uploads cost everybody else: ten people upload 50 MB each into cloud channels while another one chats. Growth of
// the web process' memory, and the time to the first word of an answer, beside those of the same server at rest.
//   npm run bench uploads [-- --unpaced]   (each person sends as fast as it goes, instead of 24 Mbit/s)
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { uuidv7 } from '@parley/contract/uuid'
import { WebSocket } from 'ws'
import { startGatewayStandIn } from '../../apps/server/src/testing/gateway-stand-in'
import { ParleyServer } from '../../e2e/parley-server'
import { call, otherSession, type Person, signUp } from '../../e2e/people'
import { percentile } from '../cloud/measure'
import type { Uploads } from './people'

const uploaders = 10
const megabyte = 1024 * 1024
const fileBytes = 50 * megabyte
const pieceBytes = megabyte
const bytesPerSecond = process.argv.includes('--unpaced') ? 0 : 3_000_000
/** As many as are answered while people upload: the slowest one in twenty of fewer differs from run to run. */
const idleQuestions = 380
/** Fewer say nothing of the slowest one in twenty. */
const leastQuestions = 40
const sampleMs = 100
/** A run that takes longer has failed. */
const mostUploadMs = 80_000
const aims = { growthMb: 64, latency: 1.5 }

const gateway = await startGatewayStandIn()
gateway.always({ text: 'A short answer.' })
const server = await ParleyServer.start({
  ...{ LLM_BASE_URL: gateway.url, LLM_API_KEY: 'a key', RATE_LIMIT_SCALE: '0', SIGNUP_CREDITS: '10' },
  LOG_LEVEL: 'warn',
})
try {
  process.exitCode = (await measure()) ? 0 : 1
} finally {
  await server.remove()
  await gateway.close()
}

async function measure(): Promise<boolean> {
  const token = await signedUp('talker')
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws/chat`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await once(socket, 'open')
  const people: Uploads['people'] = []
  for (let n = 0; n < uploaders; n++) {
    const own = await signedUp(`person-${n}`)
    people.push({ token: own, channelId: await aChannel(own) })
  }
  // What is loaded and compiled once counts for neither.
  const small = { fileBytes: 4 * megabyte, bytesPerSecond: 0 }
  await (await readyToUpload([{ token, channelId: await aChannel(token) }], small))()
  for (let n = 0; n < 30; n++) await firstWord(socket)

  const idle = await whileWatched(async () => {
    const times: number[] = []
    for (let n = 0; n < idleQuestions; n++) times.push(await firstWord(socket))
    return times
  })
  const upload = await readyToUpload(people, { fileBytes, bytesPerSecond })
  const busy = await whileWatched(async () => {
    const times: number[] = []
    let isOver = false
    const uploads = upload().finally(() => {
      isOver = true
    })
    uploads.catch(() => undefined)
    while (!isOver) times.push(await firstWord(socket))
    await uploads
    return times
  })
  socket.terminate()
  return report(idle, busy)
}

type Watched = { times: number[]; peakMb: number; seconds: number }

function report(idle: Watched, busy: Watched): boolean {
  const row = ({ times, peakMb, seconds }: Watched) => ({
    questions: times.length,
    'first word p50 (ms)': Number(percentile(times, 0.5).toFixed(1)),
    'first word p95 (ms)': Number(percentile(times, 0.95).toFixed(1)),
    'memory, highest (MB)': Math.round(peakMb),
    seconds: Number(seconds.toFixed(1)),
  })
  const pace = bytesPerSecond === 0 ? 'as fast as it goes' : `at ${(bytesPerSecond * 8) / 1_000_000} Mbit/s`
  console.log(
    `${uploaders} people upload ${fileBytes / megabyte} MB each, ${pace}, in pieces of ${pieceBytes / megabyte} MB`,
  )
  console.table({ idle: row(idle), uploading: row(busy) })
  const growthMb = busy.peakMb - idle.peakMb
  const ratio = percentile(busy.times, 0.95) / percentile(idle.times, 0.95)
  const isEnough = busy.times.length >= leastQuestions
  if (!isEnough) console.log(`only ${busy.times.length} questions were answered meanwhile: too few to tell`)
  const results = [
    [`memory over idle: ${growthMb.toFixed(0)} MB (aim: at most ${aims.growthMb})`, growthMb <= aims.growthMb],
    [`first word at p95 against idle: ${ratio.toFixed(2)} (aim: at most ${aims.latency})`, ratio <= aims.latency],
  ] as const
  for (const [text, isMet] of results) console.log(`${text}: ${isMet ? 'met' : 'NOT met'}`)
  return isEnough && results.every(([, isMet]) => isMet)
}

/** The highest memory of the web process while something is done. */
async function whileWatched(action: () => Promise<number[]>): Promise<Watched> {
  const startedAt = performance.now()
  let peakMb = residentMb()
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb())
  }, sampleMs)
  try {
    const times = await action()
    return { times, peakMb, seconds: (performance.now() - startedAt) / 1_000 }
  } finally {
    clearInterval(timer)
  }
}

function residentMb(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024
}

/** Milliseconds from a question to the first word of its answer, as its socket receives it; resolves after the end. */
function firstWord(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    const messageId = uuidv7()
    let first: number | undefined
    const askedAt = performance.now()
    socket.removeAllListeners().on('message', (data: Buffer) => {
      const { event, messageId: of } = JSON.parse(data.toString()) as { event: string; messageId?: string }
      if (of !== messageId) return
      if (event === 'content') first ??= performance.now() - askedAt
      else if (event.startsWith('error')) reject(new Error(data.toString()))
      else if (event === 'end') first === undefined ? reject(new Error('no text came')) : resolve(first)
    })
    socket.once('close', () => reject(new Error('the socket was closed')))
    const body = { question: 'Well?', channelId: 'chat', messageId, lastMessages: [], storageMode: 'local' }
    socket.send(JSON.stringify({ route: 'createChatMessage', body }))
  })
}

/** Makes the files of these people; the function sends them, and resolves when all are in the store. */
async function readyToUpload(
  people: Uploads['people'],
  sizes: Pick<Uploads, 'fileBytes' | 'bytesPerSecond'>,
): Promise<() => Promise<void>> {
  const uploads: Uploads = { url: `http://127.0.0.1:${server.port}`, people, pieceBytes, ...sizes }
  const file = fileURLToPath(new URL('./people.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', file, JSON.stringify(uploads)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the uploads ended with ${code}`)
  })
  ended.catch(() => undefined)
  await Promise.race([once(child, 'message'), ended])
  return async () => {
    child.send('go')
    const timer = setTimeout(() => child.kill('SIGKILL'), mostUploadMs)
    await ended.finally(() => clearTimeout(timer))
  }
}

async function signedUp(name: string): Promise<string> {
  const person: Person = { email: `${name}@example.org`, password: 'Correct-Horse-7' }
  await signUp(server, person)
  return (await otherSession(server, person)).token
}

async function aChannel(token: string): Promise<string> {
  const response = await call(server, 'POST', '/api/channel', { token, body: {} })
  return ((await response.json()) as { data: { id: string } }).data.id
}
