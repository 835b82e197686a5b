import type { PublicConfig } from '@parley/contract/config'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { chooseAgent, chosenAgentId } from '../../data/agents/chosen-agent'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'
import { agentAnswers, someAgent, someAgents } from '../../testing/some-agents'

const config: Partial<PublicConfig> = { signInMethods: ['email'] }
const keeper = someAgent({ likes: 1284 })
const others = someAgents(3, 'Other')

type Answers = NonNullable<NonNullable<Parameters<typeof renderScreen>[1]>['answers']>

/** The page at this address, on a server with these agents. */
async function openPage(
  address: string,
  { community = [keeper, ...others], mine = [] }: Parameters<typeof agentAnswers>[0] = {},
  more: Answers = {},
) {
  const { answers } = agentAnswers({ community, mine })
  const ofCreator = (_body: unknown, query: URLSearchParams) => {
    const assistants = community.filter(({ userId }) => userId === query.get('user_id'))
    return { status: 200, body: { assistants, total_count: assistants.length } }
  }
  const topics = {
    'GET /api/channels-topic/0/20/keeper/-': () => ({
      status: 200,
      body: { content: [], page: 0, size: 20, total: 0 },
    }),
  }
  return renderScreen(address, {
    config,
    answers: { ...answers, 'GET /v1/assistants/public/user': ofCreator, ...topics, ...more },
  })
}

const info = (name = 'Knows the coast') => screen.findByRole('dialog', { name })
const refused = (code: 'agent.private' | 'agent.not-found', status: number): Answers => ({
  'GET /v1/assistant': () => ({
    status,
    body: {
      success: false,
      code,
      message: code === 'agent.private' ? 'Private assistant' : 'Assistant not found.',
      status,
    },
  }),
})

beforeEach(() => {
  localStorage.clear()
  refreshAgentCaches()
})
afterEach(async () => {
  chooseAgent(undefined)
  closeLoginPanel()
  vi.restoreAllMocks()
  await cleanUp()
  forgetSession()
})

describe('what is told of an agent', () => {
  it('is its face, its role as the heading, its creator, what it is about, likes and how much its creator made [AG-070, AG-071, AG-072]', async () => {
    await seedSession()
    const { user, router } = await openPage('/assistants')
    await user.click(await screen.findByRole('link', { name: 'Lighthouse keeper' }))
    const dialog = await info()
    expect(router.shown().location.pathname).toBe('/assistant/keeper')
    expect(within(dialog).getByRole('heading', { level: 2 }).textContent).toBe('Knows the coast')
    expect(dialog.querySelector('img')?.getAttribute('src')).toBe('/api/faces/keeper.svg')
    expect(dialog.textContent).toContain('Created by Otto')
    expect(within(dialog).getByText('Answers questions about lamps, storms and ships.')).toBeTruthy()
    expect(within(dialog).getByRole('button', { name: 'Like Lighthouse keeper: 1,284 likes' })).toBeTruthy()
    await waitFor(() => expect(dialog.textContent).toContain('3 In productivity'))
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(router.shown().location.pathname).toBe('/assistants')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says that there is no description where there is none [AG-071]', async () => {
    await openPage('/assistant/keeper', { community: [someAgent({ about: ' ', languages: [] })] })
    expect(within(await info()).getByText('No description available.')).toBeTruthy()
  })

  it('switches to another one of the creator, in the same place [AG-073]', async () => {
    const { user, router } = await openPage('/assistant/keeper', {
      community: [keeper, ...someAgents(6, 'Other', { role: 'Does more' })],
    })
    const more = await within(await info()).findByRole('region', { name: 'More by Otto' })
    expect(
      within(more)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['Other 03', 'Other 13', 'Other 23', 'Other 33'])
    await user.click(within(more).getByRole('button', { name: 'See all: More' }))
    expect(within(more).getAllByRole('link')).toHaveLength(6)
    await user.click(within(more).getByRole('link', { name: /^Other 5/ }))
    expect(await screen.findByText('Other 5', { selector: 'p bdi' })).toBeTruthy()
    expect(router.shown().location.pathname).toBe('/assistant/other-5')
    const next = await screen.findByRole('region', { name: 'More by Otto' })
    expect(within(next).getByRole('link', { name: /^Lighthouse keeper/ })).toBeTruthy()
    expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true)
  })

  it('leads to a chat with it [AG-074]', async () => {
    await seedSession()
    const { user, router } = await openPage('/assistant/keeper')
    await user.click(within(await info()).getByRole('button', { name: 'Start chat' }))
    await waitFor(() => expect(router.shown().location.pathname).toBe('/app'))
    expect(chosenAgentId()).toBe('keeper')
  })

  it('asks a visitor who wants to chat to sign in first, and to come back', async () => {
    const { user, router } = await openPage('/assistant/keeper')
    await user.click(within(await info()).getByRole('button', { name: 'Start chat' }))
    expect(useLoginPanel.getState()).toEqual({ view: 'sign-in', returnTo: '/assistant/keeper' })
    expect(router.shown().location.pathname).toBe('/assistant/keeper')
  })

  it('of one that is switched off offers no chat to others, and one to its creator', async () => {
    await openPage('/assistant/keeper', { community: [someAgent({ enabled: false })] })
    const start = () =>
      within(screen.getByRole('dialog')).getByRole<HTMLButtonElement>('button', { name: 'Start chat' })
    await info()
    expect(start().disabled).toBe(true)
    expect(screen.getByText('This agent is switched off and takes no new chats.')).toBeTruthy()
    await cleanUp()
    await seedSession()
    await openPage('/assistant/keeper', { community: [], mine: [someAgent({ enabled: false, userId: aUser().id })] })
    await info()
    expect(start().disabled).toBe(false)
  })

  it("names the person's own topics under it, which lead to their channels [ST-200]", async () => {
    await seedSession()
    const topic = {
      channelId: 'lamp-channel',
      topicId: 't',
      subject: 'The lamp of Point Vermilion',
      user: aUser().id,
      assistantId: 'keeper',
      chat_response: { content: '' },
      datetime: '2026-01-01T00:00:00.000Z',
    }
    const answer = () => ({ status: 200, body: { content: [topic], page: 0, size: 20, total: 1 } })
    const { user, router } = await openPage(
      '/assistant/keeper',
      {},
      { 'GET /api/channels-topic/0/20/keeper/-': answer },
    )
    const topics = await within(await info()).findByRole('region', { name: 'Topics' })
    await user.click(within(topics).getByRole('button', { name: 'The lamp of Point Vermilion' }))
    await waitFor(() => expect(router.shown().location.pathname).toBe('/app'))
  })
})

