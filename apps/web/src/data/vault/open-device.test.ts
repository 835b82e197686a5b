import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { aUser, seedSession } from '../../testing/seed-session'
import { localChannels } from '../channels/local-channels'
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

it('two accounts of one browser see nothing of each other, and each finds its own chats when it is back', async () => {
  const [ana, bruno] = [aUser(), aUser({ id: '0193f000-0000-7000-8000-000000000002', email: 'bruno@example.com' })]
  const names = async () => (await localChannels.list()).map(({ channelName }) => channelName)
  const signIn = async (user: typeof ana) => {
    forgetSession()
    forgetDevice()
    await seedSession(user)
  }
  await signIn(ana)
  await localChannels.create({ assistantId: null, channelName: 'Of Ana' })
  await signIn(bruno)
  expect(await names()).toEqual([])
  await localChannels.create({ assistantId: null, channelName: 'Of Bruno' })
  await signIn(ana)
  expect(await names()).toEqual(['Of Ana'])
  await signIn(bruno)
  expect(await names()).toEqual(['Of Bruno'])
  forgetSession()
  expect(await names()).toEqual([])
})
