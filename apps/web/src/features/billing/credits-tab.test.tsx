import type { CreditMovement, DaySpending, SubscriptionPeriod } from '@parley/contract/billing'
import type { Payment } from '@parley/contract/payments'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeBuyCredits } from '../../data/billing/buy-credits-state'
import { noteCredits } from '../../data/billing/credits'
import { forgetSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, aWalletUser, seedSession } from '../../testing/seed-session'
import { dismissToast, useToasts } from '../../ui/toast-store'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(async () => {
  vi.useRealTimers()
  closeBuyCredits()
  for (const { id } of useToasts.getState().toasts) dismissToast(id)
  await cleanUp()
  await setLanguage('en-US')
})

const main = () => within(screen.getByRole('main'))
const group = async (name: string) => within(await main().findByRole('group', { name }))

const sold = { methods: ['pix' as const, 'card' as const, 'token' as const], minDollars: 1, maxDollars: 10_000, usdBrlRate: '5.2', chainId: 8453 }

function aPayment(overrides: Partial<Payment> = {}): Payment {
  const created_at = '2026-11-18T12:00:00.000Z'
  return { id: crypto.randomUUID(), amount: 25, status: 'completed', method: 'pix', created_at, updated_at: created_at, ...overrides }
}

/** What the server knows, and which calls of billing it was asked. It may change while the page is shown. */
class Billing {
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
    'GET /api/billing/subscription/user': () => (this.subscription ? this.answer('subscription', this.subscription) : this.answer('subscription', null, 404)),
    'GET /api/billing/credit/spending': (_body: unknown, query: URLSearchParams) => this.answer(`spending ${query}`, this.spending),
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

async function openTab(setUp: (billing: Billing) => void = () => undefined, address = '/settings?tab=credits', payments: object = sold) {
  const billing = new Billing()
  setUp(billing)
  // The profile tells of a subscription as well.
  await seedSession(aUser({ app_metadata: { kind: 'email', ...(billing.subscription ? { subscription: billing.subscription } : {}) } }))
  const checks = Object.fromEntries(
    billing.payments.map(({ id }) => [
      `GET /api/billing/payment/pix/check-status/${id}`,
      () => (billing.checked ? { status: 200, body: billing.checked } : { status: 502 }),
    ]),
  )
  const view = await renderScreen(address, { config: { payments: payments as typeof sold }, answers: { ...billing.answers, ...checks } })
  return { billing, ...view }
}

describe('the balance', () => {
  it('is cut off after 5 decimals, with examples of what requests cost, and can be added to [ST-030, CH-158]', async () => {
    const { user } = await openTab()
    const balance = await group('Available credits')
    expect(await balance.findByText('$12.48310')).toBeTruthy()
    expect(balance.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Small request on the basic model $0.01',
      'Medium request on the intermediate model $0.05',
    ])
    await user.click(await balance.findByRole('button', { name: 'Buy credits' }))
    expect(await screen.findByRole('dialog', { name: 'Buy credits' })).toBeTruthy()
  })

  it('cannot be added to where nothing is sold, which is said', async () => {
    await openTab(undefined, undefined, { ...sold, methods: [] })
    const balance = await group('Available credits')
    expect(await balance.findByText('This server sells no credits.')).toBeTruthy()
    expect(balance.queryByRole('button')).toBeNull()
  })

  it('that the server tells by itself is shown at once, and what moved it is asked for [ST-030]', async () => {
    const { billing } = await openTab()
    expect(await main().findByText('No credits have come or gone yet.')).toBeTruthy()
    billing.amount = 12
    billing.movements = [{ id: '1', time: '2026-11-22T10:00:00.000Z', kind: 'settle', amount: '-0.483109', balance: '12', model: 'm' }]
    act(() => noteCredits(12))
    expect(await main().findByText('$12.00000')).toBeTruthy()
    expect(await main().findByText('−$0.483109')).toBeTruthy()
  })

  it('that cannot be loaded is said, and asked for again at a press', async () => {
    const { billing, user } = await openTab((server) => {
      server.isDown = true
    })
    expect((await main().findByRole('alert')).textContent).toMatch(/^Your credits could not be loaded\./)
    billing.isDown = false
    await user.click(main().getByRole('button', { name: 'Try again' }))
    expect(await main().findByText('$12.48310')).toBeTruthy()
  })
})

