// What a streamed answer costs in the built app, in a real Chromium: the time from the gateway's first byte to the
// first character on the screen, the main thread during an answer of 8,000 tokens, and during the same second of an
// answer in a chat of 3 and of 3,000 loaded messages.
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { type GatewayStandIn, startGatewayStandIn } from '../../apps/server/src/testing/gateway-stand-in'
import { tokensOf } from '../../apps/server/src/testing/gateway-stream'
import { ask, untilAnswered } from '../../e2e/journey'
import { ParleyServer } from '../../e2e/parley-server'
import { type Person, signIn, signUp } from '../../e2e/people'
import { findChromium } from '../../scripts/chromium.mjs'
import { answer } from '../render/answers'
import { watchAnswers } from './watch-answers'

const rounds = Number(process.env.RUNS ?? 5)
const laterQuestions = 4
const longTokens = 8_000
/** So long a fast model takes for them. */
const longAnswerMs = 40_000
const seconds = 5

const ana: Person = { email: 'ana@example.org', password: 'Correct-Horse-7' }
const bruno: Person = { email: 'bruno@example.org', password: 'Battery-Staple-8' }

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const verdict = (isMet: boolean): string => (isMet ? 'met' : 'NOT met')

type Busy = { all: number; script: number; style: number; layout: number }

/** Processor time of the main thread: not the time that it waits while other processes run. */
async function countBusy(context: BrowserContext, page: Page): Promise<CDPSession> {
  const client = await context.newCDPSession(page)
  await client.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
  await client.send('Performance.enable')
  return client
}

async function busyOf(client: CDPSession): Promise<Busy> {
  const { metrics } = await client.send('Performance.getMetrics')
  const ms = (wanted: string): number => 1_000 * (metrics.find(({ name }) => name === wanted)?.value ?? 0)
  return {
    ...{ all: ms('TaskDuration'), script: ms('ScriptDuration') },
    ...{ style: ms('RecalcStyleDuration'), layout: ms('LayoutDuration') },
  }
}

async function opened(browser: Browser, server: ParleyServer): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  // The runner's compiler names functions through a helper that a page does not have.
  await context.addInitScript('globalThis.__name = (each) => each')
  await context.addInitScript(watchAnswers)
  const page = await context.newPage()
  await page.goto(`${server.url}/app`)
  return { context, page }
}

/**
 * Milliseconds from the gateway's first byte of text to the frame in which the app shows it, and to the one in which a
 * bare text node does, which is fed by the same socket.
 */
async function firstCharacter(page: Page, gateway: GatewayStandIn, question: string) {
  gateway.always({ text: 'Quick brown words of an answer.', holdAfter: 0 })
  await page.evaluate(() => window.stream.expect())
  const count = gateway.requests.length
  await ask(page, question)
  while (gateway.requests.length === count) await new Promise((resolve) => setTimeout(resolve, 5))
  // What a model takes before its first word; the page has sent its question and is at rest.
  await new Promise((resolve) => setTimeout(resolve, 400))
  const byteAt = performance.timeOrigin + performance.now()
  gateway.release()
  const { shownAt, bareAt } = await page.evaluate(() => window.stream.shown())
  await untilAnswered(page)
  return { app: shownAt - byteAt, bare: bareAt - byteAt }
}

async function measureFirstCharacters(browser: Browser, server: ParleyServer, gateway: GatewayStandIn) {
  const first = { app: [] as number[], bare: [] as number[] }
  const later = { app: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const { context, page } = await opened(browser, server)
    for (let n = 0; n <= laterQuestions; n++) {
      const { app, bare } = await firstCharacter(page, gateway, `Question ${n}?`)
      const all = n === 0 ? first : later
      all.app.push(app)
      all.bare.push(bare)
    }
    await context.close()
  }
  const row = ({ app, bare }: typeof first) => ({
    'app (ms)': Math.round(median(app)),
    'bare text node (ms)': Math.round(median(bare)),
    ratio: Number((median(app) / median(bare)).toFixed(2)),
  })
  console.log(`From the gateway's first byte to the first character on the screen, median of ${rounds} pages`)
  console.table({ 'first question of a page': row(first), 'later questions': row(later) })
  const byClock = median(first.app) / median(later.app)
  const besideBare = median(first.app) / median(first.bare) / (median(later.app) / median(later.bare))
  console.log(`first against later: ${byClock.toFixed(2)} (aim: at most 1.3): ${verdict(byClock <= 1.3)}`)
  console.log(
    `the same, each as its ratio: ${besideBare.toFixed(2)} (aim: at most 1.3): ${verdict(besideBare <= 1.3)}\n`,
  )
  return byClock <= 1.3
}

