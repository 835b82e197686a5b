import type { BrowserContext, Page } from '@playwright/test'
import { untilAnswered } from './journey'
import {
  accountButton,
  ana,
  answers,
  ask,
  bruno,
  call,
  chatRows,
  composer,
  countCalls,
  databaseNames,
  enter,
  expect,
  linkOf,
  linksOf,
  logOut,
  networkNoise,
  openPanel,
  openSecurity,
  otherSession,
  panelOf,
  refusalNoise,
  secondTab,
  signIn,
  signInButton,
  signUp,
  test,
  toastWith,
} from './people'

test.describe('with a mail server', () => {
  test.use({ environment: async ({ mail }, use) => use({ SMTP_URL: mail.url }) })

  test('a stranger registers, confirms by the mail, and asks the first question of the account [AG-111, AG-112, AG-113, AG-134, AG-137, AG-138, AG-139, AG-141, AG-146, AG-116]', async ({
    page,
    gateway,
    mail,
  }) => {
    const { panel, email, password, submit } = await openPanel(page)
    await expect(panel.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await expect(panel.getByText(/Terms of use and the Privacy notice/)).toBeVisible()
    await panel.getByRole('button', { name: 'Get Started' }).click()
    await expect(panel.getByRole('heading', { name: 'Create your account' })).toBeVisible()

    await email.fill('ana@example')
    await expect(panel.getByText('Please enter a valid email address')).toBeVisible()
    await email.fill(ana.email)
    await expect(panel.getByText('Valid email format')).toBeVisible()

    const met = panel.getByRole('listitem').filter({ hasText: '(met)' })
    await expect(panel.getByRole('listitem')).toHaveText([
      'At least 8 characters',
      'One uppercase letter',
      'One lowercase letter',
      'One number',
      'One special character',
    ])
    await expect(panel.getByText('Please complete the requirements above')).toBeVisible()
    await password.fill('horse')
    await expect(met).toHaveText([/^One lowercase letter/])
    await submit.click()
    // The first that is missing, and no other.
    await expect(toastWith(page, 'Password must be at least 8 characters long')).toBeVisible()
    await expect(page.getByText('Password must contain', { exact: false })).toBeHidden()
    await password.fill('correct-horse-7')
    await submit.click()
    await expect(toastWith(page, 'Password must contain at least one uppercase letter')).toBeVisible()
    await password.fill(ana.password)
    await expect(met).toHaveCount(5)
    await expect(panel.getByText('Ready to create account')).toBeVisible()

    await submit.click()
    const created = toastWith(page, "Account created! Please confirm your email and check your spam folder if you don't see it.")
    await expect(created).toBeVisible()
    await expect(panel).toBeHidden()
    await expect(signInButton(page)).toBeVisible()

    const letter = await mail.next(ana.email)
    expect(letter.subject).toBe('Confirm your email for Parley')
    // It waits to be read: longer than a toast lives.
    await expect(toastWith(page, /^Password must/)).toHaveCount(0)
    await expect(created).toBeVisible()
    await created.getByRole('button', { name: 'OK' }).click()
    await expect(created).toBeHidden()

    await page.goto(linkOf(letter))
    await expect(toastWith(page, 'Your email is confirmed.')).toBeVisible()
    await expect(accountButton(page)).toContainText('ana')
    await expect(page).toHaveURL(/\/app$/)

    gateway.next({ text: 'Welcome, Ana.' })
    await ask(page, 'Am I in?')
    await expect(answers(page).first()).toContainText('Welcome, Ana.')
    await page.reload()
    await expect(answers(page).first()).toContainText('Welcome, Ana.')
    await expect(accountButton(page)).toContainText('ana')
    await expect(chatRows(page)).toHaveCount(1)
  })

  test('after registering, OK opens the mailbox of a well-known provider [AG-147]', async ({ page, context }) => {
    await context.route('https://mail.google.com/**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Mailbox</title>' }))
    const { panel, email, password, submit } = await openPanel(page)
    await panel.getByRole('button', { name: 'Get Started' }).click()
    await email.fill('ana@gmail.com')
    await password.fill(ana.password)
    await submit.click()
    const created = toastWith(page, /^Account created! Please confirm/)
    const [mailbox] = await Promise.all([context.waitForEvent('page'), created.getByRole('button', { name: 'OK' }).click()])
    await expect(mailbox).toHaveTitle('Mailbox')
    expect(mailbox.url()).toBe('https://mail.google.com/')
  })

  test.describe('refusals', () => {
    test.use({ allowedNoise: refusalNoise })

    test('the confirmation link works once', async ({ page, server, mail }) => {
      await signUp(server, ana)
      const link = linkOf(await mail.next(ana.email))
      await page.goto(link)
      await expect(accountButton(page)).toBeVisible()
      await logOut(page)
      await page.goto(link)
      await expect(toastWith(page, 'This link is no longer valid. Please ask for a new one.')).toBeVisible()
      await expect(signInButton(page)).toBeVisible()
      await expect(page).toHaveURL(/\/app$/)
    })

    test('a confirmation link of somebody else asks before it changes who is here', async ({ page, server, mail }) => {
      await signUp(server, ana)
      await page.goto(linkOf(await mail.next(ana.email)))
      await expect(accountButton(page)).toContainText('ana')
      await signUp(server, bruno)
      const link = linkOf(await mail.next(bruno.email))
      const question = page.getByRole('alertdialog', { name: `You are signed in as ${ana.email}. Use this link to sign in to its own account?` })
      await page.goto(link)
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expect(page).toHaveURL(/\/app$/)
      await expect(accountButton(page)).toContainText('ana')

      await page.goto(link)
      await question.getByRole('button', { name: 'Sign in' }).click()
      await expect(accountButton(page)).toContainText('bruno')
    })
  })
})

