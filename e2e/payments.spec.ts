import type { Locator, Page } from '@playwright/test'
import { type LocalChain, startLocalChain } from '../apps/server/src/testing/local-chain'
import { type MercadoPagoStandIn, startMercadoPago } from '../apps/server/src/testing/mercado-pago-stand-in'
import { scanQrCode } from '../apps/server/src/testing/scan-qr-code'
import { type StripeStandIn, startStripe } from '../apps/server/src/testing/stripe-stand-in'
import { deep } from './deep'
import type { ParleyServer } from './parley-server'
import { injectPayingWallet, PayingWallet } from './paying-wallet'
import {
  accountButton,
  ana,
  answers,
  ask,
  chatRows,
  composer,
  expect,
  test as people,
  refusalNoise,
  signIn,
  signUp,
  toastWith,
} from './people'

const treasury = '0x00000000000000000000000000000000000a12a5'

type Providers = { stripe: StripeStandIn; pix: MercadoPagoStandIn }

const test = people.extend<Providers>({
  stripe: async ({ standIns }, use) => use(await standIns.of(startStripe)),
  pix: async ({ standIns }, use) => use(await standIns.of(startMercadoPago)),
  environment: async ({ stripe, pix }, use) =>
    use({
      ALLOW_PAYMENTS_ON_PGLITE: 'true',
      SIGNUP_CREDITS: '0',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_URL: stripe.url,
      MERCADOPAGO_ACCESS_TOKEN: pix.accessToken,
      MERCADOPAGO_WEBHOOK_SECRET: pix.webhookSecret,
      MERCADOPAGO_API_URL: pix.url,
      USD_BRL_RATE: '5.46',
    }),
})

// In one worker: their servers are nobody else's.
test.describe.configure({ mode: 'default' })

test.beforeEach(async ({ server }) => signUp(server, ana))

/** A call of a provider, signed by it. */
async function notify(
  server: ParleyServer,
  path: string,
  { query = '', body, headers }: { query?: string; body: string; headers: Record<string, string> },
): Promise<void> {
  expect((await fetch(`${server.url}${path}${query}`, { method: 'POST', body, headers })).status).toBe(200)
}

const dialog = (page: Page) => page.getByRole('dialog')
const creditsBox = (page: Page) =>
  page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name: /^Credits/ })

/** Somebody without credits asks, is told, and goes on to what they want to pay: the amount is chosen already. */
async function wantCredits(page: Page, amount: string): Promise<Locator> {
  await signIn(page, ana)
  await expect(creditsBox(page)).toHaveText('Credits$0.00')
  await ask(page, 'What does the early exit cost?')
  await expect(dialog(page)).toContainText("You don't have enough credits to send a message, please buy credits.")
  await expect(dialog(page)).toContainText('You need at least 1 dollar in credits to send a message.')
  const value = dialog(page).getByLabel('Value in USD')
  await value.fill('many')
  await expect(value).toHaveValue('0')
  await value.fill(amount)
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/settings\?tab=credits/)
  const buying = page.getByRole('dialog', { name: 'Buy credits' })
  await expect(buying.getByLabel('Amount in US dollars')).toHaveValue(amount)
  return buying
}

/** The credits are there wherever they are shown, and the question, which is still in its box, is answered and paid. */
async function expectBought(page: Page, whole: string): Promise<void> {
  await expect(toastWith(page, 'Credits added successfully')).toBeVisible({ timeout: 20_000 })
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('tabpanel')).toContainText(`$${whole}.00000`)
  await expect(creditsBox(page)).toHaveText(`Credits$${whole}.00`)
  await accountButton(page).click()
  await expect(page.getByRole('link', { name: /Credits/ }).filter({ hasText: `$${whole}.0000` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { name: /completed/ })).toContainText(`$${whole}.00`)
  await page.getByRole('link', { name: 'Parley: new chat' }).click()
  await expect(composer(page)).toHaveValue('What does the early exit cost?')
  await composer(page).press('Enter')
  await expect(answers(page).last()).toContainText('You said: What does the early exit cost?')
  await expect(creditsBox(page)).toHaveText(`Credits$${Number(whole) - 1}.99`)
}

