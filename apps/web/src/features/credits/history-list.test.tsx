import type { CreditMovement } from '@parley/contract/credits'
import { act, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storeBalance } from '../../data/credits/balance'
import { forgetSession } from '../../data/session/stored-session'
import { CreditsServer, leaveCreditsTab, openCreditsTab, sold } from '../../testing/credits-tab'
import { group, main } from '../../testing/main-region'
import { renderScreen } from '../../testing/render-screen'
import { aUser, seedSession } from '../../testing/seed-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(leaveCreditsTab)

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
    await openCreditsTab((server) => {
      server.movements = [
        movement(5, { kind: 'refund', amount: '25', balance: '67.499999958' }),
        movement(4, {
          kind: 'settle',
          amount: '-0.000000042',
          balance: '42.499999958',
          model: 'openai/gpt',
          inputTokens: 1234,
          outputTokens: 56,
        }),
        movement(3, { kind: 'refund', amount: '-25', balance: '42.5' }),
        movement(2, { kind: 'purchase', amount: '25', balance: '67.5' }),
        movement(1),
      ]
    })
    const history = within(await main().findByRole('list', { name: 'History' }))
    const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(
      new Date('2026-11-22T10:00:00.000Z'),
    )
    expect(history.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      `Given again: the payment was not returned after all${time}+$25.00Balance $67.499999958`,
      `Answer openai/gpt${time} · 1,234 tokens in, 56 out−$0.000000042Balance $42.499999958`,
      `Taken back for a returned payment${time}−$25.00Balance $42.50`,
      `Credits bought${time}+$25.00Balance $67.50`,
      `Credits given to you${time}+$5.00Balance $17.50`,
    ])
  })

  it('comes in pages, and shows nothing twice when something has come in between', async () => {
    const { credits, user } = await openCreditsTab((server) => {
      server.movements = Array.from({ length: 30 }, (_, index) => movement(30 - index))
    })
    const list = await main().findByRole('list', { name: 'History' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(20)
    credits.movements = [movement(31), ...credits.movements]
    await user.click(main().getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(30))
    expect(main().queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('that is on its way is not lost when the server tells the balance meanwhile', async () => {
    const credits = new CreditsServer()
    let resolve = (): void => undefined
    const promise = new Promise<void>((settle) => {
      resolve = settle
    })
    await seedSession()
    const answers = {
      ...credits.answers,
      'GET /api/billing/credit/history': async (...call: [unknown, URLSearchParams]) => {
        await promise
        return credits.answers['GET /api/billing/credit/history'](...call)
      },
    }
    await renderScreen('/settings?tab=credits', { config: { payments: sold }, answers })
    expect(await main().findByText('$12.48310')).toBeTruthy()
    act(() => storeBalance(credits.amount))
    resolve()
    expect(await main().findByText('No credits have come or gone yet.')).toBeTruthy()
  })

  it('that cannot be loaded is said, and asked for again at a press, while the rest is there', async () => {
    let isDown = true
    const credits = new CreditsServer()
    await seedSession(aUser())
    const answers = {
      ...credits.answers,
      'GET /api/billing/credit/history': (...call: [unknown, URLSearchParams]) =>
        isDown ? { status: 404 } : credits.answers['GET /api/billing/credit/history'](...call),
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
