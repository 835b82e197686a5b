import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { cutOff, KillableBrowser } from './killable-browser'
import {
  accountButton,
  ana,
  composer,
  expect,
  logOut,
  openPanel,
  openSecurity,
  signInButton,
  signUp,
  test,
  toastWith,
} from './people'
import { type VaultOnDisk, vaultOnDisk } from './vault-on-disk'

const kills = 50
/** Another one by VAULT_KILLS_SEED: every moment and every choice follows from it. */
const seed = Number(process.env.VAULT_KILLS_SEED ?? 20_260_311)
/** So many that encrypting them anew takes long enough to be met by a kill. */
const olderMessages = 600

/** mulberry32: the same numbers for the same seed. */
function numbersFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What the person was shown to be kept. */
type Known = { questions: string[]; answers: string[]; passphrases: string[]; mayBeOpen: boolean }

const lockScreen = (page: Page) => page.getByRole('heading', { name: 'Your chats are locked' })

/** Into the account as a person gets there after a crash: signs in when asked, unlocks when asked. */
async function enter(page: Page, url: string, known: Known): Promise<void> {
  await page.goto(url)
  await expect(lockScreen(page).or(accountButton(page)).or(signInButton(page)).first()).toBeVisible()
  if (await signInButton(page).isVisible()) await signInAgain(page)
  if (await lockScreen(page).isVisible()) await unlock(page, known.passphrases)
  else expect(known.passphrases.length === 0 || known.mayBeOpen, 'the lock is still there').toBe(true)
  await expect(accountButton(page)).toBeVisible()
}

async function signInAgain(page: Page): Promise<void> {
  const { email, password, submit } = await openPanel(page)
  await email.fill(ana.email)
  await password.fill(ana.password)
  await submit.click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(lockScreen(page).or(accountButton(page)).first()).toBeVisible()
  // The account is there a moment before its lock.
  const { level, isMoving } = await vaultOnDisk(page)
  await expect(level === 'locked' || isMoving ? lockScreen(page) : accountButton(page)).toBeVisible()
}

/** With one of the passphrases: where a change was cut off it is the old one or the new one. */
async function unlock(page: Page, passphrases: readonly string[]): Promise<void> {
  for (const passphrase of passphrases) {
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
    await page.getByRole('button', { name: 'Unlock' }).click()
    await expect(page.getByRole('alert').or(accountButton(page)).first()).toBeVisible()
    if (await accountButton(page).isVisible()) return
  }
  throw new Error('no passphrase opens the chats')
}

/** Everything that was acknowledged is there and readable, and nothing is unreadable. */
async function verify(page: Page, url: string, known: Known): Promise<VaultOnDisk> {
  if (page.url() !== url) await page.goto(url)
  // Only what is near the screen is drawn: the newest are looked at, all are counted, and in the end all are exported.
  for (const question of known.questions.slice(-3))
    await expect(page.locator('[data-question]').getByText(question, { exact: true })).toHaveCount(1)
  for (const answer of known.answers.slice(-2))
    await expect(page.locator('[data-answer-text]').getByText(answer, { exact: true })).toHaveCount(1)
  await expect(page.getByText(/cannot be read|⚠/)).toHaveCount(0)
  // A change that was cut off goes on by itself.
  await expect.poll(async () => (await vaultOnDisk(page)).isMoving).toBe(false)
  const disk = await vaultOnDisk(page)
  expect(disk.orphans, 'records without a key').toBe(0)
  expect(disk.messages).toBeGreaterThanOrEqual(olderMessages + known.questions.length)
  return disk
}

/** For whoever looks for the cause of a failure. */
async function keepState(page: Page, known: Known, printed: readonly string[]): Promise<void> {
  const disk = await vaultOnDisk(page).catch(String)
  const text = (await page.locator('body').textContent()) ?? ''
  const [question, answer] = [known.questions.at(-1), known.answers.at(-1)]
  const { passphrases, mayBeOpen } = known
  const body = JSON.stringify(
    { url: page.url(), disk, passphrases, mayBeOpen, question, answer, printed, text: text.slice(-3_000) },
    undefined,
    2,
  )
  writeFileSync(test.info().outputPath('state.json'), body)
}

async function write(page: Page, known: Known, next: () => string, begin: () => void): Promise<void> {
  for (;;) {
    const question = next()
    await composer(page).fill(question)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.locator('[data-question]').getByText(question, { exact: true })).toBeVisible()
    known.questions.push(question)
    const answer = `You said: ${question}`
    await expect(page.locator('[data-answer-text]').getByText(answer, { exact: true })).toBeVisible()
    known.answers.push(answer)
    // One is whole in any case; the kill comes somewhere in the next ones.
    begin()
  }
}

