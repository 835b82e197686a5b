// People with accounts: what the journeys of signing in share.
import type { Page } from '@playwright/test'
import { type Email, type MailReceiver, startMailReceiver } from '../apps/server/src/testing/mail-receiver'
import { expect, test as journey, journeyDomain, signInButton } from './journey'
import type { ParleyServer } from './parley-server'

export {
  answers,
  ask,
  composer,
  expect,
  journeyDomain,
  networkNoise,
  newChat,
  secondTab,
  signInButton,
  untilAnswered,
} from './journey'

type Surroundings = {
  /**
   * A mail server that delivers to the journeys of a worker; the server under test uses it where `environment` says so.
   */
  mail: MailReceiver
}

export const test = journey.extend<Surroundings>({
  mail: async ({ standIns }, use) => use(await standIns.of(startMailReceiver)),
})

/** What Chromium itself prints for each call that a server refuses. */
export const refusalNoise = /Failed to load resource/

export type Person = { readonly email: string; readonly password: string }

/** Somebody of this journey. */
const somebody = (name: string, password: string): Person => ({
  get email() {
    return `${name}@${journeyDomain()}`
  },
  password,
})

export const ana = somebody('ana', 'Correct-Horse-7')
export const bruno = somebody('bruno', 'Battery-Staple-8')

/** A call of a program: no browser, no cookies. */
export function call(
  server: ParleyServer,
  method: string,
  path: string,
  options: { body?: unknown; token?: string } = {},
): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
}

/** Makes an account by the API; where the server asks for a confirmation, it waits for one afterwards. */
export async function signUp(server: ParleyServer, person: Person): Promise<void> {
  expect((await call(server, 'POST', '/api/auth/signup', { body: person })).status).toBe(201)
}

/** Another session of the same account, opened by a program. */
export async function otherSession(server: ParleyServer, person: Person): Promise<{ token: string; userId: string }> {
  const answer = await (await call(server, 'POST', '/api/auth/login', { body: person })).json()
  return { token: answer.access_token, userId: answer.user.id }
}

/** The sign-in panel, opened from the top bar. */
export async function openPanel(page: Page) {
  await signInButton(page).click()
  return panelOf(page)
}

/** The panel's own parts, in any language. */
export function panelOf(page: Page) {
  const panel = page.getByRole('dialog')
  return {
    panel,
    email: panel.locator('input[name=email]'),
    password: panel.locator('input[name=password]'),
    submit: panel.locator('button[type=submit]'),
  }
}

/**
 * Fills the panel that is open and waits until the person is in and the panel gone: while it is there, the page behind
 * takes no focus.
 */
export async function enter(page: Page, { email, password }: Person): Promise<void> {
  const panel = panelOf(page)
  await panel.email.fill(email)
  await panel.password.fill(password)
  await panel.submit.click()
  await expect(accountButton(page)).toBeVisible()
  await expect(panel.email).toBeHidden()
}

export async function signIn(page: Page, person: Person): Promise<void> {
  await openPanel(page)
  await enter(page, person)
}

/** At the foot of the sidebar, while somebody is signed in. English. */
export const accountButton = (page: Page) => page.getByRole('button', { name: /: Account$/ })

/** Logs out as a person does, and keeps the chats sealed on the device. */
export async function logOut(page: Page): Promise<void> {
  await accountButton(page).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  // The page begins anew: what is done before that would be lost with the one before.
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click(),
  ])
  await expect(signInButton(page)).toBeVisible()
}

export async function openSecurity(page: Page): Promise<void> {
  await accountButton(page).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Security' }).click()
}

/** A short message that is on the screen now. */
export const toastWith = (page: Page, text: string | RegExp) =>
  page
    .locator('[aria-live] [data-tone]')
    .filter({ has: page.getByText(text, typeof text === 'string' ? { exact: true } : {}) })

/**
 * Waits for the toast and marks it as seen: the next one with the same text is told from it, and nobody need wait until
 * it is gone.
 */
export async function seeToast(page: Page, text: string | RegExp): Promise<void> {
  const unseen = toastWith(page, text).and(page.locator(':not([data-seen])'))
  await expect(unseen).toBeVisible()
  await unseen.evaluate((toast) => toast.setAttribute('data-seen', ''))
}

export const chatRows = (page: Page) => page.getByRole('navigation').locator('[data-channel-id]')

/** The addresses in a mail's text, in their order. */
export function linksOf(mail: Email): string[] {
  return [...(mail.text ?? '').matchAll(/^https?:\S+$/gm)].map(([link]) => link)
}

/** The first link; a mail without one fails the journey. */
export function linkOf(mail: Email, index = 0): string {
  const link = linksOf(mail)[index]
  if (link === undefined) throw new Error(`the mail "${mail.subject}" has no link ${index}`)
  return link
}

/** The names of this browser's databases. */
export async function databaseNames(page: Page): Promise<string[]> {
  return page.evaluate(async () => (await indexedDB.databases()).flatMap(({ name }) => name ?? []))
}

/** How many calls of a path the browser has made since. */
export function countCalls(page: Page, path: string): () => number {
  let count = 0
  page.context().on('request', (request) => {
    if (new URL(request.url()).pathname === path && request.method() !== 'OPTIONS') count++
  })
  return () => count
}
