// First load of /app: bytes on the wire and largest contentful paint on a slow processor, against a static page with the same fonts.

import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type BrowserContext, chromium } from '@playwright/test'
import { ParleyServer } from '../../e2e/parley-server'
import { findChromium } from '../../scripts/chromium.mjs'

const slowdown = 4
const rounds = 5
const dist = new URL('../../apps/web/dist/assets/', import.meta.url)

type Load = { lcpMs: number; jsBytes: number; cssBytes: number; fontBytes: number; requests: number }

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function load(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const kinds = new Map<string, string>()
  const bytes = { js: 0, css: 0, font: 0 }
  let requests = 0
  const headerBytes = new Map<string, number>()
  client.on('Network.responseReceived', ({ requestId, response }) => {
    kinds.set(requestId, response.mimeType)
    headerBytes.set(requestId, response.encodedDataLength)
  })
  // What the files weigh, compressed: without the headers, which a proxy with HTTP/2 shrinks to nothing.
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? ''
    const size = encodedDataLength - (headerBytes.get(requestId) ?? 0)
    requests++
    if (kind.includes('javascript')) bytes.js += size
    if (kind.includes('css')) bytes.css += size
    if (kind.includes('font')) bytes.font += size
  })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) document.documentElement.dataset.lcp = String(entry.startTime)
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  const lcpMs = Number(await page.evaluate(() => document.documentElement.dataset.lcp))
  await page.close()
  return { lcpMs, jsBytes: bytes.js, cssBytes: bytes.css, fontBytes: bytes.font, requests }
}

async function measure(url: string): Promise<Load> {
  const loads: Load[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1440, height: 900 } })
    loads.push(await load(context, url))
    await context.close()
  }
  const of = (pick: (load: Load) => number): number => median(loads.map(pick))
  return {
    lcpMs: of((l) => l.lcpMs),
    jsBytes: of((l) => l.jsBytes),
    cssBytes: of((l) => l.cssBytes),
    fontBytes: of((l) => l.fontBytes),
    requests: of((l) => l.requests),
  }
}

// The floor: what the first paint costs when there is no program at all.
const fonts = readdirSync(dist).filter((name) => /(bricolage|instrument).*latin-wght.*woff2$/.test(name))
const staticPage = createServer((request, response) => {
  const font = fonts.find((name) => request.url === `/${name}`)
  if (font) return response.setHeader('content-type', 'font/woff2').end(readFileSync(new URL(font, dist)))
  const faces = fonts.map((name, i) => `@font-face{font-family:F${i};src:url(/${name});font-display:swap}`).join('')
  return response
    .setHeader('content-type', 'text/html')
    .end(`<!doctype html><style>${faces}h1{font:40px F0}p{font:16px F1}</style><h1>What shall we talk about?</h1><p>Ask anything</p>`)
})
await new Promise<void>((resolve) => staticPage.listen(0, '127.0.0.1', resolve))
const address = staticPage.address()
if (address === null || typeof address === 'string') throw new Error('no port')

const server = await ParleyServer.start({ RATE_LIMIT_SCALE: '0' })
const chromiumPath = findChromium()
const browser = await chromium.launch({ ...(chromiumPath ? { executablePath: chromiumPath } : {}), args: ['--no-sandbox', '--disable-background-networking'] })
try {
  const floor = await measure(`http://127.0.0.1:${address.port}/`)
  const app = await measure(`${server.url}/app`)
  const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
  console.log(`median of ${rounds} loads without cache, CPU slowed ${slowdown} times`)
  console.table({
    'static page (floor)': {
      LCP: `${floor.lcpMs.toFixed(0)} ms`,
      JS: kB(floor.jsBytes),
      CSS: kB(floor.cssBytes),
      fonts: kB(floor.fontBytes),
      requests: floor.requests,
    },
    '/app': { LCP: `${app.lcpMs.toFixed(0)} ms`, JS: kB(app.jsBytes), CSS: kB(app.cssBytes), fonts: kB(app.fontBytes), requests: app.requests },
  })
  console.log(`LCP ratio ${(app.lcpMs / floor.lcpMs).toFixed(2)}; JS ${kB(app.jsBytes)} of 180 kB aimed at: ${app.jsBytes < 180_000 ? 'met' : 'NOT met'}`)
} finally {
  await browser.close()
  staticPage.close()
  await server.remove()
}
