import { deep } from './deep'
import {
  ana,
  answers,
  ask,
  call,
  chatRows,
  enter,
  expect,
  linkOf,
  linksOf,
  logOut,
  openPanel,
  otherSession,
  panelOf,
  refusalNoise,
  signIn,
  signUp,
  test,
  toastWith,
} from './people'

// In one worker: their servers are nobody else's.
test.describe.configure({ mode: 'default' })

test.describe('forgotten passwords', () => {
  test.use({
    environment: async ({ mail }, use) => use({ SMTP_URL: mail.url, REQUIRE_EMAIL_CONFIRMATION: 'false' }),
    allowedNoise: refusalNoise,
  })

  const next = 'Another-Horse-9'

  /** Asks for the mail in the panel. */
  async function forget(page: Parameters<typeof openPanel>[0]): Promise<void> {
    const { panel, email, submit } = await openPanel(page)
    await panel.getByRole('button', { name: 'Forgot Password' }).click()
    await expect(panel.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    // Without an address nothing happens.
    await submit.click()
    await expect(panel.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    await email.fill(ana.email)
    await submit.click()
    await expect(toastWith(page, 'Email sent successfully!')).toBeVisible()
    await expect(panel.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
    await panel.getByRole('button', { name: 'Back to login' }).click()
    await expect(panel.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
  }

  async function choosePassword(page: Parameters<typeof openPanel>[0]): Promise<void> {
    await expect(page).toHaveURL(/\/settings\?tab=security&recoverPassword=true$/)
    await expect(page.getByText('Choose a new password', { exact: true })).toBeVisible()
    await page.getByLabel('New password').fill(next)
    await page.getByLabel('Confirm password').fill(next)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toastWith(page, 'Password updated successfully')).toBeVisible()
    await expect(page.getByLabel('Current password')).toBeHidden()
  }

  async function proveNewPassword(page: Parameters<typeof openPanel>[0]): Promise<void> {
    await logOut(page)
    const { password, submit, email } = await openPanel(page)
    await email.fill(ana.email)
    await password.fill(ana.password)
    await submit.click()
    await expect(toastWith(page, /^Incorrect password/)).toBeVisible()
    await enter(page, { ...ana, password: next })
  }

  test('the settings link signs in, a new password is set without the old one, and the chats of this device are still there [AG-148, AG-149, AG-150, AG-151, AG-153, ST-021, ST-022]', async ({
    page,
    server,
    gateway,
    mail,
  }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    gateway.next({ text: 'Kept over the reset.' })
    await ask(page, 'Do you stay?')
    await expect(answers(page).first()).toContainText('Kept over the reset.')
    await logOut(page)

    await forget(page)
    const letter = await mail.next(ana.email)
    expect(linksOf(letter)).toHaveLength(2)
    const link = linkOf(letter)
    expect(link).toMatch(/\/settings\?tab=security&recoverPassword=true#recovery=/)
    await page.goto(link)
    await choosePassword(page)
    // The token is out of sight.
    expect(page.url()).not.toContain('recovery=')
    await mail.next(ana.email)
    await proveNewPassword(page)
    await chatRows(page).first().getByRole('link').click()
    await expect(answers(page).first()).toContainText('Kept over the reset.')
  })

  test(
    'the reset page mails a one-time password, which leads to the security tab [ST-219, ST-221, ST-222, ST-223, ST-225]',
    deep,
    async ({ page, server, mail }) => {
      await signUp(server, ana)
      await forget(page)
      const link = linkOf(await mail.next(ana.email), 1)
      await page.goto(link)
      await expect(page.getByRole('heading', { name: 'Reset Your Password' })).toBeVisible()
      await page.getByRole('button', { name: 'Confirm Password Reset' }).click()
      await expect(page.getByText('Password reset successful! Check your email for the new password.')).toBeVisible()
      const letter = await mail.next(ana.email)
      const [oneTime = ''] = (letter.text ?? '').match(/^[A-Z2-9-]{20,}$/m) ?? []
      expect(oneTime).not.toBe('')
      // By itself, after five seconds.
      const { panel } = panelOf(page)
      await expect(panel).toBeVisible()
      await expect(page).toHaveURL(/\/app$/)
      await enter(page, { email: ana.email, password: oneTime })
      await choosePassword(page)
      await mail.next(ana.email)
      await proveNewPassword(page)
      await logOut(page)

      const { email, password, submit } = await openPanel(page)
      await email.fill(ana.email)
      await password.fill(oneTime)
      await submit.click()
      await expect(toastWith(page, /^Incorrect password/)).toBeVisible()
    },
  )

  test(
    'the reset page takes a new password at once, and its link works once [ST-224]',
    deep,
    async ({ page, server, mail }) => {
      await signUp(server, ana)
      const before = await otherSession(server, ana)
      await forget(page)
      const link = linkOf(await mail.next(ana.email), 1)
      const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? link
      const told: string[] = []
      page.on('request', (request) => told.push(request.url().split('#')[0] ?? '', request.headers().referer ?? ''))
      await page.goto(link)
      // In no address that stays or goes out.
      await expect(page).not.toHaveURL(new RegExp(token))
      await page.getByRole('button', { name: 'Choose a new password instead' }).click()
      const confirm = page.getByRole('button', { name: 'Confirm Password Reset' })
      await page.getByLabel('New password').fill('short')
      await expect(confirm).toBeDisabled()
      await page.getByLabel('New password').fill(next)
      await confirm.click()
      await expect(page.getByText('Password updated successfully')).toBeVisible()
      expect(told.filter((address) => address.includes(token))).toEqual([])
      expect(told.length).toBeGreaterThan(1)
      await page.getByRole('button', { name: 'Go now' }).click()
      await enter(page, { ...ana, password: next })
      expect((await call(server, 'GET', '/api/user', { token: before.token })).status).toBe(401)
      await logOut(page)

      await page.goto(link)
      await page.getByRole('button', { name: 'Confirm Password Reset' }).click()
      await expect(page.getByRole('alert')).toContainText('Invalid reset token')
      await page.getByRole('button', { name: 'Ask for a new link' }).click()
      await expect(panelOf(page).panel.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    },
  )

  test(
    'a reset page without a token says so and does nothing; without a network it says that [ST-006, ST-009, ST-220, ST-224]',
    deep,
    async ({ page, server }) => {
      await page.goto(`${server.url}/reset-password`)
      await expect(page.getByRole('alert')).toContainText('Invalid or missing reset token')
      await expect(page.getByRole('button', { name: 'Confirm Password Reset' })).toBeDisabled()

      await page.goto(`${server.url}/reset-password#token=not-one`)
      await page.route('**/api/auth/confirm-reset-password', (route) => route.abort())
      await page.getByRole('button', { name: 'Confirm Password Reset' }).click()
      await expect(page.getByRole('alert')).toContainText('Network error. Please try again.')
    },
  )

  test('a server that cannot send the mail is not taken for one that did [AG-152]', deep, async ({ page }) => {
    await page.route('**/api/auth/reset-password', (route) =>
      route.fulfill({ status: 500, json: { code: 'server-error' } }),
    )
    const { panel, email, submit } = await openPanel(page)
    await panel.getByRole('button', { name: 'Forgot Password' }).click()
    await email.fill(ana.email)
    await submit.click()
    await expect(
      toastWith(page, 'Failed to reset password. Please check your email address and try again.'),
    ).toBeVisible()
    await expect(panel.getByRole('heading', { name: 'Check your mail' })).toBeHidden()
  })
})
