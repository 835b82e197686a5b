import { webLimits } from '@parley/contract/limits/web'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetSession } from '../../data/session/stored-session'
import { aChatLine } from '../../testing/chat-line'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, aWalletUser, seedSession } from '../../testing/seed-session'

const line = aChatLine()

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(async () => {
  vi.useRealTimers()
  await cleanUp()
})

const day = 86_400_000
const inDays = (days: number, now = Date.now()) => new Date(now + days * day).toISOString()

/** Somebody whose profile tells of a subscription until then. */
const subscriber = (to: number) =>
  aUser({ app_metadata: { kind: 'email', subscription: { product_name: 'Plus', current_period_end: inDays(to) } } })

/** A server that knows these credits and this subscription, and counts how often it is asked. */
function aServer({ amount, from, to }: { amount?: number | 'failing'; from?: number; to?: number }) {
  const asked = { credit: 0, subscription: 0 }
  const answers = {
    ...line.answers,
    'GET /api/billing/credit/user': () => {
      asked.credit++
      return amount === 'failing' ? { status: 500, body: { code: 'server-error' } } : { status: 200, body: { amount } }
    },
    'GET /api/billing/subscription/user': () => {
      asked.subscription++
      if (from === undefined || to === undefined) return { status: 404, body: { code: 'not-found' } }
      // By one look at the clock: a millisecond more makes another period of it.
      const now = Date.now()
      return {
        status: 200,
        body: { current_period_start: inDays(from, now), current_period_end: inDays(to, now), product_name: 'Plus' },
      }
    },
  }
  return { asked, answers }
}

const box = (name: string | RegExp) =>
  within(screen.getByRole('navigation', { name: 'Sidebar' })).findByRole('link', { name })
const openMenu = async (user: Awaited<ReturnType<typeof renderScreen>>['user'], name = 'Marina Duarte') => {
  await user.click(screen.getByRole('button', { name: `${name}: Account` }))
  return within(screen.getByRole('region', { name: 'Account menu' }))
}

describe('the credits of whoever is signed in', () => {
  it('stand floored to cents in the sidebar, and lead to the credits [CH-147, CH-148, CH-149, CH-159]', async () => {
    await seedSession()
    const { user, router } = await renderScreen('/app', { answers: aServer({ amount: 12.489999 }).answers })
    await user.click(await box('Credits $12.48'))
    await waitFor(() => expect(router.shown().location.href).toBe('/settings?tab=credits'))
  })

  it('stand with four decimals in the account menu, and lead to the credits [CH-149, CH-165]', async () => {
    await seedSession()
    const { user, router } = await renderScreen('/app', { answers: aServer({ amount: 12.48999 }).answers })
    const menu = await openMenu(user)
    await user.click(await menu.findByRole('link', { name: 'Credits $12.4899' }))
    await waitFor(() => expect(router.shown().location.href).toBe('/settings?tab=credits'))
    expect(screen.queryByRole('region', { name: 'Account menu' })).toBeNull()
  })

  it('fold away, and stay so [CH-147]', async () => {
    await seedSession()
    const { user, unmount } = await renderScreen('/app', { answers: aServer({ amount: 3 }).answers })
    await box('Credits $3.00')
    await user.click(screen.getByRole('button', { name: 'Hide the amount' }))
    await box('Credits')
    unmount()
    await renderScreen('/app', { answers: aServer({ amount: 3 }).answers })
    await box('Credits')
    expect(screen.getByRole('button', { name: 'Show the amount' }).getAttribute('aria-expanded')).toBe('false')
  })

  it('are a button of a collapsed sidebar [CH-146, CH-148]', async () => {
    await seedSession()
    const { user, router } = await renderScreen('/app', { answers: aServer({ amount: 0.999 }).answers })
    await user.click(screen.getByRole('button', { name: 'Collapse sidebar' }))
    await user.click(await box('Credits: $0.99'))
    await waitFor(() => expect(router.shown().location.href).toBe('/settings?tab=credits'))
    await user.click(screen.getByRole('button', { name: 'Expand sidebar' }))
    await box('Credits $0.99')
  })

  it('are said to be unknown when they cannot be asked for, and are not asked for again by themselves [CH-156]', async () => {
    await seedSession()
    const { asked, answers } = aServer({ amount: 'failing' })
    await renderScreen('/app', { answers })
    await box(/^Credits.*not known right now$/)
    expect(asked).toEqual({ credit: 1, subscription: 0 })
  })

  it('are not asked for again when somebody comes back to the page, but where they are shown anew; the subscription never is [CH-156, CH-157, CH-160]', async () => {
    await seedSession(subscriber(-1))
    const { asked, answers } = aServer({ amount: 3 })
    const { user } = await renderScreen('/app', { answers })
    await box('Credits $3.00')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + webLimits.queries.staleMs + 1_000 })
    for (const name of ['visibilitychange', 'focus']) act(() => void window.dispatchEvent(new Event(name)))
    expect(asked).toEqual({ credit: 1, subscription: 1 })
    await openMenu(user)
    await waitFor(() => expect(asked.credit).toBe(2))
    expect(asked.subscription).toBe(1)
  })

  it('follow what the server pushes, on whichever screen, and are asked for once [ST-097, CH-156]', async () => {
    await seedSession()
    const { asked, answers } = aServer({ amount: 3 })
    const { router } = await renderScreen('/app', { answers })
    await box('Credits $3.00')
    await waitFor(() => expect(line.isOpen()).toBe(true))
    line.push({ event: 'credits-updated', content: 2.987654321 })
    await box('Credits $2.98')
    await act(() => router.navigate('/settings'))
    line.push({ event: 'credits-updated', content: 2.5 })
    await box('Credits $2.50')
    expect(asked.credit).toBe(1)
  })
})

