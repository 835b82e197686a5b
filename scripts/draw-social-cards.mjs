// node scripts/draw-social-cards.mjs: draws the pictures that stand beside a shared link, one a language, from the
// landing page's texts and the tokens, into apps/web/public/site. They are committed: whoever builds needs no browser.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { findChromium } from './chromium.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...path) => join(root, ...path)
const font = (name) =>
  pathToFileURL(at('node_modules/@fontsource-variable', name, 'files', `${name}-latin-wght-normal.woff2`)).href

const card = ({ home }) => `<!doctype html><meta charset="utf-8"><style>
  @font-face { font-family: 'Bricolage Grotesque Variable'; font-weight: 200 800; src: url('${font('bricolage-grotesque')}') }
  @font-face { font-family: 'Instrument Sans Variable'; font-weight: 400 700; src: url('${font('instrument-sans')}') }
  ${readFileSync(at('apps/web/src/ui/tokens.css'), 'utf8')}
  body { margin: 0; width: 1200px; height: 630px; background: var(--canvas); color: var(--ink); font-family: var(--font-sans);
    display: flex; flex-direction: column; justify-content: space-between; box-sizing: border-box; padding: 72px 80px; overflow: hidden }
  .logo { display: flex; align-items: center; gap: 16px; font: 680 40px var(--font-display); letter-spacing: -0.03em }
  .logo svg { width: 44px; color: var(--brand) }
  h1 { margin: 0; font: 680 88px/1.04 var(--font-display); letter-spacing: -0.035em }
  p { margin: 0; align-self: flex-start; display: flex; gap: 14px; align-items: center; padding: 16px 26px; border-radius: 999px; background: var(--local-soft);
    color: var(--local); font-size: 28px; font-weight: 600 }
  p svg { width: 26px }
</style><div class="logo"><svg viewBox="0 0 24 24"><path d="M4 3h10a6 6 0 0 1 0 12H9l-5 5z" fill="currentColor"/><path d="M20 9.5V21l-4.2-3.6" fill="none"
  stroke="currentColor" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"/></svg>Parley</div>
<h1>${home.heading.join('<br>')}</h1>
<p><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round"><rect width="18" height="11" x="3" y="11" rx="2"/>
  <path d="M7 11V7a5 5 0 0 1 10 0v4"/></svg>${home.badge}</p>`

const program = findChromium()
const browser = await chromium.launch({ ...(program ? { executablePath: program } : {}), args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
const sheet = join(tmpdir(), `parley-card-${process.pid}.html`)
const texts = at('apps/web/src/site/texts')
mkdirSync(at('apps/web/public/site'), { recursive: true })
for (const file of readdirSync(texts)) {
  writeFileSync(sheet, card(JSON.parse(readFileSync(join(texts, file), 'utf8'))))
  await page.goto(pathToFileURL(sheet).href)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: at('apps/web/public/site', `card.${basename(file, '.json')}.png`) })
}
rmSync(sheet)
await browser.close()