const texts = {
  getStarted: 'Get Started',
  noAccount: 'No account found with this email address. Please check your email or create a new account.',
  wrongPassword: 'Incorrect password. Please try again or use Forgot Password to reset it.',
  unconfirmed: 'Please confirm your email first. We can send you the link again.',
  resend: 'Resend confirmation e-mail',
  sent: 'Email sent successfully!',
  taken: 'This email is already registered. Try logging in instead.',
  tooMany: 'Too many attempts. Please wait a few minutes.',
  blocked: 'Account access restricted. Please contact support.',
  notJson: 'Service temporarily unavailable. Please try again in a few moments or contact support if the issue persists.',
  failing: 'Temporary server issues. Please try again in a few moments.',
  loginOffline: 'Connection issue. Please check your internet and try again.',
  registerOffline: 'Network connection error. Please check your internet and try again.',
  loginFailed: 'Login failed. Please try again.',
  registrationFailed: 'Registration failed with error 418. Please try again.',
  mapped: 'Invalid email or password. Please check your credentials and try again.',
  format: 'Please check your email and password format',
  passwordNeeded: 'Please enter your password',
  invalidEmail: 'Please enter a valid email address',
} as const

test.describe('refusals of every kind', () => {
  test.use({ allowedNoise: networkNoise })

  test.describe('with a mail server', () => {
    test.use({ environment: async ({ mail }, use) => use({ SMTP_URL: mail.url }) })

    test("what the server refuses is said in the person's words, where it was typed [AG-115, AG-121, AG-122, AG-143]", async ({ page, server, mail }) => {
      await signUp(server, ana)
      const first = linkOf(await mail.next(ana.email))
      const { panel, email, password, submit } = await openPanel(page)
      const saysUnder = async (field: typeof email, text: string) => {
        await expect(toastWith(page, text)).toBeVisible()
        await expect(field).toHaveAccessibleDescription(text)
        await expect(field).toBeFocused()
      }
      await email.fill('ana at example')
      await submit.click()
      await saysUnder(email, texts.invalidEmail)
      await email.fill(bruno.email)
      await submit.click()
      await saysUnder(password, texts.passwordNeeded)
      await password.fill(bruno.password)
      await submit.click()
      await saysUnder(email, texts.noAccount)

      await email.fill(ana.email)
      await submit.click()
      await saysUnder(password, texts.wrongPassword)

      await password.fill(ana.password)
      await submit.click()
      await expect(panel.getByRole('alert').filter({ hasText: texts.unconfirmed })).toBeVisible()
      await expect(toastWith(page, texts.unconfirmed)).toBeVisible()
      await panel.getByRole('button', { name: texts.resend }).click()
      await expect(toastWith(page, texts.sent)).toBeVisible()
      const second = linkOf(await mail.next(ana.email))
      expect(second).not.toBe(first)
      const other = await page.context().newPage()
      // Whether this browser's person chose the password is not known: they choose one.
      await other.goto(second)
      await expect(other).toHaveURL(/\/settings\?tab=security&recoverPassword=true$/)
      await expect(signInButton(other)).toBeHidden()
      await other.close()

      // Signed out on a page without the app, which would notice.
      await page.goto(`${server.url}/api/health/ready`)
      await page.evaluate(() => localStorage.removeItem('sb.token'))
      await page.goto(`${server.url}/app`)
      await openPanel(page)
      await panel.getByRole('button', { name: texts.getStarted }).click()
      await email.fill(ana.email)
      await password.fill(bruno.password)
      await submit.click()
      await saysUnder(email, texts.taken)
    })
  })

  test("a network that is gone, a proxy's page and a failing server are told apart [AG-119, AG-120, AG-124, AG-125, AG-126, AG-127, AG-128, AG-129, AG-142, AG-145]", async ({
    page,
    context,
  }) => {
    const { panel, email, password, submit } = await openPanel(page)
    const alert = (text: string) => panel.getByRole('alert').filter({ hasText: text })
    const fails = async (path: string, answer: { status: number; body: string; contentType: string }, text: string) => {
      await page.route(`**${path}`, (route) => route.fulfill(answer))
      await submit.click()
      await expect(toastWith(page, text)).toBeVisible()
      await expect(alert(text).first()).toBeVisible()
      await page.unroute(`**${path}`)
    }
    const json = (status: number, body: object = {}) => ({ status, body: JSON.stringify(body), contentType: 'application/json' })
    const html = (status: number) => ({ status, body: '<!doctype html><h1>Bad gateway</h1>', contentType: 'text/html' })

    await email.fill(ana.email)
    await password.fill(ana.password)
    const login = '/api/auth/login'
    await fails(login, html(200), texts.notJson)
    await fails(login, html(502), texts.notJson)
    await fails(login, json(500, { code: 'server-error', message: 'Server error. Please try again later.' }), texts.failing)
    await fails(login, json(403), texts.blocked)
    await fails(login, json(418), texts.loginFailed)
    await fails(login, json(400, { code: 'other', message: 'Invalid username or password' }), texts.mapped)
    await fails(login, json(400, { code: 'other', message: 'The string does not match the pattern' }), texts.format)
    await context.setOffline(true)
    await submit.click()
    await expect(alert(texts.loginOffline)).toBeVisible()
    await context.setOffline(false)

    await panel.getByRole('button', { name: texts.getStarted }).click()
    await password.fill(ana.password)
    const signup = '/api/auth/signup'
    await fails(signup, html(200), texts.notJson)
    await fails(signup, json(500), texts.failing)
    await fails(signup, json(418), texts.registrationFailed)
    await fails(signup, json(400, { code: 'other', message: 'User not found' }), 'User not found')
    await context.setOffline(true)
    await submit.click()
    await expect(alert(texts.registerOffline)).toBeVisible()
    await context.setOffline(false)
  })

  test.describe('with limits', () => {
    test.use({ environment: { RATE_LIMIT_SCALE: '1' }, ownServer: true })

    test('too many tries are answered with patience, whatever the password [AG-123, AG-144]', async ({ page, server }) => {
      await signUp(server, ana)
      const statuses: number[] = []
      for (let attempt = 0; attempt < 10; attempt++)
        statuses.push((await call(server, 'POST', '/api/auth/login', { body: { ...ana, password: 'wrong' } })).status)
      expect(statuses).toEqual(Array.from({ length: 10 }, () => 401))
      const { panel, email, password, submit } = await openPanel(page)
      await email.fill(ana.email)
      await password.fill(ana.password)
      await submit.click()
      await expect(panel.getByRole('alert').filter({ hasText: texts.tooMany })).toBeVisible()
      await expect(toastWith(page, texts.tooMany)).toBeVisible()

      for (let attempt = 0; attempt < 9; attempt++) await call(server, 'POST', '/api/auth/signup', { body: ana })
      await panel.getByRole('button', { name: texts.getStarted }).click()
      await email.fill(bruno.email)
      await password.fill(bruno.password)
      await submit.click()
      await expect(panel.getByRole('alert').filter({ hasText: texts.tooMany })).toBeVisible()
    })
  })
})

