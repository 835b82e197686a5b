import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { closeLoginPanel } from '../../data/session/login-panel'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

beforeEach(() => localStorage.clear())
afterEach(async () => {
  closeLoginPanel()
  await cleanUp()
})

const sidebar = () => screen.getByRole('navigation', { name: 'Sidebar' })

type Person = Awaited<ReturnType<typeof renderScreen>>['user']

async function choose(user: Person, item: string): Promise<void> {
  await user.click(within(sidebar()).getByRole('button', { name: 'Chats menu' }))
  await user.click(screen.getByRole('menuitem', { name: item }))
}

describe('the sidebar', () => {
  it('shows logo, collapse, new chat, chats and footer from top to bottom, the storage switch hidden [CH-016, CH-020, CH-022, CH-023, CH-144]', async () => {
    await renderScreen()
    const controls = [
      within(sidebar()).getByRole('link', { name: 'Parley: new chat' }),
      within(sidebar()).getByRole('button', { name: 'Collapse sidebar' }),
      within(sidebar()).getByRole('button', { name: /New chat/ }),
      within(sidebar()).getByRole('button', { name: 'Agents' }),
      await within(sidebar()).findByRole('heading', { name: 'Chats' }),
      within(sidebar()).getByRole('button', { name: 'About the App' }),
      within(sidebar()).getByRole('button', { name: /Guest/ }),
    ]
    for (const [index, control] of controls.entries()) {
      const next = controls[index + 1]
      if (next) expect(control.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
    }
    expect(within(sidebar()).queryByRole('radio', { name: 'Cloud' })).toBeNull()
  })

  it('collapses, and stays collapsed on the next visit [CH-017, ST-081]', async () => {
    const { user, unmount } = await renderScreen()
    await user.click(screen.getByRole('button', { name: 'Collapse sidebar' }))
    expect(screen.queryByRole('heading', { name: 'Chats' })).toBeNull()
    expect(localStorage.getItem('left-bar-open')).toBe('false')
    unmount()
    await renderScreen()
    await user.click(screen.getByRole('button', { name: 'Expand sidebar' }))
    expect(await screen.findByRole('heading', { name: 'Chats' })).toBeTruthy()
    expect(localStorage.getItem('left-bar-open')).toBe('true')
  })

  it.each([
    ['New chat', (user: Person) => user.click(within(sidebar()).getByRole('button', { name: /New chat/ }))],
    ['Agents', (user: Person) => user.click(within(sidebar()).getByRole('button', { name: 'Agents' }))],
    ['Delete all chats', (user: Person) => choose(user, 'Delete all chats')],
    ['Export all chats', (user: Person) => choose(user, 'Export all chats')],
  ])(
    'of an anonymous person asks to sign in where %s is wanted, and does nothing else [CH-030]',
    async (_action, ask) => {
      const [lease] = await seedChannels('Lease clauses')
      const { user, router } = await renderScreen(`/app#${lease?.id}`, { config: { signInMethods: ['email'] } })
      await within(sidebar()).findByRole('link', { name: /Lease/ })
      await screen.findByRole('button', { name: 'Sign In' })
      await ask(user)
      expect(await screen.findByRole('dialog')).toBeTruthy()
      expect(screen.getByRole('heading', { name: 'Welcome back' })).toBeTruthy()
      expect(router.shown().location.hash).toBe(lease?.id)
      expect(await localChannels.list()).toHaveLength(1)
    },
  )

  it('says what to do when there is no chat', async () => {
    await renderScreen()
    expect(await screen.findByText(/No chats yet/)).toBeTruthy()
  })

  it('lists the chats under their date with name and home [CH-026, CH-034, CH-035]', async () => {
    await seedChannels('Lease clauses', 'Sourdough')
    await renderScreen()
    expect(await within(sidebar()).findByRole('link', { name: /Lease clauses\s*local/ })).toBeTruthy()
    expect(within(sidebar()).getByRole('heading', { name: 'Today' })).toBeTruthy()
  })

  it('searches by name: one list of results instead of the groups; a blank search is ignored [CH-025, CH-028, CH-029]', async () => {
    await seedChannels('Lease clauses', 'Sourdough')
    const { user } = await renderScreen()
    await within(sidebar()).findByRole('link', { name: /Lease/ })
    await user.click(screen.getByRole('button', { name: 'Search chats' }))
    const field = screen.getByRole('searchbox', { name: 'Search chats' })
    expect(document.activeElement).toBe(field)
    await user.type(field, 'LEASE')
    expect(within(sidebar()).getByRole('heading', { name: 'Search results' })).toBeTruthy()
    expect(within(sidebar()).queryByRole('heading', { name: 'Today' })).toBeNull()
    expect(within(sidebar()).queryByRole('link', { name: /Sourdough/ })).toBeNull()
    await user.clear(field)
    await user.type(field, '   ')
    expect(within(sidebar()).getByRole('link', { name: /Sourdough/ })).toBeTruthy()
    await user.type(field, 'no such name')
    expect(await screen.findByText('No chat has this name.')).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(within(sidebar()).getByRole('link', { name: /Sourdough/ })).toBeTruthy()
  })

  it('selects a chat by its row; the logo and New chat unselect it [CH-021, CH-037]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    const { user, router } = await renderScreen()
    await user.click(await within(sidebar()).findByRole('link', { name: /Lease/ }))
    await waitFor(() => expect(router.shown().location.hash).toBe(lease?.id))
    expect(await screen.findByRole('heading', { level: 1, name: 'Lease clauses' })).toBeTruthy()
    expect(within(sidebar()).getByRole('link', { name: /Lease/ }).getAttribute('aria-current')).toBe('page')
    await waitFor(() => expect(document.title).toBe('Parley'))
    await user.click(screen.getByRole('link', { name: 'Parley: new chat' }))
    await waitFor(() => expect(router.shown().location.hash).toBe(''))
    await user.click(within(sidebar()).getByRole('link', { name: /Lease/ }))
    await waitFor(() => expect(router.shown().location.hash).toBe(lease?.id))
    await user.click(within(sidebar()).getByRole('button', { name: /New chat/ }))
    await waitFor(() => expect(router.shown().location.hash).toBe(''))
  })

  it('shows only the contact links that this server has [CH-145]', async () => {
    await renderScreen('/app', { config: { contact: { discord: 'https://discord.example/parley' } } })
    const link = await screen.findByRole('link', { name: 'Discord' })
    expect(link.getAttribute('href')).toBe('https://discord.example/parley')
    expect(screen.queryByRole('link', { name: 'Instagram' })).toBeNull()
  })
})

describe('the keyboard', () => {
  it('walks through the chats, opens a new one, the palette and the list of keys', async () => {
    const channels = await seedChannels('First', 'Second')
    const { user, router } = await renderScreen()
    await within(sidebar()).findByRole('link', { name: /First/ })
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(router.shown().location.hash).toBe(channels[1]?.id))
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(router.shown().location.hash).toBe(channels[0]?.id))
    await user.keyboard('{Control>}j{/Control}')
    await waitFor(() => expect(router.shown().location.hash).toBe(''))
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'sec')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.shown().location.hash).toBe(channels[1]?.id))
    await user.click(document.body)
    await user.keyboard('?')
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
  })
})
