import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { answers, composer, expect, newChat, test, untilDraftIsKept } from './journey'

// What stands in the page before the app runs. The service worker would give it the app's files at once.
test.use({ serviceWorkers: 'block' })

/** Opens a page whose app does not start before the answer is called. */
async function openWithoutApp(page: Page, address: string): Promise<() => Promise<void>> {
  let release = (): void => undefined
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.context().route(/\/assets\/app-.*\.(?:js|css)$/, async (route) => {
    await isReleased
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'commit' })
  return async () => {
    release()
    await expect(page.locator('[data-first-screen]')).toHaveCount(0)
  }
}

const headline = (page: Page) => page.getByRole('heading', { level: 1 })

for (const [size, viewport] of [
  ['a wide', { width: 1440, height: 900 }],
  ['a narrow', { width: 390, height: 844 }],
] as const) {
  test.describe(`on ${size} screen`, () => {
    test.use({ viewport })

    test('headline and box are there before any script of the app has run, and stay where they are', async ({
      page,
      server,
    }) => {
      const start = await openWithoutApp(page, `${server.url}/app`)
      await expect(headline(page)).toHaveText('What shall we talk about?')
      // What the first frame waits for is there: else it would wait for the whole page.
      const awaited = await page.locator('head link[rel=expect]').getAttribute('href')
      await expect(page.locator(awaited ?? 'none')).toHaveCount(1)
      await expect(composer(page), 'whoever has a mouse can type at once').toBeFocused()
      await page.evaluate(() => document.fonts.ready)
      const corners = async () => {
        const boxes = [await headline(page).boundingBox(), await composer(page).boundingBox()]
        return boxes.flatMap((box) => [box?.x ?? 0, box?.y ?? 0])
      }
      const before = await corners()
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
      await start()
      for (const [index, at] of (await corners()).entries()) expect(at).toBeCloseTo(before[index] ?? 0, 0)
    })
  })
}

const suggestions = (page: Page) => page.locator('[data-first-screen] ul')

for (const [locale, width] of [
  ['en-US', 1440],
  ['fil-PH', 1440],
  ['pt-BR', 390],
] as const)
  test(`on a first visit the suggestions follow the first frame, and nothing moves: ${locale} at ${width}`, async ({
    browser,
    server,
  }) => {
    const context = await browser.newContext({ locale, viewport: { width, height: 844 } })
    const page = await context.newPage()
    await page.addInitScript(withholdPaints)
    const start = await openWithoutApp(page, `${server.url}/app`)
    const places = async () => [await headline(page).boundingBox(), await page.locator('main textarea').boundingBox()]
    await page.evaluate(() => document.fonts.ready)
    await expect(suggestions(page).locator('b').first()).toBeHidden()
    const before = await places()
    await page.evaluate(() => dispatchEvent(new Event('test-frames')))
    await expect(suggestions(page).locator('b').first()).toBeVisible()
    expect(await places()).toEqual(before)
    await start()
    await expect(page.locator('main ul button')).toHaveCount(4)
    const after = await places()
    for (const [index, place] of before.entries()) expect(after[index]?.y).toBeCloseTo(place?.y ?? 0, 0)
    await context.close()
  })

test('what is typed before the app is there goes on in it, with the cursor where it was', async ({ page, server }) => {
  const start = await openWithoutApp(page, `${server.url}/app`)
  await composer(page).click()
  await page.keyboard.type('Hello word')
  await page.keyboard.press('ArrowLeft')
  await start()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('l')
  await expect(composer(page)).toHaveValue('Hello world')
  await untilDraftIsKept(page, 'new', 'Hello world')
  await page.reload()
  await expect(composer(page)).toHaveValue('Hello world')
})

test('whoever has clicked into the empty box loses no key while the app takes over', async ({ page, server }) => {
  await page.addInitScript(() => {
    // In the task in which the first screen goes.
    new MutationObserver(() => {
      const isThere = document.querySelector('[data-first-screen]') !== null
      if (isThere) document.documentElement.dataset.had = ''
      else if (document.documentElement.dataset.had === '')
        document.documentElement.dataset.had = String(document.activeElement?.matches('[data-composer]'))
    }).observe(document, { subtree: true, childList: true })
  })
  const start = await openWithoutApp(page, `${server.url}/app`)
  await composer(page).click()
  await start()
  await expect(page.locator('html')).toHaveAttribute('data-had', 'true')
  await page.keyboard.type('Hello')
  await expect(composer(page)).toHaveValue('Hello')
})

test('a question that is sent before the app is there is asked, once', async ({ page, server, gateway }) => {
  const start = await openWithoutApp(page, `${server.url}/app`)
  gateway.next({ text: 'Already here.' })
  await composer(page).click()
  await page.keyboard.type('Are you there?')
  await page.keyboard.press('Enter')
  await start()
  await expect(answers(page).first()).toContainText('Already here.')
  expect(gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
})

/** Keeps from a page that its frames are drawn, until `test-frames`. */
const withholdPaints = (): void => {
  const Observer = globalThis.PerformanceObserver
  globalThis.PerformanceObserver = class extends Observer {
    constructor(callback: PerformanceObserverCallback) {
      const isDrawn = new Promise((resolve) => addEventListener('test-frames', resolve))
      super((list, observer) => isDrawn.then(() => callback(list, observer)))
    }
  }
}

/** The same of a browser that tells nothing of its paints. */
const withholdFrames = (): void => {
  Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { value: [] })
  const waiting: FrameRequestCallback[] = []
  const draw = globalThis.requestAnimationFrame
  globalThis.requestAnimationFrame = (callback) => waiting.push(callback)
  addEventListener('test-frames', () => {
    globalThis.requestAnimationFrame = draw
    for (const callback of waiting) draw(callback)
  })
}

