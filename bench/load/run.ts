// First load of /app and of the landing page: bytes on the wire, first and largest contentful paint and layout shift on
// a slow processor, each against a static page with the same fonts and the same text.

import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type BrowserContext, chromium } from '@playwright/test'
import { firstFonts } from '../../apps/web/first-styles'
import { ParleyServer } from '../../e2e/parley-server'
import { findChromium } from '../../scripts/chromium.mjs'

const slowdown = 4
/** Single loads differ by a sixth: the ratio of the medians of half as many varied by 0.08 from run to run. */
const rounds = 61
const dist = new URL('../../apps/web/dist/assets/', import.meta.url)

const goals = [
  { path: '/app', mostJs: 150_000, mostFcp: 1.3, mostLcp: 1.5, mostShift: 0.02 },
  { path: '/', mostJs: 40_000, mostFcp: 2, mostLcp: 2, mostShift: 0.02 },
]

type Load = {
  fcpMs: number
  lcpMs: number
  shift: number
  jsBytes: number
  cssBytes: number
  fontBytes: number
  requests: number
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function load(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage()
  // As from a link on another site: each page begins in a process of its own, whatever its headers say.
  await page.goto(otherSite)
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
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') document.documentElement.dataset.fcp = String(startTime)
    }).observe({ type: 'paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) document.documentElement.dataset.lcp = String(entry.startTime)
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    let shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shift += Number(entry.value)
      document.documentElement.dataset.shift = String(shift)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  // It is told after the paint, at times after the network has come to rest.
  await page.waitForFunction(() => {
    const { fcp, lcp } = document.documentElement.dataset
    return fcp !== undefined && lcp !== undefined
  })
  const fcpMs = Number(await page.evaluate(() => document.documentElement.dataset.fcp))
  const lcpMs = Number(await page.evaluate(() => document.documentElement.dataset.lcp))
  const shift = Number((await page.evaluate(() => document.documentElement.dataset.shift)) ?? 0)
  await page.close()
  return { fcpMs, lcpMs, shift, jsBytes: bytes.js, cssBytes: bytes.css, fontBytes: bytes.font, requests }
}

/** In turns, each first in half of the rounds: what else the machine does meets one as it meets the other. */
async function measure(urls: readonly string[]): Promise<Load[]> {
  const loads = urls.map((): Load[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, url] of round % 2 === 0 ? [...urls.entries()] : [...urls.entries()].reverse()) {
      const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1440, height: 900 } })
      loads[index]?.push(await load(context, url))
      await context.close()
    }
  return loads.map(typical)
}

function typical(loads: readonly Load[]): Load {
  const of = (pick: (load: Load) => number): number => median(loads.map(pick))
  return {
    fcpMs: of((l) => l.fcpMs),
    lcpMs: of((l) => l.lcpMs),
    shift: of((l) => l.shift),
    jsBytes: of((l) => l.jsBytes),
    cssBytes: of((l) => l.cssBytes),
    fontBytes: of((l) => l.fontBytes),
    requests: of((l) => l.requests),
  }
}

/** What a page says, as headings and paragraphs. */
async function textOf(url: string): Promise<string> {
  const page = await browser.newPage()
  await page.goto(url)
  await page.locator('h1').first().waitFor()
  const [heading = '', ...lines] = await page.evaluate(() => {
    const said = [...document.querySelectorAll('h1, main h2, main h3, main p, main dt, main dd, main li')]
    return said.map((element) => element.textContent ?? '')
  })
  await page.close()
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<h1>${escaped(heading)}</h1>${lines.map((line) => `<p>${escaped(line)}</p>`).join('')}`
}

// The floor: what the first paint costs when there is no program at all.
const fonts = readdirSync(dist).filter((name) => firstFonts.test(name))
const faces = fonts.map((name, i) => `@font-face{font-family:F${i};src:url(/${name});font-display:swap}`).join('')
const floorOf = (text: string): string => `<!doctype html><style>${faces}h1{font:40px F0}p{font:16px F1}</style>${text}`
const floors = new Map<string, string>()
const staticPage = createServer((request, response) => {
  const font = fonts.find((name) => request.url === `/${name}`)
  if (font) return response.setHeader('content-type', 'font/woff2').end(readFileSync(new URL(font, dist)))
  return response.setHeader('content-type', 'text/html').end(floors.get(request.url ?? '') ?? '')
})
await new Promise<void>((resolve) => staticPage.listen(0, '127.0.0.1', resolve))
const address = staticPage.address()
if (address === null || typeof address === 'string') throw new Error('no port')
const otherSite = `http://other.localhost:${address.port}/link`

const server = await ParleyServer.start({ RATE_LIMIT_SCALE: '0' })
const chromiumPath = findChromium()
const browser = await chromium.launch({
  ...(chromiumPath ? { executablePath: chromiumPath } : {}),
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  for (const { path } of goals) floors.set(path, floorOf(await textOf(server.url + path)))
  const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`
  console.log(`median of ${rounds} loads without cache, CPU slowed ${slowdown} times`)
  const table: Record<string, object> = {}
  const verdicts: string[] = []
  for (const { path, mostJs, mostFcp, mostLcp, mostShift } of goals) {
    const [floor, page] = await measure([`http://localhost:${address.port}${path}`, server.url + path])
    if (!floor || !page) throw new Error('nothing was loaded')
    for (const [name, load] of Object.entries({ [`${path}, static (floor)`]: floor, [path]: page })) {
      const { fcpMs, lcpMs, shift, jsBytes, cssBytes, fontBytes, requests } = load
      table[name] = {
        FCP: `${fcpMs.toFixed(0)} ms`,
        LCP: `${lcpMs.toFixed(0)} ms`,
        shift: shift.toFixed(3),
        JS: kB(jsBytes),
        CSS: kB(cssBytes),
        fonts: kB(fontBytes),
        requests,
      }
    }
    const verdict = (name: string, value: number, most: number, shown = (n: number) => n.toFixed(2)): string =>
      `${path}: ${name} ${shown(value)} of at most ${shown(most)}: ${value <= most ? 'met' : 'NOT met'}`
    verdicts.push(
      verdict('FCP ratio', page.fcpMs / floor.fcpMs, mostFcp),
      verdict('LCP ratio', page.lcpMs / floor.lcpMs, mostLcp),
      verdict('shift', page.shift, mostShift, (n) => n.toFixed(3)),
      verdict('JS', page.jsBytes, mostJs, kB),
    )
  }
  console.table(table)
  console.log(verdicts.join('\n'))
} finally {
  await browser.close()
  staticPage.close()
  await server.remove()
}
