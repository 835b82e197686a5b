import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setChannelLocked } from '../../data/channels/channel-actions'
import { localChannels } from '../../data/channels/local-channels'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

beforeEach(() => localStorage.clear())
afterEach(cleanUp)

const row = (name: RegExp) => screen.findByRole('link', { name })

async function choose(user: Awaited<ReturnType<typeof renderScreen>>['user'], item: string) {
  await user.click(await screen.findByRole('button', { name: 'Chat tools' }))
  await user.click(screen.getByRole('menuitem', { name: item }))
}

describe('a row', () => {
  it('has the menu Export PDF, Rename, Lock, Move to the cloud, Clear Conversation, Invite member, Delete [CH-038]', async () => {
    await seedChannels('Lease clauses')
    const { user } = await renderScreen()
    await user.pointer({ keys: '[MouseRight]', target: await row(/Lease/) })
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Export PDF',
      'Rename',
      'Lock',
      'Move to the cloud',
      'Clear Conversation',
      'Invite member',
      'Delete',
    ])
  })

  it('deletes after asking, and says so [CH-036, CH-065, CH-107]', async () => {
    await seedChannels('Lease clauses', 'Sourdough')
    const { user } = await renderScreen()
    await row(/Lease/)
    await user.click(screen.getByRole('button', { name: 'Delete Lease clauses' }))
    expect(await screen.findByText('Delete this chat?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByRole('link', { name: /Lease/ })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Delete Lease clauses' }))
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('Channel deleted successfully in Local Storage')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('link', { name: /Lease/ })).toBeNull())
    expect(screen.getByRole('link', { name: /Sourdough/ })).toBeTruthy()
  })

  it('shows a lock instead of delete when locked, and keeps a locked channel [CH-087, CH-102, CH-103]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    if (lease) await setChannelLocked(lease.id, true)
    const { user } = await renderScreen(`/app#${lease?.id}`)
    await row(/Lease/)
    expect(screen.getByRole('img', { name: 'Locked' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Delete Lease clauses' })).toBeNull()
    await choose(user, 'Delete')
    expect(
      await screen.findByText(
        'Failed to delete channel in Local Storage: This channel is locked and cannot be deleted',
      ),
    ).toBeTruthy()
    await choose(user, 'Clear')
    expect(
      await screen.findByText('Failed to clear channel in Local Storage: This channel is locked and cannot be cleared'),
    ).toBeTruthy()
    await choose(user, 'Unlock')
    expect(await screen.findByRole('button', { name: 'Delete Lease clauses' })).toBeTruthy()
  })
})

describe('the tools of the top bar', () => {
  it('are Rename, Export to PDF, Invite member, Lock, Move to the cloud, Clear and Delete of the open chat; the home has none [AG-102, ST-034]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    const { user } = await renderScreen()
    expect(within(screen.getByRole('main')).getByText('anonymous')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Chat tools' })).toBeNull()
    await user.click(await row(/Lease/))
    await user.click(await screen.findByRole('button', { name: 'Chat tools' }))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'Rename',
      'Export to PDF',
      'Invite member',
      'Lock',
      'Move to the cloud',
      'Clear',
      'Delete',
    ])
    expect(lease).toBeDefined()
  })

  it('Lock is shown at the row until Unlock, and Clear asks, takes the messages, keeps the channel and unselects it [AG-104, AG-109, CH-065, CH-096, ST-061]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    const channelId = lease?.id ?? ''
    await localChannels.put({
      ...{ mId: 'm', channelId, chat_request: 'May I sublet?', status: 'completed' },
      ...{ chat_response: { role: 'assistant', content: 'No.' }, datetime: new Date().toISOString() },
    })
    const { user, router } = await renderScreen(`/app#${channelId}`)
    await screen.findByText('May I sublet?')
    await choose(user, 'Lock')
    expect(await screen.findByRole('img', { name: 'Locked' })).toBeTruthy()
    await choose(user, 'Unlock')
    await waitFor(() => expect(screen.queryByRole('img', { name: 'Locked' })).toBeNull())

    await choose(user, 'Clear')
    expect(await screen.findByText('Clear all messages of this chat?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect((await localChannels.messages(channelId)).messages).toHaveLength(1)
    await choose(user, 'Clear')
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('Channel cleared successfully in Local Storage!')).toBeTruthy()
    await waitFor(() => expect(router.shown().location.hash).toBe(''))
    await user.click(await row(/Lease/))
    expect(await screen.findByRole('heading', { level: 1, name: 'Lease clauses' })).toBeTruthy()
    expect(screen.queryByText('May I sublet?')).toBeNull()
    expect((await localChannels.messages(channelId)).messages).toEqual([])
  })

  it('Delete of the open chat clears the selection and does not call it unknown [AG-105, CH-085]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    const { user, router } = await renderScreen(`/app#${lease?.id}`)
    await choose(user, 'Delete')
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('Channel deleted successfully in Local Storage')).toBeTruthy()
    await waitFor(() => expect(router.shown().location.hash).toBe(''))
    expect(screen.queryByText('Channel not found')).toBeNull()
  })

  it('an export without messages is refused in its words [CH-127, CH-130]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    const { user } = await renderScreen(`/app#${lease?.id}`)
    await choose(user, 'Export to PDF')
    expect(await screen.findByText('Failed to export channel: No messages found for this channel')).toBeTruthy()
  })
})