for (const [kind, withhold] of [
  ['that tells when it has painted', withholdPaints],
  ['that does not', withholdFrames],
] as const)
  test(`on a first visit also one that is sent before any frame was drawn: in a browser ${kind}`, async ({
    browser,
    server,
    gateway,
  }) => {
    const context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    await page.addInitScript(withhold)
    await page.goto(`${server.url}/app`, { waitUntil: 'load' })
    gateway.next({ text: 'So soon.' })
    await composer(page).fill('Are you there?')
    await composer(page).press('Enter')
    await expect(composer(page)).toHaveValue('Are you there?')
    await expect(page.locator('[data-first-screen]')).toHaveCount(1)
    await expect(page.locator('link[rel=modulepreload]'), 'nothing of the app is fetched before').toHaveCount(0)
    await page.evaluate(() => dispatchEvent(new Event('test-frames')))
    await expect(answers(page).first()).toContainText('So soon.')
    await context.close()
  })

test('on a first visit in a tab that nobody sees the app is there when somebody looks', async ({ browser, server }) => {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  // Such a tab draws no frame, and tells of no paint.
  await page.addInitScript(() => {
    Object.defineProperties(document, { hidden: { get: () => true }, visibilityState: { get: () => 'hidden' } })
    globalThis.requestAnimationFrame = () => 0
    PerformanceObserver.prototype.observe = () => undefined
  })
  await page.goto(`${server.url}/app`)
  await expect(page.locator('[data-first-screen]')).toHaveCount(0)
  await expect(headline(page)).toHaveText('What shall we talk about?')
  await context.close()
})

for (const [locale, colorScheme, title] of [
  ['pt-BR', 'dark', 'Sobre o que vamos conversar?'],
  ['de-DE', 'light', 'What shall we talk about?'],
] as const)
  test(`on a first visit it needs no script: in ${locale}`, async ({ browser, server }) => {
    const context = await browser.newContext({ locale, colorScheme, javaScriptEnabled: false })
    const visitor = await context.newPage()
    await visitor.goto(`${server.url}/app`)
    await expect(headline(visitor)).toHaveText(title)
    await expect(composer(visitor)).toBeVisible()
    const background = await visitor.evaluate(() => getComputedStyle(document.body).backgroundColor)
    // A script before the end of what is shown, or one that is no asynchronous module, is run before the first frame.
    const end = (await visitor.locator('head link[rel=expect]').getAttribute('href'))?.slice(1)
    expect(end).toBeDefined()
    const early = await visitor.evaluate((id) => {
      const [shown, ...code] = [
        '[data-first-screen]',
        'script:not([type="application/json"])',
        'link[rel=preload]',
      ].map((selector) => [...document.querySelectorAll(selector)])
      const isBehind = (element: Element): boolean =>
        ((document.getElementById(id)?.compareDocumentPosition(element) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
      const isLate = (element: Element): boolean =>
        isBehind(element) &&
        (element.tagName !== 'SCRIPT' || (element.matches('[type=module]') && element.matches('[async]')))
      return { shown: shown?.filter(isBehind).length, code: code.map((each) => [each.length > 0, each.every(isLate)]) }
    }, end ?? '')
    expect(early).toEqual({
      shown: 0,
      code: [
        [true, true],
        [true, true],
      ],
    })
    await context.close()

    const running = await browser.newContext({ locale, colorScheme })
    const other = await running.newPage()
    const start = await openWithoutApp(other, `${server.url}/app`)
    await expect(headline(other)).toHaveText(title)
    await expect(other.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await other.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background)
    await start()
    await expect(headline(other)).toHaveText(title)
    await running.close()
  })

test('whoever has been here gets what they chose, also when the cookie that says so is gone', async ({
  page,
  server,
  context,
}) => {
  await newChat(page)
  const withoutCookie = async (change: () => void, address = '/app'): Promise<() => Promise<void>> => {
    await page.evaluate(change)
    await page.goto('about:blank')
    await context.clearCookies({ name: 'parley-visited' })
    return openWithoutApp(page, `${server.url}${address}`)
  }
  await withoutCookie(() => {
    localStorage.setItem('language', 'es-ES')
    localStorage.setItem('parley-theme', 'dark')
  })
  await expect(headline(page)).toHaveText('¿De qué hablamos?')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es-ES')

  await withoutCookie(() => undefined, '/app#some-channel')
  await expect(page.locator('[data-first-screen]')).toBeVisible()
  await expect(headline(page)).toBeHidden()

  await withoutCookie(() => localStorage.setItem('parley-locked', '1'))
  await expect(page.locator('[data-first-screen]')).toBeHidden()
})

test('it is in the language, with the sidebar and of the page that the app will show', async ({ page, server }) => {
  await newChat(page)
  await page.evaluate(() => {
    localStorage.setItem('language', 'pt-BR')
    localStorage.setItem('left-bar-open', 'false')
  })
  await openWithoutApp(page, `${server.url}/app`)
  await expect(headline(page)).toHaveText('Sobre o que vamos conversar?')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('pt-BR')
  await expect(page.getByText('Nova conversa')).toHaveCount(0)

  await page.goto(`${server.url}/app#some-channel`, { waitUntil: 'commit' })
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('[data-first-screen]')).toBeVisible()
  await expect(headline(page)).toBeHidden()
})
