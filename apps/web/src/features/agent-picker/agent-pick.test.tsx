import type { PublicConfig } from '@parley/contract/config'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseAgent, chosenAgentId } from '../../data/agents/chosen-agent'
import { startChatWith } from '../../data/agents/start-chat'
import { readAgent, storeAgent } from '../../data/agents/stored-agents'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { forgetSession } from '../../data/session/stored-session'
import { aConfig, renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'
import { agentAnswers, someAgent, someAgents } from '../../testing/some-agents'

const config: Partial<PublicConfig> = { models: 'gateway', signInMethods: ['email'] }
const team = { source: 'product' as const, userId: null, userName: 'Parley' }
const lists = () => ({
  product: [...someAgents(1, 'Parley', { ...team, _id: 'product-parley' }), ...someAgents(12, 'Editor', team)],
  community: someAgents(23, 'Sailor'),
  mine: someAgents(2, 'Own', { userId: aUser().id, userName: 'Marina Duarte' }),
})

beforeEach(() => localStorage.clear())
afterEach(async () => {
  chooseAgent(undefined)
  for (const { body } of await outbox.list()) await outbox.remove(body.messageId)
  await cleanUp()
  forgetSession()
  vi.unstubAllGlobals()
})

const pick = (value: string | RegExp = /./) =>
  screen.findByRole('button', { name: new RegExp(`^Agent: ${typeof value === 'string' ? value : value.source}`) })

async function openPicker(given: Parameters<typeof agentAnswers>[0] = lists(), address = '/app') {
  const { answers, asked } = agentAnswers(given)
  const view = await renderScreen(address, { config, answers })
  await view.user.click(await pick())
  return { ...view, asked, dialog: await screen.findByRole('dialog', { name: 'Choose an agent' }) }
}

const rows = (dialog: HTMLElement) =>
  within(dialog)
    .queryAllByRole('row')
    .map((row) => row.textContent ?? '')
const untilRow = (dialog: HTMLElement, text: string) =>
  waitFor(() => expect(rows(dialog).some((row) => row.includes(text))).toBe(true))
const active = (dialog: HTMLElement) => dialog.querySelector('[data-active] b')?.textContent

describe('somebody signed in', () => {
  beforeEach(() => seedSession())

  it('finds the team’s agents, the community’s and their own in three tabs, page by page [ST-105, ST-108, ST-109]', async () => {
    const { user, dialog, asked } = await openPicker()
    expect(
      within(dialog)
        .getAllByRole('tab')
        .map((tab) => tab.textContent),
    ).toEqual(['Parley agents', 'Community', 'My agents'])
    const box = within(dialog).getByRole('combobox', { name: 'Search agents' })
    await waitFor(() => expect(box).toBe(document.activeElement))
    await untilRow(dialog, 'Editor 11')
    expect(within(dialog).queryByRole('navigation')).toBeNull()
    await user.click(within(dialog).getByRole('tab', { name: 'Community' }))
    await untilRow(dialog, 'Sailor 9')
    expect(rows(dialog).filter((row) => row.includes('Sailor'))).toHaveLength(10)
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Previous' }).disabled).toBe(true)
    await user.click(within(dialog).getByRole('button', { name: 'Next' }))
    await untilRow(dialog, 'Sailor 19')
    expect(rows(dialog)).toHaveLength(10)
    await user.click(within(dialog).getByRole('button', { name: 'Next' }))
    await untilRow(dialog, 'Sailor 22')
    expect(within(dialog).getByText('Page 3')).toBeTruthy()
    // Fewer than ten: there is no next one.
    expect(rows(dialog)).toHaveLength(3)
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true)
    await user.click(within(dialog).getByRole('tab', { name: 'My agents' }))
    await untilRow(dialog, 'Own 1')
    expect(asked.filter((call) => !call.startsWith('product'))).toEqual([
      'community 0 10 en',
      'community 1 10 en',
      'community 2 10 en',
      'mine 0 10 en',
    ])
    expect(asked[0]).toBe('product 0 100 en')
  })

  it('by keyboard begins a chat with one, and goes back to the general assistant [ST-110, ST-078]', async () => {
    const { user, dialog } = await openPicker()
    await untilRow(dialog, 'Editor 11')
    // It stands in the team's list as well, and in the picker once.
    expect(rows(dialog).filter((row) => row.includes('Parley'))).toEqual(['ParleySuper Chat'])
    expect(active(dialog)).toBe('Parley')
    await user.keyboard('{End}')
    expect(active(dialog)).toBe('Editor 11')
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{PageDown}{PageUp}{ArrowUp}')
    expect(active(dialog)).toBe('Editor 0')
    expect(within(dialog).getByRole('combobox').getAttribute('aria-activedescendant')).toBe(
      dialog.querySelector('[data-active]')?.id,
    )
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await pick('Editor 0')).toBe(document.activeElement)
    expect(await screen.findByRole('heading', { level: 1, name: 'Editor 0' })).toBeTruthy()
    expect(screen.getByText('Ahoy! Which lamp?')).toBeTruthy()
    expect(JSON.parse(localStorage.getItem('configsMainChat') ?? '')).toMatchObject({ assistant: 'editor-0' })

    await user.click(await pick('Editor 0'))
    const again = await screen.findByRole('dialog')
    await untilRow(again, 'Editor 11')
    const first = ['General assistant', 'ParleySuper Chat', 'Recently used', 'Editor 0Knows the coast']
    await waitFor(() => expect(rows(again).slice(0, 4)).toEqual(first))
    await user.keyboard('{Home}{Enter}')
    expect(await pick('Parley')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Editor 0' })).toBeNull()
    expect(chosenAgentId()).toBeUndefined()
  })

  it('searches all three from two letters on, and reads that none was found [ST-106]', async () => {
    const { user, dialog, asked } = await openPicker({
      ...lists(),
      community: [...someAgents(2, 'Sailor'), ...someAgents(1, 'Own 0 in public', { _id: 'own-0' })],
    })
    await untilRow(dialog, 'Editor 11')
    await user.keyboard('s')
    await untilRow(dialog, 'Editor 11')
    await user.keyboard('{Backspace}or')
    await untilRow(dialog, 'Sailor 1')
    expect(rows(dialog)).toContain('Parley agents')
    expect(rows(dialog)).toContain('Community')
    expect(asked.filter((call) => call.endsWith(' or')).map((call) => call.split(' ')[0])).toEqual([
      'product',
      'community',
      'mine',
    ])
    await user.clear(within(dialog).getByRole('combobox'))
    await user.paste('own 0')
    await untilRow(dialog, 'Own 0')
    // What is one's own and public stands in it once.
    expect(rows(dialog)).toEqual(['My agents', expect.stringContaining('Own 0')])
    await user.clear(within(dialog).getByRole('combobox'))
    await user.paste('zzz')
    expect(await within(dialog).findByText('No assistants found')).toBeTruthy()
    await user.click(within(dialog).getByRole('tab', { name: 'Community' }))
    await untilRow(dialog, 'Sailor 0')
  })

  it('has favorites and what was used last at the top of their tab, without those that are gone', async () => {
    const { user, dialog } = await openPicker()
    await user.click(within(dialog).getByRole('tab', { name: 'Community' }))
    await untilRow(dialog, 'Sailor 9')
    await user.click(within(dialog).getByRole('button', { name: 'Add Sailor 4 to favorites' }))
    await user.click(within(dialog).getByText('Sailor 7'))
    startChatWith(someAgent({ _id: 'gone', name: 'Long gone' }))
    await waitFor(async () => expect(await readAgent('gone')).toBeTruthy())
    await user.click(await screen.findByRole('button', { name: /^Agent: / }))
    const again = await screen.findByRole('dialog')
    await user.click(within(again).getByRole('tab', { name: 'Community' }))
    const shown = [
      'General assistant',
      'ParleySuper Chat',
      'Favorites',
      'Sailor 4Knows the coastby Otto',
      'Recently used',
      'Sailor 7Knows the coastby Otto',
      'All agents',
    ]
    await waitFor(() => expect(rows(again).slice(0, shown.length)).toEqual(shown))
    expect(rows(again).some((row) => row.includes('Long gone'))).toBe(false)
    expect(rows(again).filter((row) => row.includes('Sailor 4'))).toHaveLength(1)
  })

  it('reads that the agents could not be loaded, and tries again', async () => {
    let isBroken = true
    const { answers } = agentAnswers(lists())
    const company = answers['GET /v1/assistants/company']
    const answer = (body: unknown, query: URLSearchParams) =>
      isBroken ? { status: 403, body: { code: 'forbidden' } } : company(body, query)
    const { user } = await renderScreen('/app', {
      config,
      answers: { ...answers, 'GET /v1/assistants/company': answer },
    })
    await user.click(await pick())
    const dialog = await screen.findByRole('dialog')
    expect((await within(dialog).findByRole('alert', {}, { timeout: 15_000 })).textContent).toContain(
      'The agents could not be loaded.',
    )
    isBroken = false
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }))
    await untilRow(dialog, 'Editor 0')
  })

  it('on a narrow screen goes to the agents’ page instead [ST-107, CH-014]', async () => {
    narrow()
    const { answers } = agentAnswers(lists())
    const { user, router } = await renderScreen('/app', { config, answers })
    await user.click(await screen.findByRole('button', { name: 'Chat settings' }))
    await user.click(await pick())
    await waitFor(() => expect(router.shown().location.pathname).toBe('/assistants'))
    expect(screen.queryByRole('dialog', { name: 'Choose an agent' })).toBeNull()
  })

  it('asks every question of a chat in the name of its agent, one on the chain in a field of its own [ST-075]', async () => {
    for (const [_id, sent] of [
      ['keeper', { assistantId: 'keeper' }],
      ['0xabc', { assistantId: null, suiAssistantId: '0xabc' }],
    ] as const) {
      const agent = someAgent({ _id, name: `Agent ${_id}` })
      startChatWith(agent)
      const { answers } = agentAnswers({ community: [agent] })
      const { user, unmount } = await renderScreen('/app', { config, answers })
      await user.type(await screen.findByRole('textbox', { name: 'Message' }), `Which lamp, ${_id}?{Enter}`)
      await waitFor(async () =>
        expect((await outbox.list()).at(-1)?.body).toMatchObject({ question: `Which lamp, ${_id}?`, ...sent }),
      )
      // The question may stand in the outbox a moment before it stands in the chat.
      await waitFor(async () => {
        const [channel] = await localChannels.list()
        expect(channel?.assistantId).toBe(_id)
        expect((await localChannels.messages(channel?.id ?? '')).messages[0]?.assistantId).toBe(_id)
      })
      unmount()
    }
  })

  it('shows face, name and greeting of a chat whose agent is gone, from this device; choosing another one begins a new chat', async () => {
    await storeAgent(someAgent({ _id: 'was-here', name: 'Was Here' }))
    const { id } = await localChannels.create({ assistantId: 'was-here', channelName: 'Old talk' })
    const said = {
      channelId: id,
      chat_response: { role: 'assistant', content: 'The lamp turns.' },
      status: 'completed',
    } as const
    await localChannels.put({ mId: 'one', chat_request: 'Which lamp?', datetime: new Date().toISOString(), ...said })
    await localChannels.put({
      mId: 'two',
      chat_request: 'From elsewhere',
      datetime: new Date().toISOString(),
      forwarded: true,
      ...said,
    })
    const { user, dialog } = await openPicker(lists(), `/app#${id}`)
    await untilRow(dialog, 'Editor 11')
    const log = within(await screen.findByRole('log', { hidden: true }))
    expect(await log.findByText('Ahoy! Which lamp?')).toBeTruthy()
    const speakers = () =>
      [...document.querySelectorAll('[data-answer]')].map((answer) => answer.firstElementChild?.textContent)
    // What was forwarded here this agent never said.
    await expect.poll(speakers).toEqual(['Was Here', 'Parley'])
    await user.click(within(dialog).getByText('Editor 3'))
    expect(await screen.findByRole('heading', { level: 1, name: 'Editor 3' })).toBeTruthy()
    expect((await localChannels.get(id))?.assistantId).toBe('was-here')
  })

  it('hears of it when the agent of the new chat is gone, and has the general assistant', async () => {
    startChatWith(someAgent({ _id: 'left', name: 'Left' }))
    await renderScreen('/app', { config, answers: agentAnswers({}).answers })
    expect(await screen.findByText('This assistant is no longer available.')).toBeTruthy()
    expect(chosenAgentId()).toBeUndefined()
    expect(await pick('Parley')).toBeTruthy()
  })

  it('keeps of an agent what everybody may see, and no instructions [ST-074]', async () => {
    await storeAgent({
      ...someAgent({ _id: 'own' }),
      prompt: 'CANARY',
      knowledge: 'CANARY',
      userEmail: 'marina@example.com',
    })
    const kept = await readAgent('own')
    expect(Object.keys(kept ?? {})).toEqual(
      expect.arrayContaining(
        '_id id name role about profileImage category enabled language userId userName likes userPrice defaultGreetings private'.split(
          ' ',
        ),
      ),
    )
    expect(JSON.stringify(kept)).not.toMatch(/CANARY|marina@/)
  })
})

it.each([
  ['known', () => ({ status: 200, body: { ...aConfig, ...config } })],
  ['still on its way', () => new Promise<never>(() => undefined)],
])('nobody chooses who is not signed in, the configuration %s: the sign-in panel comes [ST-107]', async (_, given) => {
  const { user } = await renderScreen('/app', { answers: { 'GET /api/config': given } })
  await user.click(await pick())
  expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
  expect(screen.queryByRole('dialog', { name: 'Choose an agent' })).toBeNull()
})

function narrow(): void {
  const isNarrow = (media: string) => ({
    matches: media.startsWith('(max-width'),
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  })
  vi.stubGlobal('matchMedia', isNarrow)
}
