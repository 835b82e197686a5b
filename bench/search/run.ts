// The search over 20,000 messages of a device: how long the first one takes, how long each further one, and what the
// page itself feels of it.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { findChromium } from '../../scripts/chromium.mjs'
import type {} from './page'

const [channels, messagesEach] = [Number(process.env.CHANNELS ?? 200), 100]
const policy =
  "default-src 'self'; script-src 'self'; worker-src 'self' blob:; img-src data:; require-trusted-types-for 'script'; trusted-types parley"

const here = fileURLToPath(new URL('.', import.meta.url))
const files = fileURLToPath(new URL('../../node_modules/.cache/bench-search', import.meta.url))
await build({ configFile: join(here, 'vite.config.ts'), logLevel: 'error' })

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }
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

const chromiumPath = findChromium()
const browser = await chromium.launch({ ...(chromiumPath && { executablePath: chromiumPath }), args: ['--no-sandbox'] })
const page = await browser.newPage()
const complaints: string[] = []
page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
page.on('pageerror', (error) => complaints.push(String(error)))
await page.goto(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
await page.waitForFunction(() => window.bench)

const characters = await page.evaluate(([count, each]) => window.bench.fill(count, each), [
  channels,
  messagesEach,
] as const)
console.log(
  `${(channels * messagesEach).toLocaleString('en')} messages in ${channels} channels, ${(characters / 1e6).toFixed(1)} million characters\n`,
)

const floor = await page.evaluate(() => window.bench.read())
await page.evaluate(() => window.bench.takeLongTasks())
const built = await page.evaluate(() => window.bench.build())
const longAtBuild = await page.evaluate(() => window.bench.takeLongTasks())

const times: number[] = []
for (const word of await page.evaluate(() => window.bench.words())) {
  for (const query of [word, word.slice(0, 1), word.slice(0, 2), `${word} te`, `mo ${word.slice(0, 3)} lu`])
    for (let round = 0; round < 4; round++)
      times.push(await page.evaluate((wanted) => window.bench.query(wanted), query))
}
const updates: number[] = []
for (let round = 0; round < 10; round++) updates.push(await page.evaluate(() => window.bench.update()))
const longAtQueries = await page.evaluate(() => window.bench.takeLongTasks())
const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0
const longest = Math.max(0, ...longAtBuild, ...longAtQueries)

console.log(`all messages read and decrypted (floor)   ${floor.toFixed(0).padStart(6)} ms`)
console.log(
  `index built, first search answered        ${built.toFixed(0).padStart(6)} ms   ratio ${(built / floor).toFixed(2)}`,
)
console.log(
  `${String(times.length).padEnd(3)} searches: p50, p95, worst             ${[0.5, 0.95, 1].map((part) => percentile(times, part).toFixed(0)).join(', ')} ms   (aim: p95 under 100)`,
)
console.log(
  `search after another message: p50, worst  ${[0.5, 1].map((part) => percentile(updates, part).toFixed(0)).join(', ')} ms`,
)
console.log(`longest task of the page                  ${longest.toFixed(0).padStart(6)} ms   (aim: none over 50)`)
console.log(`console errors, policy violations (aim: 0): ${complaints.length}`)
for (const complaint of complaints.slice(0, 5)) console.log(`  ${complaint.slice(0, 300)}`)

await browser.close()
server.close()
process.exitCode = percentile(times, 0.95) < 100 && longest <= 50 && complaints.length === 0 ? 0 : 1
