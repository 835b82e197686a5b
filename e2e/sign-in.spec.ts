import { deep } from './deep'
import { untilAnswered } from './journey'
import {
  accountButton,
  ana,
  answers,
  ask,
  chatRows,
  composer,
  enter,
  expect,
  logOut,
  openSecurity,
  panelOf,
  signIn,
  signUp,
  test,
  toastWith,
} from './people'

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

  test(
    'stay where they are when the person says so, and are not offered again',
    deep,
    async ({ page, server, gateway }) => {
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
    },
  )
})

test.describe('other addresses', () => {
  // The server says of an unknown one that it is not found.
  test.use({ allowedNoise: /status of 404/ })

  test('/login opens the panel over the app, and an unknown path says so and leads to the start [ST-008]', async ({
    page,
    server,
  }) => {
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

test('/account, /profile and the settings ask to sign in first, and lead there afterwards [CH-015, ST-007, ST-013]', async ({
  page,
  server,
}) => {
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
