// Importing and exporting 200 MB of chats in the built app and a real Chromium, against reading the same file whole:
// time, longest main-thread task, heap.
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { ParleyServer } from '../../e2e/parley-server'
import { findChromium } from '../../scripts/chromium.mjs'

const fileMB = Number(process.argv.find((each) => each.startsWith('--mb='))?.slice(5) ?? 200)
const messagesOfChannel = 500
const answerLength = 4_000
const person = { email: 'ana@example.org', password: 'Correct-Horse-7' }

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const time = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()

/** Text that deflates about as well as what people write. */
function* words(seed: number): Generator<string, never> {
  let state = seed + 1
  while (true) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield (state % 46_656).toString(36)
  }
}

function* dataFile(channelCount: number): Generator<string> {
  const list = (n: number): string => (n > 0 ? ',' : '')
  yield '{"channels":['
  for (let c = 0; c < channelCount; c++) {
    yield `${list(c)}${JSON.stringify({ id: uuid(c), channelName: `Channel ${c}`, assistantId: null, created_at: time(c), updated_at: time(c) })}`
  }
  yield '],"chats":['
  const text = words(1)
  for (let c = 0; c < channelCount; c++) {
    yield `${list(c)}{"channelId":${JSON.stringify(uuid(c))},"messages":[`
    for (let m = 0; m < messagesOfChannel; m++) {
      let content = ''
      while (content.length < answerLength) content += `${text.next().value} `
      const message = {
        mId: uuid(1_000_000 + c * messagesOfChannel + m),
        chat_request: `Question ${m}`,
        chat_response: { role: 'assistant', content },
        datetime: time(m),
      }
      yield `${list(m)}${JSON.stringify(message)}`
    }
    yield ']}'
  }
  yield `],"metadata":{"exportedAt":${JSON.stringify(time(0))},"version":"1.0"}}`
}

type Cost = { 'time (s)': number; 'longest task (ms)': number; 'heap at most (MB)': number }

async function measure(page: Page, client: CDPSession, action: () => Promise<unknown>): Promise<Cost> {
  await client.send('HeapProfiler.collectGarbage')
  await page.evaluate(() => {
    document.documentElement.dataset.longest = '0'
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) {
        const { dataset } = document.documentElement
        dataset.longest = String(Math.max(Number(dataset.longest), duration))
      }
    }).observe({ type: 'longtask' })
  })
  let peak = 0
  const watch = setInterval(() => {
    client
      .send('Runtime.getHeapUsage')
      .then(({ usedSize }) => {
        peak = Math.max(peak, usedSize)
      })
      .catch(() => undefined)
  }, 250)
  const start = performance.now()
  await action()
  const seconds = (performance.now() - start) / 1_000
  clearInterval(watch)
  const longest = Number(await page.evaluate(() => document.documentElement.dataset.longest))
  return {
    'time (s)': Number(seconds.toFixed(1)),
    'longest task (ms)': Math.round(longest),
    'heap at most (MB)': Math.round(peak / 1e6),
  }
}

async function signIn(page: Page): Promise<void> {
  const signedUp = await fetch(`${server.url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  if (signedUp.status !== 201) throw new Error(`sign-up: ${signedUp.status}`)
  await page.goto(`${server.url}/app`)
  await page.locator('header').getByRole('button', { name: 'Sign In' }).click()
  await page.locator('input[name=email]').fill(person.email)
  await page.locator('input[name=password]').fill(person.password)
  await page.getByRole('dialog').locator('button[type=submit]').click()
  await page.getByRole('button', { name: /: Account$/ }).waitFor()
  await page.goto(`${server.url}/settings?tab=general`)
}

const patience = { timeout: 600_000 }

async function importData(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('dialog').getByRole('button', { name: 'Choose a file' }).click()
  await (await chooser).setFiles(file)
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click(patience)
  await page.getByText(/^Import completed!/).waitFor(patience)
}

async function exportData(page: Page): Promise<void> {
  const download = page.waitForEvent('download', patience)
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  await (await download).path()
}

const folder = mkdtempSync(join(tmpdir(), 'parley-transfer-'))
const file = join(folder, 'data.json')
const channelCount = Math.max(1, Math.round((fileMB * 1e6) / (messagesOfChannel * (answerLength + 200))))
await pipeline(Readable.from(dataFile(channelCount)), createWriteStream(file))

const server = await ParleyServer.start({ RATE_LIMIT_SCALE: '0' })
const chromiumPath = findChromium()
const browser = await chromium.launch({
  ...(chromiumPath ? { executablePath: chromiumPath } : {}),
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  // A download, and names of functions that the runner's compiler asks for.
  await page.addInitScript('globalThis.__name = (each) => each; delete window.showSaveFilePicker')
  const client = await page.context().newCDPSession(page)
  await signIn(page)
  const system = page.getByRole('group', { name: 'System' })

  await page.evaluate(() => {
    const input = document.createElement('input')
    input.type = 'file'
    input.id = 'floor'
    document.body.append(input)
  })
  await page.locator('#floor').setInputFiles(file)
  const floor = await measure(page, client, () =>
    page.evaluate(async () => {
      const input = document.querySelector<HTMLInputElement>('#floor')
      const text = (await input?.files?.[0]?.text()) ?? ''
      return Object.keys(JSON.parse(text)).length
    }),
  )
  await page.reload()

  await system.getByRole('button', { name: 'Import' }).click()
  const imported = await measure(page, client, () => importData(page))
  await page.goto('about:blank')
  await page.goto(`${server.url}/settings?tab=general`)
  await system.getByRole('button', { name: 'Export' }).click()
  const exported = await measure(page, client, () => exportData(page))

  const { size } = statSync(file)
  console.log(`${(size / 1e6).toFixed(0)} MB: ${channelCount} channels with ${messagesOfChannel} messages each`)
  console.table({ 'the file read whole (floor)': floor, import: imported, export: exported })
  const heap = Math.max(imported['heap at most (MB)'], exported['heap at most (MB)'])
  const longest = Math.max(imported['longest task (ms)'], exported['longest task (ms)'])
  console.log(`ratio of heaps: ${(heap / floor['heap at most (MB)']).toFixed(2)}`)
  console.log(
    `no task over 200 ms: ${longest <= 200 ? 'met' : 'NOT met'}; heap under 150 MB: ${heap <= 150 ? 'met' : 'NOT met'}`,
  )
} finally {
  await browser.close()
  await server.remove()
  rmSync(folder, { recursive: true })
}