describe('pay in the address', () => {
  const amount = async () => (await screen.findByRole<HTMLInputElement>('spinbutton', { name: 'Amount in US dollars' })).value

  it('opens the purchase with that amount, and is used up by that: a reload opens nothing [ST-014, ST-004]', async () => {
    const { user, router } = await openTab(undefined, '/settings?tab=credits&pay=37.5')
    expect(await amount()).toBe('37.5')
    expect(router.state.location.searchStr).toBe('?tab=credits')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(router.state.location.searchStr).toBe('?tab=credits')
  })

  it('means the credits tab, whichever was open last [ST-014]', async () => {
    localStorage.setItem('selectedTab', '3')
    await openTab(undefined, '/settings?pay=20')
    expect(await amount()).toBe('20')
  })

  it.each(['abc', '-5', '', 'Infinity'])('opens it without an amount when it is none: %s [ST-014]', async (pay) => {
    await openTab(undefined, `/settings?tab=credits&pay=${pay}`)
    expect(await amount()).toBe('0')
  })
})

describe('instead of the purchase', () => {
  it('a subscriber sees the plan, until when it lasts and what comes after [ST-029, CH-150, CH-151, CH-068]', async () => {
    const { billing } = await openTab((server) => {
      server.subscription = { product_name: 'Parley Plus', current_period_start: '2998-03-05T12:00:00.000Z', current_period_end: '2999-03-05T12:00:00.000Z' }
    })
    const plan = await group('Your plan')
    expect(plan.getByText('Parley Plus')).toBeTruthy()
    expect(plan.getByText('Annual')).toBeTruthy()
    expect(plan.getByText(/^Active until March 5, 2999\./)).toBeTruthy()
    const after = await group('What comes after')
    expect(after.getByText(/From then on you pay with credits/)).toBeTruthy()
    expect(await after.findByText('Your credits stay as they are until then: $12.48310.')).toBeTruthy()
    expect(main().queryByRole('button', { name: 'Buy credits' })).toBeNull()
    expect(main().queryByRole('group', { name: 'Invoices' })).toBeNull()
    expect(billing.calls).not.toContain('payments')
  })

  it('a period of a month is Monthly [CH-151]', async () => {
    const now = Date.now()
    const at = (days: number) => new Date(now + days * 86_400_000).toISOString()
    await openTab((server) => {
      server.subscription = { product_name: 'Parley Plus', current_period_start: at(-1), current_period_end: at(29) }
    })
    expect(await (await group('Your plan')).findByText('Monthly')).toBeTruthy()
  })

  it('a period that is over leaves the credits [CH-150]', async () => {
    await openTab((server) => {
      server.subscription = { product_name: 'Parley Plus', current_period_start: '2020-01-01T00:00:00.000Z', current_period_end: '2020-02-01T00:00:00.000Z' }
    })
    expect(await main().findByText('$12.48310')).toBeTruthy()
    expect(main().queryByText('Parley Plus')).toBeNull()
  })

  it('a wallet is Web3 Unlimited, and nothing of billing is asked for [CH-152, CH-153, CH-069]', async () => {
    const billing = new Billing()
    await seedSession(aWalletUser())
    await renderScreen('/settings?tab=credits&pay=5', { config: { payments: sold }, answers: billing.answers })
    expect(await main().findByText('Web3 Unlimited')).toBeTruthy()
    expect(main().getByText(/use every model without credits/)).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(billing.calls).toEqual([])
  })
})

