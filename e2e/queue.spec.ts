import type { Page } from '@playwright/test'
import type { GatewayStandIn } from '../apps/server/src/testing/gateway-stand-in'
import { deep } from './deep'
import { answers, ask, composer, expect, secondTab, test } from './journey'
import { expectNothing } from './nothing-serious'

const phone = { width: 390, height: 844 }
const desk = { width: 1440, height: 900 }
const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
const waiting = (page: Page) => page.locator('[data-queued]')
const questions = (page: Page) => page.locator('[data-question]')
const sendNow = (page: Page) => page.getByRole('button', { name: 'Send now', exact: true })

const asked = ({ requests }: GatewayStandIn) =>
  requests.flatMap(({ path, body }) => (path.endsWith('/chat/completions') ? [body.messages.at(-1)?.content] : []))

async function queue(page: Page, question: string): Promise<void> {
  await composer(page).fill(question)
  await composer(page).press('Enter')
  await expect(composer(page)).toHaveValue('')
}

test('by keyboard: questions queue while an answer is written, are edited, and go out in their order', async ({
  page,
  gateway,
}) => {
  gateway.next({ text: words(60), holdAfter: 20 })
  await ask(page, 'The first question')
  await expect(answers(page).first()).toContainText('w5')
  await queue(page, 'The second question')
  await queue(page, 'The third question')
  await expect(waiting(page)).toHaveCount(1)
  await expect(waiting(page)).toContainText('The second question')
  await page.getByRole('button', { name: 'and 1 more' }).press('Enter')
  await expect(waiting(page)).toHaveCount(2)
  await expectNothing(page, 'the queue')
  await page.setViewportSize(phone)
  await expect(waiting(page)).toHaveCount(2)
  await expectNothing(page, 'the queue on a phone')
  await page.setViewportSize(desk)

  await composer(page).press('ArrowUp')
  await expect(composer(page)).toHaveValue('The second question')
  await expect(waiting(page)).toHaveCount(1)
  await composer(page).press('End')
  await composer(page).pressSequentially(', in short')
  await composer(page).press('Enter')
  await expect(waiting(page).first()).toContainText('The second question, in short')
  expect(asked(gateway)).toEqual(['The first question'])

  gateway.next({ text: 'Second answer.' })
  gateway.next({ text: 'Third answer.' })
  gateway.release()
  await expect(answers(page).nth(2)).toContainText('Third answer.', { timeout: 20_000 })
  await expect(questions(page)).toHaveText([
    /The first question/,
    /The second question, in short/,
    /The third question/,
  ])
  await expect(waiting(page)).toHaveCount(0)
  expect(asked(gateway)).toEqual(['The first question', 'The second question, in short', 'The third question'])
})

test('Ctrl Shift Enter interrupts the answer and sends', deep, async ({ page, gateway }) => {
  gateway.next({ text: words(200), holdAfter: 20 })
  await ask(page, 'A long answer, please')
  await expect(answers(page).first()).toContainText('w5')
  gateway.next({ text: 'Of course.' })
  await composer(page).fill('Never mind: a short one')
  await composer(page).press('Control+Shift+Enter')
  await expect(answers(page).nth(1)).toContainText('Of course.', { timeout: 20_000 })
  await expect(answers(page).first()).toContainText('Stopped by you')
})

test('a queue survives a reload, and one of two tabs sends it, once', async ({ page, context, gateway }) => {
  gateway.next({ text: words(60), holdAfter: 20 })
  await ask(page, 'The first question')
  await expect(answers(page).first()).toContainText('w5')
  await queue(page, 'The second question')
  await queue(page, 'The third question')
  await page.reload()
  await expect(waiting(page)).toContainText('The second question')
  const other = await secondTab(context, page)
  await expect(waiting(other)).toContainText('The second question')
  gateway.next({ text: 'Second answer.' })
  gateway.next({ text: 'Third answer.' })
  gateway.release()
  for (const tab of [page, other]) {
    await expect(answers(tab).nth(2)).toContainText('Third answer.', { timeout: 20_000 })
    await expect(questions(tab)).toHaveCount(3)
    await expect(waiting(tab)).toHaveCount(0)
  }
  await page.reload()
  await expect(questions(page)).toHaveText([/The first question/, /The second question/, /The third question/])
  expect(asked(gateway)).toHaveLength(3)
})

test('a queue whose tab is closed is sent by the tab that stays', async ({ page, context, gateway }) => {
  gateway.next({ text: words(60), holdAfter: 20 })
  await ask(page, 'The first question')
  await expect(answers(page).first()).toContainText('w5')
  const other = await secondTab(context, page)
  await queue(page, 'The second question')
  await expect(waiting(other)).toContainText('The second question')
  await page.close()
  gateway.next({ text: 'Second answer.' })
  gateway.release()
  await expect(answers(other).nth(1)).toContainText('Second answer.', { timeout: 20_000 })
  await expect(questions(other)).toHaveCount(2)
})

test(
  'after a refused answer the queue waits and says why, until it is sent by hand',
  deep,
  async ({ page, gateway }) => {
    gateway.next({ text: words(60), holdAfter: 20 })
    await ask(page, 'The first question')
    await expect(answers(page).first()).toContainText('w5')
    await queue(page, 'The second question')
    gateway.next({ status: 402 })
    await queue(page, 'The third question')
    gateway.release()
    await expect(page.getByText('It waits, because the answer before it failed.')).toBeVisible({ timeout: 20_000 })
    await expect(waiting(page)).toContainText('The third question')
    gateway.next({ text: 'Third answer.' })
    await sendNow(page).click()
    await expect(answers(page).nth(2)).toContainText('Third answer.', { timeout: 20_000 })
  },
)

test.describe('in the cloud', () => {
  test.use({ signedIn: true })

  test('what is queued goes out in its order too', async ({ page, gateway }) => {
    await page.getByRole('button', { name: /Where the chat is kept/ }).click()
    await page.getByRole('menuitem', { name: /cloud/i }).click()
    gateway.next({ text: words(60), holdAfter: 20 })
    await ask(page, 'The first question')
    await expect(answers(page).first()).toContainText('w5')
    await queue(page, 'The second question')
    gateway.next({ text: 'Second answer.' })
    gateway.release()
    await expect(answers(page).nth(1)).toContainText('Second answer.', { timeout: 20_000 })
    await page.reload()
    await expect(questions(page)).toHaveText([/The first question/, /The second question/])
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: phone })

  test('Send now and Edit are in a menu, and nothing is wider than the screen', async ({ page, gateway }) => {
    gateway.next({ text: words(60), holdAfter: 20 })
    await ask(page, 'The first question')
    await expect(answers(page).first()).toContainText('w5')
    await queue(page, 'A second question that is much longer than what a narrow screen has room for in one line')
    await expect(sendNow(page)).toHaveCount(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.getByRole('button', { name: 'Send now or edit' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expect(composer(page)).toHaveValue(/^A second question/)
    await expect(composer(page)).toBeFocused()
    await expect(waiting(page)).toHaveCount(0)
  })
})
