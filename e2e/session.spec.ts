import type { BrowserContext, Page } from '@playwright/test'
import { deep } from './deep'
import {
  accountButton,
  ana,
  answers,
  ask,
  call,
  chatRows,
  countCalls,
  databaseNames,
  expect,
  logOut,
  type openPanel,
  otherSession,
  refusalNoise,
  secondTab,
  signIn,
  signInButton,
  signUp,
  test,
  toastWith,
} from './people'
import { field, searchWorkers, sidebar } from './search-steps'

const refreshPath = '/api/auth/refreshToken'

/** Lets the stored access token be one that ends in three minutes. */
const makeOld = (page: Parameters<typeof openPanel>[0]) =>
  page.evaluate(() => {
    const tokens = JSON.parse(localStorage.getItem('sb.token') ?? '{}')
    localStorage.setItem(
      'sb.token',
      JSON.stringify({ ...tokens, refreshed_at: tokens.refreshed_at - (tokens.expires_in - 180) * 1_000 }),
    )
  })

/**
 * The app runs in no tab while its session is changed: one that hears of it may act at once, and be cut off by the
 * reload.
 */
async function leaveApp(context: BrowserContext, tabs: readonly Page[]): Promise<void> {
  await context.route('**/api/empty', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  for (const tab of tabs) await tab.goto(new URL('/api/empty', tab.url()).href)
}

test(
  'near the end of a token, all calls of two tabs together refresh it once [ST-076, ST-228, ST-229, ST-231]',
  deep,
  async ({ page, context, server, gateway }) => {
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
  },
)

test.describe('tokens that the server refuses', () => {
  test.use({ allowedNoise: refusalNoise })

  test(
    'calls that are refused are made again after one refresh, in two tabs [ST-229]',
    deep,
    async ({ page, context, server }) => {
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
      const answered = [page, other].map((tab) =>
        tab.waitForResponse((response) => response.url().endsWith('/api/user') && response.ok()),
      )
      await Promise.all([page, other].map((tab) => tab.goto(`${server.url}/app`)))
      await Promise.all(answered)
      for (const tab of [page, other]) await expect(accountButton(tab)).toBeVisible()
      expect(refreshes()).toBe(1)
    },
  )

  for (const [how, end] of [
    [
      'the password is changed elsewhere',
      (server, { token }) =>
        call(server, 'POST', '/api/auth/change-password', { token, body: { newPassword: 'Changed-Horse-1' } }),
    ],
    [
      'the account is deleted elsewhere',
      (server, { token, userId }) => call(server, 'DELETE', '/api/user/account', { token, body: { userId } }),
    ],
  ] satisfies [
    string,
    (server: Parameters<typeof call>[0], session: Awaited<ReturnType<typeof otherSession>>) => Promise<Response>,
  ][]) {
    test(
      `${how}: the session here ends, says why, and the chats are sealed [ST-061, ST-227, ST-230, ST-235, CH-071]`,
      how === 'the account is deleted elsewhere' ? deep : {},
      async ({ page, context, server, gateway }) => {
        await signUp(server, ana)
        await signIn(page, ana)
        gateway.next({ text: 'Mine alone.' })
        await ask(page, 'Whose?')
        await expect(answers(page).first()).toContainText('Mine alone.')
        const session = await otherSession(server, ana)
        expect(await databaseNames(page)).toContain(`parley-${session.userId}-keys`)
        const token: string = await page.evaluate(
          () => JSON.parse(localStorage.getItem('sb.token') ?? '{}').access_token,
        )

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
        expect(await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('sb.token')])).toEqual([
          null,
          null,
        ])
        expect(await databaseNames(page)).not.toContain(`parley-${session.userId}-keys`)
        expect(await databaseNames(page)).toContain(`parley-${session.userId}`)
      },
    )
  }
})

test('a stored profile that is broken means signed out, without a word [CH-073]', deep, async ({ page, server }) => {
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
  expect(await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('sb.token')])).toEqual([
    null,
    null,
  ])
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
  await page.getByRole('button', { name: 'Search chats' }).click()
  await field(page).fill('nobody')
  await expect(sidebar(page).getByRole('link', { name: /Nobody else reads this/ })).toBeVisible()
  expect(searchWorkers(page)).toBe(1)

  await logOut(page)
  await expect(page).toHaveURL(/\/app$/)
  await expect.poll(() => searchWorkers(page)).toBe(0)
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(signInButton(other)).toBeVisible()
  for (const tab of [page, other]) {
    await expect(chatRows(tab)).toHaveCount(0)
    await expect(tab.getByText('Nobody else reads this.')).toBeHidden()
  }
  const left = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
  for (const key of ['user', 'sb.token', 'web2Login', 'webModeLogin', 'planted']) expect(left).not.toHaveProperty(key)
  const refused = await call(server, 'POST', refreshPath, {
    body: { refresh_token: JSON.parse(stored['sb.token'] ?? '').refresh_token },
  })
  expect(refused.status).toBe(401)
})
