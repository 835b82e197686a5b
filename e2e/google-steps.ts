import type { Page } from '@playwright/test'
import { type OpenIdIssuer, startOpenIdIssuer } from '../apps/server/src/testing/openid-issuer'
import { ana, expect, journeyDomain, panelOf, test as people } from './people'

/** What never changes of Ana's account there. */
export const googleId = (): string => `google-${journeyDomain()}`

/** The provider of this journey, and the page on which it asks which account it shall be. */
export const test = people.extend<{ issuer: OpenIdIssuer }>({
  issuer: async ({ standIns }, use) => {
    const provider = await standIns.of(startOpenIdIssuer)
    provider.person = { sub: googleId(), email: ana.email, email_verified: true, name: 'Ana Souza' }
    provider.isDown = false
    await use(provider)
  },
  environment: async ({ issuer }, use) => use({ GOOGLE_CLIENT_ID: issuer.clientId, GOOGLE_ISSUER: issuer.url }),
  context: async ({ context, issuer }, use) => {
    // A page that stays, as a provider's does: the popup is then a foreign site's until the person has chosen.
    await context.route(`${issuer.url}/authorize?*`, (route) => {
      const { href, searchParams } = new URL(route.request().url())
      if (searchParams.has('chosen')) return route.continue()
      const link = `${href}&chosen=1`.replaceAll('&', '&amp;')
      return route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>Choose an account</title><a href="${link}">Continue</a>`,
      })
    })
    await use(context)
  },
})

export const googleButton = (page: Page) => panelOf(page).panel.getByRole('button', { name: /Google$/ })

/** The popup, on the provider's page. */
export async function openPopup(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), googleButton(page).click()])
  await expect(popup).toHaveTitle('Choose an account')
  return popup
}

/** Chooses the account there, and waits until the popup is gone. */
export async function choose(popup: Page): Promise<void> {
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('link', { name: 'Continue' }).click()])
}

export const isIdle = (page: Page) => expect(googleButton(page)).not.toHaveAttribute('aria-busy', 'true')

export const redirectFlag = (page: Page) => page.evaluate(() => sessionStorage.getItem('google-login-redirect'))

/** What this page hears from other windows from now on, and how often it is told that somebody has signed in. */
export async function listen(page: Page) {
  const heard = await page.evaluateHandle(() => {
    const heard = { types: [] as string[], origins: [] as string[], changes: 0 }
    addEventListener('message', ({ data, origin }) => {
      heard.types.push(data.type)
      heard.origins.push(origin)
    })
    addEventListener('authStateChanged', () => {
      heard.changes += 1
    })
    return heard
  })
  return () => heard.jsonValue()
}
