import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { deep } from './deep'
import { answers, ask, expect, newChat, test, untilAnswered } from './journey'
import { seeToast } from './people'
import { short } from './short'

test.use({ signedIn: true })

const sidebar = (page: Page) => page.getByRole('navigation')
const tool = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Chat tools' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

async function rename(page: Page, name: string): Promise<void> {
  await tool(page, 'Rename')
  await page.getByRole('dialog').getByRole('textbox').fill(name)
  await page.getByRole('dialog').getByRole('textbox').press('Enter')
}

test(
  'rename: a taken name is refused in its words, an empty one does nothing, a click outside does not close [CH-109, CH-110, CH-111, CH-112, CH-114, CH-116]',
  short,
  async ({ page, gateway }) => {
    gateway.next({ text: 'one' })
    await ask(page, 'first')
    await expect(answers(page).first()).toContainText('one')
    await rename(page, 'Taken name')
    await expect(page.getByText('Chat renamed successfully!')).toBeVisible()

    await newChat(page)
    gateway.next({ text: 'two' })
    await ask(page, 'second')
    await expect(answers(page).first()).toContainText('two')
    await rename(page, 'TAKEN NAME')
    await expect(page.getByText('Channel with this name already exists').first()).toBeVisible()
    await page.getByRole('dialog').getByRole('textbox').fill('   ')
    await page.getByRole('dialog').getByRole('textbox').press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.mouse.click(5, 5)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    await expect(page.getByRole('dialog')).toBeHidden()
  },
)

test(
  'clear keeps the channel, a locked one can be neither cleared nor deleted, delete asks first [CH-065, CH-085, CH-087, CH-096, AG-104, AG-105]',
  deep,
  async ({ page, gateway }) => {
    gateway.next({ text: 'something to clear' })
    await ask(page, 'hello')
    await expect(answers(page).first()).toContainText('something to clear')
    await rename(page, 'Precious')
    await tool(page, 'Lock')
    await expect(sidebar(page).getByRole('link', { name: /Precious/ })).toBeVisible()
    await page.getByRole('button', { name: 'Chat tools' }).click()
    await expect(page.getByRole('menuitem', { name: 'Unlock' })).toBeVisible()
    await expect(sidebar(page).getByRole('img', { name: 'Locked' })).toBeVisible()
    await page.keyboard.press('Escape')
    await sidebar(page)
      .getByRole('link', { name: /Precious/ })
      .click({ button: 'right' })
    await page.keyboard.press('Escape')
    await tool(page, 'Unlock')
    await expect(sidebar(page).getByRole('img', { name: 'Locked' })).toHaveCount(0)

    await tool(page, 'Clear')
    await expect(page.getByText('Clear all messages of this chat?')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await sidebar(page)
      .getByRole('link', { name: /Precious/ })
      .click()
    await expect(answers(page).first()).toContainText('something to clear')
    await tool(page, 'Clear')
    await page.getByRole('button', { name: 'Ok' }).click()
    await expect(page.getByText('Channel cleared successfully in Local Storage!')).toBeVisible()
    await sidebar(page)
      .getByRole('link', { name: /Precious/ })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Precious' })).toBeVisible()
    await expect(answers(page)).toHaveCount(0)

    await tool(page, 'Delete')
    await page.getByRole('button', { name: 'Ok' }).click()
    await expect(sidebar(page).getByText('Precious')).toBeHidden()
    await expect(page).toHaveURL(/\/app$/)
  },
)

test(
  'all chats go out into one file and come back from it equal [CH-133, CH-134, CH-135, CH-136, CH-138]',
  deep,
  async ({ page, gateway }) => {
    gateway.next({ text: 'An answer with **é, 漢字, 🙂** in it.' })
    await ask(page, 'Export me: ção ñ 漢')
    await expect(answers(page).first()).toContainText('漢字')
    await untilAnswered(page)
    await rename(page, 'Viagem à Lua 🌙')
    await expect(page.getByText('Chat renamed successfully!')).toBeVisible()

    const menu = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Chats menu' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const download = page.waitForEvent('download')
    await menu('Export all chats')
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^parley_channels_\d{4}-\d{2}-\d{2}\.json$/)
    const path = await file.path()
    const exported = JSON.parse(readFileSync(path, 'utf8'))
    expect(Object.keys(exported).sort()).toEqual(['channels', 'chats', 'exportedAt', 'version'])
    expect(exported.version).toBe('1.0')

    await page.keyboard.press('Escape')
    await menu('Delete all chats')
    await page.getByRole('button', { name: 'Ok' }).click()
    await expect(page.getByText('All local chats deleted successfully!')).toBeVisible()
    await expect(sidebar(page).getByText('Viagem à Lua')).toBeHidden()

    const chooser = page.waitForEvent('filechooser')
    await menu('Import chats')
    await (await chooser).setFiles({
      name: file.suggestedFilename(),
      mimeType: 'application/json',
      buffer: readFileSync(path),
    })
    // By itself, some time after.
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Ok' }).click()
    await expect(sidebar(page).getByText('Viagem à Lua 🌙')).toBeVisible()
    await loaded
    await page.keyboard.press('Escape')
    await sidebar(page).getByText('Viagem à Lua 🌙').click()
    await expect(answers(page).first()).toContainText('An answer with é, 漢字, 🙂 in it.')
  },
)

test('a chat becomes a PDF with real text, made in the browser [CH-126, CH-131, CH-132, AG-106]', async ({
  page,
  gateway,
}) => {
  gateway.next({ text: '# Título\n\nAção, 漢字 and `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |' })
  await ask(page, 'Make a page of this')
  await expect(answers(page).first()).toContainText('Título')
  await rename(page, 'Paper')
  const download = page.waitForEvent('download')
  await tool(page, 'Export to PDF')
  const file = await download
  await expect(page.getByText('Channel exported successfully in Local Storage')).toBeVisible()
  expect(file.suggestedFilename()).toMatch(/^Parley_Chat_Paper_\d{4}-\d{2}-\d{2}\.pdf$/)
  const pdf = readFileSync(await file.path())
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
})

test('a broken import file is refused in its words and changes nothing [CH-137, CH-141]', async ({ page, gateway }) => {
  gateway.next({ text: 'still here' })
  await ask(page, 'keep me')
  await expect(answers(page).first()).toContainText('still here')
  for (const [name, body] of [
    ['truncated.json', '{"channels":[{"id":"a","channelName":"x"'],
    ['other.json', '{"hello":1}'],
    [
      'proto.json',
      '{"channels":[{"id":"__proto__","channelName":"evil"}],"chats":{"__proto__":[]},"exportedAt":"x","version":"1.0"}',
    ],
  ] as const) {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Chats menu' }).click()
    await page.getByRole('menuitem', { name: 'Import chats' }).click()
    await (await chooser).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(body) })
    await seeToast(page, /Failed to import channels: Invalid import data format/)
    await page.keyboard.press('Escape')
  }
  await expect(sidebar(page).getByRole('link').filter({ hasText: 'local' })).toHaveCount(1)
  await expect(answers(page).first()).toContainText('still here')
})

test('a full disk is said, and the text stays in the box', async ({ page }) => {
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    IDBObjectStore.prototype.add = IDBObjectStore.prototype.put
  })
  await ask(page, 'Will this be kept?')
  await expect(page.getByText(/out of space/)).toBeVisible()
  await expect(page.getByRole('textbox', { name: /message/i })).toHaveValue('Will this be kept?')
})
