import type { DaySpending } from '@parley/contract/credits'
import { fireEvent, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetSession } from '../../data/session/stored-session'
import { type CreditsServer, leaveCreditsTab, openCreditsTab } from '../../testing/credits-tab'
import { group, main } from '../../testing/main-region'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(leaveCreditsTab)

describe('the spending', () => {
  const spent = (day: string, model: string, amount: string, answers = 1): DaySpending => ({
    day,
    model,
    amount,
    answers,
  })
  const some = (server: CreditsServer) => {
    server.spending.data = [
      spent('2026-11-20', 'small', '0.1', 3),
      spent('2026-11-20', 'large', '0.250000001', 2),
      spent('2026-11-22', 'small', '0.00000001'),
    ]
  }

  it('is summed over the days, in days of this browser’s time zone', async () => {
    const { credits } = await openCreditsTab(some)
    const spending = await group('Spending')
    expect((await spending.findByText('in the last 30 days')).textContent).toBe('$0.3500 in the last 30 days')
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    expect(credits.calls).toContain(`spending ${new URLSearchParams({ days: '30', timeZone })}`)
  })

  it('tells each day to whoever goes along it by keyboard or touch', async () => {
    await openCreditsTab(some)
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
    await openCreditsTab(some)
    const rows = within(await main().findByRole('table', { name: 'Spending by day' })).getAllByRole('row')
    expect(rows).toHaveLength(31)
    expect(rows.slice(-3).map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['Nov 20', '$0.3500', '5'],
      ['Nov 21', '$0.0000', '0'],
      ['Today', '<$0.0001', '1'],
    ])
  })

  it('can be seen by model, the dearest first', async () => {
    const { user } = await openCreditsTab(some)
    const spending = await group('Spending')
    await user.click(await spending.findByRole('radio', { name: 'By model' }))
    expect(spending.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'large2 answers$0.2500',
      'small4 answers$0.1000',
    ])
  })

  it('sums up the models that cost least', async () => {
    const { user } = await openCreditsTab((server) => {
      server.spending.data = Array.from({ length: 10 }, (_, index) =>
        spent('2026-11-20', `m${index}`, String(index + 1)),
      )
    })
    await user.click(await (await group('Spending')).findByRole('radio', { name: 'By model' }))
    const lines = (await group('Spending')).getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(lines).toHaveLength(8)
    expect(lines.at(-1)).toBe('3 other models3 answers$6.0000')
  })

  it('of nothing is said in a sentence', async () => {
    await openCreditsTab()
    expect(await main().findByText('Nothing was spent in the last 30 days.')).toBeTruthy()
  })
})