describe('renaming', () => {
  it('saves on Enter, closes, and shows the new name everywhere [CH-109, CH-110, CH-115, CH-116]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    const { user } = await renderScreen(`/app#${lease?.id}`)
    await choose(user, 'Rename')
    const dialog = await screen.findByRole('dialog', { name: 'Rename chat' })
    expect(within(dialog).getByRole('button', { name: 'Rename' })).toBeTruthy()
    const field = within(dialog).getByRole('textbox', { name: 'Name' })
    await user.clear(field)
    await user.type(field, 'Contract of the flat{Enter}')
    expect(await screen.findByText('Chat renamed successfully!')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await row(/Contract of the flat/)).toBeTruthy()
    expect(await screen.findByRole('heading', { level: 1, name: 'Contract of the flat' })).toBeTruthy()
  })

  it('refuses a taken name in its words, ignoring case, and does nothing when empty [CH-112, CH-114, CH-117]', async () => {
    const [lease] = await seedChannels('Lease clauses', 'Sourdough')
    const { user } = await renderScreen(`/app#${lease?.id}`)
    await choose(user, 'Rename')
    const field = await screen.findByRole('textbox', { name: 'Name' })
    await user.clear(field)
    await user.type(field, 'SOURDOUGH{Enter}')
    expect(await screen.findByText('Channel with this name already exists')).toBeTruthy()
    await user.clear(field)
    await user.type(field, '   {Enter}')
    expect(screen.getByRole('dialog', { name: 'Rename chat' })).toBeTruthy()
    expect((await localChannels.list()).map((channel) => channel.channelName).sort()).toEqual([
      'Lease clauses',
      'Sourdough',
    ])
  })
})

describe('deleting all chats', () => {
  const open = async (user: Awaited<ReturnType<typeof renderScreen>>['user']) => {
    await user.click(screen.getByRole('button', { name: 'Chats menu' }))
    await user.click(screen.getByRole('menuitem', { name: 'Delete all chats' }))
  }

  it('asks by the home, does nothing when declined, and says when all are gone [CH-041, CH-118, CH-119, CH-123]', async () => {
    await seedChannels('Lease clauses', 'Sourdough')
    const { user } = await renderScreen()
    await row(/Lease/)
    await open(user)
    expect(await screen.findByText('Delete all Local chats?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByRole('link', { name: /Lease/ })).toBeTruthy()
    await open(user)
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('All local chats deleted successfully!')).toBeTruthy()
    expect(await screen.findByText(/No chats yet/)).toBeTruthy()
  })

  it('skips locked chats and counts them instead of claiming success [CH-087, CH-120]', async () => {
    const [lease] = await seedChannels('Lease clauses', 'Sourdough')
    if (lease) await setChannelLocked(lease.id, true)
    const { user } = await renderScreen()
    await row(/Lease/)
    await open(user)
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('1 chat could not be deleted.')).toBeTruthy()
    expect(screen.getByRole('link', { name: /Lease/ })).toBeTruthy()
    expect(screen.queryByText('All local chats deleted successfully!')).toBeNull()
  })
})
