import { answers, ask, composer, expect, test } from './journey'
import { expectNothingSerious } from './nothing-serious'

const rich =
  '## Heading\n\nText with `code`, **bold** and a [link](https://example.com).\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst x = 1 // comment\n```\n\n> quote\n\n$$x^2$$\n\n- [ ] task'

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`axe finds nothing serious on any screen, ${viewport.width} px`, async ({ page, gateway }) => {
    test.slow()
    await page.setViewportSize(viewport)
    await expect(composer(page)).toBeVisible()
    await expectNothingSerious(page, 'new chat')

    gateway.next({ text: rich })
    await ask(page, 'Show me everything')
    await expect(answers(page).first()).toContainText('task')
    await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()
    await expectNothingSerious(page, 'chat')

    await page.getByRole('button', { name: 'Chat tools' }).click()
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
    await expectNothingSerious(page, 'tools menu', '[role=menu]')
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNothingSerious(page, 'rename dialog')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()

    await page.getByRole('button', { name: 'Chat tools' }).click()
    await page.getByRole('menuitem', { name: 'Clear' }).click()
    await expect(page.getByRole('button', { name: 'Ok' })).toBeVisible()
    await expectNothingSerious(page, 'confirmation', '[role=alertdialog]')
    await page.keyboard.press('Escape')

    if (viewport.width < 900) {
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expect(page.getByRole('navigation')).toBeVisible()
      await expectNothingSerious(page, 'drawer')
    }
  })
}

test.describe('somebody signed in', () => {
  test.use({ signedIn: true })

  test('with the keyboard alone: ask, rename, search, delete [CH-110]', async ({ page, gateway }) => {
    gateway.next({ text: 'Typed answer.' })
    await page.keyboard.press('/')
    await expect(composer(page)).toBeFocused()
    await page.keyboard.type('Only keys')
    await page.keyboard.press('Enter')
    await expect(answers(page).first()).toContainText('Typed answer.')

    const tools = page.getByRole('button', { name: 'Chat tools' })
    await tools.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Home')
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('navigation').getByText('By hand')).toBeVisible()

    await page.keyboard.press('ControlOrMeta+j')
    await expect(page).toHaveURL(/\/app$/)
    await expect(answers(page)).toHaveCount(0)
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('by ha')
    await page.keyboard.press('Enter')
    await expect(answers(page).first()).toContainText('Typed answer.')

    await tools.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('navigation').getByText('By hand')).toBeHidden()
  })
})
