import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Asks axe, by the rules of WCAG 2.2 AA, for anything serious on what is shown, and in the dark theme for its
 * contrasts: no other rule depends on colours. `where` names it, `inside` is the part that is looked at. Of a page under
 * a modal dialog nothing can be reached: there it is the dialog alone.
 */
export async function expectNothingSerious(page: Page, where: string, inside?: string): Promise<void> {
  await expectNoViolation(page, where, { tags, impacts: ['serious', 'critical'], inside })
}

/** As `expectNothingSerious`, but asks for whatever axe knows to complain of, its best practices too. */
export async function expectNothing(page: Page, where: string): Promise<void> {
  await expectNoViolation(page, where, { tags: [...tags, 'best-practice'] })
}

type Look = { tags: string[]; impacts?: string[]; inside?: string | undefined }

const modal = 'dialog:modal'

async function expectNoViolation(page: Page, where: string, { tags, impacts, ...look }: Look): Promise<void> {
  const inside = look.inside ?? ((await page.locator(modal).count()) > 0 ? modal : undefined)
  const violationsOf = async (axe: AxeBuilder): Promise<string[]> => {
    if (inside !== undefined) axe.include(inside)
    // There are no frames: without legacy mode each look opens a page of its own to put those of frames together.
    const { violations } = await axe
      .options({ resultTypes: ['violations'] })
      .setLegacyMode()
      .analyze()
    const meant = violations.filter(({ impact }) => !impacts || impacts.includes(impact ?? ''))
    return meant.map(({ id, nodes }) => `${where}: ${id} ${nodes.map((node) => node.target.join(' ')).join(' | ')}`)
  }
  await showIn(page, 'light')
  expect(await violationsOf(new AxeBuilder({ page }).withTags(tags)), 'light').toEqual([])
  await showIn(page, 'dark')
  expect(await violationsOf(new AxeBuilder({ page }).withRules('color-contrast')), 'dark').toEqual([])
  await showIn(page, 'light')
}

/** Shows the page in this theme, without movement. The page follows the system by an event of its own. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
}
