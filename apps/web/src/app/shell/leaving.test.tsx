import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { aWalletUser, seedSession } from '../../testing/seed-session'
import { closeOverlay } from './overlay-state'

const signOut = vi.hoisted(() => vi.fn<(options: { removeChats: boolean }) => Promise<void>>())
vi.mock('../../data/session/sign-out', () => ({ signOut }))

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  signOut.mockReset().mockImplementation(async () => forgetSession())
})
afterEach(cleanUp)
afterEach(closeOverlay)

const main = () => within(screen.getByRole('main'))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('logging out', () => {
  it('keeps the chats of this device sealed unless the person wants them removed [ST-018]', async () => {
    await seedSession()
    const { user } = await renderScreen('/settings')
    await user.click(await main().findByRole('button', { name: 'Log out' }))
    const question = await dialog('Log out?')
    expect(question.getByRole('radio', { name: /^Keep chats on this device, sealed/ })).toHaveProperty('checked', true)
    await user.click(question.getByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(signOut).toHaveBeenCalledWith({ removeChats: false }))
    expect(useLoginPanel.getState().view).toBeUndefined()
  })

  it('from the account menu removes them if asked to', async () => {
    await seedSession()
    const { user } = await renderScreen()
    await user.click(screen.getByRole('button', { name: 'Marina Duarte: Account' }))
    await user.click(await screen.findByRole('button', { name: 'Log out' }))
    const question = await dialog('Log out?')
    await user.click(question.getByRole('radio', { name: /^Remove from this device/ }))
    await user.click(question.getByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(signOut).toHaveBeenCalledWith({ removeChats: true }))
  })

  it('is cancelled without a trace', async () => {
    await seedSession()
    const { user } = await renderScreen('/settings')
    await user.click(await main().findByRole('button', { name: 'Log out' }))
    await user.click((await dialog('Log out?')).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog', { name: 'Log out?' })).toBeNull()
    expect(signOut).not.toHaveBeenCalled()
  })
})

describe('deleting the account', () => {
  it('needs the e-mail typed, names the chats that go with it, and takes them along [ST-198]', async () => {
    const person = await seedSession()
    await seedChannels('Lease clauses', 'Sourdough')
    const bodies: unknown[] = []
    const answer = (body: unknown) => {
      bodies.push(body)
      return { status: 204 }
    }
    const { user } = await renderScreen('/settings?tab=security', { answers: { 'DELETE /api/user/account': answer } })
    await user.click(await main().findByRole('button', { name: 'Delete account' }))
    const question = await dialog('Delete your account?')
    expect(await question.findByText('2 chats on this device are removed as well.')).toBeTruthy()
    const confirm = question.getByRole('button', { name: 'Delete account' })
    await user.type(question.getByLabelText('Type marina@example.com to confirm'), 'marina@example.co{Enter}')
    expect(confirm).toHaveProperty('disabled', true)
    expect(bodies).toEqual([])
    await user.type(question.getByLabelText(/^Type/), 'm')
    await user.click(confirm)
    await waitFor(() => expect(signOut).toHaveBeenCalledWith({ removeChats: true }))
    expect(bodies).toEqual([{ userId: person.id }])
  })

  it("of a wallet needs the wallet's short address, with dots that can be typed [ST-198]", async () => {
    await seedSession(aWalletUser())
    const { user } = await renderScreen('/settings?tab=security', { answers: { 'DELETE /api/user/account': () => ({ status: 204 }) } })
    await user.click(await main().findByRole('button', { name: 'Delete account' }))
    const question = await dialog('Delete your account?')
    await user.type(question.getByLabelText('Type 0x5290…9ee7 to confirm'), '0x5290...9EE7')
    await user.click(question.getByRole('button', { name: 'Delete account' }))
    await waitFor(() => expect(signOut).toHaveBeenCalledWith({ removeChats: true }))
  })

  it('that fails says why, and nobody is signed out [ST-028]', async () => {
    await seedSession()
    const { user } = await renderScreen('/settings?tab=security', { answers: { 'DELETE /api/user/account': () => Promise.reject(new TypeError('offline')) } })
    await user.click(await main().findByRole('button', { name: 'Delete account' }))
    const question = await dialog('Delete your account?')
    await user.type(question.getByLabelText(/^Type/), 'marina@example.com{Enter}')
    expect(await screen.findByText('Network error. Please check your connection and try again.')).toBeTruthy()
    expect(signOut).not.toHaveBeenCalled()
    expect(storedSession()).toBeTruthy()
  })

  it('whose end fails in an unforeseen way says so in general words [ST-028]', async () => {
    signOut.mockRejectedValue(new Error('unforeseen'))
    await seedSession()
    const { user } = await renderScreen('/settings?tab=security', { answers: { 'DELETE /api/user/account': () => ({ status: 204 }) } })
    await user.click(await main().findByRole('button', { name: 'Delete account' }))
    await user.type((await dialog('Delete your account?')).getByLabelText(/^Type/), 'marina@example.com{Enter}')
    expect(await screen.findByText('An unknown error occurred')).toBeTruthy()
  })
})
