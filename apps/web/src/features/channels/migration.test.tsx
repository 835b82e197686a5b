import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { AppError } from '@parley/contract/errors'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bareMessage } from '../../data/channels/bare-message'
import { localChannels } from '../../data/channels/local-channels'
import { setStorageMode } from '../../data/channels/storage-mode'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { lineOf } from '../../testing/tree-cloud'

beforeEach(async () => {
  localStorage.clear()
  await seedSession()
})
afterEach(async () => {
  vi.restoreAllMocks()
  setStorageMode('local')
  await cleanUp()
  forgetSession()
})

const at = '2026-01-01T00:00:00.000Z'

const aChannel = (id: string): Channel => ({
  id,
  userId: null,
  channelName: id,
  assistantId: null,
  isDocument: false,
  isImage: false,
  isYoutube: false,
  isLocked: false,
  created_at: at,
  updated_at: at,
  isLocalChannel: false,
  source: 'postgresql',
})
const message = (channelId: string): Message => ({
  mId: 'm1',
  channelId,
  chat_request: 'What?',
  chat_response: { role: 'assistant', content: 'This.' },
  datetime: at,
  status: 'completed',
})

/** Chats in the cloud, each with one message; `calls` are those that were made for one of them. */
function aCloud(...names: string[]) {
  const channels = names.map(aChannel)
  const calls: string[] = []
  const note = (what: string, answer: { status: number; body?: unknown }) => () => {
    calls.push(what)
    return answer
  }
  const answers: NonNullable<Parameters<typeof renderScreen>[1]>['answers'] = {
    'GET /api/channel': () => ({ status: 200, body: { channels, documents: [] } }),
  }
  for (const channel of [...channels]) {
    const { id } = channel
    const page = { exchanges: lineOf([message(id)]), head: null }
    answers[`GET /api/channel/${id}`] = note(`look at ${id}`, { status: 200, body: channel })
    answers[`GET /api/channel/${id}/tree`] = note(`read ${id}`, { status: 200, body: page })
    answers[`GET /api/embeddings/job/channel/${id}`] = () => ({ status: 200, body: [] })
    answers[`GET /api/channel/${id}/summaries`] = () => ({ status: 200, body: { summaries: [] } })
    answers[`DELETE /api/channel/${id}`] = () => {
      channels.splice(channels.indexOf(channel), 1)
      return note(`delete ${id}`, { status: 204 })()
    }
  }
  return { answers, calls, channels }
}

const banner = () => screen.findByRole('region', { name: 'Move to Local Storage' })

async function moveNow(user: Awaited<ReturnType<typeof renderScreen>>['user']) {
  await user.click(within(await banner()).getByRole('button', { name: 'Move Now' }))
  await user.click(await screen.findByRole('button', { name: 'Ok' }))
}