describe('the spending', () => {
  const spent = (day: string, model: string, amount: string, answers = 1): DaySpending => ({ day, model, amount, answers })
  const some = (server: Billing) => {
    server.spending.data = [spent('2026-11-20', 'small', '0.1', 3), spent('2026-11-20', 'large', '0.250000001', 2), spent('2026-11-22', 'small', '0.00000001')]
  }

  it('is summed over the days, in days of this browser’s time zone', async () => {
    const { billing } = await openTab(some)
    const spending = await group('Spending')
    expect((await spending.findByText('in the last 30 days')).textContent).toBe('$0.3500 in the last 30 days')
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    expect(billing.calls).toContain(`spending ${new URLSearchParams({ days: '30', timeZone })}`)
  })

  it('tells each day to whoever goes along it by keyboard or touch', async () => {
    await openTab(some)
    const spending = await group('Spending')
    const days = await spending.findByRole('slider', { name: 'Day' })
    expect(days.getAttribute('aria-valuetext')).toBe('Today: <$0.0001, 1 answer')
    fireEvent.change(days, { target: { value: '27' } })
    expect(days.getAttribute('aria-valuetext')).toBe('Nov 20: $0.3500, 5 answers')
    expect(spending.getByText('Nov 20 · 5 answers').textContent).toBe('$0.3500 Nov 20 · 5 answers')
    fireEvent.blur(days)
    expect(spending.getByText('in the last 30 days')).toBeTruthy()
  })

  it('is a table to screen readers, with a line for each day', async () => {
    await openTab(some)
    const rows = within(await main().findByRole('table', { name: 'Spending by day' })).getAllByRole('row')
    expect(rows).toHaveLength(31)
    expect(rows.slice(-3).map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['Nov 20', '$0.3500', '5'],
      ['Nov 21', '$0.0000', '0'],
      ['Today', '<$0.0001', '1'],
    ])
  })

  it('can be seen by model, the dearest first', async () => {
    const { user } = await openTab(some)
    const spending = await group('Spending')
    await user.click(await spending.findByRole('radio', { name: 'By model' }))
    expect(spending.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['large2 answers$0.2500', 'small4 answers$0.1000'])
  })

  it('sums up the models that cost least', async () => {
    const { user } = await openTab((server) => {
      server.spending.data = Array.from({ length: 10 }, (_, index) => spent('2026-11-20', `m${index}`, String(index + 1)))
    })
    await user.click(await (await group('Spending')).findByRole('radio', { name: 'By model' }))
    const lines = (await group('Spending')).getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(lines).toHaveLength(8)
    expect(lines.at(-1)).toBe('3 other models3 answers$6.0000')
  })

  it('of nothing is said in a sentence', async () => {
    await openTab()
    expect(await main().findByText('Nothing was spent in the last 30 days.')).toBeTruthy()
  })
})

