import type { Channel } from '@parley/contract/channels'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'

beforeEach(() => localStorage.clear())
afterEach(async () => {
  vi.restoreAllMocks()
  await cleanUp()
})

type Person = Awaited<ReturnType<typeof renderScreen>>['user']
const at = '2026-01-05T12:00:00.000Z'

const cloudChannel = (id: string, channelName: string, fields: Partial<Channel> = {}): Channel => ({
  id,
  userId: aUser().id,
  channelName,
  assistantId: null,
  isDocument: false,
  isImage: false,
  isYoutube: false,
  isLocked: false,
  created_at: at,
  updated_at: at,
  isLocalChannel: false,
  source: 'postgresql',
  ...fields,
})
const listed = (...channels: Channel[]) => ({
  'GET /api/channel': () => ({ status: 200, body: { channels, documents: [] } }),
})
const noMessages = (id: string) => ({
  [`GET /api/chat/documents/0/50/${id}`]: () => ({ status: 200, body: { content: [], page: 0, size: 50, total: 0 } }),
})
const rows = () =>
  within(screen.getByRole('navigation', { name: 'Sidebar' })).getAllByRole('link', { name: /Lease|Plans/ })

async function choose(user: Person, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Chat tools' }))
  await user.click(screen.getByRole('menuitem', { name }))
}

describe('the list of both homes', () => {
  it('has a chat that is in both once, and it is the copy of this device [CH-081, CH-090]', async () => {
    await seedSession()
    const [lease] = await seedChannels('Lease clauses')
    const twin = cloudChannel(lease?.id ?? '', 'Lease as the cloud knows it')
    await renderScreen('/app', { answers: listed(twin, cloudChannel('c1', 'Plans')) })
    await waitFor(() => expect(rows()).toHaveLength(2))
    const badges = rows().map(({ textContent }) => textContent)
    expect(badges).toEqual(expect.arrayContaining(['Lease clauseslocal', 'Plansserver']))
  })

  it('that the cloud does not give is no empty list: it says so once, and tries again [CH-108]', async () => {
    await seedSession()
    let isDown = true
    const plans = cloudChannel('c1', 'Plans')
    const answer = () =>
      isDown
        ? { status: 404, body: { message: 'The list is away.' } }
        : { status: 200, body: { channels: [plans], documents: [] } }
    const { user } = await renderScreen('/app', { answers: { 'GET /api/channel': answer } })
    expect(await screen.findByText('The list is away.')).toBeTruthy()
    const list = within(screen.getByRole('region', { name: 'Chats' }))
    expect(list.queryByText(/^No chats yet/)).toBeNull()
    isDown = false
    await user.click(list.getByRole('button', { name: 'Try again' }))
    expect(await list.findByRole('link', { name: /Plans/ })).toBeTruthy()
  })

  it('shows those of this device while the cloud gives none [CH-108]', async () => {
    await seedSession()
    await seedChannels('Lease clauses')
    await renderScreen('/app', {
      answers: { 'GET /api/channel': () => ({ status: 404, body: { message: 'The list is away.' } }) },
    })
    expect(await screen.findByText('Some chats could not be loaded.')).toBeTruthy()
    expect(rows()).toHaveLength(1)
  })

  it('has a topic channel like any other, by the name of its subject', async () => {
    await seedSession()
    const subject = 'Plans for a garden that is shared by twelve neighbours and a very old pear tree'
    await renderScreen('/app#t1', {
      answers: { ...listed(cloudChannel('t1', subject, { assistantId: 'a1' })), ...noMessages('t1') },
    })
    expect(await screen.findByRole('heading', { level: 1, name: subject })).toBeTruthy()
    await waitFor(() => expect(rows().map(({ textContent }) => textContent)).toEqual([`${subject}server`]))
  })
})

describe('a chat that is to be made in the cloud', () => {
  const askInCloud = async (body: unknown, status = 201) => {
    await seedSession()
    const app = await renderScreen('/app', { answers: { 'POST /api/channel': () => ({ status, body }) } })
    await app.user.click(await screen.findByRole('button', { name: /^Where the chat is kept/ }))
    await app.user.click(screen.getByRole('menuitem', { name: 'In the cloud' }))
    await app.user.type(await screen.findByRole('textbox', { name: 'Message' }), 'What is a lien?{Enter}')
    return app
  }

  it('is refused in the words of the server, and the question stays in the box [CH-100]', async () => {
    await askInCloud({ success: false, code: 'channel.name-taken', message: 'x', status: 409 }, 409)
    expect(
      await screen.findByText('Failed to create channel in Cloud: Channel with this name already exists'),
    ).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveProperty('value', 'What is a lien?')
  })

  it('is not made of an answer that is no channel [CH-093]', async () => {
    const { router } = await askInCloud({ data: { id: 5 } })
    expect(await screen.findByText('Failed to create channel in Cloud: Invalid response from server')).toBeTruthy()
    expect(router.shown().location.hash).toBe('')
  })
})

