import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storeBalance } from '../../data/credits/balance'
import { forgetSession } from '../../data/session/stored-session'
import { CreditsServer, leaveCreditsTab, openCreditsTab, sold } from '../../testing/credits-tab'
import { group, main } from '../../testing/main-region'
import { renderScreen } from '../../testing/render-screen'
import { aWalletUser, seedSession } from '../../testing/seed-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(leaveCreditsTab)

describe('the balance', () => {
  it('is cut off after 5 decimals, with examples of what requests cost, and can be added to [ST-030, CH-158]', async () => {
    const { user } = await openCreditsTab()
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
    await openCreditsTab(undefined, undefined, { ...sold, methods: [] })
    const balance = await group('Available credits')
    expect(await balance.findByText('This server sells no credits.')).toBeTruthy()
    expect(balance.queryByRole('button')).toBeNull()
  })

  it('that the server tells by itself is shown at once, and what moved it is asked for [ST-030]', async () => {
    const { credits } = await openCreditsTab()
    expect(await main().findByText('No credits have come or gone yet.')).toBeTruthy()
    credits.amount = 12
    credits.movements = [
      { id: '1', time: '2026-11-22T10:00:00.000Z', kind: 'settle', amount: '-0.483109', balance: '12', model: 'm' },
    ]
    act(() => storeBalance(12))
    expect(await main().findByText('$12.00000')).toBeTruthy()
    expect(await main().findByText('−$0.483109')).toBeTruthy()
  })

  it('that cannot be loaded is said, and asked for again at a press', async () => {
    const { credits, user } = await openCreditsTab((server) => {
      server.isDown = true
    })
    expect((await main().findByRole('alert')).textContent).toMatch(/^Your credits could not be loaded\./)
    credits.isDown = false
    await user.click(main().getByRole('button', { name: 'Try again' }))
    expect(await main().findByText('$12.48310')).toBeTruthy()
  })
})

describe('instead of the purchase', () => {
  it('a subscriber sees the plan, until when it lasts and what comes after [ST-029, CH-150, CH-151, CH-068]', async () => {
    const { credits } = await openCreditsTab((server) => {
      server.subscription = {
        product_name: 'Parley Plus',
        current_period_start: '2998-03-05T12:00:00.000Z',
        current_period_end: '2999-03-05T12:00:00.000Z',
      }
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
    expect(credits.calls).not.toContain('payments')
  })

  it('a period of a month is Monthly [CH-151]', async () => {
    const now = Date.now()
    const at = (days: number) => new Date(now + days * 86_400_000).toISOString()
    await openCreditsTab((server) => {
      server.subscription = { product_name: 'Parley Plus', current_period_start: at(-1), current_period_end: at(29) }
    })
    expect(await (await group('Your plan')).findByText('Monthly')).toBeTruthy()
  })

  it('a period that is over leaves the credits [CH-150]', async () => {
    await openCreditsTab((server) => {
      server.subscription = {
        product_name: 'Parley Plus',
        current_period_start: '2020-01-01T00:00:00.000Z',
        current_period_end: '2020-02-01T00:00:00.000Z',
      }
    })
    expect(await main().findByText('$12.48310')).toBeTruthy()
    expect(main().queryByText('Parley Plus')).toBeNull()
  })

  it('a wallet is Web3 Unlimited, nothing is sold to it, and nothing of billing is asked for [CH-152, CH-153, CH-069]', async () => {
    const credits = new CreditsServer()
    await seedSession(aWalletUser())
    await renderScreen('/settings?tab=credits&pay=5', { config: { payments: sold }, answers: credits.answers })
    expect(await main().findByText('Web3 Unlimited')).toBeTruthy()
    expect(main().getByText(/use every model without credits/)).toBeTruthy()
    expect(within(screen.getByRole('tabpanel')).queryByRole('button')).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(credits.calls).toEqual([])
  })
})
