import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { editor, fillGeneral, goOn, picker } from './agent-steps'
import { expectNothingSerious } from './nothing-serious'
import type { ParleyServer } from './parley-server'
import { ana, call, expect, otherSession, refusalNoise, test } from './people'

test.use({ signedIn: true, emptyTables: true })

const dialogs = (page: Page) => page.getByRole('dialog')

const draft = {
  name: 'Cold Reader',
  language: 'en',
  role: 'First reader',
  about: 'Reads your draft.',
  prompt: 'Read coldly.',
  profileImage: '/api/faces/cold.svg',
  private: false,
  enabled: true,
}

/** An agent of whoever is signed in, made by a program. */
async function anAgent(server: ParleyServer, fields: Record<string, unknown> = {}): Promise<{ id: string; token: string }> {
  const { token } = await otherSession(server, ana)
  const answer = await call(server, 'POST', '/v1/assistants', { body: { ...draft, ...fields }, token })
  expect(answer.status).toBe(201)
  return { id: ((await answer.json()) as { _id: string })._id, token }
}

async function openNew(page: Page, server: ParleyServer, name: RegExp = /^(Publish|Publicar)$/): Promise<Locator> {
  await page.goto(`${server.url}/assistants`)
  await page.getByRole('main').getByRole('button', { name }).first().click()
  await expect(editor(page)).toBeVisible()
  return editor(page)
}

async function openEdit(page: Page, server: ParleyServer): Promise<Locator> {
  await page.goto(`${server.url}/assistants`)
  await page.getByRole('tab').nth(3).click()
  await page.getByRole('main').getByRole('button', { name: /^Edit/ }).first().click()
  await expect(editor(page).getByRole('textbox', { name: 'Prompt', exact: true })).toBeVisible()
  return editor(page)
}

test("an agent is published in three steps and is among one's own and the community's [AG-043, AG-044, AG-045, AG-047, AG-048, AG-054, AG-060]", async ({
  page,
  server,
}) => {
  const dialog = await openNew(page, server)
  const step = dialog.locator('[aria-current=step]')
  await expect(step).toHaveText('1. General info')
  await expect(dialog.locator('footer')).toContainText('Publishing asana')
  await goOn(page)
  await expect(page.getByText('Please fill in all the fields to create your agent')).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveCount(6)
  await fillGeneral(page)
  await goOn(page)
  await expect(step).toHaveText('2. Data & Knowledge')
  await goOn(page)
  await expect(dialog.getByRole('alert')).toHaveCount(2)
  await dialog.getByRole('radio', { name: 'English' }).check({ force: true })
  await dialog.getByRole('textbox', { name: 'Prompt' }).fill('Read coldly.')
  await goOn(page)
  await expect(step).toHaveText('3. Final review')
  await goOn(page)
  await expect(page.getByText('Agent created successfully!')).toBeVisible()
  await expect(dialogs(page)).toHaveCount(0)
  for (const tab of [3, 2]) {
    await page.getByRole('tab').nth(tab).click()
    await expect(page.getByRole('main').getByRole('link', { name: 'Cold Reader' })).toBeVisible()
  }
})

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: string): Promise<void> {
  const current = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
    })
  for (let presses = 0; presses < 40 && (await current()) !== name; presses++) await page.keyboard.press('Tab')
  expect(await current()).toBe(name)
}

