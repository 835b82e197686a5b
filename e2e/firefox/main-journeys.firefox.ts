import type { Page } from '@playwright/test'
import { answers, answerText, composer, expect, networkNoise, test, untilAnswered } from '../journey'

test.use({ allowedNoise: networkNoise })

/** Key by key: what is filled in at once reaches no listener over this protocol. */
async function type(page: Page, text: string): Promise<void> {
  await composer(page).click()
  await composer(page).pressSequentially(text)
}

test('a stranger asks, reads the answer as it streams in, stops the next one, and finds both again after a reload', async ({
  page,
  gateway,
}) => {
  gateway.next({ text: 'Hello! **Parley** answers with a list:\n\n- one\n- two\n\nThat is all.', holdAfter: 10 })
  await type(page, 'What can you do?')
  await composer(page).press('Enter')
  await expect(answers(page).first()).toContainText('Hello!')
  gateway.release()
  await expect(answers(page).first()).toContainText('That is all.')
  await expect(page.getByRole('listitem').filter({ hasText: /^two$/ })).toBeVisible()
  await untilAnswered(page)

  gateway.next({ text: Array.from({ length: 300 }, (_, i) => `word${i}`).join(' '), holdAfter: 200 })
  await type(page, 'A long one')
  await composer(page).press('Enter')
  await expect(answers(page).nth(1)).toContainText('word9')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Stopped by you')).toBeVisible()
  const kept = await answerText(page, 1)

  await page.reload()
  await expect(answers(page).first()).toContainText('That is all.')
  await expect.poll(() => answerText(page, 1)).toBe(kept)
})

test('a draft is kept over a reload, and the app takes over from its service worker', async ({ page }) => {
  await type(page, 'Half a question')
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated')
  await page.reload()
  await expect(composer(page)).toHaveValue('Half a question')
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  expect(await page.evaluate(() => caches.keys())).toContainEqual(expect.stringMatching(/^build:/))
})
