import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aUser, seedSession } from '../../testing/seed-session'
import { forgetSession } from '../session/stored-session'
import { closeDevice, forgetDevice, openAccountVault, openDevice } from './open-device'

const userId = aUser().id

afterEach(() => {
  vi.restoreAllMocks()
  forgetSession()
  forgetDevice()
  localStorage.clear()
})

describe('whoever waits for the vault', () => {
  it('waits for the next one where it is read anew for the same person', async () => {
    await seedSession()
    const waiting = openDevice()
    // The account is there, and what follows is under way: it is closed then.
    await openAccountVault()
    forgetDevice()
    expect(await waiting).toMatchObject({ userId })
  })

  it('is told that it is locked where its person signs out', async () => {
    await seedSession()
    const waiting = openDevice()
    await openAccountVault()
    closeDevice(userId)
    await expect(waiting).rejects.toMatchObject({ code: 'vault.locked' })
  })
})
