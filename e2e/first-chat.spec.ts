import { answers, ask, composer, expect, test, untilAnswered, untilDraftIsKept } from './journey'
import { ParleyServer } from './parley-server'
import { short } from './short'

test.describe('as most people meet it: on the embedded database, with the worker that keeps the app on the device', () => {
  test.use({ storage: 'embedded', serviceWorkers: 'allow' })

  test(
    'a stranger asks, reads the answer as it streams in, and finds it again after a reload [CH-010, CH-082, CH-083, CH-084, ST-055]',
    short,
    async ({ page, gateway }) => {
      const text = 'Hello! **Parley** answers with a list:\n\n- one\n- two\n\nThat is all.'
      gateway.next({ text, holdAfter: 10 })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

      await ask(page, 'What can you do?')
      await expect(answers(page).first()).toContainText('Hello!')
      await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
      gateway.release()
      await expect(answers(page).first()).toContainText('That is all.')
      await expect(page.getByRole('listitem').filter({ hasText: /^two$/ })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()

      const row = page.getByRole('navigation').getByRole('link').filter({ hasText: 'local' })
      await expect(row).toHaveCount(1)
      await expect(page).toHaveURL(/\/app#[0-9a-f-]{36}$/)

      await page.reload()
      await expect(answers(page).first()).toContainText('That is all.')
      await expect(row).toHaveCount(1)
    },
  )
})

/** Marks the page when it ever shows a star of Markdown in an answer. */
function noteRawText(): void {
  const look = (): void => {
    const text = document.querySelector('[data-answer-text]')?.textContent ?? ''
    if (text.includes('**')) document.documentElement.dataset.wasRaw = text
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
}

test('a chat that the page opens with shows its answers as they are meant, and never as raw text first', async ({
  page,
  gateway,
}) => {
  gateway.next({ text: 'An answer, **even so**.' })
  await ask(page, 'Hello?')
  await expect(answers(page).first().locator('strong')).toHaveText('even so')
  await page.addInitScript((longestWaitMs) => {
    // The wait for what draws them has no end here, however busy the machine is.
    const setTimer = window.setTimeout.bind(window)
    window.setTimeout = ((run: () => void, ms?: number) => (ms === longestWaitMs ? 0 : setTimer(run, ms))) as never
  }, 300)
  await page.addInitScript(noteRawText)
  await page.reload()
  await expect(answers(page).first().locator('strong')).toHaveText('even so')
  await expect(page.locator('html')).not.toHaveAttribute('data-was-raw')
})

test('so does a chat that is opened in a page that began without one', async ({ page, server, gateway }) => {
  gateway.next({ text: 'An answer, **even so**.' })
  await ask(page, 'Hello?')
  await expect(answers(page).first().locator('strong')).toHaveText('even so')
  await untilAnswered(page)
  await page.addInitScript(noteRawText)
  await page.goto('about:blank')
  await page.goto(`${server.url}/app`)
  const chat = page.getByRole('link', { name: / local$/ })
  await expect(chat).toBeVisible()
  // What draws them comes when the person first moves.
  const drawing = page.waitForEvent('requestfinished', (request) => /\/markdown-[^/]*\.js$/.test(request.url()))
  await page.mouse.move(400, 300)
  await drawing
  await chat.click()
  await expect(answers(page).first().locator('strong')).toHaveText('even so')
  await expect(page.locator('html')).not.toHaveAttribute('data-was-raw')
})

/** The app's own three, four of chats, what draws Markdown, and what comes when nothing else is to be done. */
const mostScripts = 10

test('the first question brings a few scripts, the second carries the first exchange as context [ST-086]', async ({
  page,
  gateway,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  gateway.next({ text: 'The capital is Lisbon, as everybody knows.', holdAfter: 22 })
  await ask(page, 'What is the capital of Portugal?')
  await expect(answers(page).first()).toContainText('Lisbon')
  // Each is a way to the server and back, of which a browser makes six at a time. The tools of an answer are fetched
  // once it has ended.
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.length, scripts.join('\n')).toBeLessThanOrEqual(mostScripts)
  gateway.release()
  await untilAnswered(page)

  gateway.next({ text: 'About 550,000 people.' })
  await ask(page, 'How many people live there?')
  await expect(answers(page).nth(1)).toContainText('550,000')

  const sent = gateway.requests.at(-1)?.body.messages.filter(({ role }) => role !== 'system')
  expect(sent).toEqual([
    { role: 'user', content: 'What is the capital of Portugal?' },
    { role: 'assistant', content: 'The capital is Lisbon, as everybody knows.' },
    { role: 'user', content: 'How many people live there?' },
  ])
})

test('Enter sends, Shift+Enter adds a line, an empty box sends nothing, a draft survives a reload [ST-042, ST-046]', async ({
  page,
  gateway,
}) => {
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await composer(page).press('Enter')
  await composer(page).pressSequentially('first line')
  await composer(page).press('Shift+Enter')
  await composer(page).pressSequentially('second line')
  await expect(composer(page)).toHaveValue('first line\nsecond line')
  await untilDraftIsKept(page, 'new', 'first line\nsecond line')
  await page.reload()
  await expect(composer(page)).toHaveValue('first line\nsecond line')

  gateway.next({ text: 'Got both lines.' })
  await composer(page).press('Enter')
  await expect(answers(page).first()).toContainText('Got both lines.')
  expect(gateway.requests.at(-1)?.body.messages.at(-1)?.content).toBe('first line\nsecond line')
  await expect(composer(page)).toHaveValue('')
})

test('without any model the built-in answer says so and tells how to connect one', async ({ browser }) => {
  const server = await ParleyServer.start()
  try {
    const config = await (await fetch(`${server.url}/api/config`)).json()
    test.skip(config.models !== 'offline', 'a model server runs on this machine and answers instead')
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${server.url}/app`)
    await ask(page, 'Hello?')
    await expect(answers(page).first()).toContainText('LLM_API_KEY')
    await context.close()
  } finally {
    await server.remove()
  }
})

test('the menu of a chat shows where the pointer or the focus is on its row, and opens by mouse and keyboard', async ({
  page,
  gateway,
}) => {
  gateway.next({ text: 'Here.' })
  await ask(page, 'Hello?')
  await expect(answers(page).first()).toContainText('Here.')
  await untilAnswered(page)
  const menu = page.getByRole('navigation').getByRole('button', { name: /^Menu of / })
  const isShown = () => menu.evaluate((button) => button.checkVisibility({ opacityProperty: true }))
  const entry = page.getByRole('menuitem', { name: 'Rename' })
  await composer(page).hover()
  await composer(page).focus()
  await expect.poll(isShown).toBe(false)
  await page.getByRole('link', { name: / local$/ }).hover()
  await expect.poll(isShown).toBe(true)
  await menu.click()
  await expect(entry).toBeVisible()
  await page.keyboard.press('Escape')
  await composer(page).hover()
  await composer(page).focus()
  await expect.poll(isShown).toBe(false)
  await page.getByRole('link', { name: / local$/ }).focus()
  await expect.poll(isShown).toBe(true)
  await page.keyboard.press('Tab')
  await expect(menu).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(entry).toBeVisible()
})
