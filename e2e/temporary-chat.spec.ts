import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test as behindNetwork } from './behind-network'
import { deep } from './deep'
import { answers, answerText, ask, composer, expect, secondTab, untilAnswered } from './journey'
import { expectNothingSerious } from './nothing-serious'
import { accountButton, ana, chatRows, signIn, signUp } from './people'
import { nothing, recordsIn } from './vault-records'
import { test } from './vault-steps'

const words = {
  question: 'QUESTION-f41c-walrus',
  answer: 'ANSWER-9b27-narwhal',
  name: 'NAME-c30e-dugong',
  typed: 'TYPED-77aa-manatee',
  unsent: 'UNSENT-18d6-beluga',
  queued: 'QUEUED-5c0d-orca',
}
const all = Object.values(words)

/** The key of the list of shortcuts, wherever the focus is. */
const beginTemporary = async (page: Page): Promise<void> => {
  // Before, the page is the HTML that is painted first, and knows no keys.
  await expect(page.getByRole('button', { name: /^Where the chat is kept/ })).toBeVisible()
  await page.keyboard.press("Control+Shift+'")
  await expect(page.locator('header').getByText('Temporary chat')).toBeVisible()
}

const keepButton = (page: Page) => page.locator('header').getByRole('button', { name: 'Keep it' })

test.describe('on a server of its own', () => {
  test.use({ storage: 'embedded', ownServer: true })

  test('no file of the browser, no file of the server and no line of its log holds a word of a temporary chat', async ({
    profile,
    server,
    gateway,
  }) => {
    await signUp(server, ana)
    const page = await profile.open(`${server.url}/app`)
    await signIn(page, ana)
    await beginTemporary(page)
    await composer(page).pressSequentially(words.typed)
    await composer(page).fill('')
    gateway.next({ text: `${words.answer} is what it is.` })
    await ask(page, words.question)
    await expect(answers(page).first()).toContainText(words.answer)
    await untilAnswered(page)
    await page.getByRole('button', { name: 'Chat tools' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(words.name)
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await expect(page.getByRole('navigation').getByText(words.name)).toBeVisible()
    // While an answer is written and a question waits, both are in the memory of the tab alone.
    gateway.next({ text: `And on and on, ${words.answer}.`, holdAfter: 6 })
    await ask(page, 'Go on')
    await expect(answers(page).nth(1)).toContainText('And')
    await composer(page).fill(words.queued)
    await composer(page).press('Enter')
    await expect(page.getByRole('button', { name: 'Send now' })).toBeVisible()
    expect(await recordsIn(page)).toEqual(nothing)
    expect(profile.holders(all)).toEqual([])
    gateway.next({ text: 'And out.' })
    gateway.release()
    await expect(answers(page).nth(2)).toContainText('And out.')
    await untilAnswered(page)
    await composer(page).pressSequentially(words.unsent)
    // Another chat and back: the text is where it was typed, in this tab.
    await page.getByRole('link', { name: 'Parley', exact: false }).first().click()
    await expect(answers(page)).toHaveCount(0)
    await page.getByRole('navigation').getByText(words.name).click()
    await expect(composer(page)).toHaveValue(words.unsent)
    expect(await recordsIn(page)).toEqual(nothing)
    await accountButton(page).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('dialog').getByText('ends the temporary chats of this tab')).toBeVisible()
    await page.keyboard.press('Escape')
    // A word that is stored is found.
    await page.evaluate(() => localStorage.setItem('control', 'CONTROL-55aa'))
    expect(profile.holders(all)).toEqual([])
    const channelId = new URL(page.url()).hash.slice(1)
    // Closed alone, the tab leaves nothing in the browser that goes on.
    const other = await page.context().newPage()
    await other.goto(`${server.url}/app`)
    await page.close()
    await expect(composer(other)).toHaveValue('')
    expect(await recordsIn(other)).toEqual(nothing)
    expect(profile.holders(all)).toEqual([])
    await profile.close()
    expect(profile.holders(['CONTROL-55aa'])).not.toEqual([])
    expect(profile.holders(all)).toEqual([])

    const again = await profile.open(`${server.url}/app#${channelId}`)
    await expect(composer(again)).toHaveValue('')
    await expect(again.getByRole('navigation').getByText(words.name)).toHaveCount(0)
    await profile.close()
    await server.stop()
    expect(server.output.length).toBeGreaterThan(200)
    for (const word of [...all, channelId]) expect(server.output.includes(word), `the log holds ${word}`).toBe(false)
    const files = readdirSync(server.dataDir, { withFileTypes: true, recursive: true }).filter((each) => each.isFile())
    expect(files.length).toBeGreaterThan(10)
    const finds = files.flatMap(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return [...all, channelId].filter((word) => bytes.includes(word)).map((word) => `${name} holds ${word}`)
    })
    expect(finds).toEqual([])
  })
})

