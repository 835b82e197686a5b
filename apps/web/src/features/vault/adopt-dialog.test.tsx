import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { forgetSession } from '../../data/session/stored-session'
import { findToast } from '../../testing/login-panel'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(async () => {
  await cleanUp()
  await seedSession()
  await cleanUp()
  forgetSession()
  await cleanUp()
})

const names = async () => (await localChannels.list()).map(({ channelName }) => channelName)
const offer = () => screen.findByRole('dialog', { name: 'Bring your chats along?' })

/** Somebody signs in on a device on which a chat was begun before. */
async function aChatFromBefore() {
  await seedChannels('Lease clauses')
  await seedSession()
  return renderScreen()
}

describe('chats from before the sign-in', () => {
  it('are offered to the account, move, and are the account’s alone', async () => {
    const { user } = await aChatFromBefore()
    const dialog = await offer()
    expect(within(dialog).getByText(/There is 1 chat from before you signed in\./)).toBeTruthy()
    expect(await names()).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Move them' }))
    await findToast('1 chat moved to your account.')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByRole('link', { name: /Lease clauses/ })).toBeTruthy()
    forgetSession()
    expect(await names()).toEqual([])
  })

  it('stay where they are when the person says so, and are not offered again', async () => {
    const { user, unmount } = await aChatFromBefore()
    await user.click(within(await offer()).getByRole('button', { name: 'Leave them' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await names()).toEqual([])
    unmount()
    await renderScreen()
    await screen.findByText(/No chats yet/)
    expect(screen.queryByRole('dialog')).toBeNull()
    forgetSession()
    expect(await names()).toEqual(['Lease clauses'])
  })
})