it('an export names the messages, and one that the server fails to make says with which status [CH-128, CH-129]', async () => {
  await seedSession()
  const failure = { success: false, code: 'channel.export-failed', message: 'x', status: 503 }
  const plans = cloudChannel('c1', 'Plans')
  const said = ['m1', 'm2'].map((mId) => ({
    ...{
      mId,
      channelId: 'c1',
      chat_request: 'And?',
      chat_response: { role: 'assistant', content: 'So.' },
      datetime: at,
      status: 'completed',
    },
  }))
  const asked: unknown[] = []
  const { user } = await renderScreen('/app#c1', {
    answers: {
      ...listed(plans),
      ...noMessages('c1'),
      'GET /api/channel/c1': () => ({ status: 200, body: plans }),
      'GET /api/chat/documents/0/100/c1': () => ({
        status: 200,
        body: { content: said, page: 0, size: 100, total: 2 },
      }),
      'POST /api/channel/export': (body) => {
        asked.push(body)
        return { status: 503, body: failure }
      },
    },
  })
  await choose(user, 'Export to PDF')
  expect(await screen.findByText('Failed to export channel: Export failed: 503')).toBeTruthy()
  expect(asked).toEqual([{ channelId: 'c1', messages: ['m1', 'm2'] }])
})

describe('a tool of the top bar that fails for no known reason', () => {
  it.each([
    ['Export to PDF', 'messages', 'Failed to export channel: Error exporting channel'],
    ['Clear', 'clear', 'Failed to clear channel in Local Storage: Error clearing channel'],
    ['Delete', 'remove', 'Failed to delete channel in Local Storage: Error deleting channel'],
  ] as const)('%s says what did not work [AG-107, AG-108]', async (name, call, text) => {
    await seedSession()
    const [lease] = await seedChannels('Lease clauses')
    const { user } = await renderScreen(`/app#${lease?.id}`)
    await screen.findByRole('heading', { level: 1, name: 'Lease clauses' })
    const broken = vi.spyOn(localChannels, call).mockRejectedValue(new TypeError('a mistake of ours'))
    await choose(user, name)
    if (name !== 'Export to PDF') await user.click(await screen.findByRole('button', { name: 'Ok' }))
    expect(await screen.findByText(text)).toBeTruthy()
    broken.mockRestore()
    expect(await localChannels.list()).toHaveLength(1)
  })
})

it('a chat that one may only read has neither a box nor the tools of its owner, and can be left [CH-039]', async () => {
  await seedSession()
  const plans = cloudChannel('c1', 'Plans', { userId: 'u2', ownerName: 'ana', role: 'read' })
  const left: string[] = []
  const { user, router } = await renderScreen('/app#c1', {
    answers: {
      'GET /api/channel': () => ({ status: 200, body: { channels: left.length ? [] : [plans], documents: [] } }),
      ...noMessages('c1'),
      'GET /api/channel/c1': () => ({ status: 200, body: plans }),
      [`DELETE /api/channel/c1/members/${aUser().id}`]: () => {
        left.push('c1')
        return { status: 204 }
      },
    },
  })
  const note = await screen.findByRole('note')
  expect(note.textContent).toBe('You can read this chat, but not write in it. Ask ana to change that.')
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Chat tools' }))
  for (const name of ['Rename', 'Clear', 'Delete', 'Invite member'])
    expect(screen.queryByRole('menuitem', { name })).toBeNull()
  await user.click(screen.getByRole('menuitem', { name: 'Leave chat' }))
  await user.click(await screen.findByRole('button', { name: 'Ok' }))
  await waitFor(() => expect(router.shown().location.hash).toBe(''))
  expect(left).toEqual(['c1'])
  await waitFor(() => expect(screen.queryByRole('link', { name: /Plans/ })).toBeNull())
})

it('another chat shows its own messages and nothing of the one before, and the way back to the start shows none [ST-054, ST-060, ST-062]', async () => {
  await seedSession()
  const [lease, plans] = await seedChannels('Lease clauses', 'Plans')
  const said = (channelId: string, mId: string, chat_request: string) =>
    localChannels.put({
      mId,
      channelId,
      chat_request,
      chat_response: { role: 'assistant', content: '' },
      datetime: at,
      status: 'completed',
    })
  await said(lease?.id ?? '', 'm1', 'May I sublet?')
  await said(plans?.id ?? '', 'm2', 'Where to in May?')
  const { user } = await renderScreen(`/app#${lease?.id}`)
  expect(await screen.findByText('May I sublet?')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: /Plans/ }))
  expect(await screen.findByText('Where to in May?')).toBeTruthy()
  expect(screen.queryByText('May I sublet?')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Parley: new chat' }))
  await waitFor(() => expect(screen.queryByText('Where to in May?')).toBeNull())
  await user.click(screen.getByRole('link', { name: /Lease/ }))
  expect(await screen.findByText('May I sublet?')).toBeTruthy()
  await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'And a room?{Enter}')
  await waitFor(async () =>
    expect((await localChannels.messages(lease?.id ?? '')).messages.map((each) => each.chat_request)).toEqual([
      'May I sublet?',
      'And a room?',
    ]),
  )
})
