import { deep } from './deep'
import {
  accountButton,
  ana,
  answers,
  ask,
  bruno,
  chatRows,
  expect,
  linkOf,
  logOut,
  openPanel,
  refusalNoise,
  signInButton,
  signUp,
  test,
  toastWith,
} from './people'
import { short } from './short'

// In one worker: their servers are nobody else's.
test.describe.configure({ mode: 'default' })

test.describe('with a mail server', () => {
  test.use({ environment: async ({ mail }, use) => use({ SMTP_URL: mail.url }) })

  test(
    'a stranger registers, confirms by the mail, and asks the first question of the account [AG-111, AG-112, AG-113, AG-134, AG-137, AG-138, AG-139, AG-141, AG-146, AG-116]',
    short,
    async ({ page, gateway, mail }) => {
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
      const created = toastWith(
        page,
        "Account created! Please confirm your email and check your spam folder if you don't see it.",
      )
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
    },
  )

  test('after registering, OK opens the mailbox of a well-known provider [AG-147]', deep, async ({ page, context }) => {
    await context.route('https://mail.google.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Mailbox</title>' }),
    )
    const { panel, email, password, submit } = await openPanel(page)
    await panel.getByRole('button', { name: 'Get Started' }).click()
    await email.fill('ana@gmail.com')
    await password.fill(ana.password)
    await submit.click()
    const created = toastWith(page, /^Account created! Please confirm/)
    const [mailbox] = await Promise.all([
      context.waitForEvent('page'),
      created.getByRole('button', { name: 'OK' }).click(),
    ])
    await expect(mailbox).toHaveTitle('Mailbox')
    expect(mailbox.url()).toBe('https://mail.google.com/')
  })

  test.describe('refusals', () => {
    test.use({ allowedNoise: refusalNoise })

    test('the confirmation link works once', deep, async ({ page, server, mail }) => {
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

    test(
      'a confirmation link of somebody else asks before it changes who is here',
      deep,
      async ({ page, server, mail }) => {
        await signUp(server, ana)
        await page.goto(linkOf(await mail.next(ana.email)))
        await expect(accountButton(page)).toContainText('ana')
        await signUp(server, bruno)
        const link = linkOf(await mail.next(bruno.email))
        const question = page.getByRole('alertdialog', {
          name: `You are signed in as ${ana.email}. Use this link to sign in to its own account?`,
        })
        await page.goto(link)
        await question.getByRole('button', { name: 'Cancel' }).click()
        await expect(page).toHaveURL(/\/app$/)
        await expect(accountButton(page)).toContainText('ana')

        await page.goto(link)
        await question.getByRole('button', { name: 'Sign in' }).click()
        await expect(accountButton(page)).toContainText('bruno')
      },
    )
  })
})