test('“Keep it” moves a temporary chat into the vault, sealed, where it is after a reload', async ({
  profile,
  server,
  gateway,
}) => {
  const page = await profile.open(`${server.url}/app`)
  await beginTemporary(page)
  gateway.next({ text: `${words.answer} is what it is.` })
  await ask(page, words.question)
  await expect(answers(page).first()).toContainText(words.answer)
  await untilAnswered(page)
  // Another version of the question, which is not written anywhere either.
  gateway.next({ text: `${words.answer} is what it is not.` })
  await page.locator('[data-message-id]').first().hover()
  await page.getByRole('button', { name: 'Edit question' }).click()
  await page.getByRole('textbox', { name: 'Edited question' }).fill(`${words.question} again`)
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await expect(answers(page).first()).toContainText('is what it is not')
  await untilAnswered(page)
  expect(await recordsIn(page)).toEqual(nothing)
  const versions = page.getByRole('group', { name: 'Versions of the question' })
  await expect(versions).toContainText('2/2')
  await composer(page).fill(words.unsent)
  await expect(page.getByRole('navigation').getByText('Temporary')).toBeVisible()
  await keepButton(page).click()
  await expect(page.getByText('The chat is kept on this device, encrypted.')).toBeVisible()
  await expect(keepButton(page)).toBeHidden()
  await expect(page.getByRole('navigation').getByText('Temporary')).toBeHidden()
  await expect(composer(page)).toHaveValue(words.unsent)
  await expect
    .poll(() => recordsIn(page))
    .toEqual({ ...nothing, channels: 1, chats: 1, exchanges: 2, runs: 2, drafts: 1 })
  await page.reload()
  await expect(answers(page).first()).toContainText('is what it is not')
  await expect(versions).toContainText('2/2')
  await versions.getByRole('button', { name: 'Previous version' }).click()
  await expect(answers(page).first()).toContainText('is what it is.')
  await expect(composer(page)).toHaveValue(words.unsent)
  gateway.next({ text: 'And on.' })
  await ask(page, 'Go on')
  await expect(answers(page).nth(1)).toContainText('And on.')
  await untilAnswered(page)
  await profile.close()
  expect(profile.holders(all)).toEqual([])
})

test('a temporary chat is begun, asked and kept by keyboard, offers only what it can do, and asks before its tab is closed', async ({
  page,
  gateway,
}) => {
  await composer(page).fill('half a thought')
  await beginTemporary(page)
  // What is typed goes along, and nowhere else.
  await expect(composer(page)).toHaveValue('half a thought')
  await expect(composer(page)).toBeFocused()
  await expect.poll(() => recordsIn(page)).toEqual(nothing)
  await expect(page.getByText('Gone when this tab closes')).toBeVisible()
  await expect(page.getByText('Parley keeps none of its text')).toBeVisible()
  await expectNothingSerious(page, 'the home of a temporary chat')
  gateway.next({ text: 'A **lien** is a right over a thing until a debt is paid.' })
  await composer(page).fill('What is a lien?')
  await page.keyboard.press('Enter')
  await expect(answers(page).first()).toContainText('lien')
  await untilAnswered(page)
  await expectNothingSerious(page, 'a temporary chat')

  await page.getByRole('button', { name: 'Chat tools' }).click()
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  for (const name of [/Lock/, /Invite/, /Move/, /Cloud/i])
    await expect(page.getByRole('menuitem', { name })).toHaveCount(0)
  await page.keyboard.press('Escape')

  const asked = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await closing
  await expect(answers(page).first()).toContainText('lien')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expect(keepButton(page)).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })

  // A device without room keeps nothing, and the chat is still there.
  await page.evaluate(() => {
    const { add } = IDBObjectStore.prototype
    Reflect.set(globalThis, 'makeRoom', () => {
      IDBObjectStore.prototype.add = add
    })
    IDBObjectStore.prototype.add = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await keepButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/could not be kept and is still temporary/)).toBeVisible()
  await expect(answers(page).first()).toContainText('lien')
  expect(await recordsIn(page)).toEqual(nothing)
  await page.evaluate(() => Reflect.get(globalThis, 'makeRoom')())
  await keepButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The chat is kept on this device, encrypted.')).toBeVisible()
  await page.reload()
  await expect(answers(page).first()).toContainText('lien')
})

test('a temporary chat is chosen beside the composer, on a phone too, and the next chat is one that stays', async ({
  page,
}) => {
  await page.getByRole('button', { name: /^Where the chat is kept/ }).click()
  await page.getByRole('menuitem', { name: 'Temporary' }).click()
  await expect(page.locator('header').getByText('Temporary chat')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /^Where the chat is kept: On this device/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'New temporary chat' }).click()
  await expect(page.locator('header').getByText('Temporary chat')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /^Where the chat is kept: On this device/ })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Chat settings' }).click()
  await page.getByRole('button', { name: /^Where the chat is kept/ }).click()
  await page.getByRole('menuitem', { name: 'Temporary' }).click()
  await page.keyboard.press('Escape')
  await expect(page.locator('header').getByText('Temporary chat')).toBeVisible()
  await expect(page.getByText('Parley keeps none of its text')).toBeVisible()
})

behindNetwork(
  'the answer of a temporary chat goes on in its tab after its socket was cut, and no other tab knows of it',
  deep,
  async ({ page, context, network, gateway }) => {
    await beginTemporary(page)
    const text = Array.from({ length: 300 }, (_, n) => `word${n}`).join(' ')
    gateway.next({ text, tokensPerSecond: 80, holdAfter: 1_500 })
    await ask(page, 'Write slowly.')
    await expect(answers(page).first()).toContainText('word60')
    network.cutWebSockets()
    const other = await secondTab(context, page)
    await expect(composer(other)).toBeVisible()
    await expect(chatRows(other)).toHaveCount(0)
    network.cutWebSockets()
    gateway.release()
    await untilAnswered(page)
    await expect.poll(() => answerText(page)).toBe(text)
    expect(gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
    expect(await recordsIn(page)).toEqual(nothing)
    await expect(chatRows(other)).toHaveCount(0)
  },
)
