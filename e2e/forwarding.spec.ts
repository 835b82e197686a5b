import type { Page } from '@playwright/test'
import { ana, answers, ask, call, chatRows, expect, otherSession, signIn, signUp, test, toastWith } from './people'

const questions = (page: Page) => page.locator('[data-question]')
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Forward message' })

async function openChat(page: Page, name: string): Promise<void> {
  await chatRows(page).getByText(name, { exact: true }).click()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
}

test('a message is forwarded between chats of the device and of the cloud, and says so', async ({
  page,
  server,
  gateway,
}) => {
  await signUp(server, ana)
  const { token } = await otherSession(server, ana)
  for (const channelName of ['Plans', 'Recipes', 'Travel'])
    await call(server, 'POST', '/api/channel', { token, body: { channelName } })
  await signIn(page, ana)
  gateway.next({ text: 'Only here so far.' })
  await ask(page, 'A question on this device')
  await expect(answers(page).first()).toContainText('Only here so far.')
  // The name that the chat gets after its first question.
  const here = 'A question on this device'
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(here)

  await page.getByRole('button', { name: 'Forward' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('blockquote')).toContainText(`A question on this deviceFrom “${here}”`)
  await expect(dialog.getByRole('checkbox')).toHaveCount(3)
  await expect(dialog.getByRole('button', { name: 'Forward' })).toBeDisabled()
  // By keyboard: the search has the focus.
  await page.keyboard.type('plan')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(dialog.getByRole('status')).toHaveText('The copy leaves this device: Parley keeps it in the cloud.')
  await dialog.getByRole('button', { name: 'Forward' }).click()
  await expect(toastWith(page, 'Forwarded to 1 chat')).toBeVisible()
  await expect(dialog).toBeHidden()

  await openChat(page, 'Plans')
  await expect(questions(page).first()).toHaveText(/Forwarded\s*A question on this device/)
  await expect(answers(page).first()).toContainText('Only here so far.')

  // From the cloud to the cloud and back to the device at once.
  await page.getByRole('button', { name: 'Forward' }).click()
  await dialog.getByRole('checkbox', { name: 'Recipes' }).check()
  await dialog.getByRole('checkbox', { name: here }).check()
  await expect(dialog.getByRole('status')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Forward' }).click()
  await expect(toastWith(page, 'Forwarded to 2 chats')).toBeVisible()
  await openChat(page, 'Recipes')
  await expect(answers(page).first()).toContainText('Only here so far.')
  await openChat(page, here)
  await expect(questions(page)).toHaveCount(2)
  await expect(questions(page).nth(1)).toHaveText(/Forwarded\s*A question on this device/)
  await openChat(page, 'Travel')
  await expect(questions(page)).toHaveCount(0)
  // On to ask: what was forwarded is part of what the model is told.
  await openChat(page, 'Recipes')
  await ask(page, 'And then?')
  await expect(answers(page).nth(1)).toContainText('You said: And then?')
  expect(JSON.stringify(gateway.requests.at(-1)?.body)).toContain('Only here so far.')
})
