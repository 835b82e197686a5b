import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { forgetSession } from '../../data/session/stored-session'
import { useVault } from '../../data/vault/vault-state'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { useOverlay } from './overlay-state'

const before = useVault.getState()
const inCloud = {
  ...{
    id: 'cloud-1',
    userId: null,
    channelName: 'Merger plans',
    assistantId: null,
    isLocalChannel: false,
    source: 'postgresql',
  },
  ...{
    isDocument: false,
    isImage: false,
    isYoutube: false,
    isLocked: false,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  },
}

beforeEach(async () => {
  localStorage.clear()
  await seedSession()
})
afterEach(async () => {
  useVault.setState(before)
  await cleanUp()
  forgetSession()
})

/** How often the cloud was asked for the names of chats. */
async function renderAt(address: string): Promise<{ asked: () => number }> {
  let asked = 0
  const answer = () => {
    asked++
    return { status: 200, body: { channels: [inCloud], documents: [] } }
  }
  const shown = renderScreen(address, { answers: { 'GET /api/channel': answer } })
  await shown.catch(() => undefined)
  return { asked: () => asked }
}

it('behind the lock no name of a chat is read, shown or in the title, and no key acts on the chats', async () => {
  const [channel] = await seedChannels('Lease clauses')
  useVault.setState({ status: 'locked' })
  const list = localChannels.list.bind(localChannels)
  let reads = 0
  localChannels.list = () => {
    reads++
    return list()
  }
  onTestFinished(() => {
    localChannels.list = list
  })
  const { asked } = await renderAt(`/app#${channel?.id}`)
  expect(await screen.findByRole('heading', { name: 'Your chats are locked' })).toBeTruthy()
  const address = location.href
  for (const key of ['k', 'j']) fireEvent.keyDown(document.body, { key, ctrlKey: true })
  for (const key of ['ArrowDown', 'ArrowUp']) fireEvent.keyDown(document.body, { key, altKey: true })
  fireEvent.keyDown(document.body, { key: '?' })
  expect(useOverlay.getState().overlay).toBeUndefined()
  expect(location.href).toBe(address)
  expect({ reads, asked: asked() }).toEqual({ reads: 0, asked: 0 })
  expect(`${document.title} ${document.body.textContent}`).not.toMatch(/Lease|Merger/)
})

it('a lock that comes while a chat is open takes its name off the screen, and the keys with it', async () => {
  const [channel] = await seedChannels('Lease clauses')
  await renderAt(`/app#${channel?.id}`)
  expect(await screen.findByRole('link', { name: /Lease clauses/ })).toBeTruthy()
  act(() => useVault.setState({ status: 'locked' }))
  expect(await screen.findByRole('heading', { name: 'Your chats are locked' })).toBeTruthy()
  expect(`${document.title} ${document.body.textContent}`).not.toMatch(/Lease|Merger/)
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  expect(useOverlay.getState().overlay).toBeUndefined()
})
