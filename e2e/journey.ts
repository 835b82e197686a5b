import { randomUUID } from 'node:crypto'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { GatewayStandIn } from '../apps/server/src/testing/gateway-stand-in'
import { Backend, Backends } from './backends'
import { launchMs, type ParleyServer, type Storage } from './parley-server'
import { StandIns } from './stand-ins'

type Options = {
  storage: Storage
  /** What this journey's server is told beyond what every server is told. */
  environment: Record<string, string>
  /**
   * For journeys that stop, kill or configure their server, or that watch what it does by itself. Others share one, one
   * after the other.
   */
  ownServer: boolean
  /** What the gateway answers instead of its usual list of models. */
  models: { data: readonly object[] } | undefined
  /** For journeys that look at what everybody made: nobody may have made anything. */
  emptyTables: boolean
  /** An anonymous person has one chat; whoever is to have more signs in first. */
  signedIn: boolean
  allowedNoise: RegExp | undefined
}

type Journey = {
  /** The model gateway that answers: scripted, over the real protocol. */
  gateway: GatewayStandIn
  /** A server with that gateway, as after its start. */
  server: ParleyServer
  /** What the browser's console said that nobody expected. Checked to be empty at the end of every journey. */
  complaints: string[]
  backend: Backend
  addresses: undefined
}

/** Console messages that a cut network makes by itself; every journey that cuts it says so. */
export const networkNoise =
  /net::ERR_|WebSocket connection to .* failed|Failed to load resource|error occurred when fetching the script/
const blockedWorker = /^Service Worker registration blocked by Playwright/

/** Benches make people as well, outside of every journey. */
let domain = 'example.org'

/** Where the people of this journey have their mail. In no other journey is anybody of the same address. */
export const journeyDomain = (): string => domain

/**
 * An id of this journey's own: an embedded database keeps what the journeys before made, in which the same id would be
 * somebody else's.
 */
export const ownId = (name: string): string => `${name}-${domain.split('.')[0]}`

export const test = base.extend<Journey & Options, { backends: Backends; standIns: StandIns }>({
  storage: ['any', { option: true }],
  environment: [{}, { option: true }],
  ownServer: [false, { option: true }],
  models: [undefined, { option: true }],
  emptyTables: [false, { option: true }],
  signedIn: [false, { option: true }],
  allowedNoise: [undefined, { option: true }],
  backends: [
    async ({}, use) => {
      const backends = new Backends()
      await use(backends)
      await backends.close()
    },
    { scope: 'worker' },
  ],
  standIns: [
    async ({}, use) => {
      const standIns = new StandIns()
      await use(standIns)
      await standIns.close()
    },
    { scope: 'worker' },
  ],
  addresses: [
    async ({}, use) => {
      domain = `${randomUUID().slice(0, 8)}.example.org`
      await use(undefined)
    },
    { auto: true },
  ],
  backend: [
    async ({ backends, storage, environment, models, ownServer, emptyTables }, use, info) => {
      const wanted = { storage, environment, models: models?.data }
      const isOwn = ownServer || (emptyTables && !Backends.canEmptyTables(storage))
      const backend = await (isOwn ? Backend.start(wanted) : backends.take(wanted))
      await use(backend)
      if (info.status !== info.expectedStatus) await info.attach('server output', { body: backend.server.output })
      await (isOwn ? backend.remove() : backends.giveBack(wanted, backend))
    },
    // A server that starts does not take the journey's time.
    { timeout: launchMs },
  ],
  gateway: async ({ backend }, use) => use(backend.gateway),
  // After the gateway: what a journey tells it is there when the server is first asked.
  server: async ({ backend, gateway: _gateway }, use) => use(backend.server),
  complaints: async ({}, use) => use([]),
  // After the server, which is named first for that: it is still there when the last page closes, and has no socket of
  // this journey any more when it is made ready for the next one.
  context: async ({ server: _server, context, complaints, allowedNoise }, use) => {
    context.on('console', (message) => {
      const isBad = message.type() === 'error' || message.type() === 'warning'
      if (isBad && !allowedNoise?.test(message.text()) && !blockedWorker.test(message.text()))
        complaints.push(message.text())
    })
    context.on('weberror', (error) => complaints.push(String(error.error())))
    await use(context)
    expect(complaints, 'the console is silent').toEqual([])
  },
  page: async ({ page, server, signedIn }, use) => {
    await page.goto(`${server.url}/app`)
    if (signedIn) await signIn(page)
    await use(page)
  },
})

export { expect }

export const signInButton = (page: Page) =>
  page.locator('header').getByRole('button', { name: /^(Sign In|Entrar|Iniciar sesión)$/ })

/** Makes an account and signs in with it, as a person would. */
async function signIn(page: Page): Promise<void> {
  const [email, password] = [`ana@${journeyDomain()}`, 'Correct-Horse-7']
  const { origin } = new URL(page.url())
  expect(
    (await page.request.post(`${origin}/api/auth/signup`, { data: { email, password }, headers: { origin } })).status(),
  ).toBe(201)
  await signInButton(page).click()
  const panel = page.getByRole('dialog')
  await panel.locator('input[type=email]').fill(email)
  await panel.locator('input[autocomplete=current-password]').fill(password)
  await page.keyboard.press('Enter')
  await expect(panel).toBeHidden()
}

export const composer = (page: Page) => page.getByRole('textbox', { name: /message|mensagem|mensaje/i })

/** Waits until the app stands where the page was that is painted first, which takes a text and does nothing else. */
export const untilAppRuns = (page: Page): Promise<void> => expect(page.locator('[data-first-screen]')).toHaveCount(0)

/**
 * Waits until no answer is being written. Right after a load that is not known yet: whoever reloads and asks on waits
 * before.
 */
export async function untilAnswered(page: Page): Promise<void> {
  await expect(page.locator('[data-stop]')).toHaveCount(0, { timeout: 20_000 })
}

/** Asks, as soon as the answer before it is complete: until then the box keeps what is in it. */
export async function ask(page: Page, question: string): Promise<void> {
  await untilAnswered(page)
  await composer(page).fill(question)
  await composer(page).press('Enter')
}

export const answers = (page: Page) => page.locator('[data-answer]')

/** Begins a new chat, and waits until it is there: what is written before goes to the one before. English. */
export async function newChat(page: Page): Promise<void> {
  await page.getByRole('button', { name: /New chat/ }).click()
  await expect(answers(page)).toHaveCount(0)
}

/** The whole text of an answer as a reader would copy it. */
export async function answerText(page: Page, index = 0): Promise<string> {
  return ((await answers(page).nth(index).locator('[data-answer-text]').textContent()) ?? '').trim()
}

/** Another tab of the same browser, on the same address. */
export async function secondTab(context: BrowserContext, page: Page): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(page.url())
  return tab
}

/**
 * Waits until the newest version of a draft is on the device: there it has this text's length, and the tag that AES-GCM
 * adds.
 */
export async function untilDraftIsKept(page: Page, draftId: string, text: string): Promise<void> {
  const length = new TextEncoder().encode(JSON.stringify(text)).length + 16
  const keptLength = () =>
    page.evaluate(async (id) => {
      const opening = indexedDB.open('parley')
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      const reading = db.transaction('drafts').objectStore('drafts').get(id)
      const record = await new Promise<{ c: ArrayBuffer } | undefined>((resolve, reject) => {
        reading.onsuccess = () => resolve(reading.result)
        reading.onerror = () => reject(reading.error)
      })
      db.close()
      return record?.c.byteLength
    }, draftId)
  await expect.poll(keptLength).toBe(length)
}