describe('the history', () => {
  const movement = (id: number, overrides: Partial<CreditMovement> = {}): CreditMovement => ({
    id: String(id),
    time: '2026-11-22T10:00:00.000Z',
    kind: 'grant',
    amount: '5',
    balance: '17.5',
    ...overrides,
  })

  it('tells when and what came and went, exactly, and what was left', async () => {
    await openTab((server) => {
      server.movements = [
        movement(5, { kind: 'refund', amount: '25', balance: '67.499999958' }),
        movement(4, { kind: 'settle', amount: '-0.000000042', balance: '42.499999958', model: 'openai/gpt', inputTokens: 1234, outputTokens: 56 }),
        movement(3, { kind: 'refund', amount: '-25', balance: '42.5' }),
        movement(2, { kind: 'purchase', amount: '25', balance: '67.5' }),
        movement(1),
      ]
    })
    const history = within(await main().findByRole('list', { name: 'History' }))
    const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date('2026-11-22T10:00:00.000Z'))
    expect(history.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      `Given again: the payment was not returned after all${time}+$25.00Balance $67.499999958`,
      `Answer openai/gpt${time} · 1,234 tokens in, 56 out−$0.000000042Balance $42.499999958`,
      `Taken back for a returned payment${time}−$25.00Balance $42.50`,
      `Credits bought${time}+$25.00Balance $67.50`,
      `Credits given to you${time}+$5.00Balance $17.50`,
    ])
  })

  it('comes in pages, and shows nothing twice when something has come in between', async () => {
    const { billing, user } = await openTab((server) => {
      server.movements = Array.from({ length: 30 }, (_, index) => movement(30 - index))
    })
    const list = await main().findByRole('list', { name: 'History' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(20)
    billing.movements = [movement(31), ...billing.movements]
    await user.click(main().getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(30))
    expect(main().queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('that is on its way is not lost when the server tells the balance meanwhile', async () => {
    const billing = new Billing()
    let resolve = (): void => undefined
    const promise = new Promise<void>((settle) => {
      resolve = settle
    })
    await seedSession()
    const answers = {
      ...billing.answers,
      'GET /api/billing/credit/history': async (...call: [unknown, URLSearchParams]) => {
        await promise
        return billing.answers['GET /api/billing/credit/history'](...call)
      },
    }
    await renderScreen('/settings?tab=credits', { config: { payments: sold }, answers })
    expect(await main().findByText('$12.48310')).toBeTruthy()
    act(() => noteCredits(billing.amount))
    resolve()
    expect(await main().findByText('No credits have come or gone yet.')).toBeTruthy()
  })

  it('that cannot be loaded is said, and asked for again at a press, while the rest is there', async () => {
    let isDown = true
    const billing = new Billing()
    await seedSession(aUser())
    const answers = {
      ...billing.answers,
      'GET /api/billing/credit/history': (...call: [unknown, URLSearchParams]) =>
        isDown ? { status: 404 } : billing.answers['GET /api/billing/credit/history'](...call),
    }
    const { user } = await renderScreen('/settings?tab=credits', { config: { payments: sold }, answers })
    const history = await group('History')
    expect((await history.findByRole('alert')).textContent).toMatch(/^Your history could not be loaded\./)
    expect(main().getByText('$12.48310')).toBeTruthy()
    isDown = false
    await user.click(history.getByRole('button', { name: 'Try again' }))
    expect(await history.findByText('No credits have come or gone yet.')).toBeTruthy()
  })
})

describe('the invoices', () => {
  const rowsOf = async () =>
    within(await main().findByRole('table', { name: 'Invoices' }))
      .getAllByRole('row')
      .slice(1)
  const wordsOf = (row: HTMLElement) => [...row.children].slice(0, 4).map((cell) => (cell.querySelector('time') ?? cell).textContent)

  it('stand newest first with date, method, amount and status [ST-031, ST-159, ST-161]', async () => {
    await openTab((server) => {
      server.payments = [
        aPayment({ created_at: '2026-09-30T12:00:00.000Z', amount: 5, status: 'failed' }),
        aPayment({ created_at: '2026-11-18T12:00:00.000Z', amount: 25 }),
        aPayment({ created_at: '2026-10-02T12:00:00.000Z', amount: 50.5, method: 'token', status: 'refunded' }),
        aPayment({ created_at: '2026-11-17T12:00:00.000Z', amount: 10, method: 'card', status: 'pending' }),
        aPayment({ created_at: '2026-09-29T12:00:00.000Z', amount: 7, status: 'expired' }),
      ]
    })
    const rows = await rowsOf()
    expect(rows.map(wordsOf)).toEqual([
      ['18/11/2026', 'pix', '$25.00', 'completed'],
      ['17/11/2026', 'card', '$10.00', 'pending'],
      ['02/10/2026', 'token', '$50.50', 'refunded'],
      ['30/09/2026', 'pix', '$5.00', 'failed'],
      ['29/09/2026', 'pix', '$7.00', 'expired'],
    ])
    const tones = rows.map((row) => row.querySelector('[data-tone]')?.getAttribute('data-tone'))
    expect(tones).toEqual(['good', 'plain', 'bad', 'bad', 'bad'])
  })

  it.each([
    ['en-US', 'Invoices', 'Payment number No. 5a1d0c9e7b42'],
    ['pt-BR', 'Faturas', 'Número do pagamento Nº 5a1d0c9e7b42'],
    ['es-ES', 'Facturas', 'Número de pago N.º 5a1d0c9e7b42'],
  ])('have the number by which the mail of a payment names it, in %s', async (language, title, number) => {
    await setLanguage(language)
    localStorage.setItem('language', language)
    await openTab((server) => {
      server.payments = [aPayment({ id: '0199aaaa-bbbb-7ccc-8ddd-5a1d0c9e7b42' })]
    })
    const table = within(await main().findByRole('table', { name: title }))
    expect(table.getByText('5a1d0c9e7b42').closest('td')?.textContent).toContain(number)
  })

  it('have the same dates in every language, and words and amounts of the person’s own', async () => {
    await setLanguage('pt-BR')
    localStorage.setItem('language', 'pt-BR')
    await openTab((server) => {
      server.payments = [aPayment({ method: 'card' })]
    })
    const [row] = within(await main().findByRole('table', { name: 'Faturas' }))
      .getAllByRole('row')
      .slice(1)
    expect(row && wordsOf(row)).toEqual(['18/11/2026', 'cartão', 'US$\u00a025,00', 'concluído'])
  })

  it('say so when there are none', async () => {
    await openTab()
    expect(await main().findByText('You have not bought credits yet.')).toBeTruthy()
  })

  const check = () => main().findByRole('button', { name: 'Check Status: $25.00, 18/11/2026' })

  it('ask for a pending Pix payment at a press, and bring payments and credits up to date [ST-162, ST-176]', async () => {
    const pending = aPayment({ status: 'pending' })
    const { billing, user } = await openTab((server) => {
      server.payments = [pending]
      server.checked = { ...pending, status: 'completed' }
    })
    const button = await check()
    billing.payments = [{ ...pending, status: 'completed' }]
    billing.amount = 37.483109
    await user.click(button)
    expect(await screen.findByText('Credits added successfully')).toBeTruthy()
    expect(await main().findByText('$37.48310')).toBeTruthy()
    await waitFor(async () => expect((await rowsOf()).map(wordsOf)).toEqual([['18/11/2026', 'pix', '$25.00', 'completed']]))
    expect(main().queryByRole('button', { name: /^Check Status/ })).toBeNull()
  })

  it.each([
    ['pending', 'The payment has not arrived yet.'],
    ['expired', 'This payment is over: expired.'],
    [undefined, /./],
  ] as const)('tell what the check found: %s [ST-162]', async (status, text) => {
    const { user } = await openTab((server) => {
      server.payments = [aPayment({ status: 'pending' })]
      server.checked = status && { ...aPayment({ status }), id: server.payments[0]?.id ?? '' }
    })
    const button = await check()
    await user.click(button)
    await waitFor(() => expect(useToasts.getState().toasts).toHaveLength(1))
    expect(useToasts.getState().toasts[0]?.text).toMatch(text)
    expect(button.getAttribute('aria-busy')).toBeNull()
  })

  it('show the code of a Pix payment that can still be paid again', async () => {
    const pix = {
      qr_code: '00020126580014br.gov.bcb.pix',
      tx_info: { currency: 'BRL' as const, amount: '130.00', rate: '5.2', expires_at: '2999-01-01T00:00:00.000Z' },
    }
    const { user } = await openTab((server) => {
      server.payments = [aPayment({ status: 'pending', pix }), aPayment({ status: 'pending', amount: 3 })]
    })
    await user.click(await main().findByRole('button', { name: 'Show QR code: $25.00, 18/11/2026' }))
    expect(await screen.findByRole('dialog', { name: 'Pay with Pix' })).toBeTruthy()
    expect(main().queryByRole('button', { name: /^Show QR code: \$3/ })).toBeNull()
  })

  it('lead back to the page of a pending card payment, in the same tab, and to no other page [ST-163]', async () => {
    await openTab((server) => {
      server.payments = [
        aPayment({ method: 'card', status: 'pending', payment_url: 'https://checkout.stripe.com/c/pay/cs_1' }),
        aPayment({ method: 'card', status: 'pending', amount: 3, payment_url: 'https://evil.example/c/pay/cs_1' }),
        aPayment({ method: 'card', status: 'pending', amount: 4 }),
        aPayment({ method: 'card', status: 'completed', amount: 5 }),
      ]
    })
    await rowsOf()
    const [link, ...others] = main().getAllByRole('link', { name: /^Continue Payment/ })
    expect(link?.getAttribute('href')).toBe('https://checkout.stripe.com/c/pay/cs_1')
    expect(link?.getAttribute('target')).toBeNull()
    expect(others).toEqual([])
  })

  it('lead to the transfer of a payment with the token [ST-168]', async () => {
    const hash = `0x${'ab'.repeat(32)}`
    await openTab((server) => {
      server.payments = [aPayment({ method: 'token', transaction_id: hash }), aPayment({ method: 'token', amount: 3 })]
    })
    await rowsOf()
    const links = main().getAllByRole('link', { name: /^Explorer/ })
    expect(links.map((link) => link.getAttribute('href'))).toEqual([`https://basescan.org/tx/${hash}`])
    expect(links[0]?.getAttribute('rel')).toBe('noopener noreferrer')
  })
})

describe('coming back from the page that takes cards', () => {
  const back = '/settings?success=true'
  const card = (overrides: Partial<Payment> = {}) => {
    const now = new Date().toISOString()
    return aPayment({ method: 'card', created_at: now, updated_at: now, ...overrides })
  }
  const added = 'Credits added successfully'

  it('waits for the payment, tells when it is there, and leaves no trace in the address [ST-013, ST-179]', async () => {
    const pending = card({ status: 'pending' })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { billing, router } = await openTab((server) => {
      server.payments = [pending]
    }, back)
    expect(await main().findByText('Payment received?')).toBeTruthy()
    expect(main().getByText(/It appears here as soon as it is confirmed/)).toBeTruthy()
    expect(router.state.location.searchStr).toBe('?tab=credits')
    expect(screen.queryByText(added)).toBeNull()
    billing.payments = [{ ...pending, status: 'completed' }]
    billing.amount = 37.483109
    act(() => void vi.advanceTimersByTime(5_000))
    expect(await screen.findByText(added)).toBeTruthy()
    expect(await main().findByText('$37.48310')).toBeTruthy()
    expect(main().queryByText('Payment received?')).toBeNull()
    const asked = billing.calls.filter((call) => call === 'payments').length
    act(() => void vi.advanceTimersByTime(20_000))
    expect(billing.calls.filter((call) => call === 'payments')).toHaveLength(asked)
  })

  it('tells at once when the payment was faster than the way back', async () => {
    await openTab((server) => {
      server.payments = [card()]
    }, back)
    expect(await screen.findByText(added)).toBeTruthy()
    await waitFor(() => expect(main().queryByText('Payment received?')).toBeNull())
  })

  it('proves nothing: a payment of long ago is no news', async () => {
    await openTab((server) => {
      server.payments = [card({ created_at: '2020-01-01T00:00:00.000Z', updated_at: '2020-01-01T00:00:00.000Z' })]
    }, back)
    await main().findByRole('table', { name: 'Invoices' })
    await waitFor(() => expect(main().queryByText('Payment received?')).toBeNull())
    expect(useToasts.getState().toasts).toEqual([])
  })

  it('says when the payment did not go through', async () => {
    await openTab((server) => {
      server.payments = [card({ status: 'failed' })]
    }, back)
    expect(await main().findByText(/The payment did not go through: failed\./)).toBeTruthy()
    expect(useToasts.getState().toasts).toEqual([])
  })

  it('stops asking after some minutes, and says that the credits come all the same', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { billing } = await openTab((server) => {
      server.payments = [card({ status: 'pending' })]
    }, back)
    expect(await main().findByText('Payment received?')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(6 * 60_000))
    expect(await main().findByText(/It is not confirmed yet/)).toBeTruthy()
    const asked = billing.calls.filter((call) => call === 'payments').length
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(billing.calls.filter((call) => call === 'payments')).toHaveLength(asked)
  })
})
