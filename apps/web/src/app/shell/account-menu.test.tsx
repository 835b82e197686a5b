import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, aWalletUser, seedSession } from '../../testing/seed-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  useLoginPanel.setState({ view: undefined, returnTo: undefined })
})
afterEach(cleanUp)

const panel = () => within(screen.getByRole('region', { name: 'Account menu' }))

describe('the account menu of somebody who is signed in', () => {
  it('shows name and picture, and closes by its icon, Esc, and a press elsewhere [CH-164, CH-168]', async () => {
    await seedSession(aUser({ user_metadata: { picture: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' } }))
    const { user } = await renderScreen()
    const opener = screen.getByRole('button', { name: 'Marina Duarte: Account' })
    const isOpen = () => opener.getAttribute('aria-expanded') === 'true'
    await user.click(opener)
    expect(panel().getByText('Marina Duarte')).toBeTruthy()
    expect(panel().getByRole('presentation').getAttribute('src')).toMatch(/^data:image/)
    await user.click(panel().getByRole('button', { name: 'Close' }))
    expect(isOpen()).toBe(false)
    expect(document.activeElement).toBe(opener)
    await user.click(opener)
    await user.keyboard('{Escape}')
    expect(isOpen()).toBe(false)
    await user.click(opener)
    await user.click(screen.getByRole('main'))
    expect(isOpen()).toBe(false)
  })

  it('leads to the settings, and has no entry for what is not there yet [CH-166]', async () => {
    await seedSession()
    const { user, router } = await renderScreen()
    await user.click(screen.getByRole('button', { name: 'Marina Duarte: Account' }))
    await panel().findByRole('button', { name: 'Log out' })
    expect(
      panel()
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label') ?? button.textContent),
    ).toEqual(['Close', 'Keyboard shortcuts', 'Log out'])
    await user.click(panel().getByRole('link', { name: 'Settings' }))
    await waitFor(() => expect(router.shown().location.pathname).toBe('/settings'))
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Account menu' })).toBeNull()
  })

  it('is opened by the picture and name at the foot of the sidebar; without a name by the part of the address before the @ [CH-143]', async () => {
    await seedSession(aUser({ name: '', user_metadata: { picture: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' } }))
    await renderScreen()
    const opener = screen.getByRole('button', { name: 'marina: Account' })
    expect(within(opener).getByText('marina')).toBeTruthy()
    expect(within(opener).getByRole('presentation').getAttribute('src')).toMatch(/^data:image/)
  })

  it('names a wallet by its short address and its network, and draws a face where there is no picture [CH-164]', async () => {
    await seedSession(aWalletUser())
    const { user } = await renderScreen()
    await user.click(screen.getByRole('button', { name: '0x5290…9ee7: Account' }))
    expect(panel().getByText('0x5290…9ee7')).toBeTruthy()
    expect(panel().getByText('Ethereum')).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Account menu' }).querySelector('svg')).toBeTruthy()
  })
})

describe('the account menu of a guest', () => {
  it('offers to sign in where this server has a way to', async () => {
    const { user, unmount } = await renderScreen('/app', { config: { signInMethods: ['email'] } })
    await user.click(screen.getByRole('button', { name: /^Guest/ }))
    expect(panel().queryByRole('link', { name: 'Settings' })).toBeNull()
    await user.click(await panel().findByRole('button', { name: 'Sign in' }))
    expect(useLoginPanel.getState().view).toBe('sign-in')
    unmount()
    const second = await renderScreen('/app', { config: { signInMethods: [] } })
    await second.user.click(screen.getByRole('button', { name: /^Guest/ }))
    expect(panel().queryByRole('button', { name: 'Sign in' })).toBeNull()
  })
})
