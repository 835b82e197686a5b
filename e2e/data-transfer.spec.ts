import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { deep } from './deep'
import type { ParleyServer } from './parley-server'
import { ana, call, chatRows, expect, networkNoise, otherSession, signIn, signUp, test, toastWith } from './people'

// Loading the page anew after an import cuts what is under way.
test.use({ allowedNoise: networkNoise })

/** As in a browser that has downloads alone; a journey cannot answer the system's own file chooser. */
test.beforeEach(async ({ context }) => {
  await context.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
})

const words = ['não é só isso', '漢字 かな 🙂🇧🇷', '‮RTL', '"quotes" \\ and </script>', '__proto__']
const at = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString()
const entry = (id: string, n: number) => ({
  id,
  channelName: `Chat ${n}: ${words[n % words.length]}`,
  assistantId: null,
  created_at: at(n),
  updated_at: at(n),
})
const exchange = (id: string, n: number) => ({
  mId: `${id}-m${n}`,
  chat_request: `Question ${n} ${words[n % words.length]}`,
  chat_response: { role: 'assistant', content: `Answer ${n} ${words[(n + 1) % words.length]}` },
  datetime: at(n),
})

const localIds = ['l0', 'l1', 'l2']
const channelsFile = {
  channels: localIds.map((id, n) => entry(id, n)),
  chats: Object.fromEntries(localIds.map((id, n) => [id, Array.from({ length: 40 * n }, (_, m) => exchange(id, m))])),
  exportedAt: at(0),
  version: '1.0',
}

const system = (page: Page) => page.getByRole('group', { name: 'System' })
const dialog = (page: Page) => page.getByRole('dialog')

async function openSettings(page: Page): Promise<void> {
  await page.goto(new URL('/settings?tab=general', page.url()).href)
  await expect(system(page)).toBeVisible()
}

async function chooseImport(page: Page, name: string, content: Buffer | string): Promise<void> {
  await system(page).getByRole('button', { name: 'Import' }).click()
  const chooser = page.waitForEvent('filechooser')
  await dialog(page).getByRole('button', { name: 'Choose a file' }).click()
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
}

async function importAll(page: Page, items: number): Promise<void> {
  const loaded = page.waitForEvent('load')
  await dialog(page).getByRole('button', { name: 'Import' }).click()
  await expect(dialog(page).getByRole('status')).toHaveText(`Import completed! ${items} items imported successfully.`)
  // After some seconds it does so by itself, and there is no button any more.
  const click = dialog(page)
    .getByRole('button', { name: 'Reload now' })
    .click()
    .catch(() => undefined)
  await Promise.race([click, loaded])
  await loaded
  await expect(system(page)).toBeVisible()
}

async function exportAll(page: Page, items: number, passphrase?: string): Promise<Buffer> {
  await system(page).getByRole('button', { name: 'Export' }).click()
  if (passphrase !== undefined) {
    await dialog(page).getByRole('checkbox', { name: 'Protect with a passphrase' }).check()
    await dialog(page).getByLabel('Passphrase', { exact: true }).fill(passphrase)
    await dialog(page).getByLabel('Repeat passphrase').fill(passphrase)
  }
  const download = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  await expect(toastWith(page, `Export completed successfully! ${items} items exported.`)).toBeVisible()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^parley_both_\d{4}-\d\d-\d\d\.zip$/)
  return readFileSync(await file.path())
}