describe('an agent at its own address', () => {
  it('is asked for under a notice, then shown; closing leads to all agents [AG-082, AG-083]', async () => {
    let answer: () => void = () => undefined
    const slow = () =>
      new Promise<{ status: number; body: object }>(
        (resolve) => (answer = () => resolve({ status: 200, body: keeper })),
      )
    const { user, router } = await openPage('/assistant/keeper', { community: [] }, { 'GET /v1/assistant': slow })
    expect((await screen.findByText('Loading assistant...')).closest('[role=status]')).toBeTruthy()
    answer()
    const dialog = await info()
    expect(screen.queryByText('Loading assistant...')).toBeNull()
    await user.click(within(dialog).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(router.shown().location.pathname).toBe('/assistants'))
  })

  it.each([
    ['agent.private', 403, 'This assistant is private.'],
    ['agent.not-found', 404, 'Assistant not found.'],
  ] as const)('that cannot be seen says why (%s), and leads back [AG-084, AG-085]', async (code, status, text) => {
    const { user, router } = await openPage('/assistant/keeper', { community: [] }, refused(code, status))
    const dialog = await screen.findByRole('dialog', { name: text })
    await user.click(within(dialog).getByRole('button', { name: 'Back to assistants' }))
    await waitFor(() => expect(router.shown().location.pathname).toBe('/assistants'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('that has become private since a list named it is shown no longer [AG-084]', async () => {
    await seedSession()
    const { user } = await openPage('/assistants', {}, refused('agent.private', 403))
    await user.click(await screen.findByRole('link', { name: 'Lighthouse keeper' }))
    expect(await screen.findByRole('dialog', { name: 'This assistant is private.' })).toBeTruthy()
    expect(screen.queryByText('Answers questions about lamps, storms and ships.')).toBeNull()
  })
})

describe('sharing', () => {
  it("copies the agent's link [AG-086]", async () => {
    const { user } = await openPage('/assistant/keeper')
    await user.click(within(await info()).getByRole('button', { name: 'Share' }))
    expect(await screen.findByText('Link copied!')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/assistant/keeper`)
  })

  it('shows the link where the browser does not let it be copied', async () => {
    const { user } = await openPage('/assistant/keeper')
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
    await user.click(within(await info()).getByRole('button', { name: 'Share' }))
    expect(await screen.findByText(`The link could not be copied: ${location.origin}/assistant/keeper`)).toBeTruthy()
  })

  it('of a private one is refused [AG-087]', async () => {
    await seedSession()
    const { user } = await openPage('/assistant/keeper', {
      community: [],
      mine: [someAgent({ private: true, userId: aUser().id })],
    })
    const written = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(within(await info()).getByRole('button', { name: 'Share' }))
    expect(await screen.findByText('Private assistants cannot be shared')).toBeTruthy()
    expect(written).not.toHaveBeenCalled()
  })
})
