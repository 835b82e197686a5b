import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Asks axe, by the rules of WCAG 2.2 AA, for anything serious on what is shown. `where` names it. */
export async function expectNothingSerious(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${where}: ${id} ${nodes.map((node) => node.target.join(' ')).join(' | ')}`)).toEqual([])
}

/** Shows the page in this theme, without movement. The page follows the system by an event of its own. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
}
