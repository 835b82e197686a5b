import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { localChannels } from '../data/channels/local-channels'
import { useLoginPanel } from '../data/session/login-panel'
import { forgetSession, storedSession } from '../data/session/stored-session'
import { setLanguage } from '../i18n/i18n'
import { renderScreen } from '../testing/render-screen'
import { cleanUp, seedChannels } from '../testing/seed-channels'
import { aUser, aWalletUser, seedSession } from '../testing/seed-session'

const reload = vi.fn()

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  useLoginPanel.setState({ view: undefined, returnTo: undefined })
  reload.mockReset()
  vi.spyOn(location, 'reload').mockImplementation(reload)
})
afterEach(async () => {
  await cleanUp()
  await setLanguage('en-US')
})

const main = () => within(screen.getByRole('main'))
const tab = (name: string) => main().findByRole('tab', { name })
const section = async (name: string) => within(await main().findByRole('group', { name }))

async function expectSelected(name: string): Promise<void> {
  expect((await tab(name)).getAttribute('aria-selected')).toBe('true')
}

/** Calls that arrived, and an answer to each of them. */
function recorder(answer: { status: number; body?: unknown } = { status: 204 }) {
  const bodies: unknown[] = []
  return {
    bodies,
    answer: (body: unknown) => {
      bodies.push(body)
      return answer
    },
  }
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
    expect(router.state.location.searchStr).toBe('?tab=support')
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
    await waitFor(() => expect(router.state.location.pathname).toBe('/app'))
    expect(useLoginPanel.getState()).toMatchObject({ view: 'sign-in', returnTo: '/settings?tab=security' })
  })

  it('but with a reset link waits there until it has signed them in', async () => {
    const { router } = await renderScreen('/settings?tab=security&recoverPassword=true#recovery=abc')
    expect(await screen.findByText('Loading your settings')).toBeTruthy()
    await seedSession()
    expect((await main().findAllByText('Choose a new password')).length).toBe(1)
    expect(router.state.location.pathname).toBe('/settings')
    expect(useLoginPanel.getState().view).toBeUndefined()
  })
})

