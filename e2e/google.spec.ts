import type { Page } from '@playwright/test'
import { type OpenIdIssuer, startOpenIdIssuer } from '../apps/server/src/testing/openid-issuer'
import {
  accountButton,
  ana,
  answers,
  ask,
  chatRows,
  countCalls,
  expect,
  journeyDomain,
  logOut,
  networkNoise,
  openPanel,
  openSecurity,
  panelOf,
  test as people,
  seeToast,
  signInButton,
  toastWith,
} from './people'

/** What never changes of Ana's account there. */
const googleId = (): string => `google-${journeyDomain()}`

/** The provider of this journey, and the page on which it asks which account it shall be. */
const test = people.extend<{ issuer: OpenIdIssuer }, { provider: OpenIdIssuer }>({
  provider: [
    async ({}, use) => {
      const provider = await startOpenIdIssuer()
      await use(provider)
      await provider.close()
    },
    { scope: 'worker' },
  ],
  issuer: async ({ provider }, use) => {
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
      return route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Choose an account</title><a href="${link}">Continue</a>` })
    })
    await use(context)
  },
})

const googleButton = (page: Page) => panelOf(page).panel.getByRole('button', { name: /Google$/ })
const loginPath = '/api/auth/google/login'

/** The popup, on the provider's page. */
async function openPopup(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), googleButton(page).click()])
  await expect(popup).toHaveTitle('Choose an account')
  return popup
}

/** Chooses the account there, and waits until the popup is gone. */
async function choose(popup: Page): Promise<void> {
  await Promise.all([popup.waitForEvent('close'), popup.getByRole('link', { name: 'Continue' }).click()])
}

const isIdle = (page: Page) => expect(googleButton(page)).not.toHaveAttribute('aria-busy', 'true')

const redirectFlag = (page: Page) => page.evaluate(() => sessionStorage.getItem('google-login-redirect'))

/** What this page hears from other windows from now on, and how often it is told that somebody has signed in. */
async function listen(page: Page) {
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

test('a stranger signs in with Google in a popup and asks the first question; the next time it is the same account with the same chats [AG-110, AG-116, AG-118, AG-132, AG-154, AG-155, AG-156, AG-158, AG-163, CH-067]', async ({
  page,
  server,
  gateway,
  issuer,
}) => {
  const heard = await listen(page)
  await openPanel(page)
  const popup = await openPopup(page)
  expect(popup.viewportSize()).toEqual({ width: 500, height: 600 })
  expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([500, 600])
  const { origin, searchParams } = new URL(popup.url())
  expect(origin).toBe(issuer.url)
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: issuer.clientId,
    scope: 'openid email profile',
    prompt: 'select_account',
    redirect_uri: `${server.url}/google-callback.html`,
  })
  await expect(googleButton(page)).toHaveAttribute('aria-busy', 'true')
  expect(await redirectFlag(page)).toBe('true')

  const [login] = await Promise.all([page.waitForResponse((response) => new URL(response.url()).pathname === loginPath), choose(popup)])
  expect(login.request().postDataJSON()).toMatchObject({ token: expect.stringMatching(/^ey/) })
  expect(await login.json()).toMatchObject({ access_token: expect.any(String), token_type: 'bearer' })
  await expect(accountButton(page)).toContainText('Ana Souza')
  await expect(panelOf(page).panel).toBeHidden()
  expect(await heard()).toMatchObject({ types: ['GOOGLE_AUTH_SUCCESS'], origins: [server.url], changes: expect.any(Number) })
  expect((await heard()).changes).toBeGreaterThan(0)
  expect(await redirectFlag(page)).toBeNull()
  const stored = await page.evaluate(() => ({ ...localStorage }))
  const user = JSON.parse(stored.user ?? '')
  expect(user).toMatchObject({ email: ana.email, user_metadata: { name: 'Ana Souza' }, app_metadata: { kind: 'google' } })
  expect(stored).toMatchObject({ web2Login: 'true', webModeLogin: 'Web 2' })

  gateway.next({ text: 'Welcome, Ana.' })
  await ask(page, 'Am I in?')
  await expect(answers(page).first()).toContainText('Welcome, Ana.')
  await openSecurity(page)
  await expect(page.getByText('You sign in with Google, so this account has no password.', { exact: false })).toBeVisible()

  await logOut(page)
  await expect(chatRows(page)).toHaveCount(0)
  // Known by what never changes, not by the address.
  issuer.person = { sub: googleId(), email: `ana.souza@${journeyDomain()}`, name: 'Ana Souza' }
  await openPanel(page)
  await choose(await openPopup(page))
  await expect(accountButton(page)).toContainText('Ana Souza')
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').id)).toBe(user.id)
  await chatRows(page).first().getByRole('link').click()
  await expect(answers(page).first()).toContainText('Welcome, Ana.')
})

test('whoever closes the popup is back at the panel without a word, and can try again', async ({ page }) => {
  await openPanel(page)
  const popup = await openPopup(page)
  await popup.close()
  await isIdle(page)
  await expect(page.locator('[data-tone=error]')).toHaveCount(0)
  expect(await redirectFlag(page)).toBeNull()
  await choose(await openPopup(page))
  await expect(accountButton(page)).toContainText('Ana Souza')
})

test('a message of another origin, of another window or of another sign-in is not heard [AG-156]', async ({ page, server, issuer }) => {
  const logins = countCalls(page, loginPath)
  const heard = await listen(page)
  await openPanel(page)
  const popup = await openPopup(page)
  const { searchParams } = new URL(popup.url())
  const state = searchParams.get('state') ?? ''
  // A good token, of the account that the attacker wants the person to write into.
  const token = await issuer.token({ sub: 'google-2', email: 'mallory@gmail.com', nonce: searchParams.get('nonce') ?? '' })
  const message = { type: 'GOOGLE_AUTH_SUCCESS', token, state }
  await popup.evaluate((message) => window.opener.postMessage(message, '*'), message)
  await popup.evaluate((state) => window.opener.postMessage({ type: 'GOOGLE_AUTH_ERROR', error: 'access_denied', state }, '*'), state)
  await page.evaluate((message) => window.postMessage(message, '*'), message)
  await expect.poll(async () => (await heard()).origins).toEqual([issuer.url, issuer.url, server.url])
  await expect(googleButton(page)).toHaveAttribute('aria-busy', 'true')
  await expect(page.locator('[data-tone=error]')).toHaveCount(0)

  await choose(popup)
  await expect(accountButton(page)).toContainText('Ana Souza')
  expect(logins()).toBe(1)
})

test('an answer that belongs to another sign-in ends nothing but its own popup', async ({ page, server, issuer }) => {
  const logins = countCalls(page, loginPath)
  const heard = await listen(page)
  await openPanel(page)
  const popup = await openPopup(page)
  const token = await issuer.token({ sub: 'google-2', email: 'mallory@gmail.com', nonce: new URL(popup.url()).searchParams.get('nonce') ?? '' })
  await Promise.all([
    popup.waitForEvent('close'),
    popup.evaluate((url) => location.assign(url), `${server.url}/google-callback.html#id_token=${token}&state=of-another-sign-in`),
  ])
  await isIdle(page)
  expect((await heard()).types).toEqual(['GOOGLE_AUTH_SUCCESS'])
  expect(logins()).toBe(0)
  await expect(signInButton(page)).toBeVisible()
})

