import type { User } from '@parley/contract/users'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { AccountVault } from '../../data/local/account-vault'
import { useLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { aWalletUser, seedSession, tokens } from '../../testing/seed-session'
import { closeOverlay } from './overlay-state'

/** The page that begins anew; a test has only one. */
const leave = vi.spyOn(location, 'assign')

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  leave.mockReset().mockImplementation(() => undefined)
})
afterEach(cleanUp)
afterEach(closeOverlay)

/** What the server is told at a logout; `revoked` are the tokens that it ended. */
function aServer() {
  const revoked: unknown[] = []
  const revoke = (body: unknown) => {
    revoked.push(body)
    return { status: 204 }
  }
  return { revoked, answers: { 'POST /api/auth/logout': revoke } }
}

const isOnDisk = async ({ id }: User): Promise<boolean> =>
  (await indexedDB.databases()).some(({ name }) => name?.endsWith(id))

/** Signed out here and there, with the page on its way to the start. */
async function expectLeft(revoked: readonly unknown[]): Promise<void> {
  await waitFor(() => expect(leave).toHaveBeenCalledWith('/app'))
  expect(revoked).toEqual([{ refresh_token: tokens.refresh_token }])
  expect(storedSession()).toBeUndefined()
}

const main = () => within(screen.getByRole('main'))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('logging out', () => {
  it('keeps the chats of this device sealed unless the person wants them removed [ST-018]', async () => {
    const person = await seedSession()
    await seedChannels('Lease clauses')
    const { revoked, answers } = aServer()
    const { user } = await renderScreen('/settings', { answers })
    await user.click(await main().findByRole('button', { name: 'Log out' }))
    const question = await dialog('Log out?')
    expect(question.getByRole('radio', { name: /^Keep chats on this device, sealed/ })).toHaveProperty('checked', true)
    await user.click(question.getByRole('button', { name: 'Log out' }))
    await expectLeft(revoked)
    expect(await isOnDisk(person)).toBe(true)
    // Without the key that comes with the next sign-in nobody opens them.
    expect(await AccountVault.open(person.id)).toBeUndefined()
    await seedSession()
    expect((await localChannels.list()).map(({ channelName }) => channelName)).toEqual(['Lease clauses'])
    expect(useLoginPanel.getState().view).toBeUndefined()
  })

  it('from the account menu removes them if asked to', async () => {
    const person = await seedSession()
    await seedChannels('Lease clauses')
    const { revoked, answers } = aServer()
    const { user } = await renderScreen('/app', { answers })
    await user.click(screen.getByRole('button', { name: 'Marina Duarte: Account' }))
    await user.click(await screen.findByRole('button', { name: 'Log out' }))
    const question = await dialog('Log out?')
    await user.click(question.getByRole('radio', { name: /^Remove from this device/ }))
    await user.click(question.getByRole('button', { name: 'Log out' }))
    await expectLeft(revoked)
    expect(await isOnDisk(person)).toBe(false)
  })

  it('is cancelled without a trace', async () => {
    await seedSession()
    const { revoked, answers } = aServer()
    const { user } = await renderScreen('/settings', { answers })
    await user.click(await main().findByRole('button', { name: 'Log out' }))
    await user.click((await dialog('Log out?')).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog', { name: 'Log out?' })).toBeNull()
    expect(revoked).toEqual([])
    expect(leave).not.toHaveBeenCalled()
    expect(storedSession()).toBeTruthy()
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
    const { revoked, answers } = aServer()
    const { user } = await renderScreen('/settings?tab=security', {
      answers: { ...answers, 'DELETE /api/user/account': answer },
    })
    await user.click(await main().findByRole('button', { name: 'Delete account' }))
    const question = await dialog('Delete your account?')
    expect(await question.findByText('2 chats on this device are removed as well.')).toBeTruthy()
    const confirm = question.getByRole('button', { name: 'Delete account' })
    await user.type(question.getByLabelText('Type marina@example.com to confirm'), 'marina@example.co{Enter}')
    expect(confirm).toHaveProperty('disabled', true)
    expect(bodies).toEqual([])
    await user.type(question.getByLabelText(/^Type/), 'm')
    await user.click(confirm)
    await expectLeft(revoked)
    expect(await isOnDisk(person)).toBe(false)
    expect(bodies).toEqual([{ userId: person.id }])
  })

  it("of a wallet needs the wallet's short address, with dots that can be typed [ST-198]", async () => {
    const person = await seedSession(aWalletUser())
    const { revoked, answers } = aServer()
    const { user } = await renderScreen('/settings?tab=security', {
      answers: { ...answers, 'DELETE /api/user/account': () => ({ status: 204 }) },
    })
    await user.click(await main().findByRole('button', { name: 'Delete account' }))
    const question = await dialog('Delete your account?')
    await user.type(question.getByLabelText('Type 0x5290…9ee7 to confirm'), '0x5290...9EE7')
    await user.click(question.getByRole('button', { name: 'Delete account' }))
    await expectLeft(revoked)
    expect(await isOnDisk(person)).toBe(false)
  })

  it('that fails says why, and nobody is signed out [ST-028]', async () => {
    await seedSession()
    const { user } = await renderScreen('/settings?tab=security', {
      answers: { 'DELETE /api/user/account': () => Promise.reject(new TypeError('offline')) },
    })
    await user.click(await main().findByRole('button', { name: 'Delete account' }))
    const question = await dialog('Delete your account?')
    await user.type(question.getByLabelText(/^Type/), 'marina@example.com{Enter}')
    expect(await screen.findByText('Network error. Please check your connection and try again.')).toBeTruthy()
    expect(leave).not.toHaveBeenCalled()
    expect(storedSession()).toBeTruthy()
  })

  it('whose end fails in an unforeseen way says so in general words [ST-028]', async () => {
    leave.mockImplementation(() => {
      throw new Error('unforeseen')
    })
    await seedSession()
    const { user } = await renderScreen('/settings?tab=security', {
      answers: { 'DELETE /api/user/account': () => ({ status: 204 }) },
    })
    await user.click(await main().findByRole('button', { name: 'Delete account' }))
    await user.type((await dialog('Delete your account?')).getByLabelText(/^Type/), 'marina@example.com{Enter}')
    expect(await screen.findByText('An unknown error occurred')).toBeTruthy()
  })
})
