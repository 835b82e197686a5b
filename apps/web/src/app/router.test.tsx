import { isPage, pages } from '@parley/contract/pages'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { notify } from '../data/chat/chat-notices'
import { useLoginPanel } from '../data/session/login-panel'
import { forgetSession } from '../data/session/stored-session'
import { useVault } from '../data/vault/vault-state'
import { renderScreen } from '../testing/render-screen'
import { cleanUp, seedChannels } from '../testing/seed-channels'
import { seedSession } from '../testing/seed-session'
import { createAppRouter } from './router'

afterEach(async () => {
  forgetSession()
  await cleanUp()
})

describe('addresses', () => {
  it('/ and an unknown path lead to the app [CH-010, ST-008]', async () => {
    const { router, unmount } = await renderScreen('/no/such/page')
    await waitFor(() => expect(router.shown().location.pathname).toBe('/app'))
    expect(await screen.findByText('That page does not exist. This is the start.')).toBeTruthy()
    unmount()
    const { router: second } = await renderScreen('/')
    await waitFor(() => expect(second.shown().location.pathname).toBe('/app'))
  })

  it('that the router knows are those that the server gives the app at', () => {
    const own = createAppRouter()
      .routes.map(({ path }) => path)
      .filter((path) => !['/', '*', '/dev/ui'].includes(path))
    expect(own.sort()).toEqual(Object.values(pages).sort())
    for (const path of own) expect([path, isPage(path.replace(/\$\w+/, 'x'))]).toEqual([path, true])
  })

  it('an unknown channel leads to the new-chat home and says so [CH-099]', async () => {
    await seedChannels('Lease clauses')
    const { router } = await renderScreen('/app#0193f000-0000-7000-8000-000000000000')
    expect(await screen.findByText('Channel not found')).toBeTruthy()
    await waitFor(() => expect(router.shown().location.hash).toBe(''))
    expect(document.title).toBe('New chat · Parley')
  })

  it('the address of a channel opens it [CH-084]', async () => {
    const [lease] = await seedChannels('Lease clauses')
    await renderScreen(`/app#${lease?.id}`)
    expect(await screen.findByRole('heading', { level: 1, name: 'Lease clauses' })).toBeTruthy()
  })

  it('any other page unselects the chat, without its title and tools, and the way back selects it again [AG-103, CH-086]', async () => {
    await seedSession()
    const [lease] = await seedChannels('Lease clauses')
    const { router } = await renderScreen(`/app#${lease?.id}`)
    const row = () => within(screen.getByRole('navigation', { name: 'Sidebar' })).findByRole('link', { name: /Lease/ })
    await waitFor(async () => expect((await row()).getAttribute('aria-current')).toBe('page'))
    expect(await screen.findByRole('button', { name: 'Chat tools' })).toBeTruthy()
    await router.navigate('/settings')
    await waitFor(() => expect(router.shown().location.pathname).toBe('/settings'))
    await waitFor(async () => expect((await row()).getAttribute('aria-current')).toBeNull())
    expect(screen.queryByRole('heading', { level: 1, name: 'Lease clauses' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Chat tools' })).toBeNull()
    expect(document.title).not.toContain('Lease clauses')
    router.back()
    expect(await screen.findByRole('heading', { level: 1, name: 'Lease clauses' })).toBeTruthy()
    await waitFor(async () => expect((await row()).getAttribute('aria-current')).toBe('page'))
  })

  it('/about says what this is, without the title and tools of a chat [AG-103]', async () => {
    const { router } = await renderScreen('/about')
    expect(await screen.findByRole('heading', { level: 1, name: 'Parley' })).toBeTruthy()
    expect(router.shown().location.pathname).toBe('/about')
    expect(screen.queryByText('New chat', { selector: 'h1, h2' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Chat tools' })).toBeNull()
    expect(document.title).toBe('About the App · Parley')
  })

  it('what the operator tells everybody is heard outside the chat too', async () => {
    await renderScreen('/about')
    await screen.findByRole('heading', { level: 1, name: 'Parley' })
    act(() => notify({ kind: 'broadcast', id: 'b1', content: 'We restart at noon.' }))
    expect(await screen.findByText('We restart at noon.')).toBeTruthy()
  })

  it.each(['/app', '/about', '/assistants', '/assistant/abc', '/sui-assistants', '/invite/abc', '/reset-password'])(
    'is open to anyone, beside the sidebar: %s [CH-016, ST-009, ST-010]',
    async (address) => {
      const { router } = await renderScreen(address, { config: { signInMethods: ['email'] } })
      expect(await screen.findByRole('navigation', { name: 'Sidebar' })).toBeTruthy()
      await waitFor(() => expect(router.shown().isComing).toBe(false))
      expect(router.shown().location.pathname).toBe(address)
      expect(useLoginPanel.getState().view).toBeUndefined()
    },
  )

  it.each(['/settings?tab=security', '/sui-assistant/create', '/sui-assistant/edit/abc'])(
    'shows nothing of it before somebody has signed in, and remembers where they wanted to go: %s [ST-010]',
    async (address) => {
      const { router } = await renderScreen(address, { config: { signInMethods: ['email', 'sui'] } })
      await waitFor(() => expect(router.shown().location.pathname).toBe('/app'))
      expect(useLoginPanel.getState()).toMatchObject({ view: 'sign-in', returnTo: address })
      useLoginPanel.setState({ view: undefined, returnTo: undefined })
    },
  )

  it('the reset of a password needs no passphrase of the device, and shows nothing of its chats', async () => {
    await seedChannels('Lease clauses')
    const before = useVault.getState()
    onTestFinished(() => useVault.setState(before))
    useVault.setState({ status: 'locked' })
    await renderScreen('/reset-password#token=abc')
    expect(await screen.findByRole('button', { name: 'Confirm Password Reset' })).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Sidebar' })).toBeNull()
    expect(document.body.textContent).not.toContain('Lease')
  })

  it('an anonymous person who wants to move chats is asked to sign in [CH-030]', async () => {
    const { user } = await renderScreen('/about', { config: { signInMethods: ['email'] } })
    await screen.findByRole('button', { name: 'Sign In' })
    await user.click(screen.getByRole('button', { name: 'Chats menu' }))
    await user.click(screen.getByRole('menuitem', { name: 'Migrate to Local (0)' }))
    expect(useLoginPanel.getState().view).toBe('sign-in')
    useLoginPanel.setState({ view: undefined })
  })
})
