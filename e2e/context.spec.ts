import type { Locator, Page } from '@playwright/test'
import { deep } from './deep'
import { answers, ask, expect, networkNoise, test, untilAnswered } from './journey'
import { expectNothing } from './nothing-serious'

// In one worker: their servers are nobody else's.
test.describe.configure({ mode: 'default' })

// Loading the page anew after an import cuts what is under way.
test.use({ signedIn: true, allowedNoise: networkNoise })

/** A window that thirty long exchanges do not fit. */
const small = {
  data: [
    {
      id: 'meta-llama/llama-3.1-8b-instruct',
      name: 'Llama 3.1 8B',
      context_length: 8_192,
      pricing: { prompt: '0.00000002', completion: '0.00000003' },
    },
  ],
}

const at = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()
const exchange = (n: number) => ({
  mId: `m${String(n).padStart(3, '0')}`,
  chat_request: `Question ${n}: ${'what does this clause say '.repeat(20)}`,
  chat_response: { role: 'assistant', content: `Answer ${n}: ${'it says that the tenant pays '.repeat(20)}` },
  datetime: at(n),
})

/** Opens a chat of this device with so many exchanges, which an import brings. */
async function openLongChat(page: Page, exchanges: number): Promise<void> {
  const dates = { created_at: at(0), updated_at: at(0) }
  const file = {
    channels: [{ id: 'long', channelName: 'Lease in Vila Mariana', assistantId: null, ...dates }],
    chats: { long: Array.from({ length: exchanges }, (_, n) => exchange(n + 1)) },
    exportedAt: at(0),
    version: '1.0',
  }
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Chats menu' }).click()
  await page.getByRole('menuitem', { name: 'Import chats' }).click()
  const buffer = Buffer.from(JSON.stringify(file))
  await (await chooser).setFiles({ name: 'channels.json', mimeType: 'application/json', buffer })
  // By itself, some time after.
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Ok' }).click()
  await loaded
  await page.getByRole('link', { name: /Lease in Vila Mariana/ }).click()
  await expect(answers(page).last()).toContainText(`Answer ${exchanges}:`)
}

const gauge = (page: Page) => page.getByRole('button', { name: /^Context: \d+% of the model’s window$/ })
const details = (page: Page) => page.getByRole('dialog', { name: 'Sent with the next question' })

const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')

/**
 * Scrolls up the chat with the wheel until something of it is there: far places are not drawn. By hand, which leads
 * away from an answer that the chat follows; a program would be led back to it, in the middle of what comes next.
 */
async function scrollTo(page: Page, place: Locator): Promise<void> {
  const log = page.getByRole('log')
  const { x, y, width, height } = (await log.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + width / 2, y + height / 2)
  await expect(async () => {
    // It may have been passed over before it was there: from the beginning it goes back to the end.
    if ((await place.count()) === 0) {
      const [isAtTop, end] = await log.evaluate((list) => [list.scrollTop <= 0, list.scrollHeight] as const)
      await page.mouse.wheel(0, isAtTop ? end : -900)
    }
    await expect(place).toBeVisible({ timeout: 100 })
    // The chat may follow its answer meanwhile, and draw the place no more.
    await place.scrollIntoViewIfNeeded({ timeout: 500 })
  }).toPass({ intervals: [50] })
}

test.describe('a long chat', () => {
  test.use({ models: small })

  test('tells by keyboard how full the window is, what is sent and what is not', async ({ page }) => {
    await openLongChat(page, 30)
    await expect(gauge(page)).toHaveText(/^\d\d%$/)
    await gauge(page).focus()
    await page.keyboard.press('Enter')
    await expect(details(page)).toBeFocused()
    await expect(details(page)).toContainText(/\d+ messages are not sent/)
    await expect(details(page)).toContainText(/of 8,192 tokens/)
    await page.keyboard.press('Escape')
    await expect(details(page)).toHaveCount(0)
    await expect(gauge(page)).toBeFocused()

    // What is said since counts.
    await ask(page, 'And now?')
    await expect(answers(page).last()).toContainText('You said:')
    await untilAnswered(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await gauge(page).click()
    await expect(details(page)).toContainText(/messages, in full/)
    await expectNothing(page, 'the gauge, a sheet')
  })

  test('is summarised once after a question: a line to read and edit, and sent in place of its messages', async ({
    page,
    gateway,
  }) => {
    await openLongChat(page, 30)
    const line = page.getByRole('region', { name: 'From here on Parley sends this summary' })
    const asked = () => gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))
    gateway.next({ text: 'It depends.' })
    gateway.next({ text: 'Marina rents apartment 142. Agreed: the tenant pays. Open: the index of clause 11.' })
    await ask(page, 'And now?')
    await expect.poll(() => asked().length).toBe(2)
    expect(asked()[1]?.body.messages[0]?.content).toContain('You summarise a conversation')
    await expect(gauge(page)).toBeVisible()

    await scrollTo(page, line)
    await expect(line).toContainText('Marina rents apartment 142.')
    await expect(line).toContainText(/\d+ messages in \d+ tokens/)
    await line.getByRole('button', { name: 'Edit' }).press('Enter')
    await page.getByRole('textbox', { name: 'Summary' }).fill('Only this: the tenant pays.')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(line).toContainText('Your text')
    await expect(line).toContainText('Only this: the tenant pays.')

    await page.reload()
    gateway.next({ text: 'As agreed.' })
    await ask(page, 'So?')
    await expect(answers(page).last()).toContainText('As agreed.')
    const [, summary, taken, first] = asked().at(-1)?.body.messages ?? []
    expect(summary?.content).toContain('Only this: the tenant pays.')
    expect([taken?.role, first?.role]).toEqual(['assistant', 'user'])
    expect(asked()).toHaveLength(3)
    await gauge(page).click()
    await expect(details(page)).toContainText(/Summary of \d+ messages/)
    await page.keyboard.press('Escape')

    await page.setViewportSize({ width: 390, height: 844 })
    await scrollTo(page, line)
    await expectNothing(page, 'a summary on a phone')
  })

  test('whose summary fails says so, and offers to try again', deep, async ({ page, gateway }) => {
    await openLongChat(page, 30)
    const left = page.getByRole('region', { name: /messages are not sent/ })
    gateway.next({ text: 'It depends.' })
    gateway.next({ status: 402 })
    await ask(page, 'And now?')
    await expect(answers(page).last()).toContainText('It depends.')
    await scrollTo(page, left)
    await expect(left).toContainText('The summary could not be written.')
    gateway.next({ text: words(300), holdAfter: 20 })
    await left.getByRole('button', { name: 'Try again' }).click()
    await expect(left).toContainText('A summary is being written')
    await left.getByRole('button', { name: 'Cancel' }).click()
    await expect(left.getByRole('button', { name: 'Summarise them' })).toBeVisible()
    gateway.release()
  })
})