/** What the main thread does while an answer is streamed. */
async function measureLongAnswer(browser: Browser, server: ParleyServer, gateway: GatewayStandIn): Promise<boolean> {
  const { context, page } = await opened(browser, server)
  const client = await countBusy(context, page)
  // Code is compiled, and what draws answers is loaded, before anything counts.
  gateway.always({ text: answer(300), tokensPerSecond: 200 })
  await ask(page, 'Warm up?')
  await untilAnswered(page)
  const text = answer(longTokens)
  gateway.always({ text, tokensPerSecond: tokensOf(text).length / (longAnswerMs / 1_000) })
  await page.evaluate(() => window.stream.expect())
  const before = await busyOf(client)
  await ask(page, 'And at length?')
  await page.locator('[data-stop]').waitFor()
  await page.locator('[data-stop]').waitFor({ state: 'detached', timeout: 4 * longAnswerMs })
  const after = await busyOf(client)
  const longTasks = await page.evaluate(() => window.stream.longTasks())
  await context.close()
  const spent = (name: keyof Busy): number => Math.round(after[name] - before[name])
  const other = spent('all') - spent('script') - spent('style') - spent('layout')
  console.log(`The main thread during an answer of ${longTokens} tokens in ${longAnswerMs / 1_000} s`)
  console.table({
    ms: { all: spent('all'), script: spent('script'), style: spent('style'), layout: spent('layout'), other },
  })
  const isSmooth = longTasks.length === 0
  console.log(`long tasks over 50 ms: ${longTasks.length} (aim: 0): ${verdict(isSmooth)} ${longTasks}\n`)
  return isSmooth
}

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const time = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()

function chatOf(count: number): Buffer {
  const channel = {
    ...{ id: uuid(1), channelName: 'The big one', assistantId: null },
    ...{ created_at: time(0), updated_at: time(count) },
  }
  const messages = Array.from({ length: count }, (_, n) => ({
    ...{ mId: uuid(1_000_000 + n), chat_request: `Question ${n}: what about this and that?`, datetime: time(n) },
    chat_response: { role: 'assistant', content: `Answer ${n} with **some** words.\n\n- a point\n- another` },
  }))
  const chats = { [channel.id]: messages }
  return Buffer.from(JSON.stringify({ channels: [channel], chats, exportedAt: time(0), version: '1.0' }))
}

async function importFile(page: Page, file: Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Chats menu' }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Import chats' }).click(),
  ])
  await chooser.setFiles({ name: 'channels.json', mimeType: 'application/json', buffer: file })
  await Promise.all([
    page.waitForEvent('load', { timeout: 300_000 }),
    page.getByRole('button', { name: 'Ok' }).click({ timeout: 120_000 }),
  ])
  await page.getByRole('navigation').getByText('The big one').click()
}

/** Scrolls up until the first message is loaded, and back to the end. */
async function loadAll(page: Page): Promise<void> {
  const first = page.getByText('Question 0: what about')
  for (const deadline = Date.now() + 120_000; (await first.count()) === 0; ) {
    if (Date.now() > deadline) throw new Error('the first message was not loaded')
    await page.evaluate(() => {
      for (const list of document.querySelectorAll('main *'))
        if (list.scrollHeight > list.clientHeight + 100) list.scrollTop = 0
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await page.evaluate(() => {
    for (const list of document.querySelectorAll('main *'))
      if (list.scrollHeight > list.clientHeight + 100) list.scrollTop = list.scrollHeight
  })
  await page.getByText('some words').last().waitFor()
}

type Setup = { browser: Browser; server: ParleyServer; gateway: GatewayStandIn }

/** Main-thread milliseconds of a second of an answer. */
async function secondOfAnswer({ browser, server, gateway }: Setup, person: Person, count: number): Promise<number> {
  const { context, page } = await opened(browser, server)
  await signUp(server, person)
  await signIn(page, person)
  await importFile(page, chatOf(count))
  await loadAll(page)
  const client = await countBusy(context, page)
  gateway.always({ text: answer(300), tokensPerSecond: 200 })
  await ask(page, 'Warm up?')
  await untilAnswered(page)
  gateway.always({ text: answer(4_000), tokensPerSecond: 140 })
  const costs: number[] = []
  for (let round = 0; round < 3; round++) {
    await page.evaluate(() => window.stream.expect())
    await ask(page, `Round ${round}?`)
    await page.evaluate(() => window.stream.shown())
    // Past the first moments, which are not of the stream.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const before = await busyOf(client)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    costs.push(((await busyOf(client)).all - before.all) / seconds)
    await page.locator('[data-stop]').click()
    await untilAnswered(page)
  }
  await context.close()
  return median(costs)
}

async function measureLoadedMessages(setup: Setup): Promise<boolean> {
  const few = await secondOfAnswer(setup, ana, 3)
  const many = await secondOfAnswer(setup, bruno, 3_000)
  const ratio = many / few
  console.log('The main thread in one second of an answer')
  console.table({ '3 messages loaded': { ms: Math.round(few) }, '3,000 messages loaded': { ms: Math.round(many) } })
  console.log(`ratio: ${ratio.toFixed(2)} (aim: at most 1.2): ${verdict(ratio <= 1.2)}`)
  return ratio <= 1.2
}

const gateway = await startGatewayStandIn()
const server = await ParleyServer.start({
  ...{ LLM_BASE_URL: gateway.url, LLM_API_KEY: 'key', RATE_LIMIT_SCALE: '0', ANON_DAILY_MESSAGES: '100000' },
})
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  const results = [
    await measureFirstCharacters(browser, server, gateway),
    await measureLongAnswer(browser, server, gateway),
    await measureLoadedMessages({ browser, server, gateway }),
  ]
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  await browser.close()
  await server.remove()
  await gateway.close()
}