test('an agent can be published by keyboard alone [AG-045, AG-051, AG-052, AG-058, AG-059]', async ({ page, server }) => {
  await page.goto(`${server.url}/assistants`)
  await page.getByRole('main').getByRole('button', { name: 'Publish' }).first().focus()
  await page.keyboard.press('Enter')
  await expect(editor(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Key Reader')
  await tabTo(page, 'Choose an avatar')
  await page.keyboard.press('Enter')
  await expect(picker(page).getByRole('button', { name: 'Generate' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(picker(page).getByRole('radio')).toHaveCount(12)
  await tabTo(page, 'Avatar 1')
  // The grid as it lies there: five in a row.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(picker(page).getByRole('radio', { name: 'Avatar 7' })).toBeChecked()
  await tabTo(page, 'Use this avatar')
  await page.keyboard.press('Enter')
  await expect(editor(page).getByRole('button', { name: 'Choose an avatar' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Reads.')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Reader')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await expect(editor(page).getByRole('radio', { name: 'Private' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(editor(page).locator('[aria-current=step]')).toHaveText('2. Data & Knowledge')
  await expect(editor(page).getByRole('radio', { name: 'English' })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Read.')
  await tabTo(page, 'Next')
  await page.keyboard.press('Enter')
  await expect(editor(page).getByRole('region', { name: '3. Final review' })).toBeFocused()
  await tabTo(page, 'Create')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Agent created successfully!')).toBeVisible()
  await expect(dialogs(page)).toHaveCount(0)
})

test('what was written is thrown away only after a question [AG-053]', async ({ page, server }) => {
  const dialog = await openNew(page, server)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Half an agent')
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Half an agent')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialogs(page)).toHaveCount(0)
  await page.getByRole('main').getByRole('button', { name: 'Publish' }).first().click()
  await expect(editor(page).getByRole('textbox', { name: 'Name' })).toHaveValue('')
})

test('one’s own agent is changed, and deleted [AG-061, AG-062, AG-063, AG-066, AG-067, AG-069]', async ({ page, server }) => {
  const spanish = { language: 'es', role: 'Primer lector', about: 'Lee.', prompt: 'Lee con frialdad.' }
  const { id, token } = await anAgent(server, { languages: [{ ...draft, defaultGreetings: '' }, spanish] })
  const dialog = await openEdit(page, server)
  await expect(dialog.getByRole('heading', { name: 'Editing Cold Reader' })).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Prompt', exact: true })).toHaveValue('Read coldly.')
  const save = dialog.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Colder Reader')
  await save.click()
  await expect(page.getByText('Agent updated successfully!')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Colder Reader' })).toBeVisible()
  const kept = await (await call(server, 'GET', `/v1/assistant?assistant_id=${id}`, { token })).json()
  expect(kept).toMatchObject({
    name: 'Colder Reader',
    prompt: 'Read coldly.',
    languages: [{ language: 'en' }, { language: 'es', prompt: 'Lee con frialdad.' }],
  })

  await page.getByRole('main').getByRole('button', { name: /^Edit/ }).first().click()
  await editor(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog', { name: 'Delete Colder Reader?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Agent deleted successfully!')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Colder Reader' })).toHaveCount(0)
  expect((await call(server, 'GET', `/v1/assistant?assistant_id=${id}`, { token })).status).toBe(404)
})

test.describe('a picture of one’s own', () => {
  test.use({ allowedNoise: refusalNoise })

  test('is uploaded, shown as a square and used; what is no picture is refused [AG-058]', async ({ page, server }) => {
    const dialog = await openNew(page, server)
    const wide = await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = 80
      canvas.height = 40
      canvas.getContext('2d')?.fillRect(0, 0, 40, 40)
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    })
    const choose = async (name: string, buffer: Buffer) => picker(page).locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'me.svg', mimeType: 'image/png', buffer: Buffer.from('<svg onload="hacked=1"/>') })
    await expect(picker(page).getByRole('alert')).toHaveText('This file type is not supported. Please use a JPEG, PNG, WebP or GIF picture.')
    await choose('large.png', Buffer.alloc(2 * 1024 * 1024 + 1))
    await expect(picker(page).getByRole('alert')).toHaveText('File is too large. The maximum is 2 MB.')
    await choose('me.png', Buffer.from(wide, 'base64'))
    const preview = picker(page).getByRole('img', { name: 'Preview' })
    await expect(preview).toHaveAttribute('src', /^\/api\/pictures\//)
    await expect(preview).toHaveJSProperty('naturalWidth', 512)
    await expect(preview).toHaveJSProperty('naturalHeight', 512)
    await picker(page).getByRole('button', { name: 'Use this avatar' }).click()
    await expect(dialog.getByRole('img', { name: 'Avatar' })).toHaveAttribute('src', /^\/api\/pictures\//)
  })
})

test('an agent is exported as a card, brought in again and duplicated; another file is refused', async ({ page, server }) => {
  await anAgent(server, { knowledge: 'Adverbs are weak.', private: true })
  const dialog = await openEdit(page, server)
  await dialog.getByRole('button', { name: 'More actions' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export as a card' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('Cold-Reader.parley-agent.json')
  const card = await readFile(await download.path())
  expect(JSON.parse(card.toString())).toMatchObject({
    format: 'parley-agent',
    version: 1,
    knowledge: 'Adverbs are weak.',
    languages: [{ prompt: 'Read coldly.' }],
  })

  await dialog.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(editor(page).getByRole('heading', { name: 'New agent' })).toBeVisible()
  await expect(editor(page).getByRole('textbox', { name: 'Name' })).toHaveValue('Cold Reader copy')
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/json', buffer })
  const input = editor(page).locator('input[type=file][accept*=json]')
  await input.setInputFiles(file('evil.json', Buffer.from('{"format":"parley-agent","version":1,"name":{"__proto__":1},"languages":"<script>"}')))
  await expect(editor(page).getByRole('alert')).toHaveText('This file is not an agent card that can be read.')
  await input.setInputFiles(file('card.json', card))
  await page.getByRole('alertdialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Discard' }).click()
  await expect(editor(page).getByRole('textbox', { name: 'Name' })).toHaveValue('Cold Reader')
  // Who may see it is chosen anew.
  for (const name of ['Yes', 'Public']) await editor(page).getByRole('radio', { name }).check({ force: true })
  await goOn(page)
  await expect(editor(page).getByRole('textbox', { name: 'Prompt' })).toHaveValue('Read coldly.')
  await expect(editor(page).getByRole('textbox', { name: 'Knowledge (optional)' })).toHaveValue('Adverbs are weak.')
  await goOn(page)
  await goOn(page)
  await expect(page.getByText('Agent created successfully!')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Cold Reader' })).toHaveCount(2)
})

test('the draft is tried beside its fields as it stands, can be stopped, and leaves nothing behind', async ({ page, server, gateway }) => {
  const { id, token } = await anAgent(server)
  const dialog = await openEdit(page, server)
  const system = () => gateway.requests.at(-1)?.body.messages[0]?.content ?? ''
  await dialog.getByRole('textbox', { name: 'Prompt' }).fill('CANARY one.')
  await dialog.getByRole('button', { name: 'Try it' }).click()
  const box = dialog.getByRole('textbox', { name: 'Your message' })
  await expect(box).toBeFocused()
  await page.keyboard.type('Is it good?')
  await page.keyboard.press('Enter')
  const log = dialog.getByRole('log')
  await expect(log.locator('[data-trial=done]')).toContainText('You said: Is it good?')
  expect(system()).toContain('CANARY one.')
  await dialog.getByRole('textbox', { name: 'Prompt' }).fill('CANARY two.')
  await box.fill('And now? #slow')
  await box.press('Enter')
  await expect(log).toContainText('word5')
  expect(system()).toContain('CANARY two.')
  expect(
    gateway.requests
      .at(-1)
      ?.body.messages.slice(1)
      .map(({ content }) => content),
  ).toEqual(['Is it good?', 'You said: Is it good?', 'And now? #slow'])
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await expect(log).toContainText('Stopped by you')
  await expect.poll(() => gateway.requests.at(-1)?.aborted).toBe(true)
  // A failure of the model is said there.
  await box.fill('#key')
  await box.press('Enter')
  await expect(log.getByRole('alert')).toHaveText("The model gateway refused this server's key. Please tell the operator.")
  // Esc leaves the trial, not the fields.
  await box.press('Escape')
  await expect(box).toBeHidden()
  await expect(dialog.getByRole('textbox', { name: 'Prompt' })).toHaveValue('CANARY two.')
  await expect(page.getByText('No chats yet')).toBeAttached()
  expect(await (await call(server, 'GET', `/v1/assistant?assistant_id=${id}`, { token })).json()).toMatchObject({ prompt: 'Read coldly.' })
  expect(server.output).not.toContain('CANARY')
})

test('hostile names and texts are shown as what they are: text', async ({ page, server }) => {
  const name = '<img src=x onerror=hacked=1>'
  const { id, token } = await anAgent(server, { name, about: '<script>hacked=1</script>', prompt: '<svg onload="hacked=1">' })
  const dialog = await openEdit(page, server)
  await expect(dialog.getByRole('heading', { name: `Editing ${name}` })).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('\u202eredaeR dloC قارئ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Agent updated successfully!')).toBeVisible()
  // Nothing turns the text around it.
  expect(await (await call(server, 'GET', `/v1/assistant?assistant_id=${id}`, { token })).json()).toMatchObject({ name: 'redaeR dloC قارئ' })
  await page.getByRole('main').getByRole('button', { name: /^Edit/ }).first().click()
  await editor(page).getByRole('button', { name: 'Try it' }).click()
  await editor(page).getByRole('textbox', { name: 'Your message' }).fill('#hostile')
  await page.keyboard.press('Enter')
  await expect(editor(page).locator('[data-trial=done]')).toBeVisible()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

test('axe finds nothing serious in the wizard', async ({ page, server }) => {
  const dialog = await openNew(page, server)
  await goOn(page)
  await expect(dialog.getByRole('alert')).toHaveCount(6)
  await expectNothingSerious(page, 'step 1 with errors')
  await fillGeneral(page, 'A name of thirty characters 30')
  await goOn(page)
  await dialog.getByRole('radio', { name: 'English' }).check({ force: true })
  await dialog.getByRole('textbox', { name: 'Prompt' }).fill('Read coldly.')
  await dialog.getByRole('button', { name: 'Try it' }).click()
  await dialog.getByRole('textbox', { name: 'Your message' }).fill('Hello')
  await page.keyboard.press('Enter')
  await expect(dialog.locator('[data-trial=done]')).toBeVisible()
  await expectNothingSerious(page, 'step 2 with the trial')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNothingSerious(page, 'the trial, narrow')
  await dialog.getByRole('button', { name: 'Back to the fields' }).click()
  await goOn(page)
  await expectNothingSerious(page, 'step 3, narrow')
})
