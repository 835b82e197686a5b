// Opening a channel of 10,000 messages beside a sidebar of 5,000 channels, in the built app and a real Chromium,
// against the same app with one short channel.
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { ParleyServer } from '../../e2e/parley-server'
import { type Person, signIn, signUp } from '../../e2e/people'
import { findChromium } from '../../scripts/chromium.mjs'

const rounds = 5
const lastAnswer = 'The very last answer'

const ana: Person = { email: 'ana@example.org', password: 'Correct-Horse-7' }
const bruno: Person = { email: 'bruno@example.org', password: 'Battery-Staple-8' }

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const time = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()

/** A channels file; the newest channel holds all the messages. */
function channelsFile(channelCount: number, messageCount: number): Buffer {
  const channels = Array.from({ length: channelCount }, (_, i) => ({
    id: uuid(i),
    channelName: i === channelCount - 1 ? 'The big one' : `Channel number ${i}`,
    assistantId: null,
    created_at: time(i),
    updated_at: time(i),
  }))
  const messages = Array.from({ length: messageCount }, (_, i) => ({
    mId: uuid(1_000_000 + i),
    chat_request: `Question ${i}: what about this and that?`,
    chat_response: {
      role: 'assistant',
      content:
        i === messageCount - 1
          ? lastAnswer
          : `Answer ${i} with **some** words.\n\n- a point\n- another\n\n${'And a sentence more. '.repeat(i % 12)}`,
    },
    datetime: time(i),
  }))
  return Buffer.from(
    JSON.stringify({ channels, chats: { [uuid(channelCount - 1)]: messages }, exportedAt: time(0), version: '1.0' }),
  )
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function importFile(page: Page, file: Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Chats menu' }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Import chats' }).click(),
  ])
  await chooser.setFiles({ name: 'channels.json', mimeType: 'application/json', buffer: file })
  // The page begins anew once everything is in.
  await Promise.all([
    page.waitForEvent('load', { timeout: 300_000 }),
    page.getByRole('button', { name: 'Ok' }).click({ timeout: 120_000 }),
  ])
  await page.getByRole('navigation').getByText('The big one').waitFor({ timeout: 60_000 })
}

/** Milliseconds in the page from the click to the frame in which the last answer is drawn. */
async function timeToOpen(page: Page): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const row = [...document.querySelectorAll<HTMLElement>('nav a, nav button')].find((element) =>
          element.textContent?.includes('The big one'),
        )
        if (!row) throw new Error('no row')
        const start = performance.now()
        const look = (): void => {
          const answers = [...document.querySelectorAll('[data-answer]')]
          if (answers.some((answer) => answer.textContent?.includes(wanted))) resolve(performance.now() - start)
          else requestAnimationFrame(look)
        }
        row.click()
        look()
      }),
    lastAnswer,
  )
}

/** Milliseconds from navigation until the sidebar shows a row. */
async function timeToSidebar(page: Page, url: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(url)
  await page.getByRole('navigation').getByText('The big one').waitFor()
  return page.evaluate(() => performance.now())
}

async function cost(page: Page, client: CDPSession): Promise<{ heapMB: number; nodes: number }> {
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  return { heapMB: usedSize / 1e6, nodes: await page.locator('*').count() }
}

async function measure(person: Person, channelCount: number, messageCount: number) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  // The runner's compiler names functions through a helper that a page does not have.
  await context.addInitScript('globalThis.__name = (each) => each')
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  // Chats of a person with an account, on this device: only they can import.
  await signUp(server, person)
  await page.goto(`${server.url}/app`)
  await signIn(page, person)
  await importFile(page, channelsFile(channelCount, messageCount))
  const opens: number[] = []
  const sidebars: number[] = []
  for (let round = 0; round < rounds; round++) {
    sidebars.push(await timeToSidebar(page, `${server.url}/app`))
    opens.push(await timeToOpen(page))
  }
  const { heapMB, nodes } = await cost(page, client)
  await context.close()
  return {
    'sidebar shown (ms)': Math.round(median(sidebars)),
    'channel usable (ms)': Math.round(median(opens)),
    'heap (MB)': Math.round(heapMB),
    'DOM nodes': nodes,
  }
}

const server = await ParleyServer.start({ RATE_LIMIT_SCALE: '0' })
const chromiumPath = findChromium()
const browser = await chromium.launch({
  ...(chromiumPath ? { executablePath: chromiumPath } : {}),
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  const floor = await measure(ana, 1, 10)
  const full = await measure(bruno, 5_000, 10_000)
  console.log(`median of ${rounds} rounds; a fresh page load before each`)
  console.table({ '1 channel, 10 messages (floor)': floor, '5,000 channels, 10,000 messages': full })
  const ratio = (key: keyof typeof full): string => (full[key] / floor[key]).toFixed(2)
  console.log(
    `ratios: sidebar ${ratio('sidebar shown (ms)')}, open ${ratio('channel usable (ms)')}, heap ${ratio('heap (MB)')}, nodes ${ratio('DOM nodes')}`,
  )
  console.log(`usable within 300 ms: ${full['channel usable (ms)'] <= 300 ? 'met' : 'NOT met'}`)
} finally {
  await browser.close()
  await server.remove()
}
