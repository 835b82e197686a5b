import type { Payment } from '@parley/contract/payments'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetSession } from '../../data/session/stored-session'
import { aPayment, leaveCreditsTab, openCreditsTab } from '../../testing/credits-tab'
import { main } from '../../testing/main-region'
import { useToasts } from '../../ui/toast-store'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(leaveCreditsTab)

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
    const { credits, router } = await openCreditsTab((server) => {
      server.payments = [pending]
    }, back)
    expect(await main().findByText('Payment received?')).toBeTruthy()
    expect(main().getByText(/It appears here as soon as it is confirmed/)).toBeTruthy()
    expect(router.shown().location.search).toBe('?tab=credits')
    expect(screen.queryByText(added)).toBeNull()
    credits.payments = [{ ...pending, status: 'completed' }]
    credits.amount = 37.483109
    act(() => void vi.advanceTimersByTime(5_000))
    expect(await screen.findByText(added)).toBeTruthy()
    expect(await main().findByText('$37.48310')).toBeTruthy()
    expect(main().queryByText('Payment received?')).toBeNull()
    const asked = credits.calls.filter((call) => call === 'payments').length
    act(() => void vi.advanceTimersByTime(20_000))
    expect(credits.calls.filter((call) => call === 'payments')).toHaveLength(asked)
  })

  it('tells at once when the payment was faster than the way back', async () => {
    await openCreditsTab((server) => {
      server.payments = [card()]
    }, back)
    expect(await screen.findByText(added)).toBeTruthy()
    await waitFor(() => expect(main().queryByText('Payment received?')).toBeNull())
  })

  it('proves nothing: a payment of long ago is no news', async () => {
    await openCreditsTab((server) => {
      server.payments = [card({ created_at: '2020-01-01T00:00:00.000Z', updated_at: '2020-01-01T00:00:00.000Z' })]
    }, back)
    await main().findByRole('table', { name: 'Invoices' })
    await waitFor(() => expect(main().queryByText('Payment received?')).toBeNull())
    expect(useToasts.getState().toasts).toEqual([])
  })

  it('says when the payment did not go through', async () => {
    await openCreditsTab((server) => {
      server.payments = [card({ status: 'failed' })]
    }, back)
    expect(await main().findByText(/The payment did not go through: failed\./)).toBeTruthy()
    expect(useToasts.getState().toasts).toEqual([])
  })

  it('stops asking after some minutes, and says that the credits come all the same', async () => {
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
      shouldAdvanceTime: true,
    })
    const { credits } = await openCreditsTab((server) => {
      server.payments = [card({ status: 'pending' })]
    }, back)
    expect(await main().findByText('Payment received?')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(6 * 60_000))
    expect(await main().findByText(/It is not confirmed yet/)).toBeTruthy()
    const asked = credits.calls.filter((call) => call === 'payments').length
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(credits.calls.filter((call) => call === 'payments')).toHaveLength(asked)
  })
})