test('somebody without credits buys them by Pix, scanned from the screen in both themes or copied, and asks [ST-014, ST-051, ST-057, ST-058, ST-059, ST-158, ST-164, ST-165, ST-178, ST-179, CH-147, CH-148, CH-149, CH-165]', async ({
  page,
  context,
  server,
  pix,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const buying = await wantCredits(page, '25')
  await buying.getByRole('radio', { name: 'Pix' }).check({ force: true })
  await expect(buying).toContainText('R$ 136.50')
  await buying.getByRole('button', { name: 'Continue with Pix' }).click()
  const waiting = page.getByRole('dialog', { name: 'Pay with Pix' })
  await expect(waiting).toContainText('Awaiting payment')
  await expect(waiting).toContainText('R$ 136.50')
  const order = pix.payments.at(-1)
  expect(order).toMatchObject({ amount: 136.5, currency: 'BRL', email: ana.email })
  const code = await waiting.getByLabel('Pix code').inputValue()
  expect(code).toContain(order?.reference)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await expect.poll(async () => scanQrCode(await waiting.locator('svg[data-qr]').screenshot())).toBe(code)
  }
  await waiting.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(toastWith(page, 'Pix code copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)

  await waiting.getByRole('button', { name: 'Check Status' }).click()
  await expect(waiting).toContainText('The payment has not arrived yet.')
  pix.change(order?.reference ?? '', { status: 'approved', detail: 'accredited' })
  // The page may say it, for three seconds, before the provider's call is answered.
  await Promise.all([
    notify(server, '/api/billing/webhooks/mercadopago', pix.notification(order?.id ?? 0)),
    expectBought(page, '25'),
  ])
})

test('whoever asks before it is known what they have keeps their question, is told that they need credits, and has no empty chat [ST-051]', async ({
  page,
}) => {
  let tell = (): void => undefined
  const told = new Promise<void>((resolve) => (tell = resolve))
  await page.route('**/api/billing/credit/user', async (route) => {
    await told
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/billing/credit/user')
  await signIn(page, ana)
  await asked
  await ask(page, 'What does the early exit cost?')
  tell()
  await expect(dialog(page)).toContainText("You don't have enough credits to send a message, please buy credits.")
  await page.keyboard.press('Escape')
  await expect(composer(page)).toHaveValue('What does the early exit cost?')
  await expect(chatRows(page)).toHaveCount(0)
})

test(
  'somebody without credits buys them by card, on the page of Stripe, and asks when they are back [ST-158, ST-163, ST-167, ST-179]',
  deep,
  async ({ page, context, server, stripe }) => {
    await context.route('https://checkout.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Checkout</title><p>Pay</p>' }),
    )
    const buying = await wantCredits(page, '10')
    await buying.getByRole('radio', { name: 'Card' }).check({ force: true })
    await buying.getByRole('button', { name: 'Continue with Card' }).click()
    await page.waitForURL('https://checkout.stripe.com/**')
    const order = stripe.sessions.at(-1)
    expect(order).toMatchObject({ cents: 1_000, currency: 'usd' })

    // Whoever turns back finds the payment in their invoices.
    await page.goto(`${server.url}/settings?tab=credits`)
    await page
      .getByRole('row', { name: /pending/ })
      .getByRole('button', { name: /^Continue Payment/ })
      .or(page.getByRole('link', { name: /^Continue Payment/ }))
      .click()
    await page.waitForURL('https://checkout.stripe.com/**')

    const reference = order?.reference ?? ''
    const paid = stripe.change(reference, { status: 'complete', isPaid: true })
    await page.goto(paid.successUrl)
    await Promise.all([
      notify(server, '/api/billing/webhooks/stripe', stripe.event('checkout.session.completed', paid)),
      expectBought(page, '10'),
    ])
  },
)

test.describe('with the Aiz token', () => {
  let chain: LocalChain
  let token: Awaited<ReturnType<LocalChain['deployToken']>>
  test.beforeAll(async () => {
    chain = await startLocalChain({ chainId: 8453 })
    token = await chain.deployToken(18)
  })
  test.afterAll(() => chain.close())

  // Each time that the server asks for more blocks.
  test.use({
    allowedNoise: refusalNoise,
    environment: async ({}, use) =>
      use({
        ALLOW_PAYMENTS_ON_PGLITE: 'true',
        SIGNUP_CREDITS: '0',
        BASE_RPC_URL: chain.url,
        BASE_CHAIN_ID: String(chain.chainId),
        AIZ_TOKEN_ADDRESS: token,
        AIZ_TREASURY_ADDRESS: treasury,
        AIZ_USD_PRICE: '0.03',
      }),
  })

  test('somebody without credits pays from their wallet, on the right network, and asks [ST-160, ST-168, ST-169, ST-179]', async ({
    page,
  }) => {
    const wallet = new PayingWallet(chain, await chain.account(token, 1_000n))
    wallet.mayLeave = false
    await injectPayingWallet(page, wallet)
    await page.reload()
    const buying = await wantCredits(page, '12')
    await expect(buying).toContainText('400.0000 AIZ')
    const pay = buying.getByRole('button', { name: 'Continue with Aiz' })
    await pay.click()
    await expect(buying).toContainText('Please connect your wallet to the Base network.')
    wallet.mayLeave = true
    wallet.maySend = false
    await pay.click()
    await expect(buying).toContainText('You declined in your wallet. Nothing was paid.')
    wallet.maySend = true
    await pay.click()
    await expect(page.getByRole('dialog', { name: 'Pay with Aiz' })).toContainText('Transfer sent.')
    expect(wallet.sent.map(({ to, value }) => [to.toLowerCase(), value])).toEqual(
      wallet.sent.map(() => [token.toLowerCase(), '0x0']),
    )
    // Closed before it is confirmed: nothing is lost by that, nor by a reload.
    await page.reload()
    await chain.mine(12)
    await expectBought(page, '12')
  })

  test('says what is missing: a wallet [ST-169]', deep, async ({ page }) => {
    const buying = await wantCredits(page, '12')
    await buying.getByRole('button', { name: 'Continue with Aiz' }).click()
    await expect(buying).toContainText('Please install MetaMask to pay with Aiz.')
  })
})
