import type { Page } from '@playwright/test'
import { expectNothingSerious } from './nothing-serious'
import type { ParleyServer } from './parley-server'
import { ana, ask, bruno, call, chatRows, composer, countCalls, expect, otherSession, signIn, signUp, test } from './people'

const sidebar = (page: Page) => page.getByRole('navigation')
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search chats' })
const log = (page: Page) => page.getByRole('log')
const searchWorkers = (page: Page): number => page.workers().filter((worker) => worker.url().includes('search-worker')).length

type Texts = Record<number, string>

/** A cloud chat of so many messages, a minute apart; those in `texts` are about something. */
async function aCloudChat(
  server: ParleyServer,
  { id, channelName, count, texts = {} }: { id: string; channelName: string; count: number; texts?: Texts },
): Promise<void> {
  const { token } = await otherSession(server, ana)
  expect((await call(server, 'POST', '/api/channel', { token, body: { id, channelName } })).status).toBe(201)
  const messages = Array.from({ length: count }, (_, n) => ({
    mId: `${id}-${n}`,
    channelId: id,
    chat_request: texts[n] ?? `Question ${n}`,
    chat_response: { role: 'assistant', content: `Answer ${n}.\n\n${'And a sentence more. '.repeat(n % 9)}` },
    datetime: new Date(Date.UTC(2026, 2, 1, 12) + n * 60_000).toISOString(),
    status: 'completed',
  }))
  for (let from = 0; from < count; from += 200) {
    const body = { messages: messages.slice(from, from + 200) }
    expect((await call(server, 'PUT', `/api/chat/${id}/messages`, { token, body })).status).toBe(200)
  }
}