test.describe('forgotten passwords', () => {
  test.use({ environment: async ({ mail }, use) => use({ SMTP_URL: mail.url, REQUIRE_EMAIL_CONFIRMATION: 'false' }), allowedNoise: refusalNoise })

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

  test('the reset page mails a one-time password, which leads to the security tab [ST-219, ST-221, ST-222, ST-223, ST-225]', async ({ page, server, mail }) => {
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
  })

  test('the reset page takes a new password at once, and its link works once [ST-224]', async ({ page, server, mail }) => {
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
  })

  test('a reset page without a token says so and does nothing; without a network it says that [ST-006, ST-009, ST-220, ST-224]', async ({ page, server }) => {
    await page.goto(`${server.url}/reset-password`)
    await expect(page.getByRole('alert')).toContainText('Invalid or missing reset token')
    await expect(page.getByRole('button', { name: 'Confirm Password Reset' })).toBeDisabled()

    await page.goto(`${server.url}/reset-password#token=not-one`)
    await page.route('**/api/auth/confirm-reset-password', (route) => route.abort())
    await page.getByRole('button', { name: 'Confirm Password Reset' }).click()
    await expect(page.getByRole('alert')).toContainText('Network error. Please try again.')
  })

  test('a server that cannot send the mail is not taken for one that did [AG-152]', async ({ page }) => {
    await page.route('**/api/auth/reset-password', (route) => route.fulfill({ status: 500, json: { code: 'server-error' } }))
    const { panel, email, submit } = await openPanel(page)
    await panel.getByRole('button', { name: 'Forgot Password' }).click()
    await email.fill(ana.email)
    await submit.click()
    await expect(toastWith(page, 'Failed to reset password. Please check your email address and try again.')).toBeVisible()
    await expect(panel.getByRole('heading', { name: 'Check your mail' })).toBeHidden()
  })
})

