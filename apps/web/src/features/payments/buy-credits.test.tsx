import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { callsEnded } from '../../data/api/api'
import { setLanguage } from '../../i18n/i18n'
import { enterShop, leaveShop, PaymentShop } from '../../testing/payment-shop'

afterEach(async () => {
  leaveShop()
  vi.restoreAllMocks()
  await setLanguage('en-US')
})

async function openShop(
  setUp: (shop: PaymentShop) => void = () => undefined,
  options: Parameters<typeof enterShop>[1] = {},
) {
  const shop = new PaymentShop()
  setUp(shop)
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  await enterShop(shop, options)
  return { shop, assign, user: userEvent.setup() }
}

const field = () => screen.findByRole<HTMLInputElement>('spinbutton', { name: 'Amount in US dollars' })
const choose = async (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(await screen.findByRole('radio', { name }))
const go = async (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(await screen.findByRole('button', { name }))
/** Without what separates a currency's sign from its amount. */
const plain = (text: string | null | undefined): string => (text ?? '').replaceAll('\u00a0', ' ')

it('asks for an amount and offers Pix, card and Aiz, of which none is chosen yet [ST-158, ST-160]', async () => {
  await openShop()
  const amount = await field()
  expect([amount.type, amount.min, amount.step, amount.value]).toEqual(['number', '0', '0.01', '0'])
  expect(
    screen.getAllByRole<HTMLInputElement>('radio').map((each) => [each.getAttribute('aria-label'), each.checked]),
  ).toEqual([
    ['Pix', false],
    ['Card', false],
    ['Aiz', false],
  ])
})

it('offers only what the server takes, and chooses the only one', async () => {
  await openShop((shop) => {
    shop.offer = { methods: ['card'] }
  })
  const only = await screen.findByRole<HTMLInputElement>('radio')
  expect([only.getAttribute('aria-label'), only.checked]).toEqual(['Card', true])
})

it('says that a server without any method sells no credits', async () => {
  await openShop((shop) => {
    shop.offer = { methods: [] }
  })
  expect(await screen.findByText('This server sells no credits.')).toBeTruthy()
  expect(screen.queryByRole('spinbutton')).toBeNull()
})

it('begins with the amount that was chosen before', async () => {
  await openShop(undefined, { amount: 12.5 })
  expect((await field()).value).toBe('12.5')
})

it('takes an empty field for 0 and fills in a usual amount at a press [ST-171]', async () => {
  const { user } = await openShop(undefined, { amount: 12 })
  const amount = await field()
  await user.clear(amount)
  expect(amount.value).toBe('0')
  await user.type(amount, '7')
  expect(amount.value).toBe('7')
  await go(user, '$25')
  expect(amount.value).toBe('25')
  expect(screen.getByRole('button', { name: '$25' }).getAttribute('aria-pressed')).toBe('true')
})

it('asks for a method before anything else [ST-173]', async () => {
  const { user, shop } = await openShop()
  await go(user, 'Continue')
  expect((await screen.findByRole('alert')).textContent).toBe('Please select a payment method')
  expect(shop.created()).toEqual([])
})

it.each([
  ['Pix', 'Please enter a value to continue with Pix'],
  ['Card', 'Please enter a value to continue with Card'],
  ['Aiz', 'Please enter a value to continue with Aiz'],
])('asks for a value to continue with %s [ST-172]', async (method, said) => {
  const { user, shop } = await openShop()
  await choose(user, method)
  await go(user, `Continue with ${method}`)
  expect((await screen.findByRole('alert')).textContent).toBe(said)
  expect((await field()).getAttribute('aria-invalid')).toBe('true')
  await go(user, '$5')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(shop.created()).toEqual([])
})

it.each([
  [0.5, 'The minimum purchase is $1.'],
  [10_001, 'The maximum purchase is $10,000.'],
  [1.005, 'Please enter an amount in dollars and cents.'],
])('refuses to sell for $%d and says why', async (amount, said) => {
  const { user, shop } = await openShop(undefined, { amount })
  await choose(user, 'Pix')
  await go(user, 'Continue with Pix')
  expect((await screen.findByRole('alert')).textContent).toBe(said)
  expect(shop.created()).toEqual([])
})

it('shows what has to be paid before anything is: reais with their rate, dollars, or AIZ with four decimals [ST-160]', async () => {
  const { user } = await openShop(undefined, { amount: 25 })
  await choose(user, 'Pix')
  const quote = screen.getByRole('dialog').querySelector('dl')
  expect(plain(quote?.textContent)).toBe('You payR$ 136.50At R$ 5.46 for $1.')
  await choose(user, 'Card')
  expect(quote?.textContent).toContain('You pay$25.00')
  await choose(user, 'Aiz')
  expect(quote?.textContent).toContain('You pay833.3334 AIZAt $0.03 for 1 AIZ.')
})

it('writes reais as the language does', async () => {
  await openShop(undefined, { amount: 25 })
  await setLanguage('pt-BR')
  await userEvent.setup().click(await screen.findByRole('radio', { name: 'Pix' }))
  await waitFor(() => expect(plain(screen.getByRole('dialog').querySelector('dl')?.textContent)).toContain('R$ 136,50'))
  expect(screen.getByRole('button', { name: 'Continuar com Pix' })).toBeTruthy()
})

it('leads to the page where the card is charged, and makes one payment however often it is pressed [ST-167, ST-174]', async () => {
  const { user, shop, assign } = await openShop(undefined, { amount: 10 })
  await choose(user, 'Card')
  const button = await screen.findByRole('button', { name: 'Continue with Card' })
  await user.dblClick(button)
  if (button instanceof HTMLButtonElement && button.form) fireEvent.submit(button.form)
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://checkout.stripe.com/c/pay/cs_1'))
  await user.click(button)
  expect(shop.created().map(({ body }) => body)).toEqual([{ amount: 10, method: 'card' }])
  expect(assign).toHaveBeenCalledOnce()
})

it('goes to no page that takes no cards for this app [ST-177]', async () => {
  const { user, shop, assign } = await openShop(undefined, { amount: 10 })
  const answer = shop.fetch
  globalThis.fetch = async (input, init) => {
    const response = await answer(input, init)
    if (init?.method !== 'POST') return response
    return Response.json(
      { ...(await response.json()), payment_url: 'https://checkout.stripe.com.evil.example/pay' },
      { status: 201 },
    )
  }
  await choose(user, 'Card')
  await go(user, 'Continue with Card')
  expect((await screen.findAllByText('Failed to process the card payment')).length).toBeGreaterThan(0)
  expect(assign).not.toHaveBeenCalled()
})

it.each([
  ['Pix', { status: 502, code: 'payment.pix-failed' }, 'Failed to process the Pix payment'],
  ['Card', { status: 502, code: 'payment.card-failed' }, 'Failed to process the card payment'],
])(
  'says that a payment by %s failed, and begins a new one at the next press [ST-177]',
  async (method, refusal, said) => {
    const { user, shop } = await openShop((each) => each.refuse('POST /api/billing/payment', refusal), { amount: 10 })
    await choose(user, method)
    await go(user, `Continue with ${method}`)
    expect((await screen.findByRole('alert')).textContent).toBe(said)
    await waitFor(() => expect(document.querySelector('[aria-live=assertive]')?.textContent).toContain(said))
    await go(user, `Continue with ${method}`)
    await waitFor(() => expect(shop.created()).toHaveLength(2))
    const [first, second] = shop.created()
    expect(first?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(second?.key).not.toBe(first?.key)
  },
)

it('tries the same purchase with the same key after the network failed, so that it is made once; another amount is another one', async () => {
  const { user, shop } = await openShop(
    (each) => each.refuse('POST /api/billing/payment', 'no network', 'no network'),
    { amount: 10 },
  )
  await choose(user, 'Pix')
  await go(user, 'Continue with Pix')
  expect(await screen.findByText('Network error. Please check your connection and try again.')).toBeTruthy()
  await go(user, 'Continue with Pix')
  await waitFor(() => expect(shop.created()).toHaveLength(2))
  await screen.findByText('Network error. Please check your connection and try again.')
  await go(user, '$50')
  await go(user, 'Continue with Pix')
  expect(await screen.findByRole('dialog', { name: 'Pay with Pix' })).toBeTruthy()
  const [first, again, other] = shop.created()
  expect(again?.key).toBe(first?.key)
  expect(other?.key).not.toBe(first?.key)
  expect(shop.payments.size).toBe(2)
})

it('leads nowhere when it was closed meanwhile', async () => {
  const { user, shop, assign } = await openShop(undefined, { amount: 10 })
  let answerNow = (): void => undefined
  const held = new Promise<void>((resolve) => {
    answerNow = resolve
  })
  globalThis.fetch = async (input, init) => {
    if (init?.method === 'POST') await held
    return shop.fetch(input, init)
  }
  await choose(user, 'Card')
  await go(user, 'Continue with Card')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  const lists = () => shop.pathsOf('GET /api/billing/payment/user').length
  await waitFor(() => expect(lists()).toBe(1))
  answerNow()
  // The payment is there, and has been listed.
  await waitFor(() => expect(lists()).toBe(2))
  await callsEnded()
  expect(shop.created()).toHaveLength(1)
  expect(assign).not.toHaveBeenCalled()
  expect(screen.queryByRole('dialog')).toBeNull()
})
