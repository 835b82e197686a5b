import 'fake-indexeddb/auto'
import './browser-gaps'
import type { PaymentOffer } from '@parley/contract/config'
import type { Payment, PaymentMethod } from '@parley/contract/payments'
import type { User } from '@parley/contract/users'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { createQueryClient } from '../app/query-client'
import { useCredits } from '../data/credits/balance'
import { closeBuyCredits, openBuyCredits, useBuyCredits } from '../data/payments/buy-credits-state'
import { closePixPayment, openPixPayment, useOpenPix } from '../data/payments/open-payment'
import { usePayments } from '../data/payments/payments'
import { createWorkspace } from '../data/workspace'
import BuyCreditsDialog from '../features/payments/buy-credits'
import PixDialog from '../features/payments/pix-dialog'
import { startI18n } from '../i18n/i18n'
import { Toaster } from '../ui/toast'
import { aConfig } from './render-screen'
import { aUser, seedSession, tokens } from './seed-session'

const anOffer: PaymentOffer = {
  methods: ['pix', 'card', 'token'],
  minDollars: 1,
  maxDollars: 10_000,
  usdBrlRate: '5.46',
  aizUsdPrice: '0.03',
  chainId: 8453,
}

export const pixCode =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR6304ABCD'
export const treasuryData = `0xa9059cbb${'0'.repeat(64)}`
export const tokenAddress = `0x${'7'.repeat(40)}`
const minuteMs = 60_000

type Call = { path: string; body: unknown; key: string | null }
type Refusal = { status: number; code: string; retryAfter?: number } | 'no network'

const refusalOf = ({ status, code, retryAfter }: Exclude<Refusal, string>): Response =>
  Response.json(
    { success: false, code, message: code, status },
    { status, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': `${retryAfter}` } }) },
  )

/** A payment as the server tells of one that is open. */
export function aPayment(method: PaymentMethod, changes: Partial<Payment> = {}, at = Date.now()): Payment {
  const id = crypto.randomUUID()
  const time = new Date(at).toISOString()
  const expires_at = new Date(at + 30 * minuteMs).toISOString()
  const quote = {
    chainId: 8453,
    token: tokenAddress,
    treasury: tokenAddress,
    aizAmount: '333.3334',
    paymentId: id,
    data: treasuryData,
    expires_at,
  }
  const ways: Record<PaymentMethod, Partial<Payment>> = {
    pix: { pix: { qr_code: pixCode, tx_info: { currency: 'BRL', amount: '136.50', rate: '5.46', expires_at } } },
    card: { payment_url: 'https://checkout.stripe.com/c/pay/cs_1' },
    token: { token: quote },
  }
  return { id, amount: 25, status: 'pending', method, created_at: time, updated_at: time, ...ways[method], ...changes }
}

/**
 * A server that sells credits: it keeps payments by their idempotency keys, and refuses what the test says, once each.
 */
export class PaymentShop {
  readonly calls: Call[] = []
  readonly payments = new Map<string, Payment>()
  /** By the beginning of a path, the next answers of which are no good ones. */
  readonly refusals: { path: string; refusal: Refusal }[] = []
  /** What reporting a transfer answers, once there is no refusal left. */
  onReport: (id: string) => Payment = (id) => this.change(id, { status: 'completed' })
  offer: Partial<PaymentOffer> = {}
  private readonly byKey = new Map<string, string>()

  pathsOf(beginning: string): string[] {
    return this.calls.map(({ path }) => path).filter((path) => path.startsWith(beginning))
  }

  created(): Call[] {
    return this.calls.filter(({ path }) => path === 'POST /api/billing/payment')
  }

  refuse(path: string, ...refusals: Refusal[]): void {
    this.refusals.push(...refusals.map((refusal) => ({ path, refusal })))
  }

  put(payment: Payment): Payment {
    this.payments.set(payment.id, payment)
    return payment
  }

  change(id: string, changes: Partial<Payment>): Payment {
    const known = this.payments.get(id)
    if (!known) throw new Error('no such payment')
    return this.put({ ...known, ...changes })
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    const path = `${init?.method ?? 'GET'} ${pathname}`
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const key = new Headers(init?.headers).get('idempotency-key')
    this.calls.push({ path, body, key })
    const refused = this.refusals.findIndex((each) => path.startsWith(each.path))
    const [entry] = refused < 0 ? [] : this.refusals.splice(refused, 1)
    if (entry?.refusal === 'no network') {
      // The server has heard it, and its answer is lost.
      this.answer(path, body, key)
      throw new TypeError('Failed to fetch')
    }
    return entry ? refusalOf(entry.refusal) : this.answer(path, body, key)
  }

  private answer(path: string, body: unknown, key: string | null): Response {
    if (path === 'GET /api/config') return Response.json({ ...aConfig, payments: { ...anOffer, ...this.offer } })
    if (path === 'POST /api/auth/refreshToken') return Response.json({ ...tokens, access_token: crypto.randomUUID() })
    if (path === 'GET /api/billing/credit/user') return Response.json({ amount: 0 })
    if (path === 'GET /api/billing/payment/user') return Response.json({ data: [...this.payments.values()] })
    if (path === 'POST /api/billing/payment')
      return Response.json(this.create(body as { amount: number; method: PaymentMethod }, key), { status: 201 })
    const [, id = '', action] = /([0-9a-f-]{36})(\/transaction)?$/.exec(path) ?? []
    const payment = this.payments.get(id)
    if (!payment) return refusalOf({ status: 404, code: 'not-found' })
    return Response.json(action ? this.onReport(id) : payment)
  }

  private create({ amount, method }: { amount: number; method: PaymentMethod }, key: string | null): Payment {
    const known = this.payments.get(this.byKey.get(key ?? '') ?? '')
    if (known) return known
    const payment = this.put(aPayment(method, { amount }))
    if (key !== null) this.byKey.set(key, payment.id)
    return payment
  }
}

/** As in the credits tab, where credits and payments are in sight as well. */
function Dialogs() {
  useCredits()
  usePayments()
  const isBuying = useBuyCredits(({ isOpen }) => isOpen)
  const pix = useOpenPix()
  return (
    <>
      {isBuying && <BuyCreditsDialog />}
      {pix && <PixDialog key={pix.id} payment={pix} />}
    </>
  )
}

/** The dialogs of buying, for somebody who is signed in at a shop. */
export async function enterShop(
  shop: PaymentShop,
  { user = aUser(), amount, pix }: { user?: User; amount?: number; pix?: Payment } = {},
) {
  globalThis.fetch = shop.fetch
  await seedSession(user)
  await startI18n()
  const client = createQueryClient()
  createWorkspace({ queryClient: client })
  if (pix) openPixPayment(pix)
  else openBuyCredits(amount)
  const view = render(
    <QueryClientProvider client={client}>
      <Dialogs />
      <Toaster />
    </QueryClientProvider>,
  )
  if (!pix) await screen.findByRole('dialog')
  return { ...view, client }
}

export function leaveShop(): void {
  cleanup()
  closeBuyCredits()
  closePixPayment()
  localStorage.clear()
}
