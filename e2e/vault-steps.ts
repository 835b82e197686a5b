import type { Page } from '@playwright/test'
import { ana, answers, ask, expect, test as journey, openPanel, openSecurity, toastWith } from './people'
import { ProfileFolder } from './profile-folder'

export const test = journey.extend<{ profile: ProfileFolder }>({
  profile: async ({ launchOptions }, use) => {
    const profile = new ProfileFolder(launchOptions)
    await use(profile)
    await profile.remove()
  },
})

export const passphrase = 'seven quiet herons'
/** Nothing of these stands beside a text of the product: a packed file would not hold them in one piece. */
export const markers = { question: 'Qa81f7c02be46', answer: 'Ab77e4d19c053', name: 'Nc19d5e63f728' }

/** A chat whose question, answer and name are markers. */
export async function plantMarkers(page: Page, gateway: { next(script: { text: string }): void }): Promise<void> {
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

export async function seeMarkers(page: Page): Promise<void> {
  await page.getByRole('navigation').getByText(markers.name).click()
  await expect(page.locator('[data-question]').first()).toContainText(markers.question)
  await expect(answers(page).first()).toContainText(markers.answer)
}

/** Ends with the security settings on the screen. Answers the recovery code. */
export async function setPassphrase(page: Page, secret = passphrase): Promise<string> {
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

export const lockScreen = (page: Page) => page.getByRole('heading', { name: 'Your chats are locked' })

export async function unlock(page: Page, secret = passphrase): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Unlock' }).click()
}

/** Of an account whose vault has a passphrase: the lock comes before anything else of the account. */
export async function signInLocked(page: Page): Promise<void> {
  const { panel, email, password, submit } = await openPanel(page)
  await email.fill(ana.email)
  await password.fill(ana.password)
  await submit.click()
  await expect(lockScreen(page)).toBeVisible()
  await expect(panel).toBeHidden()
}
