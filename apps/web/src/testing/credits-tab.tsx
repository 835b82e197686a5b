import type { CreditMovement, DaySpending, SubscriptionPeriod } from '@parley/contract/credits'
import type { Payment } from '@parley/contract/payments'
import { vi } from 'vitest'
import { closeBuyCredits } from '../data/payments/buy-credits-state'
import { setLanguage } from '../i18n/i18n'
import { dismissToast, useToasts } from '../ui/toast-store'
import { renderScreen } from './render-screen'
import { cleanUp } from './seed-channels'
import { aUser, seedSession } from './seed-session'

export const sold = {
  methods: ['pix' as const, 'card' as const, 'token' as const],
  minDollars: 1,
  maxDollars: 10_000,
  usdBrlRate: '5.2',
  chainId: 8453,
}

export function aPayment(overrides: Partial<Payment> = {}): Payment {
  const created_at = '2026-11-18T12:00:00.000Z'
  return {
    id: crypto.randomUUID(),
    amount: 25,
    status: 'completed',
    method: 'pix',
    created_at,
    updated_at: created_at,
    ...overrides,
  }
}

/**
 * A server that keeps credits and payments, and the calls about them that it was asked. Tests change it while the
 * page is shown.
 */
export class CreditsServer {
  amount = 12.483109
  subscription: SubscriptionPeriod | undefined
  spending: { from: string; to: string; data: DaySpending[] } = { from: '2026-10-24', to: '2026-11-22', data: [] }
  movements: CreditMovement[] = []
  payments: Payment[] = []
  checked: Payment | undefined
  isDown = false
  readonly calls: string[] = []

  readonly answers = {
    'GET /api/billing/credit/user': () => this.answer('credit', { amount: this.amount }),
    'GET /api/billing/subscription/user': () =>
      this.subscription ? this.answer('subscription', this.subscription) : this.answer('subscription', null, 404),
    'GET /api/billing/credit/spending': (_body: unknown, query: URLSearchParams) =>
      this.answer(`spending ${query}`, this.spending),
    'GET /api/billing/credit/history': (_body: unknown, query: URLSearchParams) => {
      const [page, size] = [Number(query.get('page')), Number(query.get('size'))]
      const data = this.movements.slice(page * size, (page + 1) * size)
      return this.answer(`history ${page}`, { data, page, size, total: this.movements.length })
    },
    'GET /api/billing/payment/user': () => this.answer('payments', { data: this.payments }),
  }

  private answer(call: string, body: unknown, status = 200) {
    this.calls.push(call)
    return this.isDown ? { status: 503 } : { status, body }
  }
}

export async function openCreditsTab(
  setUp: (server: CreditsServer) => void = () => undefined,
  address = '/settings?tab=credits',
  payments: object = sold,
) {
  const credits = new CreditsServer()
  setUp(credits)
  // The profile tells of a subscription as well.
  await seedSession(
    aUser({ app_metadata: { kind: 'email', ...(credits.subscription ? { subscription: credits.subscription } : {}) } }),
  )
  const checks = Object.fromEntries(
    credits.payments.map(({ id }) => [
      `GET /api/billing/payment/pix/check-status/${id}`,
      () => (credits.checked ? { status: 200, body: credits.checked } : { status: 502 }),
    ]),
  )
  const view = await renderScreen(address, {
    config: { payments: payments as typeof sold },
    answers: { ...credits.answers, ...checks },
  })
  return { credits, ...view }
}

/** Removes what a test of the tab leaves behind. */
export async function leaveCreditsTab(): Promise<void> {
  vi.useRealTimers()
  closeBuyCredits()
  for (const { id } of useToasts.getState().toasts) dismissToast(id)
  await cleanUp()
  await setLanguage('en-US')
}
