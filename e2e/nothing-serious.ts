import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * Asks axe, by the rules that it has by itself, for anything serious on what is shown, and in the dark theme for its
 * contrasts: no other rule depends on colours. `where` names it, `inside` is the part that is looked at. Of a page
 * under a modal dialog nothing can be reached: there it is the dialog alone.
 */
export async function expectNothingSerious(page: Page, where: string, inside?: string): Promise<void> {
  await expectNoViolation(page, where, { impacts: ['serious', 'critical'], inside })
}

/** As `expectNothingSerious`, but takes whatever axe complains of, however small. */
export async function expectNothing(page: Page, where: string): Promise<void> {
  await expectNoViolation(page, where, {})
}

/**
 * As `expectNothing`, without its look at colours in either theme, which takes longer than all others: for a page whose
 * colours were looked at in another language.
 */
export async function expectNothingButColours(page: Page, where: string): Promise<void> {
  await expectNoViolation(page, where, { isOfColours: false })
}

type Look = { impacts?: string[]; inside?: string | undefined; isOfColours?: boolean }

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number]

const modal = 'dialog:modal'

/** `options` takes the place of what was chosen before it: rules are named afterwards. */
const axeOf = (page: Page): AxeBuilder => new AxeBuilder({ page }).options({ resultTypes: ['violations'] })

async function expectNoViolation(
  page: Page,
  where: string,
  { impacts, isOfColours = true, ...look }: Look,
): Promise<void> {
  const inside = look.inside ?? ((await page.locator(modal).count()) > 0 ? modal : undefined)
  const violationsOf = async (axe: AxeBuilder): Promise<string[]> => {
    if (inside !== undefined) axe.include(inside)
    // There are no frames: without legacy mode each look opens a page of its own to put those of frames together.
    const { violations } = await axe.setLegacyMode().analyze()
    const meant = violations.filter(({ impact }) => !impacts || impacts.includes(impact ?? ''))
    return meant.map(({ id, nodes }) => `${where}: ${id} ${nodes.map(toldOf).join(' | ')}`)
  }
  await showIn(page, 'light')
  const axe = axeOf(page)
  expect(await violationsOf(isOfColours ? axe : axe.disableRules('color-contrast')), 'light').toEqual([])
  if (!isOfColours) return
  await showIn(page, 'dark')
  expect(await violationsOf(axeOf(page).withRules('color-contrast')), 'dark').toEqual([])
  await showIn(page, 'light')
}

/** Where it is, and why: with the colours that were found, where it is of them. */
const toldOf = ({ target, any, all, none }: Violation['nodes'][number]): string =>
  `${target.join(' ')} (${[...any, ...all, ...none].map(({ message }) => message).join(', ')})`

/** Shows the page in this theme, without movement. The page follows the system by an event of its own. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
  // Without movement a colour still changes by a transition, which ends with the next frame. Those in what is folded
  // stay listed when they have.
  await page.evaluate(async () => {
    const isChanging = (each: Animation): boolean => each instanceof CSSTransition && each.playState !== 'finished'
    const changes = (): Animation[] => document.getAnimations().filter(isChanging)
    for (let all = changes(); all.length > 0; all = changes())
      await Promise.allSettled(all.map((each) => each.finished))
  })
}