const refreshPath = '/api/auth/refreshToken'

/** Lets the stored access token be one that ends in three minutes. */
const makeOld = (page: Parameters<typeof openPanel>[0]) =>
  page.evaluate(() => {
    const tokens = JSON.parse(localStorage.getItem('sb.token') ?? '{}')
    localStorage.setItem('sb.token', JSON.stringify({ ...tokens, refreshed_at: tokens.refreshed_at - (tokens.expires_in - 180) * 1_000 }))
  })

/** The app runs in no tab while its session is changed: one that hears of it may act at once, and be cut off by the reload. */
async function leaveApp(context: BrowserContext, tabs: readonly Page[]): Promise<void> {
  await context.route('**/api/empty', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  for (const tab of tabs) await tab.goto(new URL('/api/empty', tab.url()).href)
}

test('near the end of a token, all calls of two tabs together refresh it once [ST-076, ST-228, ST-229, ST-231]', async ({ page, context, server, gateway }) => {
  await signUp(server, ana)
  await signIn(page, ana)
  gateway.next({ text: 'Before the refresh.' })
  await ask(page, 'First')
  await expect(answers(page).first()).toContainText('Before the refresh.')
  const other = await secondTab(context, page)
  await expect(answers(other).first()).toContainText('Before the refresh.')

  const chat = page.url()
  await leaveApp(context, [page, other])
  const refreshes = countCalls(page, refreshPath)
  const profiles = countCalls(page, '/api/user')
  const before = await page.evaluate(() => localStorage.getItem('sb.token'))
  await makeOld(page)
  await Promise.all([page.goto(chat), other.goto(chat)])
  for (const tab of [page, other]) await expect(answers(tab).first()).toContainText('Before the refresh.')
  await expect.poll(profiles).toBeGreaterThanOrEqual(2)
  gateway.next({ text: 'After the refresh.' })
  await ask(other, 'Second')
  await expect(answers(page).nth(1)).toContainText('After the refresh.')
  for (const tab of [page, other]) await expect(accountButton(tab)).toBeVisible()
  expect(refreshes()).toBe(1)
  expect(await page.evaluate(() => localStorage.getItem('sb.token'))).not.toBe(before)
})

test.describe('tokens that the server refuses', () => {
  test.use({ allowedNoise: refusalNoise })

  test('calls that are refused are made again after one refresh, in two tabs [ST-229]', async ({ page, context, server }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    const other = await secondTab(context, page)
    await expect(accountButton(other)).toBeVisible()
    await leaveApp(context, [page, other])
    await page.evaluate(() => {
      const tokens = JSON.parse(localStorage.getItem('sb.token') ?? '{}')
      localStorage.setItem('sb.token', JSON.stringify({ ...tokens, access_token: 'refused' }))
    })
    const refreshes = countCalls(page, refreshPath)
    const answered = [page, other].map((tab) => tab.waitForResponse((response) => response.url().endsWith('/api/user') && response.ok()))
    await Promise.all([page, other].map((tab) => tab.goto(`${server.url}/app`)))
    await Promise.all(answered)
    for (const tab of [page, other]) await expect(accountButton(tab)).toBeVisible()
    expect(refreshes()).toBe(1)
  })

  for (const [how, end] of [
    [
      'the password is changed elsewhere',
      (server, { token }) => call(server, 'POST', '/api/auth/change-password', { token, body: { newPassword: 'Changed-Horse-1' } }),
    ],
    ['the account is deleted elsewhere', (server, { token, userId }) => call(server, 'DELETE', '/api/user/account', { token, body: { userId } })],
  ] satisfies [string, (server: Parameters<typeof call>[0], session: Awaited<ReturnType<typeof otherSession>>) => Promise<Response>][]) {
    test(`${how}: the session here ends, says why, and the chats are sealed [ST-061, ST-227, ST-230, ST-235, CH-071]`, async ({
      page,
      context,
      server,
      gateway,
    }) => {
      await signUp(server, ana)
      await signIn(page, ana)
      gateway.next({ text: 'Mine alone.' })
      await ask(page, 'Whose?')
      await expect(answers(page).first()).toContainText('Mine alone.')
      const session = await otherSession(server, ana)
      expect(await databaseNames(page)).toContain(`parley-${session.userId}-keys`)
      const token: string = await page.evaluate(() => JSON.parse(localStorage.getItem('sb.token') ?? '{}').access_token)

      // The app would hear of it by itself, say it, and say it no more when it is loaded.
      const chat = page.url()
      await leaveApp(context, [page])
      expect((await end(server, session)).ok).toBe(true)
      await expect.poll(async () => (await call(server, 'GET', '/api/user', { token })).status).toBe(401)
      await page.goto(chat)
      await expect(toastWith(page, 'Session expired. Please log in again.')).toBeVisible()
      await expect(signInButton(page)).toBeVisible()
      await expect(page).toHaveURL(/\/app$/)
      await expect(chatRows(page)).toHaveCount(0)
      await expect(page.getByText('Mine alone.')).toBeHidden()
      expect(await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('sb.token')])).toEqual([null, null])
      expect(await databaseNames(page)).not.toContain(`parley-${session.userId}-keys`)
      expect(await databaseNames(page)).toContain(`parley-${session.userId}`)
    })
  }
})

