// The agent editor, in any language: what the journeys of agents share.
import type { Page } from '@playwright/test'
import { expect } from './people'

const dialogs = (page: Page) => page.getByRole('dialog')
export const editor = (page: Page) => dialogs(page).first()
export const picker = (page: Page) => dialogs(page).nth(1)
/** Next, Create or Save. */
export const goOn = (page: Page) => editor(page).locator('button[type=submit]').last().click()

/** The first step of the wizard, filled in as far as it has to be; the first radio of each pair: active, public. */
export async function fillGeneral(page: Page, name = 'Cold Reader'): Promise<void> {
  const dialog = editor(page)
  await dialog.getByRole('textbox').nth(0).fill(name)
  await dialog.getByRole('textbox').nth(1).fill('Reads your draft.')
  await dialog.getByRole('textbox').nth(2).fill('First reader')
  await dialog.getByRole('radio').nth(0).check({ force: true })
  await dialog.getByRole('radio').nth(2).check({ force: true })
  await dialog.getByRole('button', { name: /avatar$/ }).click()
  await picker(page)
    .getByRole('button', { name: /^(Generate|Gerar|Generar)$/ })
    .click()
  await picker(page).getByRole('radio').nth(2).click()
  await picker(page).locator('footer button').last().click()
  await expect(dialogs(page)).toHaveCount(1)
}
