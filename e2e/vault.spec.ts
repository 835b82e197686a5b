import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import {
  ana,
  answers,
  ask,
  bruno,
  chatRows,
  databaseNames,
  expect,
  test as journey,
  logOut,
  networkNoise,
  openPanel,
  openSecurity,
  secondTab,
  signIn,
  signUp,
  toastWith,
} from './people'
import { ProfileFolder } from './profile-folder'

const test = journey.extend<{ profile: ProfileFolder }>({
  profile: async ({ launchOptions }, use) => {
    const profile = new ProfileFolder(launchOptions)
    await use(profile)
    await profile.remove()
  },
})

const passphrase = 'seven quiet herons'
/** Nothing of these stands beside a text of the product: a packed file would not hold them in one piece. */
const markers = { question: 'Qa81f7c02be46', answer: 'Ab77e4d19c053', name: 'Nc19d5e63f728' }

/** A chat whose question, answer and name are markers. */
async function plantMarkers(page: Page, gateway: { next(script: { text: string }): void }): Promise<void> {
  gateway.next({ text: `${markers.answer} is the answer` })
  await expect(page.getByRole('dialog')).toBeHidden()
  await ask(page, `${markers.question} was the question`)
  await expect(answers(page).first()).toContainText(`${markers.answer} is the answer`)
  await expect(answers(page).first()).toHaveAttribute('data-status', 'completed')
  await page.getByRole('button', { name: 'Chat tools' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(markers.name)
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('navigation').getByText(markers.name)).toBeVisible()
}

async function seeMarkers(page: Page): Promise<void> {
  await page.getByRole('navigation').getByText(markers.name).click()
  await expect(page.locator('[data-question]').first()).toContainText(markers.question)
  await expect(answers(page).first()).toContainText(markers.answer)
}

/** Ends with the security settings on the screen. Answers the recovery code. */
async function setPassphrase(page: Page, secret = passphrase): Promise<string> {
  await openSecurity(page)
  await page.getByRole('button', { name: 'Set passphrase' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lock with a passphrase' })
  await dialog.getByLabel('New passphrase').fill(secret)
  await dialog.getByLabel('Repeat passphrase').fill(secret)
  const code = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByLabel('I have kept the code').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toastWith(page, 'Your chats are locked with the passphrase now.')).toBeVisible()
  await expect(dialog).toBeHidden()
  return code
}

const lockScreen = (page: Page) => page.getByRole('heading', { name: 'Your chats are locked' })

async function unlock(page: Page, secret = passphrase): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Unlock' }).click()
}

test('after logout no file of the browser holds a word of the chats or a byte of their keys, and the next sign-in of the account opens them [CH-074]', async ({
  profile,
  server,
  gateway,
}) => {
  await signUp(server, ana)
  let page = await profile.open(`${server.url}/app`)
  await signIn(page, ana)
  await plantMarkers(page, gateway)
  await profile.close()
  // The search finds what is there: while the account is signed in its key lies on the device.
  expect(profile.keys.length).toBeGreaterThan(2)
  expect(profile.keyHolders()).not.toEqual([])

  page = await profile.open(`${server.url}/app`)
  await seeMarkers(page)
  await logOut(page)
  await expect(chatRows(page)).toHaveCount(0)
  await profile.close()
  expect(profile.holders(Object.values(markers))).toEqual([])
  expect(profile.keyHolders()).toEqual([])

  page = await profile.open(`${server.url}/app`)
  await signIn(page, ana)
  await seeMarkers(page)
  // Within one life of the browser too: nothing was written to the disk by closing it.
  await logOut(page)
  await profile.close()
  expect(profile.holders(Object.values(markers))).toEqual([])
  expect(profile.keyHolders()).toEqual([])
})

test('locked with a passphrase, no file of the browser holds a word of the chats or a byte of their keys, and only the passphrase opens them', async ({
  profile,
  server,
  gateway,
}) => {
  await signUp(server, ana)
  let page = await profile.open(`${server.url}/app`)
  await signIn(page, ana)
  await plantMarkers(page, gateway)
  await setPassphrase(page)
  await page.getByRole('button', { name: 'Lock now' }).click()
  await expect(lockScreen(page)).toBeVisible()
  await profile.close()
  expect(profile.keys.length).toBeGreaterThan(2)
  expect(profile.holders([...Object.values(markers), passphrase])).toEqual([])
  expect(profile.keyHolders()).toEqual([])

  page = await profile.open(`${server.url}/app`)
  await expect(lockScreen(page)).toBeVisible()
  await unlock(page)
  await seeMarkers(page)
  // Unlocked, it is as safe from whoever copies the folder.
  await profile.close()
  expect(profile.holders([...Object.values(markers), passphrase])).toEqual([])
  expect(profile.keyHolders()).toEqual([])
})

test('a wrong passphrase is told, the right one and the recovery code open, and a sign-in alone does not', async ({ page, server, gateway }) => {
  await signUp(server, ana)
  await signIn(page, ana)
  await plantMarkers(page, gateway)
  const code = await setPassphrase(page)
  await page.getByRole('button', { name: 'Lock now' }).click()
  await expect(lockScreen(page)).toBeVisible()
  await expect(page.getByText(markers.name)).toBeHidden()
  await unlock(page, 'seven quiet heron')
  await expect(page.getByRole('alert')).toHaveText('This does not open your chats. Please check it and try again.')
  await expect(lockScreen(page)).toBeVisible()
  await unlock(page)
  await seeMarkers(page)

  await page.reload()
  await expect(lockScreen(page)).toBeVisible()
  await page.getByRole('button', { name: 'Use the recovery code' }).click()
  await page.getByLabel('Recovery code').fill('AAAA-BBBB-CCCC-DDDD-EEEE-FFFF-GGGG-HHHH')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByRole('alert')).toHaveText('This does not open your chats. Please check it and try again.')
  await page.getByLabel('Recovery code').fill(code.toLowerCase().replaceAll('-', ' '))
  await page.getByRole('button', { name: 'Unlock' }).click()
  await seeMarkers(page)

  await logOut(page)
  await signInLocked(page)
  await unlock(page)
  await seeMarkers(page)
})

