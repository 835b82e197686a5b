// node scripts/take-install-pictures.mjs: takes the pictures that a device shows before it installs the app, from the
// built app itself, into apps/web/public/install. They are committed: whoever builds needs no browser.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { findChromium } from './chromium.mjs'

const at = (...path) => join(fileURLToPath(new URL('..', import.meta.url)), ...path)
const question = 'What should I check before I sign a lease?'
const answer = `Read these four things twice:

1. **Notice.** How long before you leave must you say so, and does the same hold for the landlord?
2. **Deposit.** Where it is kept, and within how many days it is returned.
3. **Repairs.** Who pays for what, up to which amount.
4. **Increases.** Whether the rent follows an index, and from when.

| Clause   | Usual          | Ask if it says |
| -------- | -------------- | -------------- |
| Notice   | 1 to 3 months  | more than 3    |
| Deposit  | 1 to 3 rents   | more than 3    |

Take photographs of every room on the day you move in.`

const dataDir = mkdtempSync(join(tmpdir(), 'parley-pictures-'))
const gateway = createServer((request, response) => {
  if (request.url?.endsWith('/models')) return response.end(JSON.stringify({ data: [{ id: 'assistant' }] }))
  response.setHeader('content-type', 'text/event-stream')
  response.end(`data: ${JSON.stringify({ choices: [{ delta: { content: answer } }] })}\n\ndata: [DONE]\n\n`)
})
await new Promise((resolve) => gateway.listen(0, '127.0.0.1', resolve))
const port = gateway.address().port + 1
const environment = {
  LLM_BASE_URL: `http://127.0.0.1:${gateway.address().port}/v1`,
  LLM_API_KEY: 'none',
  ALLOW_UNPRICED_MODELS: 'true',
  DATA_DIR: dataDir,
}
const server = spawn(process.execPath, [at('apps/server/dist/main.js')], {
  env: { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'silent', ...environment },
  stdio: 'inherit',
})
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
try {
  const url = `http://localhost:${port}/app`
  const isUp = () =>
    fetch(url)
      .then(({ ok }) => ok)
      .catch(() => false)
  while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 100))
  mkdirSync(at('apps/web/public/install'), { recursive: true })
  await take(url, 'wide', { viewport: { width: 1280, height: 800 } })
  await take(url, 'narrow', {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  })
} finally {
  await browser.close()
  server.kill()
  gateway.close()
  rmSync(dataDir, { recursive: true, force: true })
}

async function take(url, name, options) {
  const context = await browser.newContext({
    locale: 'en-US',
    reducedMotion: 'reduce',
    colorScheme: 'light',
    ...options,
  })
  const page = await context.newPage()
  await page.goto(url)
  const box = page.getByRole('textbox', { name: /message/i })
  await box.fill(question)
  await box.press('Enter')
  await page.getByText('Take photographs').waitFor()
  await page.locator('[data-stop]').waitFor({ state: 'detached' })
  await box.blur()
  // Toasts are not what the app looks like.
  await page
    .locator('[popover] [data-tone]')
    .waitFor({ state: 'detached' })
    .catch(() => undefined)
  await page.locator('[data-question]').first().scrollIntoViewIfNeeded()
  const browserSession = await context.newCDPSession(page)
  const { data } = await browserSession.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
  writeFileSync(at('apps/web/public/install', `${name}.webp`), Buffer.from(data, 'base64'))
  await context.close()
}