test('a stored profile that is broken means signed out, without a word [CH-073]', async ({ page, server }) => {
  await signUp(server, ana)
  await signIn(page, ana)
  // Before the app starts: while it runs it would mend it.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('planted')) return
    sessionStorage.setItem('planted', 'once')
    localStorage.setItem('user', '{"id": 7')
  })
  await page.reload()
  await expect(signInButton(page)).toBeVisible()
  await expect(page.locator('[data-tone=error]')).toHaveCount(0)
  expect(await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('sb.token')])).toEqual([null, null])
  await signIn(page, ana)
})

test('logging out clears the storage of the browser, and the other tab follows [CH-074, CH-076, CH-169, ST-077, ST-079, ST-226]', async ({
  page,
  context,
  server,
  gateway,
}) => {
  await signUp(server, ana)
  await signIn(page, ana)
  gateway.next({ text: 'Nobody else reads this.' })
  await ask(page, 'A secret')
  await expect(answers(page).first()).toContainText('Nobody else reads this.')
  const stored = await page.evaluate(() => ({ ...localStorage }))
  expect(JSON.parse(stored.user ?? '')).toMatchObject({ email: ana.email })
  expect(JSON.parse(stored['sb.token'] ?? '')).toMatchObject({ token_type: 'bearer', expires_in: 900 })
  expect(stored).toMatchObject({ web2Login: 'true', webModeLogin: 'Web 2' })
  const other = await secondTab(context, page)
  await expect(answers(other).first()).toContainText('Nobody else reads this.')
  await page.evaluate(() => {
    localStorage.setItem('planted', 'here')
    sessionStorage.setItem('planted', 'here')
  })

  await logOut(page)
  await expect(page).toHaveURL(/\/app$/)
  await expect(signInButton(other)).toBeVisible()
  for (const tab of [page, other]) {
    await expect(chatRows(tab)).toHaveCount(0)
    await expect(tab.getByText('Nobody else reads this.')).toBeHidden()
  }
  const left = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
  for (const key of ['user', 'sb.token', 'web2Login', 'webModeLogin', 'planted']) expect(left).not.toHaveProperty(key)
  const refused = await call(server, 'POST', refreshPath, { body: { refresh_token: JSON.parse(stored['sb.token'] ?? '').refresh_token } })
  expect(refused.status).toBe(401)
})