test.describe('while the clock jumps', () => {
  // Which ends a connection that is being made.
  test.use({ allowedNoise: networkNoise })

  test('it locks by itself after the chosen minutes without activity, and not before', async ({ page, server, gateway }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    await plantMarkers(page, gateway)
    await setPassphrase(page)
    await page.getByLabel('Lock after inactivity').selectOption('5 minutes')
    await expect(page.getByLabel('Lock after inactivity')).toHaveValue('5')
    await page.clock.install()
    await page.reload()
    await unlock(page)
    await expect(page.getByLabel('Lock after inactivity')).toHaveValue('5')
    await page.clock.fastForward('04:00')
    await page.keyboard.press('Shift')
    await page.clock.fastForward('04:30')
    await expect(lockScreen(page)).toBeHidden()
    await page.clock.fastForward('01:00')
    await expect(lockScreen(page)).toBeVisible()
  })
})

test('another account of the same browser sees nothing of the first one, and both keep their own', async ({ page, server, gateway }) => {
  await signUp(server, ana)
  await signUp(server, bruno)
  await signIn(page, ana)
  await plantMarkers(page, gateway)
  await setPassphrase(page)
  await logOut(page)

  await signIn(page, bruno)
  await expect(lockScreen(page)).toBeHidden()
  await expect(chatRows(page)).toHaveCount(0)
  gateway.next({ text: 'For Bruno alone.' })
  await ask(page, 'Whose is this?')
  await expect(answers(page).first()).toContainText('For Bruno alone.')
  await expect(page.getByText(markers.name)).toHaveCount(0)
  expect((await databaseNames(page)).filter((name) => /^parley-[\da-f-]{36}$/.test(name))).toHaveLength(2)
  await logOut(page)

  await signInLocked(page)
  await unlock(page)
  await seeMarkers(page)
  await expect(chatRows(page)).toHaveCount(1)
  await logOut(page)
  await signIn(page, bruno)
  await expect(chatRows(page)).toHaveCount(1)
  await chatRows(page).getByRole('link').click()
  await expect(answers(page).first()).toContainText('For Bruno alone.')
})

/** Of an account whose vault has a passphrase: the lock comes before anything else of the account. */
async function signInLocked(page: Page): Promise<void> {
  const { panel, email, password, submit } = await openPanel(page)
  await email.fill(ana.email)
  await password.fill(ana.password)
  await submit.click()
  await expect(lockScreen(page)).toBeVisible()
  await expect(panel).toBeHidden()
}

test('another passphrase takes the place of the first; removed again, the chats stay and open without one', async ({ page, server, gateway }) => {
  await signUp(server, ana)
  await signIn(page, ana)
  await plantMarkers(page, gateway)
  await setPassphrase(page)
  const next = 'eight loud geese'
  await page.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change passphrase' })
  await dialog.getByLabel('Current passphrase').fill('not this one')
  await dialog.getByLabel('New passphrase').fill(next)
  await dialog.getByLabel('Repeat passphrase').fill(next)
  await dialog.getByLabel('I have kept the code').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This does not open your chats. Please check it and try again.')
  await dialog.getByLabel('Current passphrase').fill(passphrase)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await page.reload()
  await unlock(page)
  await expect(page.getByRole('alert')).toHaveText('This does not open your chats. Please check it and try again.')
  await unlock(page, next)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(toastWith(page, 'The passphrase was removed.')).toBeVisible()
  await page.goto(`${server.url}/app`)
  await seeMarkers(page)
  await logOut(page)
  await signIn(page, ana)
  await seeMarkers(page)
})