const texts = {
  failed: 'Error authenticating with Google',
  noProfile: 'Error fetching user data, but your session is active.',
  blocked: 'Please enable popups for this site and try again.',
  timeout: 'Login timeout expired. Please try again.',
  notOpened: 'Could not open login window. Please check popup settings.',
} as const

test.describe('what goes wrong', () => {
  // A clock that jumps ends a connection that is being made.
  test.use({ allowedNoise: networkNoise })

  test('whoever refuses, or comes with a token that is not good, stays outside and is told so [AG-156, AG-159]', async ({ page, issuer }) => {
    const heard = await listen(page)
    const staysOutside = async () => {
      await seeToast(page, texts.failed)
      await isIdle(page)
      await expect(panelOf(page).panel).toBeVisible()
      expect(await page.evaluate(() => localStorage.getItem('sb.token'))).toBeNull()
      expect(await redirectFlag(page)).toBeNull()
    }
    const { person } = issuer
    await openPanel(page)
    issuer.person = undefined
    await choose(await openPopup(page))
    await staysOutside()
    expect((await heard()).types).toEqual(['GOOGLE_AUTH_ERROR'])

    issuer.person = { sub: googleId(), email: ana.email, email_verified: false }
    await choose(await openPopup(page))
    await staysOutside()

    issuer.person = person
    await choose(await openPopup(page))
    await expect(panelOf(page).panel).toBeHidden()
    await expect(signInButton(page)).toBeHidden()
  })

  test.describe('on a server that has no keys of the provider yet', () => {
    test.use({ ownServer: true })

    test('a provider that is down is told, before its page and after it, and leaves no window open [AG-159]', async ({ page, context, issuer }) => {
      await openPanel(page)
      issuer.isDown = true
      const [early] = await Promise.all([page.waitForEvent('popup'), googleButton(page).click()])
      await seeToast(page, texts.failed)
      await expect.poll(() => early.isClosed()).toBe(true)

      issuer.isDown = false
      const popup = await openPopup(page)
      // The person is through; the keys that the token is checked with cannot be had.
      await context.route(`${issuer.url}/authorize?*chosen=1`, async (route) => {
        const answer = await route.fetch({ maxRedirects: 0 })
        issuer.isDown = true
        await route.fulfill({ response: answer })
      })
      await choose(popup)
      await seeToast(page, texts.failed)
      await expect(panelOf(page).panel).toBeVisible()
      expect(context.pages()).toEqual([page])
    })
  })

  test('a session whose profile cannot be fetched goes on, and says so [AG-160]', async ({ page, context }) => {
    await context.route('**/api/user', (route) => route.fulfill({ status: 500, json: { code: 'server-error', message: 'x', status: 500, success: false } }))
    await openPanel(page)
    await choose(await openPopup(page))
    await expect(toastWith(page, texts.noProfile)).toBeVisible()
    await expect(panelOf(page).panel).toBeHidden()
    await expect(page.getByRole('button', { name: /^Ana Souza: / })).toBeVisible()
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').email)).toBe(ana.email)
    await context.unroute('**/api/user')
    await page.reload()
    await expect(page.getByRole('button', { name: /^Ana Souza: / })).toBeVisible()
  })

  test('a browser that blocks the window is told apart from one that shows nothing in it [AG-161, AG-162]', async ({ page, server }) => {
    const starts = countCalls(page, '/api/auth/google/start')
    await page.addInitScript(() => {
      Object.assign(window, { openWindow: window.open, open: () => null })
    })
    await page.goto(`${server.url}/login`)
    await googleButton(page).click()
    await expect(toastWith(page, texts.blocked)).toBeVisible()
    await isIdle(page)
    expect(starts()).toBe(0)
    expect(page.context().pages()).toEqual([page])

    await page.evaluate(() => {
      const open = Reflect.get(window, 'openWindow').bind(window) as typeof window.open
      window.open = (...how) => {
        const popup = open(...how)
        const refuse = () => {
          throw new DOMException('denied', 'SecurityError')
        }
        return popup && ({ close: () => popup.close(), location: Object.defineProperty({}, 'href', { set: refuse }) } as unknown as Window)
      }
    })
    await googleButton(page).click()
    await expect(toastWith(page, texts.notOpened)).toBeVisible()
    await isIdle(page)
    await expect.poll(() => page.context().pages()).toEqual([page])
  })

  test('whoever takes longer than three minutes is told, and the window is closed [AG-157]', async ({ page }) => {
    await page.clock.install()
    await openPanel(page)
    const popup = await openPopup(page)
    await page.clock.fastForward(150_000)
    await expect(googleButton(page)).toHaveAttribute('aria-busy', 'true')
    await expect(page.locator('[data-tone=error]')).toHaveCount(0)
    expect(popup.isClosed()).toBe(false)
    await Promise.all([popup.waitForEvent('close'), page.clock.fastForward(30_000)])
    await expect(toastWith(page, texts.timeout)).toBeVisible()
    await isIdle(page)
    expect(await redirectFlag(page)).toBeNull()
  })

  test.describe('without Google', () => {
    test.use({ environment: {} })

    test('a server that has no Google offers none', async ({ page }) => {
      await openPanel(page)
      await expect(panelOf(page).panel.getByRole('button', { name: 'MetaMask' })).toBeVisible()
      await expect(googleButton(page)).toHaveCount(0)
    })
  })
})