async function choosePassphrase(page: Page, known: Known, next: string, begin: () => void): Promise<void> {
  const [current] = known.passphrases
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: current === undefined ? 'Set passphrase' : 'Change', exact: true }).click()
  if (current !== undefined) await dialog.getByLabel('Current passphrase').fill(current)
  await dialog.getByLabel('New passphrase').fill(next)
  await dialog.getByLabel('Repeat passphrase').fill(next)
  await dialog.getByLabel('I have kept the code').check()
  known.mayBeOpen = current === undefined
  known.passphrases = [next, ...known.passphrases]
  begin()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toastWith(page, 'Your chats are locked with the passphrase now.')).toBeVisible()
  known.passphrases = [next]
  known.mayBeOpen = false
}

async function removePassphrase(page: Page, known: Known, begin: () => void): Promise<void> {
  known.mayBeOpen = true
  begin()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(toastWith(page, 'The passphrase was removed.')).toBeVisible()
  known.passphrases = []
}

async function leaveAndComeBack(page: Page, known: Known, begin: () => void): Promise<void> {
  begin()
  await logOut(page)
  await signInAgain(page)
  if (await lockScreen(page).isVisible()) await unlock(page, known.passphrases)
}

/** A channel with many messages, as the export of another browser. */
function olderChats(channelId: string): Buffer {
  const messages = Array.from({ length: olderMessages }, (_, index) => ({
    mId: `older-${index}`,
    chat_request: `Older question ${index}`,
    chat_response: { role: 'assistant', content: `Older answer ${index} ${'with some text to it '.repeat(20)}` },
    datetime: '2026-01-01T00:00:00.000Z',
    status: 'completed',
  }))
  const channel = {
    id: channelId,
    channelName: 'Older',
    assistantId: null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  }
  return Buffer.from(
    JSON.stringify({
      channels: [channel],
      chats: { [channelId]: messages },
      exportedAt: '2026-01-01T00:00:00.000Z',
      version: '1.0',
    }),
  )
}

async function importOlder(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Chats menu' }).click()
  await page.getByRole('menuitem', { name: 'Import chats' }).click()
  await (await chooser).setFiles({
    name: 'older.json',
    mimeType: 'application/json',
    buffer: olderChats('older-chats'),
  })
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect.poll(async () => (await vaultOnDisk(page)).messages).toBe(olderMessages)
  await page.reload()
}

/** All that the account has on this device, opened with its keys. */
async function exported(page: Page): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Chats menu' }).click()
  await page.getByRole('menuitem', { name: 'Export all chats' }).click()
  return readFileSync(await (await download).path(), 'utf8')
}

test(`${kills} kills of the browser while messages are written and levels changed lose nothing that was acknowledged and leave nothing unreadable`, async ({
  server,
  launchOptions,
}) => {
  test.setTimeout(420_000)
  test.info().annotations.push({ type: 'seed', description: String(seed) })
  const random = numbersFrom(seed)
  const browser = new KillableBrowser(launchOptions)
  const known: Known = { questions: [], answers: [], passphrases: [], mayBeOpen: false }
  let asked = 0
  const nextQuestion = (): string => `Question number ${++asked}.`
  try {
    await signUp(server, ana)
    let page = await browser.open()
    await page.goto(`${server.url}/app`)
    await signInAgain(page)
    await importOlder(page)
    await composer(page).fill('The first question.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page).toHaveURL(/#./)
    const url = page.url()
    known.questions.push('The first question.')

    for (let kill = 0; kill < kills; kill++) {
      await test.step(`kill ${kill} of seed ${seed}`, async () => {
        const choice = random()
        if (choice < 0.5) await cutOff(browser, random() * 700, (begin) => write(page, known, nextQuestion, begin))
        else {
          if (choice < 0.9) await openSecurity(page)
          const next = `passphrase number ${kill}`
          const isRemoval = choice >= 0.7 && known.passphrases.length > 0
          if (choice >= 0.9) await cutOff(browser, random() * 1_200, (begin) => leaveAndComeBack(page, known, begin))
          else if (isRemoval) await cutOff(browser, random() * 500, (begin) => removePassphrase(page, known, begin))
          else await cutOff(browser, random() * 1_500, (begin) => choosePassphrase(page, known, next, begin))
        }
        page = await browser.open()
        const { level } = await enter(page, url, known)
          .then(() => verify(page, url, known))
          .catch(async (error: unknown) => {
            await keepState(page, known, browser.printed)
            throw error
          })
        if (level === 'sealed') known.passphrases = []
        known.mayBeOpen = false
      })
    }

    const file = await exported(page)
    for (const text of [...known.questions, ...known.answers])
      expect(file.includes(JSON.stringify(text).slice(1, -1)), text).toBe(true)
    for (let index = 0; index < olderMessages; index++) expect(file.includes(`Older answer ${index} `)).toBe(true)
    expect(file).not.toContain('storage.unreadable')
    expect(known.answers.length).toBeGreaterThan(kills / 5)
  } finally {
    await browser.remove()
  }
})
