import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { useAgentEditor } from '../../data/agents/agent-editor-state'
import { closeLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { cardOf, me, openPage, search, tab, team } from '../../testing/marketplace'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { someAgent } from '../../testing/some-agents'

beforeEach(() => {
  localStorage.clear()
  refreshAgentCaches()
})
afterEach(async () => {
  closeLoginPanel()
  useAgentEditor.setState({ open: undefined })
  await cleanUp()
  forgetSession()
})

describe('a card', () => {
  it('shows face, name, role, creator and likes; its own buttons are like, share and, on one’s own, edit [AG-037, AG-038, AG-039, AG-040, AG-042]', async () => {
    await seedSession()
    const mine = [
      someAgent({ _id: 'a', name: 'Mine', userId: me, userName: 'Marina', likes: 1284 }),
      someAgent({ _id: 'b', name: 'Hidden', userId: me, private: true }),
      someAgent({ _id: 'c', name: 'Resting', userId: me, enabled: false }),
    ]
    const { user } = await openPage({
      product: team,
      community: [...mine.slice(0, 1), someAgent({ _id: 'd', name: 'Strange' })],
      mine,
    })
    const buttonsOf = (card: HTMLElement) =>
      within(card)
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label'))
    const top = await cardOf('Mine')
    expect(top.dataset.layout).toBe('horizontal')
    expect((await cardOf('Team 0')).dataset.layout).toBe('vertical')
    expect(top.querySelector('img')?.getAttribute('src')).toBe('/api/faces/keeper.svg')
    for (const text of ['Mine', 'Knows the coast', 'Marina', '1,284']) expect(within(top).getByText(text)).toBeTruthy()
    // Not in My Agents, and no search.
    expect(buttonsOf(top)).toEqual(['Like Mine: 1,284 likes', 'Share Mine'])

    await user.click(await tab('My Agents'))
    expect(buttonsOf(await cardOf('Mine'))).toEqual(['Like Mine: 1,284 likes', 'Share Mine', 'Edit Mine'])
    const hidden = await cardOf('Hidden')
    expect(buttonsOf(hidden)).toEqual(['Like Hidden: 3 likes', 'Edit Hidden'])
    expect(within(hidden).getByText('Private')).toBeTruthy()
    const resting = await cardOf('Resting')
    expect(resting.hasAttribute('data-inactive')).toBe(true)
    expect(within(resting).getByText('Inactive')).toBeTruthy()
    await user.click(within(hidden).getByRole('button', { name: 'Edit Hidden' }))
    expect(useAgentEditor.getState().open).toEqual({ kind: 'edit', id: 'b' })
    useAgentEditor.setState({ open: undefined })

    await user.type(await search(), 'n')
    await screen.findByRole('heading', { name: /^Found/ })
    expect(buttonsOf(await cardOf('Mine'))).toContain('Edit Mine')
    expect(buttonsOf(await cardOf('Strange'))).not.toContain('Edit Strange')
  })

  it('shows the face that stands for any agent when its own picture cannot be loaded [AG-012]', async () => {
    await openPage()
    const card = await cardOf('Helper 0')
    const picture = card.querySelector('img')
    if (!picture) throw new Error('no picture')
    fireEvent.error(picture)
    expect(card.querySelector('img')).toBeNull()
    expect(card.querySelector('svg rect')).toBeTruthy()
  })

  it('shows hostile texts as the texts they are', async () => {
    const name = '<img src=x onerror=alert(1)>'
    await openPage({ community: [someAgent({ name, role: '<script>alert(1)</script>', languages: [] })] })
    const card = await cardOf(name)
    expect(within(card).getByText('<script>alert(1)</script>')).toBeTruthy()
    expect(card.querySelector('script, img[src=x]')).toBeNull()
    // What runs from right to left stays in its own place.
    expect(within(card).getByText(name).tagName).toBe('BDI')
  })
})