async function moveToDevice(page: Page, name: string): Promise<void> {
  await chatRows(page).filter({ hasText: name }).getByRole('link').click()
  await page.getByRole('button', { name: 'Chat tools' }).click()
  await page.getByRole('menuitem', { name: 'Move to this device' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect(chatRows(page).filter({ hasText: name }).getByText('local')).toBeVisible({ timeout: 30_000 })
}

/** How many messages were found. The list of chats beside it says when it is loading. */
const searchStatus = (page: Page) => sidebar(page).locator('[role=status]:not([aria-label])')

/** With the arrow key alone, down to the row with this text. */
async function walkTo(page: Page, text: RegExp): Promise<void> {
  let reached = ''
  for (let steps = 0; steps < 200 && !text.test(reached); steps++) {
    await page.keyboard.press('ArrowDown')
    // The focus moves with the next frame.
    reached = await page.evaluate(() => new Promise<string>((resolve) => requestAnimationFrame(() => resolve(document.activeElement?.textContent ?? ''))))
  }
  expect(reached).toMatch(text)
}

/** How far the middle of a message is from the middle of the list, in pixels. */
async function distanceFromMiddle(page: Page, text: string): Promise<number> {
  const [box, frame] = await Promise.all([log(page).locator('article').filter({ hasText: text }).boundingBox(), log(page).boundingBox()])
  return box && frame ? Math.abs(box.y + box.height / 2 - (frame.y + frame.height / 2)) : Number.POSITIVE_INFINITY
}

test('messages of both homes are found below the names, without a mouse, and far up in a long chat the message comes into the middle', async ({
  page,
  server,
}) => {
  await signUp(server, ana)
  await aCloudChat(server, { id: 'long', channelName: 'The long one', count: 160, texts: { 20: 'Onde comprar um AGULHÃO de prata?' } })
  await aCloudChat(server, { id: 'sky', channelName: 'Agulha in the sky', count: 60, texts: { 3: 'The agulha in the cloud' } })
  await signIn(page, ana)
  await moveToDevice(page, 'The long one')
  await page.getByRole('button', { name: /New chat/ }).click()
  // It takes the focus when it is drawn.
  await expect(page.getByRole('heading', { name: 'What shall we talk about?' })).toBeVisible()
  await expect(composer(page)).toBeFocused()

  await page.getByRole('button', { name: 'Search chats' }).focus()
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('agulha')
  const local = sidebar(page).getByRole('link', { name: /The long one.*AGULHÃO/ })
  const cloud = sidebar(page).getByRole('link', { name: /The agulha in the cloud/ })
  await expect(local.locator('mark')).toHaveText('AGULHÃ')
  await expect(cloud.locator('mark')).toHaveText('agulha')
  await expect(sidebar(page).getByRole('heading', { level: 3 })).toHaveText(['Search results', 'Messages'])

  await page.keyboard.press('ArrowDown')
  await expect(chatRows(page).getByRole('link', { name: /Agulha in the sky/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(local).toBeFocused()
  await page.keyboard.press('Enter')
  const wanted = log(page).locator('article').filter({ hasText: 'AGULHÃO de prata' })
  await expect(wanted).toBeFocused()
  await expect(wanted).toHaveAttribute('data-marked')
  await expect.poll(() => distanceFromMiddle(page, 'AGULHÃO de prata')).toBeLessThan(40)
  await expect(page.getByRole('status').filter({ hasText: 'The message of March 1, 2026' })).toBeAttached()
  await expect(wanted).not.toHaveAttribute('data-marked')
  expect(await distanceFromMiddle(page, 'AGULHÃO de prata')).toBeLessThan(40)
  await expect(page).toHaveURL(/\/app#long$/)

  await cloud.focus()
  await page.keyboard.press('Enter')
  await expect(log(page).locator('article').filter({ hasText: 'The agulha in the cloud' })).toBeFocused()
  await expect.poll(() => distanceFromMiddle(page, 'The agulha in the cloud')).toBeLessThan(120)
  await expect(page).toHaveURL(/\/app#sky$/)

  await page.goBack()
  await expect.poll(() => distanceFromMiddle(page, 'AGULHÃO de prata')).toBeLessThan(40)
})

test('the newest message, the open chat, and a second visit of the same message are reached as well; more hits come when asked', async ({ page, server }) => {
  await signUp(server, ana)
  const texts = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [n, `needle ${n}`]))
  await aCloudChat(server, { id: 'many', channelName: 'Many', count: 121, texts: { ...texts, 120: 'the last needle' } })
  await signIn(page, ana)
  await moveToDevice(page, 'Many')
  await page.getByRole('button', { name: 'Search chats' }).click()
  await field(page).fill('needle')
  await expect(sidebar(page).locator('mark').first()).toBeVisible()
  await expectNothingSerious(page, 'search', 'nav')
  await sidebar(page)
    .getByRole('link', { name: /the last needle/ })
    .click()
  await expect(log(page).locator('article').filter({ hasText: 'the last needle' })).toBeInViewport()

  const other = sidebar(page).getByRole('link', { name: /needle 65/ })
  const message = log(page).locator('article').filter({ hasText: 'needle 65' })
  await other.click()
  await expect.poll(() => distanceFromMiddle(page, 'needle 65')).toBeLessThan(40)
  await page.getByRole('button', { name: 'Jump to the latest message' }).click()
  await expect(message).not.toBeInViewport()
  await other.click()
  await expect(message).toBeInViewport()

  const status = searchStatus(page)
  await expect(status).toHaveText('50 messages found')
  await other.focus()
  await walkTo(page, /^Show more$/)
  await page.keyboard.press('Enter')
  await expect(status).toHaveText('71 messages found')
})

/** The numbers of the questions that are drawn, in their order; without the last one of what is loaded, which is always drawn. */
const numbersOn = (page: Page) =>
  log(page)
    .locator('[data-question]')
    .evaluateAll((questions) =>
      questions
        .map((question) => Number(/Question (\d+)/.exec(question.textContent ?? '')?.[1]))
        .slice(0, -1)
        .filter((n) => !Number.isNaN(n)),
    )

/** Turns the wheel until a question, or one beyond it, is drawn. Those that are drawn have to follow each other every time, but for those that are gone. */
async function wheelTo(page: Page, wanted: number, step: number, gone: readonly number[]): Promise<void> {
  await log(page).hover()
  await expect(async () => {
    await page.mouse.wheel(0, step)
    const numbers = await numbersOn(page)
    for (const [index, n] of numbers.slice(0, -1).entries()) {
      let next = n + 1
      while (gone.includes(next)) next++
      expect(numbers[index + 1]).toBe(next)
    }
    if (step < 0) expect(Math.min(...numbers)).toBeLessThanOrEqual(wanted)
    else expect(Math.max(...numbers)).toBeGreaterThanOrEqual(wanted)
  }).toPass({ intervals: [30], timeout: 30_000 })
}

test('far back in a long cloud chat the message is there at once, what stands around it is read on in both directions, and the newest are one step away', async ({
  page,
  server,
}) => {
  await signUp(server, ana)
  await aCloudChat(server, { id: 'deep', channelName: 'The deep one', count: 400, texts: { 200: 'the sunken needle' } })
  await signIn(page, ana)
  // A sign-in asks again for everything a moment later, and so does a connection: the readings count when both are over.
  await Promise.all([page.waitForEvent('websocket'), page.reload()])
  await page.getByRole('button', { name: 'Search chats' }).click()
  await field(page).fill('needle')
  const reads = countCalls(page, '/api/chat/documents/0/50/deep')
  await sidebar(page)
    .getByRole('link', { name: /the sunken needle/ })
    .click()
  const wanted = log(page).locator('article').filter({ hasText: 'the sunken needle' })
  await expect(wanted).toBeFocused()
  await expect.poll(() => distanceFromMiddle(page, 'the sunken needle')).toBeLessThan(40)
  expect(reads()).toBeLessThanOrEqual(2)

  // What was around it stays when the message itself is gone.
  await wanted.hover()
  await wanted.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect(wanted).toHaveCount(0)
  await expect(log(page).getByText('Question 201', { exact: true })).toBeInViewport()

  await wheelTo(page, 140, -900, [200])
  await wheelTo(page, 260, 900, [200])
  const latest = page.getByRole('button', { name: 'Jump to the latest message' })
  await latest.click()
  await expect(log(page).getByText('Question 399', { exact: true })).toBeInViewport()
  await expect(latest).toHaveCount(0)
})

test('down from an old message the chat is read to its end, and what is asked there, or farther up, is shown', async ({ page, server }) => {
  await signUp(server, ana)
  await aCloudChat(server, { id: 'deep', channelName: 'The deep one', count: 180, texts: { 60: 'the sunken needle', 120: 'the floating needle' } })
  await signIn(page, ana)
  await page.getByRole('button', { name: 'Search chats' }).click()
  await field(page).fill('needle')
  const hit = (name: RegExp) => sidebar(page).getByRole('link', { name })
  const wanted = (text: string) => log(page).locator('article').filter({ hasText: text })
  await hit(/the sunken needle/).click()
  await expect(wanted('the sunken needle')).toBeFocused()
  await wheelTo(page, 178, 900, [60, 120])
  await ask(page, 'Asked at the end')
  await expect(wanted('Asked at the end')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Jump to the latest message' })).toHaveCount(0)

  await hit(/the floating needle/).click()
  await expect.poll(() => distanceFromMiddle(page, 'the floating needle')).toBeLessThan(40)
  await hit(/the sunken needle/).click()
  await expect.poll(() => distanceFromMiddle(page, 'the sunken needle')).toBeLessThan(40)
  await ask(page, 'Asked far up')
  await expect(wanted('Asked far up')).toBeInViewport()
  await expect(wanted('Asked at the end')).toHaveCount(1)
})

test('all that the cloud found comes when asked; a chat that somebody shares is searched as well, one that is not is not', async ({ page, server }) => {
  await signUp(server, ana)
  await signUp(server, bruno)
  const needles = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [n, `needle ${n}`]))
  await aCloudChat(server, { id: 'shared', channelName: 'Shared plans', count: 120, texts: needles })
  await aCloudChat(server, { id: 'secret', channelName: 'Secret', count: 1, texts: { 0: 'a secret needle' } })
  const { token } = await otherSession(server, ana)
  const { url } = await (await call(server, 'POST', '/api/channel/shared/invitations', { token, body: { role: 'read' } })).json()
  const { token: his } = await otherSession(server, bruno)
  expect((await call(server, 'POST', `/api/invitations/${url.split('/').at(-1)}/accept`, { token: his })).status).toBe(200)

  await signIn(page, bruno)
  await page.getByRole('button', { name: 'Search chats' }).click()
  await field(page).fill('needle')
  const status = searchStatus(page)
  await expect(status).toHaveText('50 messages found')
  for (const count of ['100', '120']) {
    await field(page).focus()
    await walkTo(page, /^Show more$/)
    await page.keyboard.press('Enter')
    await expect(status).toHaveText(`${count} messages found`)
  }
  await expect(sidebar(page).getByRole('button', { name: 'Show more' })).toHaveCount(0)
  await field(page).focus()
  await walkTo(page, /^Shared plans.*needle 0\s/)
  await page.keyboard.press('Enter')
  await expect(log(page).locator('article').filter({ hasText: 'needle 0' })).toBeFocused()
  await field(page).fill('secret needle')
  await expect(sidebar(page).getByText('No message has these words.')).toBeVisible()
})

test('what was looked for is gone with the person: nothing is found after logging out', async ({ page, server }) => {
  await signUp(server, ana)
  await aCloudChat(server, { id: 'mine', channelName: 'Mine', count: 3, texts: { 1: 'my secret needle' } })
  await signIn(page, ana)
  await moveToDevice(page, 'Mine')
  await page.getByRole('button', { name: 'Search chats' }).click()
  await field(page).fill('secret')
  await expect(sidebar(page).getByRole('link', { name: /my secret needle/ })).toBeVisible()
  expect(searchWorkers(page)).toBe(1)
  await page.getByRole('button', { name: /: Account$/ }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page.locator('header').getByRole('button', { name: 'Sign In' })).toBeVisible()
  await expect.poll(() => searchWorkers(page)).toBe(0)
  await expect(page.getByRole('searchbox')).toHaveCount(0)
})
