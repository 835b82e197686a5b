import { serverLimits } from '@parley/contract/limits/server'
import { webLimits } from '@parley/contract/limits/web'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aPayment, enterShop, leaveShop, PaymentShop, pixCode } from '../../testing/payment-shop'

beforeEach(() => {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
})
afterEach(() => {
  leaveShop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const aVisitor = () => userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const plain = (text: string | null | undefined): string => (text ?? '').replaceAll('\u00a0', ' ')
const dialog = () => screen.findByRole('dialog', { name: 'Pay with Pix' })
const said = (tone: 'polite' | 'assertive' = 'polite'): string | null | undefined =>
  document.querySelector(`[popover] [aria-live=${tone}]`)?.textContent

/** A Pix payment whose code is shown. */
async function anOpenPix() {
  const shop = new PaymentShop()
  const payment = shop.put(aPayment('pix'))
  await enterShop(shop, { pix: payment })
  await dialog()
  const polls = () => shop.pathsOf(`GET /api/billing/payment/${payment.id}`).length
  const checks = () => shop.pathsOf('GET /api/billing/payment/pix/check-status').length
  return { shop, payment, polls, checks, user: aVisitor() }
}

it('follows the choice of Pix: a code to scan, what it costs and what for, and how long it can be paid [ST-158, ST-159, ST-164, ST-174]', async () => {
  const shop = new PaymentShop()
  await enterShop(shop, { amount: 25 })
  const user = aVisitor()
  await user.click(await screen.findByRole('radio', { name: 'Pix' }))
  await user.click(screen.getByRole('button', { name: 'Continue with Pix' }))
  const box = await dialog()
  expect(screen.queryByRole('dialog', { name: 'Buy credits' })).toBeNull()
  expect(box.querySelector('[data-qr] path')?.getAttribute('d')).toMatch(/^M4 4h7v1h-7z/)
  expect(plain(box.textContent)).toContain('R$ 136.50for $25.00 of credits')
  expect(within(box).getByText('Awaiting payment')).toBeTruthy()
  expect(within(box).getByRole('timer').textContent).toMatch(/^ · expires in (30:00|29:5\d)$/)
  await pass(61_000)
  expect(within(box).getByRole('timer').textContent).toMatch(/ 28:5\d$/)
})

it('copies the code by its button and by a press on the picture [ST-164, ST-178]', async () => {
  const { user } = await anOpenPix()
  await user.click(within(await dialog()).getByRole('button', { name: 'Copy' }))
  await pass(200)
  expect(said()).toContain('Pix code copied')
  expect(await navigator.clipboard.readText()).toBe(pixCode)
  await navigator.clipboard.writeText('')
  await user.click(screen.getByRole('button', { name: /^QR code/ }))
  await pass(200)
  expect(said()).toContain('Code copied successfully!')
  expect(await navigator.clipboard.readText()).toBe(pixCode)
})

it('lets the person copy it themselves where the browser does not allow it', async () => {
  const { user } = await anOpenPix()
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  await user.click(within(await dialog()).getByRole('button', { name: 'Copy' }))
  await pass(200)
  expect(said()).toContain('The code is selected: copy it from there.')
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Pix code' })
  expect([input.value, input.selectionStart, input.selectionEnd]).toEqual([pixCode, 0, pixCode.length])
})

it('asks every 5 seconds, and when it is paid stops, closes, shows the new credits and says so [ST-164, ST-165, ST-175, ST-179]', async () => {
  const { shop, payment, polls } = await anOpenPix()
  await pass(4_900)
  expect(polls()).toBe(0)
  await pass(200)
  expect(polls()).toBe(1)
  await pass(5_000)
  expect(polls()).toBe(2)
  const asked = () => [
    shop.pathsOf('GET /api/billing/credit/user').length,
    shop.pathsOf('GET /api/billing/payment/user').length,
  ]
  expect(asked()).toEqual([1, 1])
  shop.change(payment.id, { status: 'completed' })
  await pass(5_100)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(asked()).toEqual([2, 2])
  await pass(200)
  expect(said()).toContain('Credits added successfully')
  await pass(30_000)
  expect(polls()).toBe(3)
})

it('does not ask while nobody looks at the page, and asks at once when somebody does again', async () => {
  const { polls } = await anOpenPix()
  const look = (state: DocumentVisibilityState) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }
  look('hidden')
  await pass(30_000)
  expect(polls()).toBe(0)
  look('visible')
  await pass(100)
  expect(polls()).toBe(1)
})

it('stops asking when it is closed [ST-166]', async () => {
  const { user, polls } = await anOpenPix()
  await pass(5_100)
  const [close] = within(await dialog()).getAllByRole('button', { name: 'Close' })
  if (close) await user.click(close)
  expect(screen.queryByText('Awaiting payment')).toBeNull()
  const before = polls()
  await pass(30_000)
  expect(polls()).toBe(before)
})

it('no longer says that it waits when it cannot ask, but what to do; asking the provider goes on from there [ST-162, ST-166, ST-176]', async () => {
  const { shop, payment, user, polls, checks } = await anOpenPix()
  const failure = { status: 503, code: 'unavailable' }
  shop.refuse(
    `GET /api/billing/payment/${payment.id}`,
    ...Array.from({ length: 1 + webLimits.queries.retries }, () => failure),
  )
  await pass(30_000)
  expect((await screen.findByRole('alert')).textContent).toContain('Choose Check Status to look again.')
  expect(screen.queryByText('Awaiting payment')).toBeNull()
  const before = polls()
  await pass(30_000)
  expect(polls()).toBe(before)
  await user.click(screen.getByRole('button', { name: 'Check Status' }))
  await waitFor(() => expect(checks()).toBe(1))
  expect(await screen.findByText('Awaiting payment')).toBeTruthy()
  await pass(200)
  expect(said()).toContain('The payment has not arrived yet.')
  await pass(5_100)
  expect(polls()).toBeGreaterThan(before)
})

it('says so when the provider cannot be asked, and waits on', async () => {
  const { shop, user } = await anOpenPix()
  shop.refuse('GET /api/billing/payment/pix/check-status', { status: 502, code: 'payment.pix-failed' })
  await user.click(screen.getByRole('button', { name: 'Check Status' }))
  await pass(200)
  expect(said('assertive')).toContain('Failed to process the Pix payment')
  expect(screen.getByText('Awaiting payment')).toBeTruthy()
})

it('finds by Check Status that it is paid', async () => {
  const { shop, payment, user } = await anOpenPix()
  shop.change(payment.id, { status: 'completed' })
  await user.click(screen.getByRole('button', { name: 'Check Status' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await pass(200)
  expect(said()).toContain('Credits added successfully')
})

it.each([
  ['expired', 'This code has expired. If you have already paid it, the credits come as soon as your bank confirms.'],
  ['failed', 'This payment failed. Nothing was charged.'],
] as const)(
  'says in place that it has %s, asks no more, and starts again with the same amount',
  async (status, text) => {
    const { shop, payment, user, polls } = await anOpenPix()
    shop.change(payment.id, { status, pix: undefined })
    await pass(5_100)
    expect((await screen.findByRole('alert')).textContent).toBe(text)
    const before = polls()
    await pass(30_000)
    expect(polls()).toBe(before)
    await user.click(screen.getByRole('button', { name: 'Start again' }))
    expect((await screen.findByRole<HTMLInputElement>('spinbutton')).value).toBe('25')
  },
)

it('asks the provider when the time is over, and waits on where the server knows better than this clock', async () => {
  const { shop, payment, checks } = await anOpenPix()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await pass(serverLimits.payments.pixMinutes * 60_000 + 1_000)
  await pass(100)
  expect(checks()).toBe(1)
  expect(screen.getByText('Awaiting payment')).toBeTruthy()
  expect(screen.queryByRole('timer')).toBeNull()
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
  shop.change(payment.id, { status: 'expired', pix: undefined })
  await pass(5_100)
  expect(screen.getByRole('button', { name: 'Start again' })).toBeTruthy()
})
