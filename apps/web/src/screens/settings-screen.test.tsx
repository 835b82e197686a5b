import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useLoginPanel } from '../data/session/login-panel'
import { forgetSession } from '../data/session/stored-session'
import { setLanguage } from '../i18n/i18n'
import { signedIn } from '../testing/login-panel'
import { main } from '../testing/main-region'
import { renderScreen } from '../testing/render-screen'
import { cleanUp } from '../testing/seed-channels'
import { seedSession } from '../testing/seed-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  useLoginPanel.setState({ view: undefined, returnTo: undefined })
  vi.spyOn(location, 'reload').mockReturnValue(undefined)
})
afterEach(async () => {
  await cleanUp()
  await setLanguage('en-US')
})

const tab = (name: string) => main().findByRole('tab', { name })

async function expectSelected(name: string): Promise<void> {
  expect((await tab(name)).getAttribute('aria-selected')).toBe('true')
}

describe('the tabs', () => {
  it('are General, Security, Credits and Support, in this order [ST-012]', async () => {
    await seedSession()
    await renderScreen('/settings')
    await tab('General')
    expect(
      main()
        .getAllByRole('tab')
        .map((each) => each.textContent),
    ).toEqual(['General', 'Security', 'Credits', 'Support'])
    await waitFor(() => expect(document.title).toBe('Settings · Parley'))
  })

  it('open by the address, after a payment at the credits, else where the person was last [ST-013]', async () => {
    await seedSession()
    const { user, router, unmount } = await renderScreen('/settings')
    await expectSelected('General')
    await user.click(await tab('Support'))
    await expectSelected('Support')
    expect(localStorage.getItem('selectedTab')).toBe('3')
    expect(router.shown().location.search).toBe('?tab=support')
    unmount()
    const last = await renderScreen('/settings')
    await expectSelected('Support')
    last.unmount()
    const named = await renderScreen('/settings?tab=security')
    await expectSelected('Security')
    named.unmount()
    const paid = await renderScreen('/settings?success=true')
    await expectSelected('Credits')
    await paid.user.click(await tab('General'))
    await expectSelected('General')
    paid.unmount()
    localStorage.setItem('selectedTab', 'nonsense')
    await renderScreen('/settings?tab=nonsense')
    await expectSelected('General')
  })
})

describe('somebody who is not signed in', () => {
  it('gets the app with the sign-in panel, and the way back to the very tab [CH-076]', async () => {
    const { router } = await renderScreen('/settings?tab=security')
    await waitFor(() => expect(router.shown().location.pathname).toBe('/app'))
    expect(useLoginPanel.getState()).toMatchObject({ view: 'sign-in', returnTo: '/settings?tab=security' })
  })

  it('but with a reset link waits there until it has signed them in', async () => {
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const signIn = async () => {
      await answered
      return { status: 200, body: { success: true, message: '', session: signedIn } }
    }
    const { router } = await renderScreen('/settings?tab=security&recoverPassword=true#recovery=abc', {
      answers: { 'POST /api/auth/confirm-reset-password': signIn },
    })
    expect(await screen.findByText('Loading your settings')).toBeTruthy()
    answer()
    expect((await main().findAllByText('Choose a new password')).length).toBe(1)
    expect(router.shown().location.pathname).toBe('/settings')
    expect(useLoginPanel.getState().view).toBeUndefined()
  })
})

describe('the support', () => {
  it('leads to the support chat and the community, and copies the e-mail [ST-032, ST-033]', async () => {
    await seedSession()
    const contact = {
      supportChatUrl: 'https://chat.example/help',
      communityUrl: 'https://forum.example',
      supportEmail: 'help@example.com',
    }
    const { user } = await renderScreen('/settings?tab=support', { config: { contact } })
    expect((await main().findByRole('link', { name: 'Open: Support chat' })).getAttribute('href')).toBe(
      'https://chat.example/help',
    )
    expect(main().getByRole('link', { name: 'Open: Community' }).getAttribute('href')).toBe('https://forum.example')
    await user.click(main().getByRole('button', { name: 'Copy help@example.com' }))
    expect(await screen.findByText('Email copied')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe('help@example.com')
  })

  it('shows only what there is, and says when there is nothing [ST-032, ST-033]', async () => {
    await seedSession()
    const { unmount } = await renderScreen('/settings?tab=support', {
      config: { contact: { communityUrl: 'https://forum.example' } },
    })
    expect(await main().findByRole('link', { name: 'Open: Community' })).toBeTruthy()
    expect(main().queryByRole('link', { name: 'Open: Support chat' })).toBeNull()
    expect(main().queryByRole('button', { name: /^Copy/ })).toBeNull()
    unmount()
    await renderScreen('/settings?tab=support')
    expect(await main().findByText('The operator of this server has set no support contact.')).toBeTruthy()
  })
})
