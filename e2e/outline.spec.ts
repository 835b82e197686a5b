import type { Page } from '@playwright/test'
import { askByProgram } from './ask-by-program'
import { deep } from './deep'
import { answers, ask, composer, expect, ownId, secondTab, test, untilAnswered } from './journey'
import { expectNothing } from './nothing-serious'
import type { ParleyServer } from './parley-server'
import { ana, countCalls, otherSession, toastWith } from './people'
import { aCloudChat, log } from './search-steps'

test.use({ signedIn: true })

const exchange = (page: Page, text: string) => log(page).locator('article').filter({ hasText: text })
const newBelow = (page: Page, count: number) => page.getByRole('button', { name: `${count} new below` })
const newLine = (page: Page) => log(page).locator('[data-new-line]')
const long = (topic: string) => Array.from({ length: 40 }, (_, n) => `Paragraph ${n} about ${topic}.`).join('\n\n')

/** How many questions of this device wait for the end of their answers. */
const answersToCome = (page: Page) =>
  page.evaluate(async () => {
    const name = (await indexedDB.databases())
      .map((each) => each.name ?? '')
      .find((each) => /^parley-[^-]+-/.test(each))
    const opening = indexedDB.open(name ?? '')
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const counting = db.transaction('outbox').objectStore('outbox').count()
    const count = await new Promise<number>((resolve) => {
      counting.onsuccess = () => resolve(counting.result)
    })
    db.close()
    return count
  })

test('Alt Shift and the arrows go from question to question, over pages that are not loaded yet', async ({
  page,
  server,
}) => {
  // The account of `signedIn`.
  await aCloudChat(server, { name: 'long', channelName: 'The long one', count: 130 })
  await page.reload()
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /The long one/ })
    .click()
  await expect(exchange(page, 'Question 129')).toBeInViewport()
  await composer(page).focus()
  for (let n = 129; n >= 70; n--) {
    await page.keyboard.press('Alt+Shift+ArrowUp')
    await expect(exchange(page, `Question ${n}`).first()).toBeFocused()
  }
  await expect(exchange(page, 'Question 70').first()).toBeInViewport()
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await expect(exchange(page, 'Question 71').first()).toBeFocused()
})

test(
  'what comes below while one reads farther up is counted, and one step away',
  deep,
  async ({ page, context, gateway }) => {
    gateway.next({ text: long('the first') })
    await ask(page, 'The first')
    await expect(log(page).getByText('Paragraph 39 about the first.')).toBeInViewport()
    const other = await secondTab(context, page)
    await expect(answers(other).first()).toContainText('Paragraph 39')

    await log(page).evaluate((list) => list.scrollTo(0, 0))
    gateway.next({ text: long('the second') })
    await ask(other, 'The second')
    await expect(newBelow(page, 1)).toBeVisible()
    await expect(log(other).getByText('Paragraph 39 about the second.')).toBeAttached()
    gateway.next({ text: long('the third') })
    await ask(other, 'The third')
    await expect(newBelow(page, 2)).toBeVisible()
    await expect(log(page).getByText('Paragraph 0 about the first.')).toBeInViewport()

    await newBelow(page, 2).press('Enter')
    await expect(exchange(page, 'The second')).toBeFocused()
    await expect(log(page).getByText('Paragraph 0 about the second.')).toBeInViewport()
    await expect(newBelow(page, 1)).toBeVisible()
    await newBelow(page, 1).click()
    await expect(exchange(page, 'The third')).toBeFocused()
    await expect(page.getByRole('button', { name: /new below/ })).toHaveCount(0)
  },
)

test('a line stands above what came since one last looked: an answer that ended elsewhere', async ({
  page,
  gateway,
}) => {
  gateway.next({ text: long('the first'), holdAfter: 20 })
  await ask(page, 'The first')
  await expect(answers(page).first()).toContainText('Paragraph 0')
  await expect(newLine(page)).toHaveCount(0)
  const chat = new URL(page.url()).hash
  await page.getByRole('button', { name: /New chat/ }).click()
  await expect(answers(page)).toHaveCount(0)
  gateway.release()
  await expect.poll(() => answersToCome(page)).toBe(0)
  await page.getByRole('navigation').locator(`a[href$="${chat}"]`).click()
  await expect(log(page).getByText('Paragraph 39 about the first.')).toBeInViewport()
  await expect(newLine(page)).toHaveText('New')
  // Looked at: the next visit has nothing new.
  await page.getByRole('button', { name: /New chat/ }).click()
  await page.getByRole('navigation').locator(`a[href$="${chat}"]`).click()
  await expect(log(page).getByText('Paragraph 39 about the first.')).toBeInViewport()
  await expect(newLine(page)).toHaveCount(0)
})

