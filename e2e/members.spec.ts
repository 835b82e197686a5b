import type { BrowserContext, Page } from '@playwright/test'
import { deep } from './deep'
import { ana, answers, ask, bruno, chatRows, composer, expect, signIn, signUp, test, toastWith } from './people'

const questions = (page: Page) => page.locator('[data-question]')

async function tool(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Chat tools' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Ana's chat in the cloud, with one answer. */
async function aCloudChat(page: Page): Promise<void> {
  await signIn(page, ana)
  await page.getByRole('button', { name: /^Where the chat is kept/ }).click()
  await page.getByRole('menuitem', { name: 'In the cloud' }).click()
  await ask(page, 'What do we plan?')
  await expect(answers(page).first()).toContainText('You said: What do we plan?')
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()
}

/** The link that the dialog makes. The dialog stays open. */
async function makeLink(page: Page, role: 'Read' | 'Read and write'): Promise<string> {
  await tool(page, 'Invite member')
  const dialog = page.getByRole('dialog', { name: 'Invite member' })
  await dialog.getByRole('radio', { name: role, exact: true }).check()
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  return dialog.getByRole('textbox', { name: 'Invitation link' }).inputValue()
}

async function comeIn(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('main').getByRole('button', { name: 'Sign in to accept' }).click()
  const panel = page.getByRole('dialog')
  await panel.locator('input[name=email]').fill(bruno.email)
  await panel.locator('input[name=password]').fill(bruno.password)
  await panel.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  return page
}

test('a friend is invited, accepts, asks under their own name, and is out at once when removed [CH-038, CH-039]', async ({
  page,
  browser,
  server,
}) => {
  await signUp(server, ana)
  await signUp(server, bruno)
  await aCloudChat(page)
  const link = await makeLink(page, 'Read and write')
  expect(link).toMatch(new RegExp(`^${server.url}/invite/[\\w-]{43}$`))

  const elsewhere = await browser.newContext()
  const other = await comeIn(elsewhere, link)
  await expect(chatRows(other).getByText('shared')).toBeVisible()
  await expect(questions(other).first()).toContainText('ana')
  await ask(other, 'May I come along?')
  await expect(answers(other).nth(1)).toContainText('You said: May I come along?')

  // Ana's page, open all the while, shows it without a reload.
  await expect(page.getByRole('dialog').getByText('bruno')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await expect(questions(page).nth(1)).toContainText('bruno')
  await expect(answers(page).nth(1)).toContainText('You said: May I come along?')

  await tool(page, 'Invite member')
  await page.getByRole('button', { name: 'Remove bruno' }).click()
  await page.getByRole('button', { name: 'Ok', exact: true }).click()
  await expect(toastWith(page, 'bruno was removed')).toBeVisible()
  await expect(toastWith(other, 'You are no longer in this chat.')).toBeVisible()
  await expect(chatRows(other)).toHaveCount(0)
  await expect(other.getByRole('heading', { name: 'What shall we talk about?' })).toBeVisible()
  await elsewhere.close()
})

test('whoever is invited to read sees no composer, and can leave [CH-039]', deep, async ({ page, browser, server }) => {
  await signUp(server, ana)
  await signUp(server, bruno)
  await aCloudChat(page)
  const elsewhere = await browser.newContext()
  const other = await comeIn(elsewhere, await makeLink(page, 'Read'))
  await expect(other.getByRole('note')).toHaveText(
    'You can read this chat, but not write in it. Ask ana to change that.',
  )
  await expect(composer(other)).toHaveCount(0)
  await other.getByRole('button', { name: 'Chat tools' }).click()
  for (const name of ['Rename', 'Clear', 'Delete', 'Invite member'])
    await expect(other.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  await other.getByRole('menuitem', { name: 'Leave chat' }).click()
  await other.getByRole('button', { name: 'Ok', exact: true }).click()
  await expect(chatRows(other)).toHaveCount(0)
  await expect(page.getByRole('dialog').getByText('Nobody else is in this chat yet.')).toBeVisible()
  await elsewhere.close()
})

test.describe('a link that does not work', () => {
  test.use({ allowedNoise: /Failed to load resource/ })

  test('says so, and leads to the own chats', async ({ page, server }) => {
    await page.goto(`${server.url}/invite/unknown`)
    await expect(page.getByText('This invitation is no longer valid. Please ask for a new one.')).toBeVisible()
    await page.getByRole('button', { name: 'Go to my chats' }).click()
    await expect(page).toHaveURL(/\/app$/)
  })
})

test('the PDF of a cloud chat comes from the server [CH-128]', async ({ page, server }) => {
  await signUp(server, ana)
  await aCloudChat(page)
  const called = page.waitForResponse(/\/api\/channel\/export$/)
  const downloaded = page.waitForEvent('download')
  await tool(page, 'Export to PDF')
  expect((await called).headers()['content-type']).toBe('application/pdf')
  expect((await downloaded).suggestedFilename()).toMatch(/^chat-export-[\w-]{36}\.pdf$/)
  await expect(toastWith(page, 'Channel exported successfully in Cloud')).toBeVisible()
})