describe('who needs no credits', () => {
  it.each([
    ['Monthly', -1, 30],
    ['Annual', -1, 31],
    ['Annual', -300, 65],
  ])(
    'is shown as %s, by the length of the period (from %i to %i days from now) [CH-147, CH-150, CH-151, CH-160, CH-165]',
    async (label, from, to) => {
      await seedSession(subscriber(to))
      const { user } = await renderScreen('/app', { answers: aServer({ amount: 0, from, to }).answers })
      await box(`Credits ${label}`)
      const menu = await openMenu(user)
      expect(await menu.findByRole('link', { name: `Credits ${label}` })).toBeTruthy()
    },
  )

  it('needs them again when the subscription has ended [CH-150]', async () => {
    await seedSession(subscriber(-0.0001))
    await renderScreen('/app', { answers: aServer({ amount: 0.5, from: -31, to: -0.0001 }).answers })
    await box('Credits $0.50')
  })

  it('needs them again from the very moment on [CH-150]', async () => {
    await seedSession(subscriber(1_500 / day))
    await renderScreen('/app', { answers: aServer({ amount: 0.5, from: -30, to: 1_500 / day }).answers })
    await box('Credits Monthly')
    await box('Credits $0.50')
  })

  it('owns a wallet: nothing is asked for [CH-152, CH-153, CH-156, CH-165]', async () => {
    await seedSession(aWalletUser())
    const { asked, answers } = aServer({ amount: 3, from: -1, to: 5 })
    const { user } = await renderScreen('/app', { answers })
    await box('Credits Web3 Unlimited')
    const menu = await openMenu(user, '0x5290…9ee7')
    expect(await menu.findByRole('link', { name: 'Credits Web3 Unlimited' })).toBeTruthy()
    expect(asked).toEqual({ credit: 0, subscription: 0 })
  })

  it('is nobody in particular: nothing is shown and nothing asked for [CH-156]', async () => {
    const { asked, answers } = aServer({ amount: 3 })
    const { user } = await renderScreen('/app', { answers })
    await user.click(screen.getByRole('button', { name: /^Guest/ }))
    expect(screen.queryByRole('link', { name: /Credits/ })).toBeNull()
    expect(asked).toEqual({ credit: 0, subscription: 0 })
  })
})

it('an amount below a dollar warns, one of a dollar does not [CH-155]', async () => {
  await seedSession(aUser())
  await renderScreen('/app', { answers: aServer({ amount: 0.999999999 }).answers })
  await box('Credits $0.99')
  expect(screen.getByText('$0.99').dataset.low).toBe('true')
  await waitFor(() => expect(line.isOpen()).toBe(true))
  line.push({ event: 'credits-updated', content: 1 })
  await box('Credits $1.00')
  expect(screen.getByText('$1.00').dataset.low).toBeUndefined()
})