function aGate() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('moving all cloud chats to this device', () => {
  it('is offered by banner and menu with their number, cancelled in words, and no more when none is left [CH-042, CH-043, CH-045, CH-048, CH-049, CH-054, CH-055, CH-058, CH-061]', async () => {
    const cloud = aCloud('a', 'b')
    const { user } = await renderScreen('/app', cloud)
    expect((await banner()).textContent).toContain('Local: 0 · Cloud: 2 · Total: 2')
    const item = async (name: string): Promise<HTMLElement> => {
      await user.click(screen.getByRole('button', { name: 'Chats menu' }))
      return screen.getByRole('menuitem', { name })
    }
    await user.click(await item('Migrate to Local (2)'))
    expect(await screen.findByText('Move 2 cloud chats to this device?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Migration cancelled by user')).toBeTruthy()
    expect(cloud.calls).toEqual([])

    await moveNow(user)
    const text = 'Migration completed successfully! Migration complete: 2 migrated, 0 already existing, 2 deleted.'
    expect(await screen.findByText(text)).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Move to Local Storage' })).toBeNull())
    const rows = within(screen.getByRole('region', { name: 'Chats' })).getAllByRole('link')
    expect(rows.map(({ textContent }) => textContent).sort()).toEqual(['alocal', 'blocal'])
    expect((await item('Migrate to Local (0)')).getAttribute('aria-disabled')).toBe('true')
  })

  it('is offered no more once its banner was dismissed [CH-042, CH-045]', async () => {
    const cloud = aCloud('a')
    const first = await renderScreen('/app', cloud)
    await first.user.click(within(await banner()).getByRole('button', { name: /Dismiss/ }))
    expect(screen.queryByRole('region', { name: 'Move to Local Storage' })).toBeNull()
    first.unmount()
    await renderScreen('/app', cloud)
    expect(await screen.findByRole('link', { name: /server/ })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Move to Local Storage' })).toBeNull()
  })

  it('the button reads Moving... meanwhile, and neither it nor the menu begins a second move [CH-044, CH-057]', async () => {
    const cloud = aCloud('a', 'b')
    const gate = aGate()
    const read = cloud.answers['GET /api/channel/a/tree']
    if (!read) throw new Error('no such answer')
    cloud.answers['GET /api/channel/a/tree'] = async (body, query) => {
      await gate.opened
      return read(body, query)
    }
    const { user } = await renderScreen('/app', cloud)
    await moveNow(user)
    const button = await within(await banner()).findByRole('button', { name: 'Moving...' })
    expect(button.getAttribute('aria-busy')).toBe('true')
    await user.click(button)
    await user.click(screen.getByRole('button', { name: 'Chats menu' }))
    const item = screen.getByRole('menuitem', { name: 'Migrate to Local (2)' })
    expect(item.getAttribute('aria-disabled') ?? item.hasAttribute('disabled').toString()).toBe('true')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('button', { name: 'Ok' })).toBeNull()
    gate.open()
    expect(await screen.findByText(/^Migration completed successfully! Migration complete: 2 migrated/)).toBeTruthy()
    expect(cloud.calls).toEqual(['look at a', 'read a', 'delete a', 'look at b', 'read b', 'delete b'])
  })

  it('says that all chats are already local where another device was faster [CH-056]', async () => {
    const cloud = aCloud('a')
    const { user } = await renderScreen('/app', cloud)
    await user.click(within(await banner()).getByRole('button', { name: 'Move Now' }))
    cloud.channels.length = 0
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('All chats are already local.')).toBeTruthy()
    expect(cloud.calls).toEqual([])
  })

  it('leaves out a chat that fails, goes on with the next, and asks to try again [CH-053, CH-059]', async () => {
    const cloud = aCloud('a', 'b')
    cloud.answers['GET /api/channel/a/tree'] = () => ({
      status: 500,
      body: { success: false, code: 'server-error', message: '', status: 500 },
    })
    const { user } = await renderScreen('/app', cloud)
    await moveNow(user)
    const text =
      'Migration failed. Please try again. Migration complete: 1 migrated, 0 already existing, 1 deleted. 1 failed.'
    expect(await screen.findByText(text)).toBeTruthy()
    expect(cloud.channels.map(({ id }) => id)).toEqual(['a'])
    expect((await localChannels.list()).map(({ id }) => id)).toEqual(['b'])
  })

  it('copies nothing twice: of a chat that is here already only the cloud copy is deleted [CH-050, CH-051, CH-052, CH-062]', async () => {
    const cloud = aCloud('a', 'b')
    const [known] = cloud.channels
    await localChannels.importChannel({ ...aChannel(known?.id ?? ''), isLocalChannel: true, source: 'indexeddb' }, [
      message('a'),
    ])
    const { user } = await renderScreen('/app', cloud)
    await moveNow(user)
    expect(await screen.findByText(/Migration complete: 1 migrated, 1 already existing, 2 deleted\.$/)).toBeTruthy()
    expect((await localChannels.messages('a')).messages.map(bareMessage)).toEqual([message('a')])
    expect((await localChannels.messages('b')).messages.map(bareMessage)).toEqual([message('b')])
    expect(cloud.channels).toEqual([])
  })

  it('stops on a full device and says so; nothing of the cloud is deleted [CH-060]', async () => {
    const cloud = aCloud('a', 'b')
    vi.spyOn(localChannels, 'importChannel').mockRejectedValue(new AppError('storage.full'))
    const { user } = await renderScreen('/app', cloud)
    await moveNow(user)
    const text =
      'Failed to migrate channels: Your device is out of space. Nothing was lost: free some space and try again.'
    expect(await screen.findByText(text)).toBeTruthy()
    expect(cloud.calls).toEqual(['look at a', 'read a'])
    expect(cloud.channels).toHaveLength(2)
  })

  it('says that the network is gone, and tries none of the rest [CH-060]', async () => {
    const cloud = aCloud('a', 'b')
    cloud.answers['GET /api/channel/a'] = () => Promise.reject(new TypeError('Failed to fetch'))
    const { user } = await renderScreen('/app', cloud)
    await moveNow(user)
    expect(
      await screen.findByText('Failed to migrate channels: Network error. Please check your connection and try again.'),
    ).toBeTruthy()
    expect(cloud.calls).toEqual([])
  })
})

