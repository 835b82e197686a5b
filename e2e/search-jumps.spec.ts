import type { Page } from '@playwright/test'
import { deep } from './deep'
import { ownId } from './journey'
import { expectNothingSerious } from './nothing-serious'
import { ana, ask, countCalls, expect, signIn, signUp, test } from './people'
import { aCloudChat, distanceFromMiddle, field, log, moveToDevice, searchStatus, sidebar, walkTo } from './search-steps'

test(
  'the newest message, the open chat, and a second visit of the same message are reached as well; more hits come when asked',
  deep,
  async ({ page, server }) => {
    await signUp(server, ana)
    const texts = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [n, `needle ${n}`]))
    await aCloudChat(server, {
      name: 'many',
      channelName: 'Many',
      count: 121,
      texts: { ...texts, 120: 'the last needle' },
    })
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
  },
)

/**
 * The numbers of the questions that are drawn, in their order; without the last one of what is loaded, which is always
 * drawn.
 */
const numbersOn = (page: Page) =>
  log(page)
    .locator('[data-question]')
    .evaluateAll((questions) =>
      questions
        .map((question) => Number(/Question (\d+)/.exec(question.textContent ?? '')?.[1]))
        .slice(0, -1)
        .filter((n) => !Number.isNaN(n)),
    )

/**
 * Turns the wheel until a question, or one beyond it, is drawn. Those that are drawn have to follow each other every
 * time, but for those that are gone.
 */
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
  await aCloudChat(server, {
    name: 'deep',
    channelName: 'The deep one',
    count: 400,
    texts: { 200: 'the sunken needle' },
  })
  await signIn(page, ana)
  // A sign-in asks again for everything a moment later, and so does a connection: the readings count when both are
  // over.
  await Promise.all([page.waitForEvent('websocket'), page.reload()])
  await page.getByRole('button', { name: 'Search chats' }).click()
  await field(page).fill('needle')
  const reads = countCalls(page, `/api/chat/documents/0/50/${ownId('deep')}`)
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

test('down from an old message the chat is read to its end, and what is asked there, or farther up, is shown', async ({
  page,
  server,
}) => {
  await signUp(server, ana)
  await aCloudChat(server, {
    name: 'deep',
    channelName: 'The deep one',
    count: 180,
    texts: { 60: 'the sunken needle', 120: 'the floating needle' },
  })
  await signIn(page, ana)
  await page.getByRole('button', { name: 'Search chats' }).click()
  await field(page).fill('needle')
  await expect(sidebar(page).locator('mark').first()).toBeVisible()
  await expectNothingSerious(page, 'search', 'nav')
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