describe('personal info', () => {
  it('has the full name to change, the e-mail to read, and the shown name with its picture [ST-015]', async () => {
    await seedSession(aUser({ name: 'Marina Duarte', user_metadata: { display_name: 'Marina', picture: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' } }))
    await renderScreen('/settings')
    const info = await section('Personal info')
    expect(info.getByLabelText<HTMLInputElement>('Full name').value).toBe('Marina Duarte')
    expect(info.getByLabelText<HTMLInputElement>('E-mail').value).toBe('marina@example.com')
    expect(info.getByLabelText<HTMLInputElement>('E-mail').readOnly).toBe(true)
    expect(info.getByText('Marina')).toBeTruthy()
    expect(info.getByRole('presentation').getAttribute('src')).toMatch(/^data:image/)
  })

  it('shows only where web2Login is "true" [ST-016]', async () => {
    await seedSession(aWalletUser())
    const { unmount } = await renderScreen('/settings')
    await section('System')
    expect(main().queryByRole('group', { name: 'Personal info' })).toBeNull()
    unmount()
    localStorage.setItem('web2Login', 'true')
    await renderScreen('/settings')
    expect(await main().findByRole('group', { name: 'Personal info' })).toBeTruthy()
  })

  it('saves a changed name and says so; an unchanged or empty one is not sent [ST-023, ST-024, ST-025]', async () => {
    const person = await seedSession()
    const calls = recorder({ status: 200, body: { ...person, name: 'Marina D.' } })
    const { user } = await renderScreen('/settings', { answers: { 'POST /api/auth/update-profile': calls.answer } })
    const info = await section('Personal info')
    const save = info.getByRole('button', { name: 'Save' })
    const field = info.getByLabelText('Full name')
    expect(save).toHaveProperty('disabled', true)
    await user.clear(field)
    await user.type(field, '   {Enter}')
    expect(calls.bodies).toEqual([])
    await user.clear(field)
    await user.type(field, 'Marina D.')
    await user.click(save)
    expect(await screen.findByText('Profile updated successfully')).toBeTruthy()
    expect(calls.bodies).toEqual([{ name: 'Marina D.' }])
    expect(save).toHaveProperty('disabled', true)
    expect(storedSession()?.user.name).toBe('Marina D.')
    expect(await screen.findByRole('button', { name: 'Marina D.: Account' })).toBeTruthy()
  })

  it('saves the name at the second attempt where the server was away at the first [CH-185]', async () => {
    const person = await seedSession()
    let times = 0
    const answer = () => (++times === 1 ? { status: 503 } : { status: 200, body: { ...person, name: 'Marina D.' } })
    const { user } = await renderScreen('/settings', { answers: { 'POST /api/auth/update-profile': answer } })
    const info = await section('Personal info')
    await user.type(info.getByLabelText('Full name'), ' D.')
    await user.click(info.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Profile updated successfully')).toBeTruthy()
    expect(screen.queryByText('Error updating profile')).toBeNull()
    expect(times).toBe(2)
  })

  it('says when the name could not be saved, and keeps what was typed [ST-025]', async () => {
    await seedSession()
    const calls = recorder({ status: 400 })
    const { user } = await renderScreen('/settings', { answers: { 'POST /api/auth/update-profile': calls.answer } })
    const info = await section('Personal info')
    await user.type(info.getByLabelText('Full name'), ' Lima')
    await user.click(info.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Error updating profile')).toBeTruthy()
    expect(calls.bodies).toHaveLength(1)
    expect(info.getByLabelText<HTMLInputElement>('Full name').value).toBe('Marina Duarte Lima')
  })
})

describe('the language', () => {
  it('is English, Português or Español; a change shows at once, goes to the server and reloads the page [ST-017, ST-026, ST-027]', async () => {
    const person = await seedSession()
    const calls = recorder({ status: 200, body: { ...person, language: 'pt-BR' } })
    const { user } = await renderScreen('/settings', { answers: { 'POST /api/auth/update-language': calls.answer } })
    const select = (await section('Appearance')).getByLabelText('Language')
    expect(
      within(select)
        .getAllByRole('option')
        .map((each) => each.textContent),
    ).toEqual(['English', 'Português', 'Español'])
    // What is to happen half a second later waits for this test.
    const halfSecondLater: (() => void)[] = []
    const later = window.setTimeout
    const timers = vi
      .spyOn(window, 'setTimeout')
      .mockImplementation(((run: () => void, ms?: number) => (ms === 500 ? halfSecondLater.push(run) : later(run, ms))) as typeof window.setTimeout)
    onTestFinished(() => timers.mockRestore())
    await user.selectOptions(select, 'Português')
    expect(await main().findByRole('heading', { level: 1, name: 'Configurações' })).toBeTruthy()
    // The toast was raised in the language of before.
    expect(await screen.findByText('Updating language...')).toBeTruthy()
    await waitFor(() => expect(calls.bodies).toEqual([{ language: 'pt-BR' }]))
    expect(reload).not.toHaveBeenCalled()
    await waitFor(() => {
      for (const run of halfSecondLater.splice(0)) run()
      expect(reload).toHaveBeenCalledOnce()
    })
    expect(calls.bodies).toEqual([{ language: 'pt-BR' }])
    expect(localStorage.getItem('language')).toBe('pt-BR')
  })

  it('changes without a server as well, and nobody is troubled with it [ST-026]', async () => {
    const complaints = vi.spyOn(console, 'error')
    await seedSession()
    const { user } = await renderScreen('/settings', {
      answers: { 'POST /api/auth/update-language': () => Promise.reject(new TypeError('no network')) },
    })
    await user.selectOptions((await section('Appearance')).getByLabelText('Language'), 'Español')
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(localStorage.getItem('language')).toBe('es-ES')
    expect(screen.queryByText('Error updating language')).toBeNull()
    expect(complaints).not.toHaveBeenCalled()
  })
})

describe('the system section', () => {
  it('has logout, delete all chats, migrate to local, export data and import data [ST-018, CH-040]', async () => {
    await seedSession()
    await renderScreen('/settings')
    const system = await section('System')
    expect(system.getAllByRole('button').map((each) => each.textContent)).toEqual(['Log out', 'Delete', 'Move Now', 'Export', 'Import'])
    expect(system.getByText('Migrate to Local (0)')).toBeTruthy()
    expect(system.getByRole('button', { name: 'Move Now' })).toHaveProperty('disabled', true)
    expect(system.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true)
  })

  it('deletes all chats after asking, in words for every home [ST-018, CH-118, CH-119, CH-124]', async () => {
    await seedSession()
    await seedChannels('Lease clauses', 'Sourdough')
    const { user } = await renderScreen('/settings')
    const system = await section('System')
    await waitFor(() => expect(system.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', false))
    await user.click(system.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Are you sure you want to delete all chats?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByRole('link', { name: /Lease/ })).toBeTruthy()
    await user.click(system.getByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('All chats deleted successfully!')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('link', { name: /Lease/ })).toBeNull())
  })

  it('deletes those of this device even when the cloud cannot delete its own, which is a warning [CH-121]', async () => {
    await seedSession()
    await seedChannels('Lease clauses')
    const inCloud = { ...(await localChannels.list())[0], id: 'c-1', channelName: 'Up there', isLocalChannel: false, source: 'postgresql' }
    const answers = {
      'GET /api/channel': () => ({ status: 200, body: { channels: [inCloud], documents: [] } }),
      'DELETE /api/channel/delete/all': () => ({ status: 500 }),
    }
    const { user } = await renderScreen('/settings', { answers })
    const system = await section('System')
    expect(await system.findByText('Migrate to Local (1)')).toBeTruthy()
    await user.click(system.getByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText(/^Your cloud chats could not be deleted: /)).toBeTruthy()
    expect(screen.queryByText('All chats deleted successfully!')).toBeNull()
    expect(await localChannels.list()).toEqual([])
  })
})

describe('the password', () => {
  const change = 'POST /api/auth/change-password'

  async function openForm(answer: (body: unknown) => { status: number; body?: unknown }) {
    const { user } = await renderScreen('/settings?tab=security', { answers: { [change]: answer } })
    const form = await section('Password')
    const fill = async (next: string, repeated: string) => {
      for (const [label, text] of [
        ['New password', next],
        ['Confirm password', repeated],
      ] as const) {
        await user.clear(form.getByLabelText(label))
        if (text) await user.type(form.getByLabelText(label), text)
      }
    }
    return { user, form, fill, save: form.getByRole('button', { name: 'Save' }) }
  }

  it('is typed twice; only two filled and equal fields can be saved, and it says so [ST-019, ST-020, ST-021, ST-022]', async () => {
    await seedSession()
    const calls = recorder()
    const { user, form, fill, save } = await openForm(calls.answer)
    expect(save).toHaveProperty('disabled', true)
    await fill('Str0ng-enough', '')
    expect(save).toHaveProperty('disabled', true)
    await fill('Str0ng-enough', 'Str0ng-enougH')
    expect(save).toHaveProperty('disabled', true)
    await user.tab()
    expect(await form.findByText('The two passwords are not the same.')).toBeTruthy()
    await fill('', '')
    await user.type(form.getByLabelText('New password'), '{Enter}')
    expect(calls.bodies).toEqual([])
    await fill('Str0ng-enough', 'Str0ng-enough')
    await user.click(save)
    expect(await screen.findByText('Password updated successfully')).toBeTruthy()
    expect(calls.bodies).toEqual([{ newPassword: 'Str0ng-enough' }])
    expect(form.getByLabelText<HTMLInputElement>('New password').value).toBe('')
  })

  it.each([
    ['Ab1!', 'Password must be at least 8 characters long'],
    ['alllower', 'Password must contain at least one uppercase letter'],
    ['ALLUPPER', 'Password must contain at least one lowercase letter'],
    ['NoNumber', 'Password must contain at least one number'],
    ['NoSpecial1', 'Password must contain at least one special character'],
  ])('%s is not sent, and the first thing it lacks is said [ST-020]', async (password, problem) => {
    await seedSession()
    const calls = recorder()
    const { user, form, fill, save } = await openForm(calls.answer)
    await fill(password, password)
    await user.click(save)
    expect((await form.findByRole('alert')).textContent).toBe(problem)
    expect(calls.bodies).toEqual([])
  })

  it('asks for the current one when the sign-in is old, says when that is wrong, and sends again', async () => {
    await seedSession()
    const bodies: unknown[] = []
    const failure = (code: string) => ({ status: 401, body: { success: false, code, message: '', status: 401 } })
    const { user, form, fill, save } = await openForm((body) => {
      bodies.push(body)
      return [failure('auth.reauthenticate'), failure('auth.wrong-password'), { status: 204 }][bodies.length - 1] ?? { status: 500 }
    })
    expect(form.queryByLabelText('Current password')).toBeNull()
    await fill('Str0ng-enough', 'Str0ng-enough')
    await user.click(save)
    const current = await form.findByLabelText('Current password')
    expect(document.activeElement).toBe(current)
    expect(save).toHaveProperty('disabled', true)
    await user.type(current, 'wrong')
    await user.click(save)
    expect((await form.findByRole('alert')).textContent).toMatch(/^Incorrect password/)
    await user.clear(current)
    await user.type(current, 'Right-0ne')
    await user.click(save)
    expect(await screen.findByText('Password updated successfully')).toBeTruthy()
    expect(bodies).toEqual([
      { newPassword: 'Str0ng-enough' },
      { newPassword: 'Str0ng-enough', currentPassword: 'wrong' },
      { newPassword: 'Str0ng-enough', currentPassword: 'Right-0ne' },
    ])
    expect(form.queryByLabelText('Current password')).toBeNull()
  })

  it('that the server could not change is said in the known words [ST-028]', async () => {
    await seedSession()
    const { user, fill, save } = await openForm(() => ({ status: 500 }))
    await fill('Str0ng-enough', 'Str0ng-enough')
    await user.click(save)
    expect(await screen.findByText('An error occurred. Try again.')).toBeTruthy()
    expect(storedSession()).toBeTruthy()
  })

  it('is explained to a wallet instead [ST-019]', async () => {
    await seedSession(aWalletUser())
    await renderScreen('/settings?tab=security')
    expect(await main().findByText(/You sign in with your wallet/)).toBeTruthy()
    expect(main().queryByLabelText('New password')).toBeNull()
  })

  it('is explained to a Google account, which may set one after a fresh sign-in [ST-019]', async () => {
    await seedSession(aUser({ has_password: false, app_metadata: { kind: 'google' } }))
    let isFresh = false
    const answers = {
      [change]: () => (isFresh ? { status: 204 } : { status: 401, body: { success: false, code: 'auth.reauthenticate', message: '', status: 401 } }),
    }
    const { user } = await renderScreen('/settings?tab=security', { answers })
    expect(await main().findByText(/You sign in with Google/)).toBeTruthy()
    await user.click(main().getByRole('button', { name: 'Set a password' }))
    await user.type(main().getByLabelText('New password'), 'Str0ng-enough')
    await user.type(main().getByLabelText('Confirm password'), 'Str0ng-enough')
    await user.click(main().getByRole('button', { name: 'Save' }))
    expect(await main().findByText(/sign in with Google again/)).toBeTruthy()
    isFresh = true
    await user.click(main().getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Password updated successfully')).toBeTruthy()
    expect(storedSession()?.user.has_password).toBe(true)
  })
})

describe('the support', () => {
  it('leads to the support chat and the community, and copies the e-mail [ST-032, ST-033]', async () => {
    await seedSession()
    const contact = { supportChatUrl: 'https://chat.example/help', communityUrl: 'https://forum.example', supportEmail: 'help@example.com' }
    const { user } = await renderScreen('/settings?tab=support', { config: { contact } })
    expect((await main().findByRole('link', { name: 'Open: Support chat' })).getAttribute('href')).toBe('https://chat.example/help')
    expect(main().getByRole('link', { name: 'Open: Community' }).getAttribute('href')).toBe('https://forum.example')
    await user.click(main().getByRole('button', { name: 'Copy help@example.com' }))
    expect(await screen.findByText('Email copied')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe('help@example.com')
  })

  it('shows only what there is, and says when there is nothing [ST-032, ST-033]', async () => {
    await seedSession()
    const { unmount } = await renderScreen('/settings?tab=support', { config: { contact: { communityUrl: 'https://forum.example' } } })
    expect(await main().findByRole('link', { name: 'Open: Community' })).toBeTruthy()
    expect(main().queryByRole('link', { name: 'Open: Support chat' })).toBeNull()
    expect(main().queryByRole('button', { name: /^Copy/ })).toBeNull()
    unmount()
    await renderScreen('/settings?tab=support')
    expect(await main().findByText('The operator of this server has set no support contact.')).toBeTruthy()
  })
})
