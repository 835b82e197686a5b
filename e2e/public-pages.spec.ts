import { fullLanguages } from '../packages/contract/src/languages'
import { deep } from './deep'
import { composer, expect, networkNoise, test } from './journey'
import { expectNothing, expectNothingButColours } from './nothing-serious'

// The page's own fixture opens the app first: these begin where a stranger does.
test.use({ allowedNoise: /status of 404|status of 503/ })

const sitePages = ['/', '/roadmap', '/maintenance', '/terms', '/privacy', '/nowhere']
/** Drawn by the app, and open to anyone. */
const appPages = ['/about', '/assistants', '/sui-assistants', '/reset-password']

const looks = [
  ...fullLanguages.map((language) => ({ what: 'page of the site', paths: sitePages, language })),
  { what: 'page of the app', paths: appPages, language: 'en-US' },
]

for (const { what, paths, language } of looks) {
  test(
    `axe finds nothing on any public ${what} in either theme, and none is too wide for a phone, in ${language} [ST-009]`,
    language === 'en-US' ? {} : deep,
    async ({ page, server }) => {
      for (const path of paths) {
        await page.goto(`${server.url}${path}?lang=${language}`)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expect(page.getByRole('heading').first()).toBeVisible()
        await (language === 'en-US' ? expectNothing : expectNothingButColours)(page, path)
        await page.setViewportSize({ width: 390, height: 844 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390)
        await page.setViewportSize({ width: 1440, height: 900 })
      }
    },
  )
}

test('axe finds nothing on the public pages as a phone shows them, nor in their menu', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of sitePages) {
    await page.goto(server.url + path)
    // Their colours, which are those of the desk, were looked at there.
    await expectNothingButColours(page, path)
  }
  await page.goto(server.url)
  await page.locator('details.menu > summary').click()
  await expectNothing(page, 'menu')
})

test('without scripts the landing page is whole: sections, menu, questions, language, and the way into the app [CH-011, ST-206, ST-210]', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await page.goto(server.url)
  await expect(page.getByRole('heading', { level: 1, name: 'Talk to any model. Keep every word.' })).toBeVisible()
  await expect(page.getByText('Put that as a formula in the clause', { exact: false })).toBeVisible()
  await page.getByText('Can I sign in with a wallet?').click()
  await expect(page.getByText('You sign a message, which costs nothing.', { exact: false })).toBeVisible()
  await page.locator('details.menu > summary').click()
  await page.locator('.menu-sheet').getByRole('link', { name: 'Roadmap' }).click()
  await expect(page).toHaveURL(/\/roadmap$/)
  await page.locator('details.languages > summary').click()
  await page.getByRole('link', { name: 'Español' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('De dónde viene Parley y adónde va')
  // Remembered without a script.
  await page.goto(server.url)
  await expect(page.locator('html')).toHaveAttribute('lang', 'es-ES')
  await context.close()
})

test('with the keyboard alone: to the content, into the language menu and out, through the bar into the app [ST-207, ST-208]', async ({
  page,
  server,
}) => {
  await page.goto(server.url)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  const language = page.getByLabel('Language: English')
  await language.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'English' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(language).toBeFocused()
  await expect(page.getByRole('link', { name: 'Português' })).toBeHidden()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Português' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Fale com qualquer modelo/)
  await page.getByRole('banner').getByRole('link', { name: 'Abrir o app' }).focus()
  await page.keyboard.press('Enter')
  // The app opens in the language that was chosen.
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt-BR')
  await expect(composer(page)).toBeVisible()
})

test('on a phone the cards of the roadmap are moved by two buttons, and say which one is seen [ST-216]', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/roadmap`)
  await expect(page.getByText('1 of 3')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  for (const place of ['2 of 3', '3 of 3']) {
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText(place)).toBeVisible()
  }
  await expect(page.getByRole('heading', { name: 'A mobile native app' })).toBeInViewport({ ratio: 0.9 })
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
})

test.describe('where the app is installed', () => {
  test.use({ serviceWorkers: 'allow', allowedNoise: new RegExp(`${networkNoise.source}|status of 404`) })

  test('the server’s pages are still the server’s; without a network the app takes their place [CH-010]', async ({
    page,
    server,
    context,
  }) => {
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await page.goto(server.url)
    await expect(page.getByRole('heading', { level: 1, name: /Talk to any model/ })).toBeVisible()
    expect((await page.goto(`${server.url}/nowhere`))?.status()).toBe(404)
    await context.setOffline(true)
    await page.goto(server.url)
    await expect(page).toHaveURL(/\/app$/)
    await expect(composer(page)).toBeVisible()
  })
})
