import { deep } from './deep'
import { choose, googleButton, googleId, isIdle, listen, openPopup, redirectFlag, test } from './google-steps'
import { ana, countCalls, expect, networkNoise, openPanel, panelOf, seeToast, signInButton, toastWith } from './people'

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

  test(
    'whoever refuses, or comes with a token that is not good, stays outside and is told so [AG-156, AG-159]',
    deep,
    async ({ page, issuer }) => {
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
    },
  )

  test.describe('on a server that has no keys of the provider yet', () => {
    test.use({ ownServer: true })

    test(
      'a provider that is down is told, before its page and after it, and leaves no window open [AG-159]',
      deep,
      async ({ page, context, issuer }) => {
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
      },
    )
  })

  test('a session whose profile cannot be fetched goes on, and says so [AG-160]', deep, async ({ page, context }) => {
    await context.route('**/api/user', (route) =>
      route.fulfill({ status: 500, json: { code: 'server-error', message: 'x', status: 500, success: false } }),
    )
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

  test(
    'a browser that blocks the window is told apart from one that shows nothing in it [AG-161, AG-162]',
    deep,
    async ({ page, server }) => {
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
          return (
            popup &&
            ({
              close: () => popup.close(),
              location: Object.defineProperty({}, 'href', { set: refuse }),
            } as unknown as Window)
          )
        }
      })
      await googleButton(page).click()
      await expect(toastWith(page, texts.notOpened)).toBeVisible()
      await isIdle(page)
      await expect.poll(() => page.context().pages()).toEqual([page])
    },
  )

  test('whoever takes longer than three minutes is told, and the window is closed [AG-157]', deep, async ({ page }) => {
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

    test('a server that has no Google offers none', deep, async ({ page }) => {
      await openPanel(page)
      await expect(panelOf(page).panel.getByRole('button', { name: 'MetaMask' })).toBeVisible()
      await expect(googleButton(page)).toHaveCount(0)
    })
  })
})
