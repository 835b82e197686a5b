import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { deep } from './deep'
import { ana, expect, logOut, networkNoise, openPanel, secondTab, signIn, signUp, toastWith } from './people'
import {
  lockScreen,
  markers,
  passphrase,
  plantMarkers,
  seeMarkers,
  setPassphrase,
  signInLocked,
  test,
  unlock,
} from './vault-steps'

test('a wrong passphrase is told, the right one and the recovery code open, and a sign-in alone does not', async ({
  page,
  server,
  gateway,
}) => {
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

  test(
    'it locks by itself after the chosen minutes without activity, and not before',
    deep,
    async ({ page, server, gateway }) => {
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
    },
  )
})

test(
  'another passphrase takes the place of the first; removed again, the chats stay and open without one',
  deep,
  async ({ page, server, gateway }) => {
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
  },
)

test('a tab beside an unlocked one opens with it, and locking one tab locks them all', async ({
  page,
  context,
  server,
  gateway,
}) => {
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

type Texts = Record<
  'title' | 'sealedText' | 'lockedText' | 'turnOn' | 'turnOnButton' | 'newPassphrase' | 'repeatPassphrase',
  string
> &
  Record<
    | 'recoveryTitle'
    | 'recoveryText'
    | 'recoveryKept'
    | 'save'
    | 'lockedDone'
    | 'lockNow'
    | 'idle'
    | 'turnOff'
    | 'turnOffText',
    string
  > &
  Record<
    | 'unlockTitle'
    | 'unlockText'
    | 'unlock'
    | 'passphrase'
    | 'useCode'
    | 'usePassphrase'
    | 'unlockedDone'
    | 'turnOffButton',
    string
  >

const said: Texts = JSON.parse(readFileSync(new URL('../apps/web/src/i18n/en-US/vault.json', import.meta.url), 'utf8'))

/** What the vault says of each level: where the key is, and what the level does not protect from. */
const plainWords = {
  sealed: [
    /the key lies on this device: whoever can copy its files could read them/,
    /When you log out the key is erased/,
  ],
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

test(
  'what each level protects is said in plain words, and the lock is set, opened and removed with the keyboard alone',
  deep,
  async ({ page, server }) => {
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
  },
)
