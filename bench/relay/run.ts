// Relay: tokens per CPU-second of the server and time added to the first token, and how soon a stop reaches the
// gateway, against a bare ws relay before the same gateway.
//   npm run bench relay [-- --full | streams …]
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const tokens = 400
/** Enough that what a process does anyway does not decide. */
const roundsOf = (streams: number): number => (streams === 1 ? 20 : streams < 100 ? 4 : 2)
/** As many tokens a second in all as this machine's other processes can make and read. */
const most = 10_000
const asked = process.argv
  .slice(2)
  .map(Number)
  .filter((streams) => streams > 0)
const loads = asked.length > 0 ? asked : [1, 50, 200, ...(process.argv.includes('--full') ? [1_000] : [])]
const repeats = Number(process.env.RUNS ?? 3)

type Child = { process: ChildProcess; address: string }
type Figures = { tokensPerCpuSecond: number; firstTokenMs: number[]; rssMb: number }
type Question = { frame: string; stop: string }
type Relay = { open(index: number): Promise<WebSocket>; question(): Question }
/** How many answers are stopped, one after the other. */
const stops = 100
/** Tokens a second of an answer that is stopped, and of those beside it. */
const stopPace = 50

function start(file: string, args: string[], env: Record<string, string> = {}): Promise<Child> {
  const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : []
  const child = spawn(process.execPath, [...loader, '--import', here('./report-cpu.mjs'), file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += String(chunk)
      const address = /(?:listening|ready:) (\S+)/.exec(text)?.[1]
      if (address) resolve({ process: child, address })
    })
  })
}

function usage({ process: child }: Child): Promise<{ cpu: number; rss: number }> {
  return new Promise((resolve) => {
    child.once('message', (message: { cpu: number; rss: number }) => resolve(message))
    child.send('cpu')
  })
}

/** Resolves when the process has nothing left to compile and collect: that is the price of a start, not of a stream. */
async function quiet(child: Child): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const { cpu } = await usage(child)
    await delay(500)
    if ((await usage(child)).cpu - cpu < 5_000) return
  }
}

/**
 * Asks on every socket in turn, `rounds` times, and reads to the end. Starts are spread over the time of one answer.
 */
async function load(relay: Relay, streams: number, tokensPerSecond: number, rounds: number): Promise<number[]> {
  const answerMs = (tokens / tokensPerSecond) * 1_000
  const times: number[] = []
  await Promise.all(
    Array.from({ length: streams }, async (_, index) => {
      const socket = await relay.open(index)
      await delay((index / streams) * answerMs)
      for (let round = 0; round < rounds; round++) times.push(await askOnce(socket, relay.question().frame))
      socket.terminate()
    }),
  )
  return times
}

function askOnce(socket: WebSocket, question: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let first: number | undefined
    const asked = performance.now()
    socket.removeAllListeners().on('message', (data: Buffer) => {
      const frame = data.toString('latin1')
      if (first === undefined && frame.startsWith('{"event":"content"')) first = performance.now() - asked
      else if (frame.startsWith('{"event":"end"'))
        first === undefined ? reject(new Error('no text came')) : resolve(first)
      else if (frame.startsWith('{"event":"error')) reject(new Error(frame))
    })
    socket.once('close', () => reject(new Error('the socket was closed')))
    socket.send(question)
  })
}

/**
 * Stops answers in their middle while so many others are written. Answers the ms from sending a stop until the
 * gateway's end of the call was closed, sorted.
 */
async function stopTimes(relay: Relay, upstream: Child, others: number): Promise<number[]> {
  // They go on until the relay is ended.
  load(relay, others, stopPace, Number.MAX_SAFE_INTEGER).catch(() => undefined)
  const socket = await relay.open(others)
  const times: number[] = []
  for (let nth = 0; nth < stops; nth++) {
    const { frame, stop } = relay.question()
    await new Promise<void>((resolve) => {
      socket.removeAllListeners().on('message', (data: Buffer) => {
        if (data.toString('latin1').startsWith('{"event":"content"')) resolve()
      })
      socket.send(frame)
    })
    const aborted = new Promise<number>((resolve) => {
      upstream.process.once('message', ({ abortedAt }: { abortedAt: number }) => resolve(abortedAt))
    })
    const stoppedAt = performance.timeOrigin + performance.now()
    socket.send(stop)
    times.push((await aborted) - stoppedAt)
  }
  return times.sort((a, b) => a - b)
}

async function measure(child: Child, relay: Relay, streams: number): Promise<Figures> {
  const tokensPerSecond = Math.min(streams === 1 ? 1_000 : 50, most / streams)
  // What runs for the first time is not what runs all day.
  await load(relay, Math.min(streams, 20), 1_000, 1)
  await quiet(child)
  const before = await usage(child)
  const firstTokenMs = await load(relay, streams, tokensPerSecond, roundsOf(streams))
  const after = await usage(child)
  return {
    tokensPerCpuSecond: (streams * roundsOf(streams) * tokens) / ((after.cpu - before.cpu) / 1e6),
    firstTokenMs: firstTokenMs.sort((a, b) => a - b),
    rssMb: after.rss / 2 ** 20,
  }
}

