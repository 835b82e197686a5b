import type { Agent } from '@parley/contract/agents'
import type { PublicConfig } from '@parley/contract/config'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { useAgentEditor } from '../../data/agents/agent-editor-state'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'
import { agentAnswers, someAgent, someAgents } from '../../testing/some-agents'

const config: Partial<PublicConfig> = { signInMethods: ['email'] }
const me = aUser().id
const team = someAgents(8, 'Team', { source: 'product', userId: null, userName: 'Parley' })
const community = someAgents(25, 'Helper')

type Answers = NonNullable<NonNullable<Parameters<typeof renderScreen>[1]>['answers']>

/** The page, on a server with these agents. */
async function openPage(lists: Parameters<typeof agentAnswers>[0] = { product: team, community }, more: Answers = {}, address = '/assistants') {
  const { answers, asked } = agentAnswers(lists)
  const view = await renderScreen(address, { config, answers: { ...answers, ...more } })
  return { ...view, asked }
}

const tab = (name: string) => screen.findByRole('tab', { name })
const cards = (within_: HTMLElement = screen.getByRole('main')) => within(within_).queryAllByRole('article')
const names = (within_?: HTMLElement) => cards(within_).map((card) => within(card).getByRole('heading', { level: 3 }).textContent)
const cardOf = async (name: string): Promise<HTMLElement> => {
  const link = await within(screen.getByRole('main')).findByRole('link', { name })
  const card = link.closest('article')
  if (!card) throw new Error(`${name} is on no card`)
  return card
}
const search = () => screen.findByRole('searchbox', { name: 'Search agents' })

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
    const { user } = await openPage({}, { 'GET /v1/assistants/community/free': never, 'GET /v1/assistants/company': never })
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
    expect(asked.filter((call) => call.startsWith('community')).slice(0, 2)).toEqual(['community 0 21 en', 'community 1 21 en'])
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
      Object.entries(answers).map(([path, answer]) => [path, (body: unknown, query: URLSearchParams) => (isBroken ? broken : answer(body, query))]),
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
    expect(router.state.location.pathname).toBe('/assistants')
  })
})

describe('a card', () => {
  it('shows face, name, role, creator and likes; its own buttons are like, share and, on one’s own, edit [AG-037, AG-038, AG-039, AG-040, AG-042]', async () => {
    await seedSession()
    const mine = [
      someAgent({ _id: 'a', name: 'Mine', userId: me, userName: 'Marina', likes: 1284 }),
      someAgent({ _id: 'b', name: 'Hidden', userId: me, private: true }),
      someAgent({ _id: 'c', name: 'Resting', userId: me, enabled: false }),
    ]
    const { user } = await openPage({ product: team, community: [...mine.slice(0, 1), someAgent({ _id: 'd', name: 'Strange' })], mine })
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

describe('a like', () => {
  /** A server whose answer to the next like comes when the test says so. */
  function slowLikes() {
    const calls: string[] = []
    let answer: (status: number, body: object) => void = () => undefined
    const waiting = (kind: string) => (body: unknown) => {
      calls.push(`${kind} ${JSON.stringify(body)}`)
      return new Promise<{ status: number; body: object }>((resolve) => {
        answer = (status, answered) => resolve({ status, body: answered })
      })
    }
    const answers: Answers = { 'POST /v1/assistants/likes': waiting('like'), 'DELETE /v1/assistants/likes': waiting('unlike') }
    return { answers, calls, answer: (status: number, body: object) => answer(status, body) }
  }
  const likeButton = async () => within(await cardOf('Lighthouse keeper')).getByRole('button', { name: /^Like/ })
  const state = async () => {
    const button = await likeButton()
    return [button.textContent, button.getAttribute('aria-pressed'), button.getAttribute('aria-busy')]
  }
  const sent = `{"assistantId":"keeper","userId":"${me}"}`

  it('shows at once, takes no second click while it is under way, and is taken back by the next [AG-076, AG-077, AG-078]', async () => {
    await seedSession()
    const server = slowLikes()
    const { user } = await openPage({ community: [someAgent()] }, server.answers)
    expect(await state()).toEqual(['3', 'false', null])
    await user.click(await likeButton())
    expect(await state()).toEqual(['4', 'true', 'true'])
    await user.click(await likeButton())
    expect(server.calls).toEqual([`like ${sent}`])
    server.answer(200, { likes: 8, likedByMe: true })
    await waitFor(async () => expect(await state()).toEqual(['8', 'true', null]))
    expect(JSON.parse(localStorage.getItem('likesArray') ?? '')).toMatchObject([
      { user_id: me, flag_like: true, flag_dislike: false, id_assistant: 'keeper', cont_likes: 8 },
    ])
    await user.click(await likeButton())
    expect(await state()).toEqual(['7', 'false', 'true'])
    server.answer(200, { likes: 7, likedByMe: false })
    await waitFor(async () => expect(await state()).toEqual(['7', 'false', null]))
    expect(server.calls).toEqual([`like ${sent}`, `unlike ${sent}`])
  })

  it('that the server refuses is taken back, and the reason told', async () => {
    await seedSession()
    const server = slowLikes()
    const { user } = await openPage({ community: [someAgent({ likedByMe: true })] }, server.answers)
    expect(await state()).toEqual(['3', 'true', null])
    await user.click(await likeButton())
    expect(await state()).toEqual(['2', 'false', 'true'])
    server.answer(403, { success: false, code: 'agent.private', message: 'Private assistant', status: 403 })
    await waitFor(async () => expect(await state()).toEqual(['3', 'true', null]))
    expect(await screen.findByText('Private assistant')).toBeTruthy()
    expect(JSON.parse(localStorage.getItem('likesArray') ?? '')).toEqual([])
  })

  it('of before is known by what the browser kept, else by the answer [AG-078, AG-079]', async () => {
    await seedSession()
    const record = { user_id: me, flag_like: true, flag_dislike: false, id_assistant: 'keeper', timestamp: Date.now() + 60_000, cont_likes: 12 }
    localStorage.setItem('likesArray', JSON.stringify([{ ...record, timestamp: Date.now() - 4_800_001 }]))
    refreshAgentCaches()
    const { unmount } = await openPage({ community: [someAgent({ likedByMe: true })] })
    expect(await state()).toEqual(['3', 'true', null])
    unmount()
  })

  it('of a visitor asks them to sign in', async () => {
    const { user } = await openPage({ community: [someAgent()] })
    await user.click(await likeButton())
    expect(useLoginPanel.getState().view).toBe('sign-in')
    expect(await state()).toEqual(['3', 'false', null])
  })
})