const panel = (page: Page) => page.getByRole('complementary', { name: 'Outline' })
const tree = (page: Page) => page.getByRole('tree', { name: 'Questions of this chat' })
const row = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name })
const active = (page: Page) => tree(page).getByRole('treeitem', { selected: true })

/** A chat in the cloud with 24 questions, and two more versions of the 23rd; the reader is at the last one. */
async function aBranchedChat(server: ParleyServer): Promise<void> {
  await aCloudChat(server, { name: 'lease', channelName: 'The lease', count: 24, texts: { 22: 'May I sublet it?' } })
  const { token } = await otherSession(server, ana)
  const room = await askByProgram(server, token, ownId('lease'), 'May I sublet a room?', `${ownId('lease')}-21`)
  await askByProgram(server, token, ownId('lease'), 'And the garage?', room)
  await askByProgram(server, token, ownId('lease'), 'Posso sublocar?', `${ownId('lease')}-21`)
}

async function openLease(page: Page): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/app#${ownId('lease')}`)
  await page.reload()
  await expect(log(page).locator('article').first()).toBeVisible()
  await composer(page).focus()
}

test('by keyboard: the outline shows every question as a tree, goes to each, and back to the main line', async ({
  page,
  server,
}) => {
  await aBranchedChat(server)
  await openLease(page)
  await expect(page.getByRole('button', { name: 'Outline', exact: true })).toBeVisible()
  await page.keyboard.press('Control+Shift+O')
  await expect(tree(page)).toBeFocused()
  await expect(panel(page)).toContainText('27 questions, 1 with versions')
  await expect(active(page)).toHaveCount(1)

  await page.keyboard.press('Home')
  await expect(active(page)).toHaveAccessibleName(/^1, Question 0/)
  await page.keyboard.press('Enter')
  await expect(exchange(page, 'Question 0').first()).toBeFocused()
  await expect(row(page, /^1, Question 0/)).toHaveAttribute('aria-current', 'true')

  // To the fork, which is unfolded where the reader's path has its last one.
  await tree(page).focus()
  await page.keyboard.press('Home')
  for (let n = 0; n < 22; n++) await page.keyboard.press('ArrowDown')
  await expect(active(page)).toHaveAccessibleName('23, Posso sublocar?, version 3 of 3')
  await expect(active(page)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowLeft')
  await expect(active(page)).toHaveAttribute('aria-expanded', 'false')
  await expect(row(page, /^May I sublet a room/)).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(row(page, /^May I sublet a room/)).toBeVisible()

  // Another version, its follow-up, and back.
  await row(page, /^May I sublet a room/).click()
  await expect(log(page).getByText('And the garage?', { exact: true })).toBeVisible()
  await expect(exchange(page, 'May I sublet a room?')).toBeFocused()
  await expect(log(page).getByText('Posso sublocar?', { exact: true })).toHaveCount(0)
  await expectNothing(page, 'the outline')
  await page.getByRole('button', { name: 'Back to the main line' }).press('Enter')
  await expect(log(page).getByText('May I sublet it?', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Back to the main line' })).toHaveCount(0)
  await expect(tree(page)).toBeFocused()

  // A branch goes when the person agrees.
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await expect(active(page)).toHaveAccessibleName('Posso sublocar?, 1 answer')
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Ok', exact: true }).press('Enter')
  await expect(toastWith(page, 'Branch deleted')).toBeVisible()
  await expect(row(page, /^Posso/)).toHaveCount(0)
  await expect(panel(page)).toContainText('26 questions, 1 with versions')

  // Words, wherever they were said.
  await panel(page).getByRole('searchbox', { name: 'Filter questions' }).fill('GARAGE')
  await expect(panel(page)).toContainText('1 question found')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(exchange(page, 'And the garage?')).toBeFocused()
  await page.keyboard.press('Control+Shift+O')
  await expect(panel(page)).toHaveCount(0)
  await composer(page).focus()
  await page.keyboard.press('Control+Shift+O')
  await expect(tree(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(composer(page)).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' })

  test('the outline is a sheet, which closes by Esc, the veil, and on the way to a question', async ({
    page,
    server,
  }) => {
    await aBranchedChat(server)
    await openLease(page)
    const button = page.getByRole('button', { name: 'Outline', exact: true })
    const sheet = page.getByRole('dialog', { name: 'Outline' })
    await button.click()
    await expect(tree(page)).toBeFocused()
    await expectNothing(page, 'the outline as a sheet')
    const box = await sheet.boundingBox()
    expect(Math.round(box?.height ?? 0)).toBe(Math.round(844 * 0.92))
    const small = await sheet
      .getByRole('button')
      .evaluateAll((all) =>
        all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML),
      )
    expect(small).toEqual([])
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(button).toBeFocused()
    await button.click()
    await page.mouse.click(195, 20)
    await expect(sheet).toBeHidden()
    await button.click()
    await sheet.getByRole('searchbox').fill('Question 4')
    await row(page, /^5, Question 4/).click()
    await expect(sheet).toBeHidden()
    await expect(exchange(page, 'Question 4').first()).toBeFocused()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})

test('what is asked, here or in another tab, is in the outline at once', async ({ page, context, gateway }) => {
  await ask(page, 'The first question')
  await expect(answers(page).first()).toContainText('You said')
  await page.getByRole('button', { name: 'Outline', exact: true }).click()
  await expect(row(page, /^1, The first question/)).toBeVisible()
  await ask(page, 'The second question')
  await expect(row(page, /^2, The second question/)).toBeVisible()
  const other = await secondTab(context, page)
  gateway.next({ text: 'From elsewhere.' })
  await ask(other, 'The third question')
  await expect(row(page, /^3, The third question/)).toBeVisible()
  await expect(panel(page)).toContainText('3 questions')
})

test('what one asks in the cloud is put in the outline, which is not read again', async ({ page }) => {
  await page.getByRole('button', { name: /^Where the chat is kept/ }).click()
  await page.getByRole('menuitem', { name: 'In the cloud' }).click()
  await ask(page, 'The first question')
  await expect(answers(page).first()).toContainText('You said')
  await untilAnswered(page)
  const channelId = new URL(page.url()).hash.slice(1)
  const readings = countCalls(page, `/api/channel/${channelId}/outline`)
  await page.getByRole('button', { name: 'Outline', exact: true }).click()
  await expect(row(page, /^1, The first question/)).toBeVisible()
  await ask(page, 'The second question')
  await expect(answers(page).nth(1)).toContainText('You said: The second question')
  await untilAnswered(page)
  await expect(row(page, /^2, The second question/)).toBeVisible()
  expect(readings()).toBe(1)
})

for (const home of ['device', 'cloud'] as const)
  test(
    `a message that is always sent along says so, also in the outline and another tab: ${home}`,
    home === 'device' ? deep : {},
    async ({ page, context }) => {
      if (home === 'cloud') {
        await page.getByRole('button', { name: /^Where the chat is kept/ }).click()
        await page.getByRole('menuitem', { name: 'In the cloud' }).click()
      }
      await ask(page, 'The rent is 3,500')
      await expect(answers(page).first()).toContainText('You said')
      await untilAnswered(page)
      const other = await secondTab(context, page)
      await page.getByRole('button', { name: 'Outline', exact: true }).click()
      await expect(row(page, '1, The rent is 3,500')).toBeVisible()
      const question = exchange(page, 'The rent is 3,500')
      await question.hover()
      await question.getByRole('button', { name: 'Always send along' }).click()
      await expect(question.getByText('Always sent along')).toBeVisible()
      await expect(row(page, '1, The rent is 3,500, always sent along')).toBeVisible()
      await expect(exchange(other, 'The rent is 3,500').getByText('Always sent along')).toBeVisible()
      await page.reload()
      await expect(question.getByText('Always sent along')).toBeVisible()
      await question.hover()
      await question.getByRole('button', { name: 'No longer send along' }).press('Enter')
      await expect(page.getByText('Always sent along')).toHaveCount(0)
      await expect(other.getByText('Always sent along')).toHaveCount(0)
    },
  )
