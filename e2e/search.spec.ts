import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { ParleyServer } from './parley-server'
import { ana, call, chatRows, expect, otherSession, signIn, signUp, test } from './people'

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
  await aCloudChat(server, { id: 'long', channelName: 'The long one', count: 400, texts: { 20: 'Onde comprar um AGULHÃO de prata?' } })
  await aCloudChat(server, { id: 'sky', channelName: 'Agulha in the sky', count: 150, texts: { 3: 'The agulha in the cloud' } })
  await signIn(page, ana)
  await moveToDevice(page, 'The long one')
  await page.getByRole('button', { name: /New chat/ }).click()

  await page.getByRole('button', { name: 'Search chats' }).focus()
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('agulha')
  const local = sidebar(page).getByRole('link', { name: /The long one/ })
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

async function expectNothingSerious(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include('nav').withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
}

test('the newest message, the open chat, and a second visit of the same message are reached as well; more hits come when asked', async ({ page, server }) => {
  await signUp(server, ana)
  const texts = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [n, `needle ${n}`]))
  await aCloudChat(server, { id: 'many', channelName: 'Many', count: 121, texts: { ...texts, 120: 'the last needle' } })
  await signIn(page, ana)
  await moveToDevice(page, 'Many')
  await page.getByRole('button', { name: 'Search chats' }).click()
  await field(page).fill('needle')
  await expect(sidebar(page).locator('mark').first()).toBeVisible()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectNothingSerious(page)
  }
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

  const status = sidebar(page).getByRole('status')
  await expect(status).toHaveText('50 messages found')
  await other.focus()
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(sidebar(page).getByRole('button', { name: 'Show more' })).toBeFocused({ timeout: 100 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(status).toHaveText('71 messages found')
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
