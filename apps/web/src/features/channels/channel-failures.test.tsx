import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { openDevice } from '../../data/vault/open-device'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

beforeEach(() => localStorage.clear())
afterEach(async () => {
  vi.restoreAllMocks()
  await cleanUp()
})

const noStorage =
  'This browser does not let Parley keep chats on this device. Allow site storage or leave private browsing.'
const fullDisk = 'Your device is out of space. Nothing was lost: free some space and try again.'

/** The browser's own storage fails, as on a broken disk. */
const breakReading = () =>
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(() => {
    throw new DOMException('broken', 'UnknownError')
  })
const fillDisk = () =>
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })

type Person = Awaited<ReturnType<typeof renderScreen>>['user']

async function chooseFromChats(user: Person, item: string) {
  await user.click(screen.getByRole('button', { name: 'Chats menu' }))
  await user.click(screen.getByRole('menuitem', { name: item }))
}

async function openRename(user: Person) {
  await user.click(await screen.findByRole('button', { name: 'Chat tools' }))
  await user.click(screen.getByRole('menuitem', { name: 'Rename' }))
  const field = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(field)
  return field
}

it('a list that cannot be read any more says why, and keeps what it shows [CH-108]', async () => {
  const [lease] = await seedChannels('Lease clauses')
  await renderScreen()
  await screen.findByRole('link', { name: /Lease/ })
  breakReading()
  await localChannels.setLocked(lease?.id ?? '', true)
  expect(await screen.findByText(noStorage)).toBeTruthy()
  expect(screen.getByRole('link', { name: /Lease/ })).toBeTruthy()
})

describe('a rename', () => {
  it('of a chat that is gone, deleted in another tab, fails in its words [CH-101, CH-113]', async () => {
    await seedSession()
    const [lease] = await seedChannels('Lease clauses', 'Sourdough')
    const { user } = await renderScreen(`/app#${lease?.id}`)
    const field = await openRename(user)
    await user.type(field, 'Too late')
    // Not announced to this page, as by a tab that was closed at once.
    await (await openDevice()).db.delete('channels', lease?.id ?? '')
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Failed to rename channel in Local Storage: Channel not found')).toBeTruthy()
    vi.restoreAllMocks()
    expect((await localChannels.list()).map(({ channelName }) => channelName)).not.toContain('Too late')
  })

  it('that the device has no room for says so, and keeps what was typed [CH-101, CH-117]', async () => {
    await seedSession()
    const [lease] = await seedChannels('Lease clauses')
    const { user } = await renderScreen(`/app#${lease?.id}`)
    const field = await openRename(user)
    const full = fillDisk()
    await user.type(field, 'Contract{Enter}')
    expect(await screen.findByText(`Failed to rename channel in Local Storage: ${fullDisk}`)).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Contract')
    full.mockRestore()
    // It takes no second Enter before the first attempt is over.
    const rename = screen.getByRole('button', { name: 'Rename' })
    await waitFor(() => expect(rename.getAttribute('aria-busy')).not.toBe('true'))
    await user.type(field, '{Enter}')
    expect(await screen.findByText('Chat renamed successfully!')).toBeTruthy()
  })
})

describe('deleting all chats', () => {
  it.each([
    ['an error that is known says what it is', new DOMException('broken', 'UnknownError'), noStorage],
    ['any other one is called unexpected', undefined, 'An unexpected error occurred'],
  ])('%s [CH-125]', async (_, known, text) => {
    await seedSession()
    await seedChannels('Lease clauses')
    const { user } = await renderScreen()
    await screen.findByRole('link', { name: /Lease/ })
    await chooseFromChats(user, 'Delete all chats')
    if (known) breakReading()
    else vi.spyOn(localChannels, 'removeAll').mockRejectedValue(new TypeError('a mistake of ours'))
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.queryByText('All local chats deleted successfully!')).toBeNull()
  })
})

it('an export of all chats that fails says why, and hands over no file [CH-140]', async () => {
  await seedSession()
  await seedChannels('Lease clauses')
  const { user } = await renderScreen()
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  await screen.findByRole('link', { name: /Lease/ })
  breakReading()
  await chooseFromChats(user, 'Export all chats')
  expect(await screen.findByText(`Failed to export all data: ${noStorage}`)).toBeTruthy()
  expect(click).not.toHaveBeenCalled()
})