async function deleteAll(page: Page): Promise<void> {
  await system(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect(toastWith(page, 'All chats deleted successfully!')).toBeVisible()
  await expect(chatRows(page)).toHaveCount(0)
}

async function expectNothingSerious(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .include('dialog')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  expect(
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id} ${nodes[0]?.html}`),
  ).toEqual([])
}

type Chats = Record<string, { name: string; messages: unknown[] }>

/** What an open data file holds: each chat with its messages, wherever it was kept. */
function chatsOf(file: Buffer): Chats {
  const start = 30 + file.readUInt16LE(26) + file.readUInt16LE(28)
  const { channels, chats } = JSON.parse(inflateRawSync(file.subarray(start)).toString())
  const found: Chats = {}
  for (const { id, channelName } of channels) found[id] = { name: channelName, messages: [] }
  for (const { channelId, messages } of chats) {
    for (const { mId, chat_request, chat_response, datetime, status } of messages) {
      found[channelId]?.messages.push({ mId, chat_request, chat_response, datetime, status })
    }
  }
  return found
}

async function fillCloud(server: ParleyServer): Promise<void> {
  const { token } = await otherSession(server, ana)
  const { data } = await (
    await call(server, 'POST', '/api/channel', { token, body: { channelName: 'In the cloud' } })
  ).json()
  const messages = Array.from({ length: 130 }, (_, n) => ({
    ...exchange(data.id, n),
    channelId: data.id,
    status: 'completed',
  }))
  expect((await call(server, 'PUT', `/api/chat/${data.id}/messages`, { token, body: { messages } })).status).toBe(200)
}

test('everything goes out, is deleted, and comes back as it was, from a file that only its passphrase opens [CH-118, CH-124, CH-133, ST-018, ST-181, ST-182, ST-193, ST-194]', async ({
  page,
  server,
}) => {
  await signUp(server, ana)
  await fillCloud(server)
  await signIn(page, ana)
  await openSettings(page)
  await chooseImport(page, 'channels.json', JSON.stringify(channelsFile))
  await expect(dialog(page).getByText('Parley channels file')).toBeVisible()
  await importAll(page, 123)
  await expect(chatRows(page)).toHaveCount(4)
  // 4 chats with 250 messages, and what the server keeps beside them.
  const open = await exportAll(page, 254)
  const sealed = await exportAll(page, 254, 'correct horse battery')
  expect(open.subarray(0, 2).toString()).toBe('PK')
  expect(sealed.includes('parley_data.sealed')).toBe(true)
  expect(sealed.includes('In the cloud')).toBe(false)
  await deleteAll(page)

  await chooseImport(page, 'data.zip', sealed)
  await dialog(page).getByLabel('Passphrase').fill('correct horse batterx')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'This passphrase does not open the file. Please check it and try again.',
  )
  await dialog(page).getByLabel('Passphrase').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('Found in data.zip')).toBeVisible()
  await importAll(page, 254)
  await expect(chatRows(page)).toHaveCount(4)
  const again = chatsOf(await exportAll(page, 254))
  expect(again).toEqual(chatsOf(open))
  expect(
    Object.values(again)
      .map(({ messages }) => messages.length)
      .sort(),
  ).toEqual([0, 130, 40, 80])

  // The open file has the same in it: nothing is new.
  await chooseImport(page, 'data.zip', open)
  await dialog(page).getByRole('radio', { name: /^Skip/ }).check()
  await dialog(page).getByRole('button', { name: 'Import' }).click()
  await expect(dialog(page).getByRole('status')).toHaveText('Import completed! 0 items imported successfully.')
})

test(
  'a file goes to the cloud where that is chosen, and replaces there what it finds [ST-188, ST-190]',
  deep,
  async ({ page, server }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    const { token } = await otherSession(server, ana)
    const inCloud = async (): Promise<Record<string, number>> => {
      const { channels } = await (await call(server, 'GET', '/api/channel', { token })).json()
      const counts: Record<string, number> = {}
      for (const { id, channelName } of channels)
        counts[channelName] = (
          await (await call(server, 'GET', `/api/chat/documents/0/1/${id}`, { token })).json()
        ).total
      return counts
    }
    const file = (answers: number) => ({
      ...channelsFile,
      channels: [entry('c-1', 1)],
      chats: { 'c-1': Array.from({ length: answers }, (_, n) => exchange('c-1', n)) },
    })
    await openSettings(page)
    await chooseImport(page, 'first.json', JSON.stringify(file(250)))
    await dialog(page).getByRole('radio', { name: 'Cloud' }).check()
    await importAll(page, 251)
    const name = entry('c-1', 1).channelName
    expect(await inCloud()).toEqual({ [name]: 250 })

    await chooseImport(page, 'second.json', JSON.stringify(file(3)))
    await importAll(page, 4)
    expect(await inCloud()).toEqual({ [name]: 3 })
    await chooseImport(page, 'third.json', JSON.stringify(file(5)))
    await dialog(page)
      .getByRole('radio', { name: /^Merge/ })
      .check()
    await importAll(page, 2)
    expect(await inCloud()).toEqual({ [name]: 5 })
  },
)

test("ChatGPT's conversations become chats of this device, with the keyboard alone", async ({ page, server }) => {
  await signUp(server, ana)
  await signIn(page, ana)
  await openSettings(page)
  const said = (parent: string | null, role: string, text: string) => ({
    parent,
    message: { author: { role }, create_time: 1_700_000_000, content: { content_type: 'text', parts: [text] } },
  })
  const mapping = {
    q: said(null, 'user', 'How long does bread rise?'),
    a1: said('q', 'assistant', 'A first try.'),
    a2: said('q', 'assistant', '**Two** hours.'),
  }
  const conversation = {
    id: 'g-1',
    title: 'Baking',
    create_time: 1_700_000_000,
    update_time: 1_700_000_100,
    mapping,
    current_node: 'a2',
  }
  await system(page).getByRole('button', { name: 'Import' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'Choose a file' })).toBeFocused()
  // Before the key: the browser has to be told first that the choice is ours.
  const chooser = page.waitForEvent('filechooser')
  await expectNothingSerious(page)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({
    name: 'conversations.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify([conversation])),
  })
  await expect(dialog(page).getByText('ChatGPT export')).toBeVisible()
  await expectNothingSerious(page)
  await page.keyboard.press('Tab')
  await expect(dialog(page).getByRole('checkbox', { name: 'Channels' })).toBeFocused()
  // By itself, some time after.
  const loaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('status')).toHaveText('Import completed! 2 items imported successfully.')
  await loaded
  await chatRows(page).filter({ hasText: 'Baking' }).getByRole('link').click()
  await expect(page.locator('[data-answer-text]')).toHaveText('Two hours.')
})
