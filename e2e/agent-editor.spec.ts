import type { Page } from '@playwright/test'
import { anAgent, draft, longName, openEdit, openNew } from './agent-editor-steps'
import { editor, fillGeneral, goOn, picker } from './agent-steps'
import { deep } from './deep'
import { expectNothingSerious } from './nothing-serious'
import { call, expect, test } from './people'

test.use({ signedIn: true, emptyTables: true })

const dialogs = (page: Page) => page.getByRole('dialog')

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
  await expectNothingSerious(page, 'step 1 with errors')
  await fillGeneral(page, longName)
  await goOn(page)
  await expect(step).toHaveText('2. Data & Knowledge')
  await goOn(page)
  await expect(dialog.getByRole('alert')).toHaveCount(2)
  await dialog.getByRole('radio', { name: 'English' }).check({ force: true })
  await dialog.getByRole('textbox', { name: 'Prompt' }).fill('Read coldly.')
  await goOn(page)
  await expect(step).toHaveText('3. Final review')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNothingSerious(page, 'step 3, narrow')
  await page.setViewportSize({ width: 1440, height: 900 })
  await goOn(page)
  await expect(page.getByText('Agent created successfully!')).toBeVisible()
  await expect(dialogs(page)).toHaveCount(0)
  for (const tab of [3, 2]) {
    await page.getByRole('tab').nth(tab).click()
    await expect(page.getByRole('main').getByRole('link', { name: longName })).toBeVisible()
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

test('an agent can be published by keyboard alone [AG-045, AG-051, AG-052, AG-058, AG-059]', async ({
  page,
  server,
}) => {
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

test('what was written is thrown away only after a question [AG-053]', deep, async ({ page, server }) => {
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

test(
  'one’s own agent is changed, and deleted [AG-061, AG-062, AG-063, AG-066, AG-067, AG-069]',
  deep,
  async ({ page, server }) => {
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
    await page
      .getByRole('alertdialog', { name: 'Delete Colder Reader?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await expect(page.getByText('Agent deleted successfully!')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Colder Reader' })).toHaveCount(0)
    expect((await call(server, 'GET', `/v1/assistant?assistant_id=${id}`, { token })).status).toBe(404)
  },
)

test('hostile names and texts are shown as what they are: text', deep, async ({ page, server }) => {
  const name = '<img src=x onerror=hacked=1>'
  const { id, token } = await anAgent(server, {
    name,
    about: '<script>hacked=1</script>',
    prompt: '<svg onload="hacked=1">',
  })
  const dialog = await openEdit(page, server)
  await expect(dialog.getByRole('heading', { name: `Editing ${name}` })).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('\u202eredaeR dloC قارئ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Agent updated successfully!')).toBeVisible()
  // Nothing turns the text around it.
  expect(await (await call(server, 'GET', `/v1/assistant?assistant_id=${id}`, { token })).json()).toMatchObject({
    name: 'redaeR dloC قارئ',
  })
  await page.getByRole('main').getByRole('button', { name: /^Edit/ }).first().click()
  await editor(page).getByRole('button', { name: 'Try it' }).click()
  await editor(page).getByRole('textbox', { name: 'Your message' }).fill('#hostile')
  await page.keyboard.press('Enter')
  await expect(editor(page).locator('[data-trial=done]')).toBeVisible()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})
