import { composer, expect, test } from './journey'

for (const [language, newChat, html] of [
  ['pt-PT', 'Nova conversa', 'pt-BR'],
  ['es-ES', 'Nuevo chat', 'es-ES'],
  ['de-DE', 'New chat', 'en-US'],
] as const) {
  test.describe(language, () => {
    test.use({ locale: language })
    test(`a browser in ${language} gets ${html} [CH-007, CH-008, CH-009]`, async ({ page }) => {
      await expect(composer(page)).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', html)
      await expect(page.getByRole('navigation').getByText(newChat).first()).toBeVisible()
    })
  })
}
