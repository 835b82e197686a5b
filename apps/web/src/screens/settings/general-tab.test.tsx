import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { useLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { group, main } from '../../testing/main-region'
import { recorder } from '../../testing/recorder'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { aUser, aWalletUser, seedSession } from '../../testing/seed-session'

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

describe('personal info', () => {
  it('has the full name to change, the e-mail to read, and the shown name with its picture [ST-015]', async () => {
    await seedSession(
      aUser({
        name: 'Marina Duarte',
        user_metadata: { display_name: 'Marina', picture: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' },
      }),
    )
    await renderScreen('/settings')
    const info = await group('Personal info')
    expect(info.getByLabelText<HTMLInputElement>('Full name').value).toBe('Marina Duarte')
    expect(info.getByLabelText<HTMLInputElement>('E-mail').value).toBe('marina@example.com')
    expect(info.getByLabelText<HTMLInputElement>('E-mail').readOnly).toBe(true)
    expect(info.getByText('Marina')).toBeTruthy()
    expect(info.getByRole('presentation').getAttribute('src')).toMatch(/^data:image/)
  })

  it('shows only where web2Login is "true" [ST-016]', async () => {
    await seedSession(aWalletUser())
    const { unmount } = await renderScreen('/settings')
    await group('System')
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
    const info = await group('Personal info')
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
    const info = await group('Personal info')
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
    const info = await group('Personal info')
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
    const select = (await group('Appearance')).getByLabelText('Language')
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
      .mockImplementation(((run: () => void, ms?: number) =>
        ms === 500 ? halfSecondLater.push(run) : later(run, ms)) as typeof window.setTimeout)
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
    await user.selectOptions((await group('Appearance')).getByLabelText('Language'), 'Español')
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
    const system = await group('System')
    expect(system.getAllByRole('button').map((each) => each.textContent)).toEqual([
      'Log out',
      'Delete',
      'Move Now',
      'Export',
      'Import',
    ])
    expect(system.getByText('Migrate to Local (0)')).toBeTruthy()
    expect(system.getByRole('button', { name: 'Move Now' })).toHaveProperty('disabled', true)
    expect(system.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true)
  })

  it('deletes all chats after asking, in words for every home [ST-018, CH-118, CH-119, CH-124]', async () => {
    await seedSession()
    await seedChannels('Lease clauses', 'Sourdough')
    const { user } = await renderScreen('/settings')
    const system = await group('System')
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
    const inCloud = {
      ...(await localChannels.list())[0],
      id: 'c-1',
      channelName: 'Up there',
      isLocalChannel: false,
      source: 'postgresql',
    }
    const answers = {
      'GET /api/channel': () => ({ status: 200, body: { channels: [inCloud], documents: [] } }),
      'DELETE /api/channel/delete/all': () => ({ status: 500 }),
    }
    const { user } = await renderScreen('/settings', { answers })
    const system = await group('System')
    expect(await system.findByText('Migrate to Local (1)')).toBeTruthy()
    await user.click(system.getByRole('button', { name: 'Delete' }))
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText(/^Your cloud chats could not be deleted: /)).toBeTruthy()
    expect(screen.queryByText('All chats deleted successfully!')).toBeNull()
    expect(await localChannels.list()).toEqual([])
  })
})
