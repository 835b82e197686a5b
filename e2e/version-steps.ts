import type { Locator, Page } from '@playwright/test'
import { answers, ask, expect, untilAnswered } from './people'

export const phone = { width: 390, height: 844 }
export const desk = { width: 1440, height: 900 }

const exchanges = (page: Page) => page.locator('[data-message-id]')
export const exchange = (page: Page, index: number) => exchanges(page).nth(index)
export const questions = (page: Page) => page.locator('[data-question] [dir=auto]')
export const versionsOf = (page: Page, index: number, part: 'question' | 'answer') =>
  exchange(page, index).getByRole('group', { name: `Versions of the ${part}` })
export const step = (group: Locator, name: 'Previous' | 'Next') =>
  group.getByRole('button', { name: `${name} version` })
export const field = (page: Page) => page.getByRole('textbox', { name: 'Edited question' })

/** A chat of this home with three questions that are answered. */
export async function aChat(page: Page, home: 'device' | 'cloud'): Promise<void> {
  if (home === 'cloud') {
    await page.getByRole('button', { name: /^Where the chat is kept/ }).click()
    await page.getByRole('menuitem', { name: 'In the cloud' }).click()
  }
  for (const question of ['One?', 'Two?', 'Three?']) await askAndWait(page, question)
}

export async function askAndWait(page: Page, question: string): Promise<void> {
  await ask(page, question)
  await expect(answers(page).last()).toContainText(`You said: ${question}`)
  await untilAnswered(page)
}

export async function edit(page: Page, index: number, text: string): Promise<void> {
  await exchange(page, index).hover()
  await exchange(page, index).getByRole('button', { name: 'Edit question' }).click()
  await field(page).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await expect(field(page)).toHaveCount(0)
  await expect(questions(page).nth(index)).toHaveText(text)
  await untilAnswered(page)
}

/** Where something stands on the screen, from its top. */
export const topOf = async (locator: Locator): Promise<number> => Math.round((await locator.boundingBox())?.y ?? -1)
