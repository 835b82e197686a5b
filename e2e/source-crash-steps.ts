// Browsers that are killed while somebody adds sources, and what is there afterwards.
import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { seeded as numbersFrom } from '../packages/reader/src/testing/seeded'
import { KillableBrowser } from './killable-browser'
import { accountButton, ana, expect, test as people, signIn, signInButton, signUp } from './people'
import { addDialog, type GivenFile } from './source-steps'

/** A browser to be killed, of somebody who has an account. */
export const test = people.extend<{ killable: KillableBrowser }>({
  killable: async ({ server, launchOptions }, use) => {
    await signUp(server, ana)
    const killable = new KillableBrowser(launchOptions)
    await use(killable)
    await killable.remove()
  },
})

/** As a person gets there after a crash: signs in where that is asked. `prepare`: before the page has anything. */
export async function comeBack(
  browser: KillableBrowser,
  url: string,
  prepare: (page: Page) => Promise<void> = async () => undefined,
): Promise<Page> {
  const page = await browser.open()
  await prepare(page)
  await page.goto(url)
  await expect(accountButton(page).or(signInButton(page)).first()).toBeVisible()
  if (await signInButton(page).isVisible()) {
    await signIn(page, ana)
    // Who was not signed in had no such chat.
    if (page.url() !== url) await page.goto(url)
  }
  // The first sign of a person: what was added is looked up.
  await page.mouse.move(300, 300)
  return page
}

export type Outcome = 'killed' | 'whole'

/** Runs an action, during which `stopped` may tell that the browser is to be killed now. */
export async function untilKilled(
  browser: KillableBrowser,
  stopped: Promise<void>,
  action: () => Promise<void>,
): Promise<Outcome> {
  const acting = action()
  const outcome = await Promise.race([stopped.then((): Outcome => 'killed'), acting.then((): Outcome => 'whole')])
  if (outcome === 'killed') {
    await browser.kill()
    // It ends with its page.
    await acting.catch(() => undefined)
  }
  return outcome
}

/** Adds a file, and waits until it is read. `begin`: right before it is chosen. */
export async function addAndRead(page: Page, file: GivenFile, begin: () => Promise<void> = async () => undefined) {
  await page.getByRole('button', { name: 'Add sources' }).click()
  const dialog = addDialog(page)
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Select' }).click()
  const chooser = await choosing
  await begin()
  await chooser.setFiles(file)
  await expect(dialog.getByRole('listitem').filter({ hasText: file.name })).toContainText('Processed', {
    timeout: 30_000,
  })
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

/** `npm run e2e:kills`. */
export const isDeep = Boolean(process.env.WITH_KILLS)
export const killsOfNormalRun = 1
const seed = process.env.RUN_SEED === 'random' ? randomInt(2 ** 31) : Number(process.env.RUN_SEED ?? 1)

/**
 * At which of the steps a run kills the browser, in their order: in the deep run at all of them, and on until whoever
 * takes them finds that there is no such step any more; else at a few that RUN_SEED chooses.
 */
export function* stepsToKill(count: number): Generator<number> {
  test.info().annotations.push({ type: 'RUN_SEED', description: String(seed) })
  if (isDeep) for (let step = 1; ; step++) yield step
  const below = numbersFrom(seed)
  const left = Array.from({ length: count }, (_, index) => index + 1)
  const chosen = Array.from({ length: killsOfNormalRun }, () => left.splice(below(left.length), 1)).flat()
  yield* chosen.sort((a, b) => a - b)
}
