import type { Locator, Page } from '@playwright/test'
import { editor } from './agent-steps'
import type { ParleyServer } from './parley-server'
import { ana, call, expect, otherSession } from './people'

export const draft = {
  name: 'Cold Reader',
  language: 'en',
  role: 'First reader',
  about: 'Reads your draft.',
  prompt: 'Read coldly.',
  profileImage: '/api/faces/cold.svg',
  private: false,
  enabled: true,
}

/** The longest one that is taken. */
export const longName = 'A name of thirty characters 30'

/** An agent of whoever is signed in, made by a program. */
export async function anAgent(
  server: ParleyServer,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; token: string }> {
  const { token } = await otherSession(server, ana)
  const answer = await call(server, 'POST', '/v1/assistants', { body: { ...draft, ...fields }, token })
  expect(answer.status).toBe(201)
  return { id: ((await answer.json()) as { _id: string })._id, token }
}

export async function openNew(
  page: Page,
  server: ParleyServer,
  name: RegExp = /^(Publish|Publicar)$/,
): Promise<Locator> {
  await page.goto(`${server.url}/assistants`)
  await page.getByRole('main').getByRole('button', { name }).first().click()
  await expect(editor(page)).toBeVisible()
  return editor(page)
}

export async function openEdit(page: Page, server: ParleyServer): Promise<Locator> {
  await page.goto(`${server.url}/assistants`)
  await page.getByRole('tab').nth(3).click()
  await page.getByRole('main').getByRole('button', { name: /^Edit/ }).first().click()
  await expect(editor(page).getByRole('textbox', { name: 'Prompt', exact: true })).toBeVisible()
  return editor(page)
}
