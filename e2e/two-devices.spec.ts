// Answers that were begun elsewhere: on another device of the same person, or by another member of the channel.
import type { Browser, Page } from '@playwright/test'
import { words } from '../apps/server/src/testing/gateway-scenarios'
import { askByProgram } from './ask-by-program'
import { test as behindNetwork } from './behind-network'
import { deep } from './deep'
import { answerText } from './journey'
import type { ParleyServer } from './parley-server'
import {
  ana,
  answers,
  ask,
  bruno,
  call,
  chatRows,
  composer,
  expect,
  otherSession,
  type Person,
  signIn,
  signUp,
  test,
} from './people'

/** Nobody waits so long for its end: whatever is shown of it is shown while it is written. */
const longAnswer = { text: words(2_000), tokensPerSecond: 40, holdAfter: 10_000 }
const questions = (page: Page) => page.locator('[data-question]')
const stopButton = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true })

/** Waits until the page shows a text, spaces and all. */
async function see(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector('main')?.textContent?.includes(wanted), text, {
    polling: 20,
  })
}

/** How often the page has read the messages of a channel since. */
function countReadings(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/chat/documents/')) count++
  })
  return () => count
}

/** Ana's chat in the cloud, in which Bruno has this role; made by a program. */
async function aSharedChat(server: ParleyServer, role?: 'read' | 'write'): Promise<string> {
  await signUp(server, ana)
  const { token } = await otherSession(server, ana)
  const { data } = await (await call(server, 'POST', '/api/channel', { token, body: { channelName: 'Plans' } })).json()
  if (!role) return data.id
  await signUp(server, bruno)
  const { url } = await (
    await call(server, 'POST', `/api/channel/${data.id}/invitations`, { token, body: { role } })
  ).json()
  const guest = await otherSession(server, bruno)
  expect(
    (await call(server, 'POST', `/api/invitations/${url.split('/').at(-1)}/accept`, { token: guest.token })).status,
  ).toBe(200)
  return data.id
}

async function openPlans(page: Page, person: Person): Promise<void> {
  await signIn(page, person)
  await chatRows(page).getByText('Plans').click()
  await expect(page.getByRole('heading', { name: 'Plans' })).toBeVisible()
}

/** Another device, on which this person has opened the chat. */
async function anotherDevice(browser: Browser, server: ParleyServer, person: Person): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${server.url}/app`)
  await openPlans(page, person)
  return page
}

test('what is asked on one device grows on the other as it is written, and is stopped there', async ({
  page,
  browser,
  server,
  gateway,
}) => {
  await aSharedChat(server)
  const other = await anotherDevice(browser, server, ana)
  await openPlans(page, ana)
  gateway.next(longAnswer)
  await ask(page, 'On both?')
  for (const device of [page, other]) await see(device, 'word10 ')
  const readings = countReadings(other)
  for (const device of [page, other]) await see(device, 'word80 ')
  // It comes by the stream: nothing is read again and again.
  expect(readings()).toBe(0)
  expect(gateway.requests).toHaveLength(1)

  // A device that opens the chat in the middle has all of it at once, and the rest as it comes.
  const third = await anotherDevice(browser, server, ana)
  await see(third, 'word10 ')
  await expect(stopButton(third)).toBeVisible()
  await third.getByRole('button', { name: 'Stop', exact: true }).click()
  for (const device of [page, other, third]) {
    await expect(answers(device).first()).toContainText('Stopped by you')
    await expect(stopButton(device)).toHaveCount(0)
    await expect(questions(device)).toHaveCount(1)
  }
  const texts = async () => new Set(await Promise.all([page, other, third].map((device) => answerText(device))))
  await expect.poll(async () => (await texts()).size).toBe(1)
  await other.context().close()
  await third.context().close()
})

test('what a member asks grows for the owner, who sees it was read, asks on meanwhile, and may stop it', async ({
  page,
  browser,
  server,
  gateway,
}) => {
  await aSharedChat(server, 'write')
  const guest = await anotherDevice(browser, server, bruno)
  await openPlans(page, ana)
  gateway.next(longAnswer)
  await ask(guest, 'May all see this?')
  for (const device of [guest, page]) await see(device, 'word10 ')
  await expect(questions(page).first()).toContainText('bruno')
  // Nobody waits for the answer to what somebody else asked.
  await expect(stopButton(page)).toHaveCount(0)
  gateway.next({ text: 'Meanwhile.' })
  await ask(page, 'And mine?')
  for (const device of [page, guest]) await expect(answers(device).nth(1)).toContainText('Meanwhile.')
  await expect(guest.getByRole('button', { name: 'Stop this answer' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Stop this answer' }).click()
  for (const device of [page, guest])
    await expect(answers(device).first().getByText('Stopped', { exact: true })).toBeVisible()
  // However often the list was measured anew while the answer grew.
  await expect(page.getByText('Several errors occurred.')).toHaveCount(0)

  // Each sees that the other has read it, and when.
  for (const [device, index] of [
    [guest, 0],
    [page, 1],
  ] as const) {
    const mark = questions(device).nth(index).getByRole('button', { name: 'Read', exact: true })
    await mark.focus()
    await device.keyboard.press('Tab')
    await device.keyboard.press('Shift+Tab')
    // The pointer, where it clicked last, may rest on a tool that tells its name as well.
    const note = device
      .getByRole('tooltip')
      .filter({ hasText: device === guest ? /ana\s*Read \w+ \d+/ : /bruno\s*Read \w+ \d+/ })
    await expect(note).toBeVisible()
    await device.keyboard.press('Escape')
    await expect(note).toHaveCount(0)
  }
  // Of a message that the only other person wrote there is nobody to tell of.
  const receipt = { name: /^(Sent|Received|Read)/ }
  await expect(questions(page).first().getByRole('button', receipt)).toHaveCount(0)
  await guest.context().close()
})

test(
  'whoever may only read follows an answer, but does not stop it',
  deep,
  async ({ page, browser, server, gateway }) => {
    await aSharedChat(server, 'read')
    const guest = await anotherDevice(browser, server, bruno)
    await openPlans(page, ana)
    gateway.next({ text: words(120), holdAfter: 300 })
    await ask(page, 'Reading along?')
    for (const device of [page, guest]) await see(device, 'word10 ')
    await expect(guest.getByRole('button', { name: /^Stop/ })).toHaveCount(0)
    gateway.release()
    for (const device of [page, guest]) await see(device, 'word119')
    await expect(composer(guest)).toHaveCount(0)
    await guest.context().close()
  },
)

behindNetwork(
  'a device that was away shows what was written without it, and follows again',
  async ({ page, server, network, gateway }) => {
    const channelId = await aSharedChat(server)
    const { token } = await otherSession(server, ana)
    await openPlans(page, ana)
    gateway.next({ text: words(100), holdAfter: 100 })
    const first = askByProgram(server, token, channelId, 'Are you there?')
    await see(page, 'word10 ')
    network.goDown()
    gateway.release()
    await first
    gateway.next({ text: 'Said in your absence.' })
    await askByProgram(server, token, channelId, 'Gone?')
    network.comeBack()
    await expect(answers(page).nth(1)).toContainText('Said in your absence.', { timeout: 20_000 })
    await expect.poll(() => answerText(page)).toBe(words(100))
    gateway.next({ text: words(60), holdAfter: 100 })
    const third = askByProgram(server, token, channelId, 'Back again?')
    await expect(answers(page).nth(2)).toContainText('word10')
    gateway.release()
    await third
    await expect(answers(page).nth(2)).toContainText('word59')
  },
)