describe('deleting all chats', () => {
  it('is of the chosen home alone, and says which; one chat is deleted in its own [CH-102, CH-118, CH-122, CH-171]', async () => {
    const cloud = aCloud('a', 'b')
    cloud.answers['DELETE /api/channel/delete/all'] = () => {
      cloud.channels.length = 0
      return { status: 200, body: { deleted: 1, skipped: 0 } }
    }
    await localChannels.create({ assistantId: null, channelName: 'Here' })
    const [here] = await localChannels.list()
    const { user, router } = await renderScreen(`/app#${here?.id}`, cloud)
    await screen.findByRole('heading', { level: 1, name: 'Here' })
    await user.click(screen.getByRole('radio', { name: 'Cloud', hidden: true }))
    await waitFor(() => expect(router.shown().location.hash).toBe(''))
    await user.click(await screen.findByRole('button', { name: 'Delete a' }))
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('Channel deleted successfully in Cloud')).toBeTruthy()
    expect(cloud.channels.map(({ id }) => id)).toEqual(['b'])
    expect(router.shown().location.hash).toBe('')

    await user.click(screen.getByRole('button', { name: 'Chats menu' }))
    await user.click(screen.getByRole('menuitem', { name: 'Delete all chats' }))
    expect(await screen.findByText('Delete all Cloud chats?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Ok' }))
    expect(await screen.findByText('All cloud chats deleted successfully!')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('link', { name: /server/ })).toBeNull())
    expect((await localChannels.list()).map(({ channelName }) => channelName)).toEqual(['Here'])
  })

  it('cannot be chosen again until it is over [CH-057]', async () => {
    const cloud = aCloud('a')
    const gate = aGate()
    let times = 0
    cloud.answers['DELETE /api/channel/delete/all'] = async () => {
      times++
      await gate.opened
      cloud.channels.length = 0
      return { status: 200, body: { deleted: 1, skipped: 0 } }
    }
    setStorageMode('cloud')
    const { user } = await renderScreen('/app', cloud)
    await banner()
    const item = async () => {
      await user.click(screen.getByRole('button', { name: 'Chats menu' }))
      return screen.getByRole('menuitem', { name: 'Delete all chats' })
    }
    await user.click(await item())
    await user.click(await screen.findByRole('button', { name: 'Ok' }))
    await waitFor(() => expect(times).toBe(1))
    const again = await item()
    await user.click(again)
    expect(screen.queryByRole('button', { name: 'Ok' })).toBeNull()
    gate.open()
    expect(await screen.findByText('All cloud chats deleted successfully!')).toBeTruthy()
    expect(times).toBe(1)
  })
})