test.describe('chats from before the sign-in', () => {
  test('are offered to the account, move, and are the account’s alone', async ({ page, server, gateway }) => {
    await signUp(server, ana)
    gateway.next({ text: 'An answer for a stranger.' })
    await ask(page, 'Before the sign-in')
    await expect(answers(page).first()).toContainText('An answer for a stranger.')
    await untilAnswered(page)
    await signIn(page, ana)
    const offer = page.getByRole('dialog', { name: 'Bring your chats along?' })
    await expect(offer).toContainText('There is 1 chat from before you signed in.')
    await expect(chatRows(page)).toHaveCount(0)
    await offer.getByRole('button', { name: 'Move them' }).click()
    await expect(toastWith(page, '1 chat moved to your account.')).toBeVisible()
    await expect(chatRows(page)).toHaveCount(1)
    await chatRows(page).getByRole('link').click()
    await expect(answers(page).first()).toContainText('An answer for a stranger.')
    await expect(page.locator('[data-question]')).toHaveText(/Before the sign-in/)

    await logOut(page)
    await expect(composer(page)).toBeVisible()
    await expect(chatRows(page)).toHaveCount(0)
    await signIn(page, ana)
    await expect(chatRows(page)).toHaveCount(1)
    await expect(offer).toBeHidden()
  })

  test('stay where they are when the person says so, and are not offered again', async ({ page, server, gateway }) => {
    await signUp(server, ana)
    gateway.next({ text: 'Stays with the stranger.' })
    await ask(page, 'Before the sign-in')
    await expect(answers(page).first()).toContainText('Stays with the stranger.')
    await untilAnswered(page)
    await signIn(page, ana)
    const offer = page.getByRole('dialog', { name: 'Bring your chats along?' })
    await offer.getByRole('button', { name: 'Leave them' }).click()
    await expect(offer).toBeHidden()
    await expect(chatRows(page)).toHaveCount(0)
    await logOut(page)
    await expect(chatRows(page)).toHaveCount(1)
    await signIn(page, ana)
    await expect(chatRows(page)).toHaveCount(0)
    await page.reload()
    await expect(accountButton(page)).toBeVisible()
    await expect(composer(page)).toBeVisible()
    await expect(offer).toBeHidden()
    await logOut(page)
    await chatRows(page).getByRole('link').click()
    await expect(answers(page).first()).toContainText('Stays with the stranger.')
  })
})

test.describe('other addresses', () => {
  // The server says of an unknown one that it is not found.
  test.use({ allowedNoise: /status of 404/ })

  test('/login opens the panel over the app, and an unknown path says so and leads to the start [ST-008]', async ({ page, server }) => {
    await page.goto(`${server.url}/login`)
    await expect(page).toHaveURL(/\/app$/)
    await expect(panelOf(page).panel.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await page.clock.install()
    await page.goto(`${server.url}/no/such/place`)
    await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
    await page.clock.fastForward(15_000)
    await expect(page).toHaveURL(`${server.url}/`)
    await page.getByRole('banner').getByRole('link', { name: 'Launch App' }).click()
    await expect(composer(page)).toBeVisible()
  })
})

test('/account, /profile and the settings ask to sign in first, and lead there afterwards [CH-015, ST-007, ST-013]', async ({ page, server }) => {
  await signUp(server, ana)
  await page.goto(`${server.url}/settings?tab=security`)
  await expect(panelOf(page).panel).toBeVisible()
  await expect(page).toHaveURL(/\/app$/)
  await enter(page, ana)
  await expect(page).toHaveURL(/\/settings\?tab=security$/)
  await expect(page.getByRole('tab', { name: 'Security' })).toHaveAttribute('aria-selected', 'true')

  for (const path of ['/account', '/profile']) {
    await page.goto(`${server.url}${path}`)
    await expect(page).toHaveURL(/\/settings$/)
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  }
  await openSecurity(page)
  await page.goto(`${server.url}/app`)
  await logOut(page)
  await page.goto(`${server.url}/account`)
  await expect(panelOf(page).panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/app$/)
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeHidden()
})
