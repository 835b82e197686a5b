// The whole life of an agent between its owner and a stranger, each in a browser of their own.
import type { Locator, Page } from '@playwright/test'
import { editor, fillGeneral, goOn } from './agent-steps'
import {
  answers,
  ask,
  bruno,
  call,
  expect,
  otherSession,
  panelOf,
  refusalNoise,
  signInButton,
  signUp,
  test,
} from './people'

test.use({ emptyTables: true, signedIn: true, allowedNoise: refusalNoise })

const card = (page: Page): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Cold Reader', exact: true }) })
const like = (place: Locator): Locator => place.locator('button[aria-pressed]')
const tab = (page: Page, index: 2 | 3): Promise<void> => page.getByRole('main').getByRole('tab').nth(index).click()

test('what one person publishes another likes, shares and chats with, until its owner makes it private: then it is private everywhere, at once [AG-001, AG-006, AG-032, AG-074, AG-086]', async ({
  page,
  browser,
  server,
  gateway,
}) => {
  // Ana publishes it, and finds it among her own and the community's.
  await page.goto(`${server.url}/assistants`)
  await page.getByRole('main').getByRole('button', { name: 'Publish', exact: true }).click()
  await fillGeneral(page)
  await goOn(page)
  await editor(page).getByRole('radio', { name: 'English', exact: true }).check({ force: true })
  await editor(page).getByRole('textbox', { name: 'Prompt' }).fill('CANARY: read coldly.')
  await goOn(page)
  await goOn(page)
  await expect(editor(page)).toBeHidden()
  for (const place of [3, 2] as const) {
    await tab(page, place)
    await expect(card(page)).toBeVisible()
  }

  // Bruno finds it there as well, likes it and shares it.
  await signUp(server, bruno)
  const elsewhere = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const other = await elsewhere.newPage()
  const received: Promise<string>[] = []
  other.on(
    'response',
    (response) => void (/\/(api|v1)\//.test(response.url()) && received.push(response.text().catch(() => ''))),
  )
  await other.goto(`${server.url}/assistants`)
  await signInButton(other).click()
  const { email, password, submit, panel } = panelOf(other)
  await email.fill(bruno.email)
  await password.fill(bruno.password)
  await submit.click()
  await expect(panel).toBeHidden()
  await tab(other, 2)
  await like(card(other)).click()
  await expect(like(card(other))).toHaveText('1')
  await expect(like(card(other))).toHaveAttribute('aria-pressed', 'true')
  // Shown at once; from here on the server has it.
  await expect(like(card(other))).not.toHaveAttribute('aria-busy')
  await card(other).getByRole('button', { name: 'Share Cold Reader', exact: true }).click()
  await expect(other.getByText('Link copied!')).toBeVisible()
  const link = await other.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(new RegExp(`^${server.url}/assistant/[\\w-]+$`))

  // He opens the link and chats with it, on this device.
  await other.goto(link)
  const info = other.getByRole('dialog', { name: 'First reader' })
  await expect(like(info)).toHaveText('1')
  await info.getByRole('button', { name: 'Start chat' }).click()
  await expect(other).toHaveURL(`${server.url}/app`)
  gateway.next({ text: 'It is too long.' })
  await ask(other, 'Read this, please.')
  await expect(answers(other).first()).toContainText('It is too long.')
  expect(gateway.requests.at(-1)?.body.messages[0]).toMatchObject({
    role: 'system',
    content: expect.stringContaining('CANARY: read coldly.'),
  })
  const chat = other.url()

  // Ana sees the like, changes it and makes it private.
  await page.reload()
  await tab(page, 3)
  await expect(like(card(page))).toHaveText('1')
  await card(page).getByRole('button', { name: 'Edit Cold Reader', exact: true }).click()
  await expect(editor(page).getByRole('textbox', { name: 'Prompt' })).toHaveValue('CANARY: read coldly.')
  await editor(page).getByRole('radio').nth(3).check({ force: true })
  await goOn(page)
  await expect(page.getByText('Agent updated successfully!')).toBeVisible()
  await expect(card(page)).toBeVisible()

  // From now on it answers Bruno nowhere: in its chat, by its link, in the lists, by its words, to a call.
  await ask(other, 'And now?')
  await expect(answers(other).nth(1).getByText('This assistant is no longer available.')).toBeVisible()
  await expect(answers(other).first()).toContainText('It is too long.')
  await other.goto(link)
  const refusal = other.getByRole('dialog', { name: 'This assistant is private.' })
  await refusal.getByRole('button', { name: 'Back to assistants' }).click()
  await expect(other).toHaveURL(`${server.url}/assistants`)
  for (const place of [2, 3] as const) {
    await tab(other, place)
    await expect(other.getByRole('main').locator('[data-agent-skeleton]')).toHaveCount(0)
    await expect(card(other)).toHaveCount(0)
  }
  await other.getByRole('searchbox').fill('Cold Reader')
  await expect(other.getByText('No assistants found for "Cold Reader"')).toBeVisible()
  const { token, userId } = await otherSession(server, bruno)
  const assistantId = link.slice(link.lastIndexOf('/') + 1)
  expect((await call(server, 'GET', `/v1/assistant?assistant_id=${assistantId}`, { token })).status).toBe(403)
  expect((await call(server, 'POST', '/v1/assistants/likes', { token, body: { assistantId, userId } })).ok).toBe(false)
  expect(gateway.requests).toHaveLength(1)
  expect((await Promise.all(received)).join('\n')).not.toContain('CANARY')

  // What was said stays readable, under its name.
  await other.goto(chat)
  await expect(answers(other).first()).toContainText('It is too long.')
  await expect(other.getByRole('main')).toContainText('Cold Reader')
  // For its owner it is as it was.
  await page.goto(link)
  await expect(page.getByRole('dialog', { name: 'First reader' })).toBeVisible()
  await elsewhere.close()
})