async function connect(address: string, headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(address, { headers, perMessageDeflate: false })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socket
}

type Work<T> = (child: Child, relay: Relay) => Promise<T>

async function floor<T>(upstream: string, work: Work<T>): Promise<T> {
  const child = await start(here('./floor.ts'), [upstream])
  const question = { frame: '{"question":"Go"}', stop: '{"event":"stop-message"}' }
  try {
    return await work(child, { open: () => connect(child.address, {}), question: () => question })
  } finally {
    child.process.removeAllListeners('exit').kill()
  }
}

async function parley<T>(upstream: string, work: Work<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const child = await start(here('../../apps/server/dist/main.js'), [], {
    PORT: '0',
    DATA_DIR: dataDir,
    LLM_BASE_URL: upstream,
    LLM_API_KEY: 'bench',
    ANON_DAILY_MESSAGES: '1000000',
    RATE_LIMIT_SCALE: '0',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
  })
  const url = `http://127.0.0.1:${new URL(child.address).port}`
  const question = (): Question => {
    const messageId = randomUUID()
    const body = { question: 'Go', channelId: 'bench', messageId, lastMessages: [], storageMode: 'local' }
    const frame = JSON.stringify({ route: 'createChatMessage', body })
    return { frame, stop: JSON.stringify({ event: 'stop-message', messageId }) }
  }
  // A person may have ten sockets, so every stream is a person of its own.
  const open = async (): Promise<WebSocket> => {
    const response = await fetch(`${url}/api/ws/ticket`, { method: 'POST' })
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    const { token } = (await response.json()) as { token: string }
    return connect(`${url.replace('http', 'ws')}/ws/chat?token=${token}`, { cookie })
  }
  try {
    return await work(child, { open, question })
  } finally {
    child.process.removeAllListeners('exit').kill('SIGKILL')
    await delay(200)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const quantile = (sorted: number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0
const median = (values: number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

function merge(runs: Figures[]): Figures {
  return {
    tokensPerCpuSecond: median(runs.map((run) => run.tokensPerCpuSecond)),
    firstTokenMs: runs.flatMap((run) => run.firstTokenMs).sort((a, b) => a - b),
    rssMb: median(runs.map((run) => run.rssMb)),
  }
}

let failed = false
console.log(
  'streams | floor tokens/CPU-s | Parley | ratio (≥ 0.7) | first token p50 floor, Parley, added (< 3 ms) | p95 floor, Parley | memory floor, Parley',
)
for (const streams of loads) {
  const tokensPerSecond = Math.min(streams === 1 ? 1_000 : 50, most / streams)
  const upstream = await start(here('./upstream.ts'), [String(tokens), String(tokensPerSecond)])
  const floors: Figures[] = []
  const parleys: Figures[] = []
  for (let run = 0; run < repeats; run++) {
    const work: Work<Figures> = (child, relay) => measure(child, relay, streams)
    floors.push(await floor(upstream.address, work))
    parleys.push(await parley(upstream.address, work))
  }
  upstream.process.removeAllListeners('exit').kill()
  const [bare, own] = [merge(floors), merge(parleys)]
  const ratio = own.tokensPerCpuSecond / bare.tokensPerCpuSecond
  const p50 = [quantile(bare.firstTokenMs, 0.5), quantile(own.firstTokenMs, 0.5)] as const
  const p95 = [quantile(bare.firstTokenMs, 0.95), quantile(own.firstTokenMs, 0.95)] as const
  const added = p50[1] - p50[0]
  failed ||= ratio < 0.7 || added >= 3
  console.log(
    [
      String(streams).padStart(7),
      Math.round(bare.tokensPerCpuSecond),
      Math.round(own.tokensPerCpuSecond),
      ratio.toFixed(2),
      `${p50[0].toFixed(1)}, ${p50[1].toFixed(1)}, ${added.toFixed(1)} ms`,
      `${p95[0].toFixed(1)}, ${p95[1].toFixed(1)} ms`,
      `${Math.round(bare.rssMb)}, ${Math.round(own.rssMb)} MB`,
    ].join(' | '),
  )
}

console.log('\nothers | stop → the gateway sees it, p50 floor, Parley | p95 floor, Parley (< 100 ms), ratio')
for (const others of [0, 50]) {
  const times = async (run: typeof floor): Promise<number[]> => {
    const upstream = await start(here('./upstream.ts'), [String(tokens), String(stopPace)])
    try {
      return await run(upstream.address, (_, relay) => stopTimes(relay, upstream, others))
    } finally {
      upstream.process.removeAllListeners('exit').kill()
    }
  }
  const [bare, own] = [await times(floor), await times(parley)]
  const p95 = [quantile(bare, 0.95), quantile(own, 0.95)] as const
  failed ||= p95[1] >= 100
  console.log(
    [
      String(others).padStart(6),
      `${quantile(bare, 0.5).toFixed(1)}, ${quantile(own, 0.5).toFixed(1)} ms`,
      `${p95[0].toFixed(1)}, ${p95[1].toFixed(1)} ms, ${(p95[1] / p95[0]).toFixed(1)}`,
    ].join(' | '),
  )
}
process.exit(failed ? 1 : 0)
