import type { Page } from '@playwright/test'
import type { OpenIdIssuer } from '../apps/server/src/testing/openid-issuer'
import { deep } from './deep'
import { choose, googleButton, googleId, isIdle, listen, openPopup, redirectFlag, test } from './google-steps'
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
  openPanel,
  openSecurity,
  panelOf,
  signInButton,
} from './people'

const loginPath = '/api/auth/google/login'

// In one worker: their servers are nobody else's.
test.describe.configure({ mode: 'default' })

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

  const [login] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === loginPath),
    choose(popup),
  ])
  expect(login.request().postDataJSON()).toMatchObject({ token: expect.stringMatching(/^ey/) })
  expect(await login.json()).toMatchObject({ access_token: expect.any(String), token_type: 'bearer' })
  await expect(accountButton(page)).toContainText('Ana Souza')
  await expect(panelOf(page).panel).toBeHidden()
  expect(await heard()).toMatchObject({
    types: ['GOOGLE_AUTH_SUCCESS'],
    origins: [server.url],
    changes: expect.any(Number),
  })
  expect((await heard()).changes).toBeGreaterThan(0)
  expect(await redirectFlag(page)).toBeNull()
  const stored = await page.evaluate(() => ({ ...localStorage }))
  const user = JSON.parse(stored.user ?? '')
  expect(user).toMatchObject({
    email: ana.email,
    user_metadata: { name: 'Ana Souza' },
    app_metadata: { kind: 'google' },
  })
  expect(stored).toMatchObject({ web2Login: 'true', webModeLogin: 'Web 2' })

  gateway.next({ text: 'Welcome, Ana.' })
  await ask(page, 'Am I in?')
  await expect(answers(page).first()).toContainText('Welcome, Ana.')
  await openSecurity(page)
  await expect(
    page.getByText('You sign in with Google, so this account has no password.', { exact: false }),
  ).toBeVisible()

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

test('whoever closes the popup is back at the panel without a word, and can try again', deep, async ({ page }) => {
  await openPanel(page)
  const popup = await openPopup(page)
  await popup.close()
  await isIdle(page)
  await expect(page.locator('[data-tone=error]')).toHaveCount(0)
  expect(await redirectFlag(page)).toBeNull()
  await choose(await openPopup(page))
  await expect(accountButton(page)).toContainText('Ana Souza')
})

/** A good one, of the account that the attacker wants the person to write into. */
function tokenOfAttacker(issuer: OpenIdIssuer, popup: Page): Promise<string> {
  const nonce = new URL(popup.url()).searchParams.get('nonce') ?? ''
  return issuer.token({ sub: 'google-2', email: 'mallory@gmail.com', nonce })
}

test(
  'a message of another origin, of another window or of another sign-in is not heard [AG-156]',
  deep,
  async ({ page, server, issuer }) => {
    const logins = countCalls(page, loginPath)
    const heard = await listen(page)
    await openPanel(page)
    const popup = await openPopup(page)
    const state = new URL(popup.url()).searchParams.get('state') ?? ''
    const token = await tokenOfAttacker(issuer, popup)
    const message = { type: 'GOOGLE_AUTH_SUCCESS', token, state }
    await popup.evaluate((message) => window.opener.postMessage(message, '*'), message)
    await popup.evaluate(
      (state) => window.opener.postMessage({ type: 'GOOGLE_AUTH_ERROR', error: 'access_denied', state }, '*'),
      state,
    )
    await page.evaluate((message) => window.postMessage(message, '*'), message)
    await expect.poll(async () => (await heard()).origins).toEqual([issuer.url, issuer.url, server.url])
    await expect(googleButton(page)).toHaveAttribute('aria-busy', 'true')
    await expect(page.locator('[data-tone=error]')).toHaveCount(0)

    await choose(popup)
    await expect(accountButton(page)).toContainText('Ana Souza')
    expect(logins()).toBe(1)
  },
)

test(
  'an answer that belongs to another sign-in ends nothing but its own popup',
  deep,
  async ({ page, server, issuer }) => {
    const logins = countCalls(page, loginPath)
    const heard = await listen(page)
    await openPanel(page)
    const popup = await openPopup(page)
    const token = await tokenOfAttacker(issuer, popup)
    await Promise.all([
      popup.waitForEvent('close'),
      popup.evaluate(
        (url) => location.assign(url),
        `${server.url}/google-callback.html#id_token=${token}&state=of-another-sign-in`,
      ),
    ])
    await isIdle(page)
    expect((await heard()).types).toEqual(['GOOGLE_AUTH_SUCCESS'])
    expect(logins()).toBe(0)
    await expect(signInButton(page)).toBeVisible()
  },
)
