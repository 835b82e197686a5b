import type { Locator, Page } from '@playwright/test'
import { deep } from './deep'
import { expectNothing } from './nothing-serious'
import { ana, answers, ask, chatRows, expect, signIn, signUp, test, untilAnswered } from './people'

const words = (count: number, word = 'thought'): string =>
  Array.from({ length: count }, (_, i) => `${word}${i}`).join(' ')

const lineOf = (answer: Locator) => answer.getByRole('button', { name: /^(Thinking,|Thought for) \d+ s$/ })
const thoughts = (page: Page) => page.getByRole('region', { name: 'What the model thought' })

test('what a model thinks on this device is a line that unfolds while it comes, and stays after a reload', async ({
  page,
  gateway,
}) => {
  const thinks = words(300)
  gateway.next({ thinks, text: 'So, **yes**.', holdAfter: 1_500 })
  await ask(page, 'Why?')
  const line = lineOf(answers(page).first())
  await expect(line).toHaveAccessibleName(/^Thinking/)
  await line.focus()
  await page.keyboard.press('Enter')
  await expect(thoughts(page)).toContainText('thought100')
  expect((await thoughts(page).boundingBox())?.height).toBeLessThanOrEqual(240)

  await page.reload()
  await expect(line).toHaveAccessibleName(/^Thinking/)
  gateway.release()
  await expect(answers(page).first()).toContainText('So, yes.')
  await expect(line).toHaveAccessibleName(/^Thought for/)
  await untilAnswered(page)
  await page.reload()
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await line.click()
  await expect(thoughts(page)).toHaveText(thinks)
  await expectNothing(page, 'thinking, unfolded')
  await line.press('Enter')
  await expect(thoughts(page)).toHaveCount(0)

  // It is neither context for the next question, nor found.
  gateway.next({ text: 'No more.' })
  await ask(page, 'And?')
  await expect(answers(page).nth(1)).toContainText('No more.')
  expect(JSON.stringify(gateway.requests.at(-1)?.body)).not.toContain('thought100')
  expect(gateway.requests).toHaveLength(2)
})

test(
  'an answer that is stopped while the model thinks keeps what was thought, and each version its own',
  deep,
  async ({ page, gateway }) => {
    gateway.next({ thinks: words(300), text: 'Never.', holdAfter: 500 })
    await ask(page, 'Why?')
    const answer = answers(page).first()
    await expect(lineOf(answer)).toHaveAccessibleName(/^Thinking/)
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(answer).toContainText('Stopped by you')
    await lineOf(answer).click()
    await expect(thoughts(page)).toContainText('thought10')

    gateway.next({ thinks: 'In other words.', text: 'At last.' })
    await answer.getByRole('button', { name: 'Regenerate' }).click()
    await expect(answer).toContainText('At last.')
    await untilAnswered(page)
    await page.reload()
    await lineOf(answer).click()
    await expect(thoughts(page)).toHaveText('In other words.')
  },
)

test('an answer of thinking alone is the apology, with what was thought above it', deep, async ({ page, gateway }) => {
  gateway.next({ thinks: 'Hm.', text: '' })
  await ask(page, 'Why?')
  await expect(answers(page).first()).toContainText('I apologize')
  await lineOf(answers(page).first()).click()
  await expect(thoughts(page)).toHaveText('Hm.')
})

test(
  'what a model thinks in the cloud is seen live in another browser, and is there in both after a reload',
  deep,
  async ({ page, browser, server, gateway }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    await page.getByRole('button', { name: /^Where the chat is kept/ }).click()
    await page.getByRole('menuitem', { name: 'In the cloud' }).click()
    gateway.next({ text: 'From the cloud.' })
    await ask(page, 'Where are you?')
    await expect(answers(page).first()).toContainText('From the cloud.')

    const elsewhere = await browser.newContext()
    const other = await elsewhere.newPage()
    await other.goto(`${server.url}/app`)
    await signIn(other, ana)
    await chatRows(other).getByRole('link').click()
    await expect(answers(other).first()).toContainText('From the cloud.')

    const thinks = words(300)
    gateway.next({ thinks, text: 'So, yes.', holdAfter: 1_500 })
    await ask(page, 'Why?')
    for (const each of [page, other]) {
      await expect(lineOf(answers(each).nth(1))).toHaveAccessibleName(/^Thinking/)
      await lineOf(answers(each).nth(1)).click()
      await expect(thoughts(each)).toContainText('thought100')
    }
    await page.reload()
    await expect(lineOf(answers(page).nth(1))).toHaveAccessibleName(/^Thinking/)
    gateway.release()
    for (const each of [page, other]) {
      await expect(answers(each).nth(1)).toContainText('So, yes.')
      await expect(lineOf(answers(each).nth(1))).toHaveAccessibleName(/^Thought for/)
      await untilAnswered(each)
      await each.reload()
      await lineOf(answers(each).nth(1)).click()
      await expect(thoughts(each)).toHaveText(thinks)
    }
    await elsewhere.close()
  },
)
