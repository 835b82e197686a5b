import type { Channel } from '@parley/contract/channels'
import type { MessageHit } from '@parley/contract/cloud'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { forgetSession } from '../../data/session/stored-session'
import { InPageWorker } from '../../testing/in-page-worker'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'

vi.stubGlobal('Worker', InPageWorker)
beforeEach(() => localStorage.clear())
afterEach(async () => {
  await cleanUp()
  forgetSession()
})

const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString()
const ask = (channelId: string, mId: string, question: string, n = 1): Promise<void> =>
  localChannels.put({
    mId,
    channelId,
    chat_request: question,
    chat_response: { role: 'assistant', content: '' },
    datetime: day(n),
    status: 'completed',
  })

const cloudChannel = (id: string, channelName: string): Channel => ({
  id,
  userId: aUser().id,
  channelName,
  assistantId: null,
  isDocument: false,
  isImage: false,
  isYoutube: false,
  isLocked: false,
  created_at: day(1),
  updated_at: day(1),
  isLocalChannel: false,
  source: 'postgresql',
})
const hit = (fields: Partial<MessageHit>): MessageHit => ({
  channelId: 'cloud',
  channelName: 'Old name',
  mId: 'm',
  datetime: day(5),
  passage: 'x',
  marks: [],
  ...fields,
})
const list = (...channels: Channel[]) => ({
  'GET /api/channel': () => ({ status: 200, body: { channels, documents: [] } }),
})

const sidebar = () => within(screen.getByRole('navigation', { name: 'Sidebar' }))
const field = () => screen.getByRole('searchbox', { name: 'Search chats' })

async function search({ user }: Awaited<ReturnType<typeof renderScreen>>, words: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Search chats' }))
  // In one turn: between two of `user.type` a busy machine may rest for longer than a person, and half a word is
  // searched.
  for (let end = 1; end <= words.length; end++) fireEvent.change(field(), { target: { value: words.slice(0, end) } })
}