test('an answer that is being written while the passphrase is set is kept whole', async ({ page, server, gateway }) => {
  await signUp(server, ana)
  await signIn(page, ana)
  await plantMarkers(page, gateway)
  const text = Array.from({ length: 80 }, (_, index) => `word${index}`).join(' ')
  gateway.next({ text, tokensPerSecond: 20, holdAfter: 400 })
  await ask(page, 'A long one')
  await expect(answers(page).nth(1)).toContainText('word3')
  await setPassphrase(page)
  gateway.release()
  await page.goBack()
  await expect(answers(page).nth(1)).toContainText('word79', { timeout: 20_000 })
  await expect(answers(page).nth(1)).toHaveAttribute('data-status', 'completed')
  await page.reload()
  await unlock(page)
  await expect(answers(page).nth(1).locator('[data-answer-text]')).toHaveText(text)
})

test('a tab beside an unlocked one opens with it, and locking one tab locks them all', async ({ page, context, server, gateway }) => {
  await signUp(server, ana)
  await signIn(page, ana)
  await plantMarkers(page, gateway)
  const other = await secondTab(context, page)
  await setPassphrase(page)
  await expect(lockScreen(other)).toBeHidden()
  await seeMarkers(other)
  const third = await secondTab(context, other)
  await seeMarkers(third)

  await page.getByRole('button', { name: 'Lock now' }).click()
  for (const tab of [page, other, third]) {
    await expect(lockScreen(tab)).toBeVisible()
    await expect(tab.getByText(markers.name)).toBeHidden()
  }
  await unlock(third)
  await seeMarkers(third)
  await other.reload()
  await seeMarkers(other)
})

type Texts = Record<'title' | 'sealedText' | 'lockedText' | 'turnOn' | 'turnOnButton' | 'newPassphrase' | 'repeatPassphrase', string> &
  Record<'recoveryTitle' | 'recoveryText' | 'recoveryKept' | 'save' | 'lockedDone' | 'lockNow' | 'idle' | 'turnOff' | 'turnOffText', string> &
  Record<'unlockTitle' | 'unlockText' | 'unlock' | 'passphrase' | 'useCode' | 'usePassphrase' | 'unlockedDone' | 'turnOffButton', string>

const said: Texts = JSON.parse(readFileSync(new URL('../apps/web/src/i18n/en-US/vault.json', import.meta.url), 'utf8'))

/** What the vault says of each level: where the key is, and what the level does not protect from. */
const plainWords = {
  sealed: [/the key lies on this device: whoever can copy its files could read them/, /When you log out the key is erased/],
  locked: [/The key is in memory only/, /A program that watches this browser while it is unlocked still could/],
} as const

/** Goes on with the Tab key until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    if (await control.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('the Tab key does not lead there')
}

test('what each level protects is said in plain words, and the lock is set, opened and removed with the keyboard alone', async ({ page, server }) => {
  const noKeys = () => expect(page.locator('body')).not.toContainText(/\bvault\.\w|\{\{/)
  await signUp(server, ana)
  const { panel, email, password } = await openPanel(page)
  await email.fill(ana.email)
  await password.fill(ana.password)
  await page.keyboard.press('Enter')
  await expect(panel).toBeHidden()
  await page.goto(`${server.url}/settings?tab=security`)
  await expect(page.getByRole('heading', { name: said.title })).toBeVisible()
  for (const words of plainWords.sealed) await expect(page.getByText(words)).toBeVisible()
  await noKeys()

  await tabTo(page, page.getByRole('button', { name: said.turnOnButton }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: said.turnOn })
  await expect(dialog.getByText(said.recoveryText)).toBeVisible()
  await noKeys()
  const first = dialog.getByLabel(said.newPassphrase)
  if (!(await first.evaluate((element) => element === document.activeElement))) await tabTo(page, first)
  await page.keyboard.type(passphrase)
  await tabTo(page, dialog.getByLabel(said.repeatPassphrase))
  await page.keyboard.type(passphrase)
  await tabTo(page, dialog.getByLabel(said.recoveryKept))
  await page.keyboard.press('Space')
  await tabTo(page, dialog.getByRole('button', { name: said.save }))
  await page.keyboard.press('Enter')
  await expect(toastWith(page, said.lockedDone)).toBeVisible()
  await expect(dialog).toBeHidden()
  for (const words of plainWords.locked) await expect(page.getByText(words)).toBeVisible()
  await expect(page.getByText(said.turnOffText)).toBeVisible()
  await noKeys()

  await tabTo(page, page.getByRole('button', { name: said.lockNow }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: said.unlockTitle })).toBeVisible()
  await expect(page.getByText(said.unlockText)).toBeVisible()
  await noKeys()
  // Ready to be typed into.
  await expect(page.getByLabel(said.passphrase, { exact: true })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: said.useCode }))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(said.recoveryTitle)).toBeFocused()
  await noKeys()
  await tabTo(page, page.getByRole('button', { name: said.usePassphrase }))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(said.passphrase, { exact: true })).toBeFocused()
  await page.keyboard.type(passphrase)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: said.title })).toBeVisible()

  await tabTo(page, page.getByRole('button', { name: said.turnOffButton, exact: true }))
  await page.keyboard.press('Enter')
  await expect(toastWith(page, said.unlockedDone)).toBeVisible()
  for (const words of plainWords.sealed) await expect(page.getByText(words)).toBeVisible()
})
