import type { Agent } from '@parley/contract/agents'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { useAgentEditor } from '../../data/agents/agent-editor-state'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { type Answers, cardOf, community, me, openPage, search, tab, team } from '../../testing/marketplace'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { agentAnswers, someAgent, someAgents } from '../../testing/some-agents'

const cards = (within_: HTMLElement = screen.getByRole('main')) => within(within_).queryAllByRole('article')
const names = (within_?: HTMLElement) =>
  cards(within_).map((card) => within(card).getByRole('heading', { level: 3 }).textContent)

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

describe('the marketplace', () => {
  it('opens with the top picks: the six that are liked most and six of the team [AG-002, AG-007, AG-010]', async () => {
    const { user } = await openPage()
    const trending = await screen.findByRole('region', { name: 'Trending' })
    await within(trending).findByRole('link', { name: 'Helper 0' })
    expect(names(trending)).toEqual(community.slice(0, 6).map(({ name }) => name))
    const made = screen.getByRole('region', { name: 'Made by Parley' })
    await within(made).findByRole('link', { name: 'Team 0' })
    expect(names(made)).toEqual(team.slice(0, 6).map(({ name }) => name))
    expect((await tab('Top picks')).getAttribute('aria-selected')).toBe('true')
    await user.click(within(made).getByRole('button', { name: 'See all: Made by Parley' }))
    expect((await tab('Parley')).getAttribute('aria-selected')).toBe('true')
    await waitFor(() => expect(names()).toHaveLength(8))
  })

  it('keeps the last tab, under ids that are spelt as they always were, and begins with the first [AG-013, AG-014]', async () => {
    const { user, unmount } = await openPage()
    for (const [name, id] of [
      ['Parley', 'parley'],
      ['Community', 'commmunity'],
      ['My Agents', 'myAssiistants'],
      ['SUI', 'sui'],
      ['Top picks', 'top'],
      ['Community', 'commmunity'],
    ] as const) {
      await user.click(await tab(name))
      expect(localStorage.getItem('assistant-tab')).toBe(id)
    }
    unmount()
    await openPage()
    expect((await tab('Community')).getAttribute('aria-selected')).toBe('true')
  })

  it('falls back to the first tab where the browser kept something else, and says that no wallet has signed one', async () => {
    localStorage.setItem('assistant-tab', 'community')
    const none = { data: [], pagination: { totalAssistants: 0, hasNextPage: false } }
    const { user } = await openPage(undefined, { 'GET /v1/sui/public/assistants': () => ({ status: 200, body: none }) })
    expect((await tab('Top picks')).getAttribute('aria-selected')).toBe('true')
    await user.click(await tab('SUI'))
    expect(await screen.findByText('No SUI assistants available')).toBeTruthy()
  })

  it('holds the places of 6 cards in a section and of 20 in a list while they load [AG-021]', async () => {
    const never = () => new Promise<never>(() => undefined)
    const { user } = await openPage(
      {},
      { 'GET /v1/assistants/community/free': never, 'GET /v1/assistants/company': never },
    )
    const places = (element: HTMLElement) => element.querySelectorAll('[data-agent-skeleton]').length
    expect(places(await screen.findByRole('region', { name: 'Trending' }))).toBe(6)
    expect(places(screen.getByRole('region', { name: 'Made by Parley' }))).toBe(6)
    await user.click(await tab('Community'))
    expect(places(screen.getByRole('tabpanel'))).toBe(20)
  })

  it('turns pages of 21: none before the first, none after one that is not full [AG-018, AG-019, AG-020]', async () => {
    localStorage.setItem('assistant-tab', 'commmunity')
    const { answers, asked } = agentAnswers({ community })
    let arrive: () => void = () => undefined
    const path = 'GET /v1/assistants/community/free'
    const slowly = async (body: unknown, query: URLSearchParams) => {
      if (query.get('page_number') === '1') await new Promise<void>((resolve) => (arrive = resolve))
      return answers[path](body, query)
    }
    const { user } = await openPage({}, { [path]: slowly })
    await cardOf('Helper 0')
    expect(names()).toHaveLength(21)
    const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
    expect(button('Previous').disabled).toBe(true)
    await user.click(button('Next'))
    expect([button('Previous').disabled, button('Next').disabled]).toEqual([true, true])
    arrive()
    await cardOf('Helper 21')
    expect(names()).toEqual(['Helper 21', 'Helper 22', 'Helper 23', 'Helper 24'])
    expect(screen.getByText('Page 2 of 2')).toBeTruthy()
    expect([button('Previous').disabled, button('Next').disabled]).toEqual([false, true])
    await user.click(button('Previous'))
    await cardOf('Helper 0')
    expect(asked.filter((call) => call.startsWith('community')).slice(0, 2)).toEqual([
      'community 0 21 en',
      'community 1 21 en',
    ])
  })

  it('shows one page at a time of exactly 21 as the only one', async () => {
    localStorage.setItem('assistant-tab', 'commmunity')
    await openPage({ community: someAgents(21, 'Helper') })
    await cardOf('Helper 20')
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
  })

  it('tells a failure once, with its text, and tries again when asked to [AG-022]', async () => {
    let isBroken = true
    const { answers } = agentAnswers({ product: team, community })
    const broken = { status: 403, body: { success: false, code: 'forbidden', message: 'x', status: 403 } }
    const failing: Answers = Object.fromEntries(
      Object.entries(answers).map(([path, answer]) => [
        path,
        (body: unknown, query: URLSearchParams) => (isBroken ? broken : answer(body, query)),
      ]),
    )
    const { user } = await openPage({}, failing)
    await waitFor(() => expect(screen.getAllByText('The agents could not be loaded.')).toHaveLength(2))
    const told = () => document.querySelectorAll('[data-tone=error]')
    await waitFor(() => expect(told()).toHaveLength(1))
    expect(told()[0]?.textContent).toContain('You are not allowed to do this.')
    isBroken = false
    for (const retry of screen.getAllByRole('button', { name: 'Try again' })) await user.click(retry)
    await cardOf('Helper 0')
  })

  it('searches all lists once the words have rested: no tabs meanwhile, and back when the box is empty [AG-009, AG-015, AG-016, AG-017]', async () => {
    await seedSession()
    const own = someAgents(2, 'Lamp of mine', { userId: me })
    const hidden = { ...own[1], private: true } as Agent
    const lamps = someAgents(3, 'Lamp')
    const { user, asked } = await openPage({
      product: [someAgent({ _id: 'p', name: 'Lamp team', source: 'product' })],
      community: [...lamps, ...own.slice(0, 1)],
      mine: [...own.slice(0, 1), hidden],
    })
    await user.type(await search(), '   ')
    expect(await tab('Top picks')).toBeTruthy()
    await user.clear(await search())
    asked.length = 0
    await user.type(await search(), 'lamp')
    expect(screen.getByText('Searching...')).toBeTruthy()
    expect(screen.getByRole('status', { name: 'Searching...' })).toBeTruthy()
    expect(screen.queryByRole('tab')).toBeNull()
    expect(await screen.findByRole('heading', { name: 'Found 6 results for "lamp"' })).toBeTruthy()
    expect(names().sort()).toEqual(['Lamp 0', 'Lamp 1', 'Lamp 2', 'Lamp of mine 0', 'Lamp of mine 1', 'Lamp team'])
    // Once, and not for each letter.
    expect(asked.sort()).toEqual(['community 0 50 en lamp', 'mine 0 50 en lamp', 'product 0 50 en lamp'])
    await user.type(await search(), 'zzz')
    expect(await screen.findByText('No assistants found for "lampzzz"')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    expect((await tab('Top picks')).getAttribute('aria-selected')).toBe('true')
    expect(document.activeElement).toBe(await search())
  })

  it('of somebody without agents says so and leads to the first one [AG-011]', async () => {
    await seedSession()
    localStorage.setItem('assistant-tab', 'myAssiistants')
    const { user } = await openPage()
    expect(await screen.findByText("You don't have any agent created yet...")).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Create your first agent' }))
    expect(useAgentEditor.getState().open).toEqual({ kind: 'new' })
  })

  it('lets visitors look around, without a button to publish; a card asks them to sign in [AG-005, AG-041]', async () => {
    const { user, router } = await openPage()
    await cardOf('Helper 0')
    expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
    await user.click(await tab('My Agents'))
    expect(screen.getByText('Sign in to see the agents that you made.')).toBeTruthy()
    await user.click(await tab('Community'))
    await user.click(within(await cardOf('Helper 3')).getByRole('link'))
    expect(useLoginPanel.getState()).toEqual({ view: 'sign-in', returnTo: '/assistant/helper-3' })
    expect(router.shown().location.pathname).toBe('/assistants')
  })
})
