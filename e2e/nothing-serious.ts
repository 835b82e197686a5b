import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Asks axe, by the rules of WCAG 2.2 AA, for anything serious on what is shown, and in the dark theme for its
 * contrasts: no other rule depends on colours. `where` names it, `inside` is the part that is looked at.
 */
export async function expectNothingSerious(page: Page, where: string, inside?: string): Promise<void> {
  const seriousIn = async (axe: AxeBuilder): Promise<string[]> => {
    const { violations } = await (inside === undefined ? axe : axe.include(inside)).analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    return serious.map(({ id, nodes }) => `${where}: ${id} ${nodes.map((node) => node.target.join(' ')).join(' | ')}`)
  }
  await showIn(page, 'light')
  expect(await seriousIn(new AxeBuilder({ page }).withTags(tags)), 'light').toEqual([])
  await showIn(page, 'dark')
  expect(await seriousIn(new AxeBuilder({ page }).withRules('color-contrast')), 'dark').toEqual([])
  await showIn(page, 'light')
}

/** Shows the page in this theme, without movement. The page follows the system by an event of its own. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
}
