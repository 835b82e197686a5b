import { readFile } from 'node:fs/promises'
import { anAgent, longName, openEdit, openNew } from './agent-editor-steps'
import { editor, goOn, picker } from './agent-steps'
import { deep } from './deep'
import { expectNothingSerious } from './nothing-serious'
import { call, expect, refusalNoise, test } from './people'

test.use({ signedIn: true, emptyTables: true })

test.describe('a picture of one’s own', () => {
  test.use({ allowedNoise: refusalNoise })

  test(
    'is uploaded, shown as a square and used; what is no picture is refused [AG-058]',
    deep,
    async ({ page, server }) => {
      const dialog = await openNew(page, server)
      const wide = await page.evaluate(() => {
        const canvas = document.createElement('canvas')
        canvas.width = 80
        canvas.height = 40
        canvas.getContext('2d')?.fillRect(0, 0, 40, 40)
        return canvas.toDataURL('image/png').split(',')[1] ?? ''
      })
      const choose = async (name: string, buffer: Buffer) =>
        picker(page).locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
      await dialog
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'me.svg', mimeType: 'image/png', buffer: Buffer.from('<svg onload="hacked=1"/>') })
      await expect(picker(page).getByRole('alert')).toHaveText(
        'This file type is not supported. Please use a JPEG, PNG, WebP or GIF picture.',
      )
      await choose('large.png', Buffer.alloc(2 * 1024 * 1024 + 1))
      await expect(picker(page).getByRole('alert')).toHaveText('File is too large. The maximum is 2 MB.')
      await choose('me.png', Buffer.from(wide, 'base64'))
      const preview = picker(page).getByRole('img', { name: 'Preview' })
      await expect(preview).toHaveAttribute('src', /^\/api\/pictures\//)
      await expect(preview).toHaveJSProperty('naturalWidth', 512)
      await expect(preview).toHaveJSProperty('naturalHeight', 512)
      await picker(page).getByRole('button', { name: 'Use this avatar' }).click()
      await expect(dialog.getByRole('img', { name: 'Avatar' })).toHaveAttribute('src', /^\/api\/pictures\//)
    },
  )
})

test('an agent is exported as a card, brought in again and duplicated; another file is refused', async ({
  page,
  server,
}) => {
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
  await input.setInputFiles(
    file(
      'evil.json',
      Buffer.from('{"format":"parley-agent","version":1,"name":{"__proto__":1},"languages":"<script>"}'),
    ),
  )
  await expect(editor(page).getByRole('alert')).toHaveText('This file is not an agent card that can be read.')
  await input.setInputFiles(file('card.json', card))
  await page
    .getByRole('alertdialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Discard' })
    .click()
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

test('the draft is tried beside its fields as it stands, can be stopped, and leaves nothing behind', async ({
  page,
  server,
  gateway,
}) => {
  const { id, token } = await anAgent(server, { name: longName })
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
  await expectNothingSerious(page, 'the trial')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNothingSerious(page, 'the trial, narrow')
  await expect(dialog.getByRole('button', { name: 'Back to the fields' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
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
  await expect(log.getByRole('alert')).toHaveText(
    "The model gateway refused this server's key. Please tell the operator.",
  )
  // Esc leaves the trial, not the fields.
  await box.press('Escape')
  await expect(box).toBeHidden()
  await expect(dialog.getByRole('textbox', { name: 'Prompt' })).toHaveValue('CANARY two.')
  await expect(page.getByText('No chats yet')).toBeAttached()
  expect(await (await call(server, 'GET', `/v1/assistant?assistant_id=${id}`, { token })).json()).toMatchObject({
    prompt: 'Read coldly.',
  })
  expect(server.output).not.toContain('CANARY')
})
