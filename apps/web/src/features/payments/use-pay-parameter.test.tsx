import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetSession } from '../../data/session/stored-session'
import { leaveCreditsTab, openCreditsTab } from '../../testing/credits-tab'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(leaveCreditsTab)

describe('pay in the address', () => {
  const amount = async () =>
    (await screen.findByRole<HTMLInputElement>('spinbutton', { name: 'Amount in US dollars' })).value

  it('opens the purchase with that amount, and is used up by that: a reload opens nothing [ST-014, ST-004]', async () => {
    const { user, router } = await openCreditsTab(undefined, '/settings?tab=credits&pay=37.5')
    expect(await amount()).toBe('37.5')
    expect(router.shown().location.search).toBe('?tab=credits')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(router.shown().location.search).toBe('?tab=credits')
  })

  it('means the credits tab, whichever was open last [ST-014]', async () => {
    localStorage.setItem('selectedTab', '3')
    await openCreditsTab(undefined, '/settings?pay=20')
    expect(await amount()).toBe('20')
  })

  it('opens no purchase for a subscriber, who has nothing to buy [ST-029]', async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    await openCreditsTab((server) => {
      server.subscription = { product_name: 'Plus', current_period_start: at(-1), current_period_end: at(20) }
    }, '/settings?pay=25')
    expect(await screen.findByRole('group', { name: 'Your plan' })).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it.each(['abc', '-5', '', 'Infinity'])('opens it without an amount when it is none: %s [ST-014]', async (pay) => {
    await openCreditsTab(undefined, `/settings?tab=credits&pay=${pay}`)
    expect(await amount()).toBe('0')
  })
})
