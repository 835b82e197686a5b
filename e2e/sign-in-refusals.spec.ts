import { deep } from './deep'
import {
  ana,
  bruno,
  call,
  expect,
  linkOf,
  networkNoise,
  openPanel,
  signInButton,
  signUp,
  test,
  toastWith,
} from './people'

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
  notJson:
    'Service temporarily unavailable. Please try again in a few moments or contact support if the issue persists.',
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

    test(
      "what the server refuses is said in the person's words, where it was typed [AG-115, AG-121, AG-122, AG-143]",
      deep,
      async ({ page, server, mail }) => {
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
      },
    )
  })

  test(
    "a network that is gone, a proxy's page and a failing server are told apart [AG-119, AG-120, AG-124, AG-125, AG-126, AG-127, AG-128, AG-129, AG-142, AG-145]",
    deep,
    async ({ page, context }) => {
      const { panel, email, password, submit } = await openPanel(page)
      const alert = (text: string) => panel.getByRole('alert').filter({ hasText: text })
      const fails = async (
        path: string,
        answer: { status: number; body: string; contentType: string },
        text: string,
      ) => {
        await page.route(`**${path}`, (route) => route.fulfill(answer))
        await submit.click()
        await expect(toastWith(page, text)).toBeVisible()
        await expect(alert(text).first()).toBeVisible()
        await page.unroute(`**${path}`)
      }
      const json = (status: number, body: object = {}) => ({
        status,
        body: JSON.stringify(body),
        contentType: 'application/json',
      })
      const html = (status: number) => ({
        status,
        body: '<!doctype html><h1>Bad gateway</h1>',
        contentType: 'text/html',
      })

      await email.fill(ana.email)
      await password.fill(ana.password)
      const login = '/api/auth/login'
      await fails(login, html(200), texts.notJson)
      await fails(login, html(502), texts.notJson)
      await fails(
        login,
        json(500, { code: 'server-error', message: 'Server error. Please try again later.' }),
        texts.failing,
      )
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
    },
  )

  test.describe('with limits', () => {
    test.use({ environment: { RATE_LIMIT_SCALE: '1' }, ownServer: true })

    test(
      'too many tries are answered with patience, whatever the password [AG-123, AG-144]',
      deep,
      async ({ page, server }) => {
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
      },
    )
  })
})