describe('the search of messages', () => {
  it('shows names first and below them the messages of both homes, newest first, what matched marked and nothing taken for HTML [CH-028, CH-029]', async () => {
    await seedSession()
    const [lease, plans] = await seedChannels('Lease needle', 'Plans')
    await ask(lease?.id ?? '', 'm1', 'An older Nèedle here', 2)
    await ask(plans?.id ?? '', 'm2', '<img src=x onerror="alert(1)"> needle', 9)
    const results = [
      hit({ mId: 'm3', passage: 'In the cloud: needles', marks: [[14, 21]] }),
      hit({ channelId: lease?.id ?? '', mId: 'm9' }),
    ]
    const queries = vi.fn(() => ({ status: 200, body: { results } }))
    const app = await renderScreen('/app', {
      answers: { ...list(cloudChannel('cloud', 'Sky')), 'GET /api/channel/search': queries },
    })
    await search(app, 'needle')
    expect(await sidebar().findByText('3 messages found')).toBeTruthy()
    const headings = sidebar().getAllByRole('heading', { level: 3 })
    expect(headings.map(({ textContent }) => textContent)).toEqual(['Search results', 'Messages'])
    const found = () => sidebar().getAllByRole('link', { name: /n[eè]edle/i })
    await waitFor(() => expect(found()).toHaveLength(4))
    const links = found().map(({ textContent }) => textContent)
    expect(links[0]).toContain('Lease needle')
    expect(links[1]).toMatch(/^Plans.*<img src=x onerror="alert\(1\)"> needle\s*$/)
    expect(links[2]).toMatch(/^Sky.*In the cloud: needles$/)
    expect(links[3]).toMatch(/^Lease needle.*An older Nèedle here\s*$/)
    expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
      'needle',
      'needles',
      'Nèedle',
    ])
    expect(document.querySelector('nav img[src="x"]')).toBeNull()
    expect(queries).toHaveBeenCalledOnce()
  })

  it('shows more of the cloud’s messages when asked, older ones below those that are read already', async () => {
    await seedSession()
    await seedChannels('Plans')
    const pages = [
      { results: [hit({ mId: 'm9', passage: 'ninth needle', datetime: day(9) })], cursor: 'next page' },
      { results: [hit({ mId: 'm5', passage: 'fifth needle', datetime: day(5) })] },
    ]
    const asked = vi.fn(() => ({ status: 200, body: pages[asked.mock.calls.length - 1] }))
    const app = await renderScreen('/app', {
      answers: { ...list(cloudChannel('cloud', 'Sky')), 'GET /api/channel/search': asked },
    })
    await search(app, 'needle')
    expect(await sidebar().findByRole('link', { name: /ninth needle/ })).toBeTruthy()
    await app.user.click(sidebar().getByRole('button', { name: 'Show more' }))
    expect(await sidebar().findByRole('link', { name: /fifth needle/ })).toBeTruthy()
    expect(
      sidebar()
        .getAllByRole('link', { name: /needle/ })
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringContaining('ninth'), expect.stringContaining('fifth')])
    expect(sidebar().queryByRole('button', { name: 'Show more' })).toBeNull()
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('asks the cloud nothing while it has no chat of this person', async () => {
    await seedSession()
    const [plans] = await seedChannels('Plans')
    await ask(plans?.id ?? '', 'm1', 'a private needle')
    const queries = vi.fn(() => ({ status: 200, body: { results: [] } }))
    const app = await renderScreen('/app', { answers: { 'GET /api/channel/search': queries } })
    await search(app, 'needle')
    expect(await sidebar().findByText('1 message found')).toBeTruthy()
    expect(queries).not.toHaveBeenCalled()
  })

  it('says that the cloud could not be searched, shows what this device has, and tries again', async () => {
    await seedSession()
    const [plans] = await seedChannels('Plans')
    await ask(plans?.id ?? '', 'm1', 'a needle')
    let isBroken = true
    const answer = () =>
      isBroken
        ? { status: 503, body: {} }
        : { status: 200, body: { results: [hit({ mId: 'm3', passage: 'another needle', marks: [[8, 14]] })] } }
    const app = await renderScreen('/app', {
      answers: { ...list(cloudChannel('cloud', 'Sky')), 'GET /api/channel/search': answer },
    })
    await search(app, 'needle')
    expect((await sidebar().findByRole('alert')).textContent).toMatch(
      /^The messages in the cloud could not be searched\./,
    )
    expect(await sidebar().findByRole('link', { name: /a needle/ })).toBeTruthy()
    isBroken = false
    await app.user.click(sidebar().getByRole('button', { name: 'Try again' }))
    expect(await sidebar().findByRole('link', { name: /another needle/ })).toBeTruthy()
    expect(sidebar().queryByRole('alert')).toBeNull()
  })

  it('says that nothing was found, and looks for names alone where no word was typed', async () => {
    await seedChannels('What?!')
    const app = await renderScreen()
    await search(app, '?!')
    expect(await sidebar().findByRole('link', { name: /What/ })).toBeTruthy()
    expect(sidebar().queryByRole('heading', { name: /Messages/ })).toBeNull()
    await app.user.type(field(), ' missing')
    expect(await sidebar().findByText('No message has these words.')).toBeTruthy()
    expect(sidebar().getByText('No chat has this name.')).toBeTruthy()
  })

  it('is walked through with the arrows from the field and back; Enter opens the message, Escape clears [CH-037]', async () => {
    const [lease, plans] = await seedChannels('Lease needle', 'Plans')
    await ask(plans?.id ?? '', 'm1', 'the needle')
    const app = await renderScreen()
    await search(app, 'needle')
    const message = await sidebar().findByRole('link', { name: /the needle/ })
    await app.user.keyboard('{ArrowDown}')
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Lease needle'))
    await app.user.keyboard('{ArrowDown}')
    await waitFor(() => expect(document.activeElement).toBe(message))
    await app.user.keyboard('{ArrowUp}')
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Lease needle'))
    await app.user.keyboard('{ArrowUp}')
    expect(document.activeElement).toBe(field())
    await app.user.keyboard('{Enter}')
    await waitFor(() => expect(app.router.shown().location.hash).toBe(lease?.id))
    message.focus()
    await app.user.keyboard('{Enter}')
    await waitFor(() => expect(app.router.shown().location.hash).toBe(plans?.id))
    expect(app.router.shown().location.state.mId).toBe('m1')
    expect(app.router.shown().location.href).not.toContain('m1')
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^You.*the needle/))
    message.focus()
    await app.user.keyboard('{Escape}')
    expect(field()).toHaveProperty('value', '')
    expect(document.activeElement).toBe(field())
    await app.user.keyboard('{Escape}')
    expect(screen.queryByRole('searchbox')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Search chats' }))
  })

  it('reaches the newest message of the open chat, and the same message a second time; more of this device come when asked', async () => {
    const [plans, lease] = await seedChannels('Plans', 'Lease')
    for (let n = 0; n < 60; n++) await ask(plans?.id ?? '', `m${n}`, `needle ${n} of many`, n + 1)
    for (const [n, name] of ['older', 'newest'].entries())
      await ask(lease?.id ?? '', name, `the ${name} needle`, 90 + n)
    const app = await renderScreen(`/app#${lease?.id}`)
    await search(app, 'needle')
    expect(await sidebar().findByText('50 messages found')).toBeTruthy()
    for (const question of ['the newest needle', 'the older needle', 'the older needle']) {
      const hit = await sidebar().findByRole('link', { name: new RegExp(question) })
      hit.focus()
      await app.user.keyboard('{Enter}')
      await waitFor(() => expect(document.activeElement?.textContent).toMatch(new RegExp(`^You.*${question}`)))
    }
    act(() =>
      sidebar()
        .getByRole('link', { name: /the older needle/ })
        .focus(),
    )
    while (document.activeElement?.textContent !== 'Show more') {
      const before = document.activeElement
      await app.user.keyboard('{ArrowDown}')
      await waitFor(() => expect(document.activeElement).not.toBe(before))
    }
    await app.user.keyboard('{Enter}')
    expect(await sidebar().findByText('62 messages found')).toBeTruthy()
  })

  it('follows what is written, renamed and deleted while it is open', async () => {
    const [plans] = await seedChannels('Plans')
    const id = plans?.id ?? ''
    await ask(id, 'm1', 'first needle')
    const app = await renderScreen()
    await search(app, 'needle')
    expect(await sidebar().findByRole('link', { name: /first needle/ })).toBeTruthy()
    await ask(id, 'm2', 'second needle')
    expect(await sidebar().findByRole('link', { name: /second needle/ })).toBeTruthy()
    await localChannels.rename(id, 'Designs')
    expect(await sidebar().findAllByRole('link', { name: /Designs.*needle/ })).toHaveLength(2)
    await localChannels.removeMessage(id, 'm1')
    await waitFor(() => expect(sidebar().queryByRole('link', { name: /first needle/ })).toBeNull())
    await localChannels.remove(id)
    await waitFor(() => expect(sidebar().queryByRole('link', { name: /needle/ })).toBeNull())
  })
})
