import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { build } from 'vite'
import { findChromium } from '../../scripts/chromium.mjs'

// A fast model: 200 tokens a second in updates of 30 ms. Updates are sent one a frame, so that the run is shorter than
// the answer.
const tokensPerUpdate = 6
const runs = Number(process.env.RUNS ?? 3)
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types parley"

type Outcome = { longTasks: number[]; nodes: number; characters: number }
type Bench = {
  mount(renderer: string): Promise<void>
  streamAnswer(tokens: number, tokensPerUpdate: number): Promise<void>
  streamHostile(name: string, updates: number): Promise<void>
  showHostile(name: string): Promise<void>
  outcome(): Promise<Outcome>
  hostile: string[]
}
declare global {
  interface Window {
    bench: Bench
  }
}

const here = fileURLToPath(new URL('.', import.meta.url))
const files = fileURLToPath(new URL('../../node_modules/.cache/bench-render', import.meta.url))
await build({ configFile: join(here, 'vite.config.ts'), logLevel: 'error' })

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}
const server = createServer(async (request, response) => {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const file = join(files, path === '/' ? 'index.html' : path)
  const body = await readFile(file).catch(() => undefined)
  response
    .writeHead(body ? 200 : 404, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': policy,
    })
    .end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

const chromiumPath = findChromium()
const browser = await chromium.launch({ ...(chromiumPath && { executablePath: chromiumPath }), args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
const complaints: string[] = []
page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
page.on('pageerror', (error) => complaints.push(String(error)))
page.on(
  'request',
  (request) =>
    request.url().startsWith(origin) ||
    request.url().startsWith('data:') ||
    complaints.push(`request: ${request.url()}`),
)
await page.goto(origin)
await page.waitForFunction(() => window.bench)
const session = await page.context().newCDPSession(page)
await session.send('Performance.enable')

const busyMs = async (): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics')
  return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
}

async function measure(renderer: string, work: (page: Page) => Promise<void>) {
  await page.evaluate((name) => window.bench.mount(name), renderer)
  const before = await busyMs()
  await work(page)
  const ms = (await busyMs()) - before
  return { ms, ...(await page.evaluate(() => window.bench.outcome())) }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const streamed = (tokens: number) => (target: Page) =>
  target.evaluate(([count, step]) => window.bench.streamAnswer(count, step), [tokens, tokensPerUpdate] as const)

// The code is compiled and the lazy chunks are loaded before anything counts.
for (const renderer of ['floor', 'whole', 'parley']) await measure(renderer, streamed(1_000))

console.log('Main-thread time of a streamed answer\n')
console.log('renderer          tokens   total ms   ms per 1,000 tokens   long tasks   longest')
const cost = new Map<string, number>()
let longAtParley = 0
for (const renderer of ['floor', 'parley', 'whole']) {
  for (const tokens of [1_000, 8_000]) {
    const results = []
    // Once is enough for the one that takes minutes.
    for (let run = 0; run < (renderer === 'whole' ? 1 : runs); run += 1)
      results.push(await measure(renderer, streamed(tokens)))
    const ms = median(results.map((result) => result.ms))
    const long = results.flatMap((result) => result.longTasks)
    if (renderer === 'parley') longAtParley += long.length
    cost.set(`${renderer} ${tokens}`, ms / tokens)
    console.log(
      `${renderer.padEnd(16)} ${String(tokens).padStart(7)} ${ms.toFixed(0).padStart(10)} ${((1_000 * ms) / tokens).toFixed(1).padStart(21)} ${String(long.length).padStart(12)} ${String(Math.max(0, ...long)).padStart(9)}`,
    )
  }
}
const per = (renderer: string, tokens: number): number => cost.get(`${renderer} ${tokens}`) ?? Number.NaN
const growth = per('parley', 8_000) / per('parley', 1_000)
console.log(
  `\nCost per token, 8,000 against 1,000 tokens (aim: at most 1.3):  floor ${(per('floor', 8_000) / per('floor', 1_000)).toFixed(2)}   parley ${growth.toFixed(2)}   whole ${(per('whole', 8_000) / per('whole', 1_000)).toFixed(2)}`,
)
console.log(
  `parley against the floor at 8,000 tokens: ${(per('parley', 8_000) / per('floor', 8_000)).toFixed(1)}   whole against parley: ${(per('whole', 8_000) / per('parley', 8_000)).toFixed(1)}`,
)
console.log(`long tasks over 50 ms (aim: 0): ${longAtParley}`)

console.log('\nHostile answers: streamed in 250 updates, then shown at once\n')
console.log('answer                             streamed ms  long  longest     at once ms  long  longest     elements')
let longAtHostile = 0
for (const name of await page.evaluate(() => window.bench.hostile)) {
  const stream = await measure('parley', (target) =>
    target.evaluate((which) => window.bench.streamHostile(which, 250), name),
  )
  const atOnce = await measure('parley', (target) => target.evaluate((which) => window.bench.showHostile(which), name))
  longAtHostile += stream.longTasks.length + atOnce.longTasks.length
  const columns = (result: Outcome & { ms: number }) =>
    `${result.ms.toFixed(0).padStart(11)} ${String(result.longTasks.length).padStart(5)} ${String(Math.max(0, ...result.longTasks)).padStart(8)}`
  console.log(
    `${name.padEnd(34)} ${columns(stream)}    ${columns(atOnce)}     ${String(Math.max(stream.nodes, atOnce.nodes)).padStart(8)}`,
  )
}
console.log(`\nlong tasks over 50 ms with hostile answers: ${longAtHostile}`)
console.log(`console errors, policy violations, foreign requests (aim: 0): ${complaints.length}`)
for (const complaint of complaints.slice(0, 5)) console.log(`  ${complaint.slice(0, 300)}`)

await browser.close()
server.close()
process.exitCode = growth <= 1.3 && longAtParley + longAtHostile === 0 && complaints.length === 0 ? 0 : 1
