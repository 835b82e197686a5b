import { answers, answerText, ask, expect, secondTab, test } from './journey'
import { short } from './short'

// Only somebody with an account renames a chat.
test.use({ signedIn: true })

test(
  'two tabs agree: what one writes, renames and deletes, the other shows',
  short,
  async ({ page, context, gateway }) => {
    gateway.next({ text: 'Seen in both tabs.' })
    await ask(page, 'A shared question')
    await expect(answers(page).first()).toContainText('Seen in both tabs.')

    const other = await secondTab(context, page)
    await expect(answers(other).first()).toContainText('Seen in both tabs.')

    gateway.next({ text: 'A second answer.' })
    await ask(other, 'From the other tab')
    await expect(answers(page).nth(1)).toContainText('A second answer.')

    await page.getByRole('button', { name: 'Chat tools' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Renamed here')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await expect(other.getByRole('navigation').getByText('Renamed here')).toBeVisible()

    await page.getByRole('button', { name: 'Chat tools' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Ok' }).click()
    await expect(other.getByRole('navigation').getByText('Renamed here')).toBeHidden()
  },
)

test('the same answer in two tabs is asked for once and stored once', async ({ page, context, gateway }) => {
  const text = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ')
  gateway.next({ text, holdAfter: 30 })
  await ask(page, 'Slowly')
  await expect(answers(page).first()).toContainText('w5')
  const other = await secondTab(context, page)
  await expect(answers(other).first()).toContainText('w5')
  gateway.release()
  await expect(answers(other).first()).toContainText('w99', { timeout: 20_000 })
  await expect(answers(page).first()).toContainText('w99')
  await page.reload()
  await expect(page.locator('[data-question]')).toHaveCount(1)
  await expect.poll(() => answerText(page)).toBe(text)
  expect(gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
})
