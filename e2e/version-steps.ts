import type { Locator, Page } from '@playwright/test'
import { askByProgram } from './ask-by-program'
import { ownId } from './journey'
import type { ParleyServer } from './parley-server'
import { ana, answers, ask, call, expect, otherSession, signIn, signUp, untilAnswered } from './people'

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

const asked = ['One?', 'Two?', 'Three?']

/** A chat of this device with three questions that are answered. */
export async function aChatOnTheDevice(page: Page): Promise<void> {
  for (const question of asked) await askAndWait(page, question)
}

/** The same in Ana's cloud, where a program of hers has asked; she is signed in, and the chat is open. */
export async function aChatInTheCloud(page: Page, server: ParleyServer): Promise<void> {
  await signUp(server, ana)
  const { token } = await otherSession(server, ana)
  const body = { id: ownId('versions'), channelName: 'Versions' }
  expect((await call(server, 'POST', '/api/channel', { token, body })).status).toBe(201)
  for (const question of asked) await askByProgram(server, token, body.id, question)
  await signIn(page, ana)
  await page.goto(`${server.url}/app#${body.id}`)
  await expect(questions(page)).toHaveText(asked)
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
export async function topOf(locator: Locator): Promise<number> {
  let top: number | undefined
  // An answer is drawn anew when it is stored: in between there is nothing to measure.
  await expect.poll(async () => (top = (await locator.boundingBox())?.y)).toBeDefined()
  return Math.round(top ?? 0)
}
