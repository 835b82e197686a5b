import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { everyMethod, openPanel } from '../../testing/login-panel'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  forgetSession()
  closeLoginPanel()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await cleanUp()
  await setLanguage('en-US')
})

describe('the panel', () => {
  it('opens from the top bar, with the focus in its first field, and Esc gives it back [AG-101, AG-111]', async () => {
    const { user } = await renderScreen('/app', { config: everyMethod })
    const opener = await screen.findByRole('button', { name: 'Sign In' })
    // It takes the focus when it appears.
    await screen.findByRole('textbox', { name: 'Message' })
    await user.click(opener)
    const dialog = await screen.findByRole('dialog', { name: 'Welcome back' })
    expect(document.activeElement).toBe(within(dialog).getByLabelText('E-mail'))
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(opener)
  })

  it('has no opener where the server knows no way in', async () => {
    await renderScreen('/app', { config: { signInMethods: [] } })
    expect(screen.queryByRole('button', { name: 'Sign In' })).toBeNull()
  })

  it('has the views sign in, create account and forgot password, and leads back [AG-111, AG-113]', async () => {
    const { field, press, user } = await openPanel()
    await user.type(field('E-mail'), 'marina@example.com')
    await press('Get Started')
    expect(await screen.findByRole('dialog', { name: 'Create your account' })).toBeTruthy()
    expect(field('E-mail').value).toBe('marina@example.com')
    await waitFor(() => expect(document.activeElement).toBe(field('E-mail')))
    await press('Sign In')
    expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
    await press('Forgot Password')
    expect(await screen.findByRole('dialog', { name: 'Forgot your password?' })).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(field('E-mail')))
    await press('Back to login')
    expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
  })

  it('keeps where the person wanted to go when they change the view', async () => {
    const { press } = await openPanel()
    useLoginPanel.setState({ returnTo: '/settings?tab=security' })
    await press('Get Started')
    expect(useLoginPanel.getState()).toEqual({ view: 'register', returnTo: '/settings?tab=security' })
  })

  it.each(['sign-in', 'register', 'recover'] as const)(
    'says in the view %s what one accepts [AG-112]',
    async (view) => {
      const { panel } = await openPanel(view)
      expect(panel.getByText('By continuing you accept the Terms of use and the Privacy notice.')).toBeTruthy()
    },
  )

  it('offers Google, the three wallets and e-mail [AG-110]', async () => {
    const { panel } = await openPanel()
    for (const name of ['Continue with Google', 'MetaMask', 'Phantom', 'Sui'])
      expect(panel.getByRole('button', { name })).toBeTruthy()
    expect(panel.getByLabelText('E-mail')).toBeTruthy()
  })

  it('offers only what the server can do', async () => {
    const { panel } = await openPanel('sign-in', { config: { signInMethods: ['email', 'ethereum'] } })
    expect(panel.queryByRole('button', { name: 'Phantom' })).toBeNull()
    expect(panel.queryByRole('button', { name: 'Sui' })).toBeNull()
    expect(panel.getByRole('button', { name: 'MetaMask' })).toBeTruthy()
    expect(panel.queryByRole('button', { name: 'Continue with Google' })).toBeNull()
  })

  it('lets a password be seen, and tells password managers what is what', async () => {
    const { field, press, panel } = await openPanel()
    expect(field('E-mail').autocomplete).toBe('username')
    expect(field('Password').autocomplete).toBe('current-password')
    expect(field('Password').type).toBe('password')
    await press('Show password')
    expect(field('Password').type).toBe('text')
    await press('Hide password')
    expect(field('Password').type).toBe('password')
    await press('Get Started')
    expect(field('Password').autocomplete).toBe('new-password')
    expect(panel.getAllByRole('button').filter((each) => each.dataset.variant === 'primary')).toHaveLength(1)
  })
})
