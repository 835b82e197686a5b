import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'
import { someAgents } from '../../testing/some-agents'

const address = `0x${'7f3a'.repeat(16)}`
const signed = someAgents(25, 'Signed', {
  ...{ source: 'sui', userName: '0x7f3a…7f3a' },
  sui: { address, version: 4, digest: '', signedAt: '2026-11-21T12:00:00.000Z' },
}).map((agent, place) => ({ ...agent, _id: `0x${place}` }))

type Answers = NonNullable<NonNullable<Parameters<typeof renderScreen>[1]>['answers']>

const listed =
  (agents = signed) =>
  (_body: unknown, query: URLSearchParams) => {
    const from = Number(query.get('page_number')) * Number(query.get('page_size'))
    const data = agents.slice(from, from + Number(query.get('page_size')))
    return {
      status: 200,
      body: { data, pagination: { totalAssistants: agents.length, hasNextPage: from + data.length < agents.length } },
    }
  }

const openPage = (answers: Answers = {}, path = '/sui-assistants') =>
  renderScreen(path, {
    config: { signInMethods: ['email', 'sui'] },
    answers: {
      'GET /v1/sui/public/assistants': listed(),
      'GET /v1/sui/public/user-assistants': listed([]),
      ...answers,
    },
  })

const seedWallet = () => seedSession(aUser({ email: `${address}@sui`, name: '', app_metadata: { kind: 'sui' } }))
const names = () =>
  screen.queryAllByRole('article').map((card) => within(card).getByRole('heading', { level: 3 }).textContent)

beforeEach(() => {
  localStorage.clear()
  refreshAgentCaches()
})
afterEach(async () => {
  closeLoginPanel()
  await cleanUp()
  forgetSession()
})

describe('the page of agents of wallets', () => {
  it('has its heading and a grid of twenty a page; Next is for as long as there is a next one [AG-088, AG-090, AG-096, AG-097]', async () => {
    const { user } = await openPage()
    expect(await screen.findByRole('heading', { level: 1, name: 'SUI Blockchain Assistants' })).toBeTruthy()
    await waitFor(() => expect(names()).toHaveLength(20))
    expect(screen.getAllByText('Version 4, signed Nov 21')).toHaveLength(20)
    expect(screen.getByRole('button', { name: 'Agents' }).getAttribute('aria-current')).toBe('page')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(names()).toEqual(signed.slice(20).map(({ name }) => name)))
    expect((screen.getByRole('button', { name: 'Next' }) as HTMLButtonElement).disabled).toBe(true)
  })

  it('offers to create to whoever has a Sui wallet, and tells the others what it takes [AG-089, AG-091, AG-092, AG-099]', async () => {
    const none = { 'GET /v1/sui/public/assistants': listed([]) }
    const { unmount } = await openPage(none)
    expect(await screen.findByText('No SUI assistants available')).toBeTruthy()
    expect(screen.getAllByText('Connect a SUI wallet to create blockchain assistants')).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Create' })).toBeNull()
    unmount()
    await seedWallet()
    const { user, router } = await openPage(none)
    expect(await screen.findByText('No SUI assistants found. Create your first SUI assistant!')).toBeTruthy()
    const [create] = screen.getAllByRole('button', { name: 'Create' })
    if (create) await user.click(create)
    await waitFor(() => expect(router.shown().location.pathname).toBe('/sui-assistant/create'))
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })

  it('is searched by words or an id, in place of its tabs', async () => {
    await seedWallet()
    const asked: (string | null)[] = []
    const list = listed()
    const { user } = await openPage({
      'GET /v1/sui/public/assistants': (body, query) => {
        const term = query.get('search_terms')
        asked.push(term)
        return term === null ? list(body, query) : listed(term === 'auditor' ? signed.slice(0, 2) : [])(body, query)
      },
    })
    const box = await screen.findByRole('searchbox', { name: 'Search agents, or paste an id' })
    await waitFor(() => expect(box.getAttribute('placeholder')).toBe('Search 25 agents, or paste an id'))
    await user.type(box, 'auditor')
    expect(await screen.findByRole('heading', { name: 'Found 2 results for "auditor"' })).toBeTruthy()
    expect(names()).toHaveLength(2)
    expect(screen.queryByRole('tab')).toBeNull()
    await user.clear(box)
    await user.type(box, 'zzz')
    expect(await screen.findByRole('heading', { name: 'No assistants found for "zzz"' })).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(await screen.findByRole('tab', { name: 'All' })).toBeTruthy()
    expect([...new Set(asked)]).toEqual([null, 'auditor', 'zzz'])
  })

  it('has tabs of one’s own, with their number, and of what one likes', async () => {
    await seedWallet()
    const liked = signed.slice(3, 4)
    const { user } = await openPage({
      'GET /v1/sui/public/assistants': (body, query) =>
        listed(query.get('liked') === 'true' ? liked : signed)(body, query),
      'GET /v1/sui/public/user-assistants': listed(signed.slice(0, 2)),
    })
    await user.click(await screen.findByRole('tab', { name: 'Mine 2' }))
    await waitFor(() => expect(names()).toHaveLength(2))
    await user.click(screen.getByRole('tab', { name: 'Liked' }))
    await waitFor(() => expect(names()).toEqual(liked.map(({ name }) => name)))
    expect(screen.getByRole('button', { name: /^Like Signed/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: /^Share / })).toBeTruthy()
  })

  it('says why it could not be loaded, and tries again [AG-098]', async () => {
    let isBroken = true
    const broken = {
      status: 404,
      body: { success: false, code: 'not-found', message: 'Resource not found.', status: 404 },
    }
    const { user } = await openPage({
      'GET /v1/sui/public/assistants': (body, query) => (isBroken ? broken : listed()(body, query)),
    })
    expect(await screen.findByText('Error loading SUI assistants: Requested resource not found.')).toBeTruthy()
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(names()).toHaveLength(20))
  })

  it("shows of somebody else's private agent its wallet and version, and leads nowhere", async () => {
    const hidden = signed
      .slice(0, 1)
      .map((agent) => ({ ...agent, name: '', role: '', about: '', profileImage: '', languages: [], private: true }))
    await openPage({ 'GET /v1/sui/public/assistants': listed(hidden) })
    const card = await screen.findByRole('article')
    expect(within(card).getByText('Private agent')).toBeTruthy()
    expect(within(card).getByText('Only the wallet that made it can read what it does.')).toBeTruthy()
    expect(within(card).getByText('0x7f3a…7f3a')).toBeTruthy()
    expect(within(card).queryAllByRole('link')).toEqual([])
    expect(within(card).queryAllByRole('button')).toEqual([])
    expect(within(card).getByText(/^\d+ likes?$/)).toBeTruthy()
  })

  it('is there behind an agent of it, and where one comes back to, from the list and from a link [AG-090]', async () => {
    await seedWallet()
    const [agent] = someAgents(1, 'Signed', { ...signed[0], _id: `0x${'ab'.repeat(32)}` })
    const answers = {
      'GET /v1/sui/public/assistants': listed(agent ? [agent] : []),
      'GET /v1/assistant': () => ({ status: 200, body: agent }),
      'GET /v1/assistants/public/user': () => ({ status: 200, body: { assistants: [], total_count: 0 } }),
    }
    const { user, router, unmount } = await openPage(answers)
    const link = await screen.findByRole('link', { name: 'Signed 0' })
    await user.click(link)
    await screen.findByRole('dialog')
    expect(router.shown().location.pathname).toBe(`/assistant/${agent?._id}`)
    expect(screen.getByRole('heading', { level: 1, name: 'SUI Blockchain Assistants', hidden: true })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(router.shown().location.pathname).toBe('/sui-assistants'))
    expect(screen.getByRole('link', { name: 'Signed 0' })).toBe(link)
    unmount()

    const linked = await openPage(answers, `/assistant/${agent?._id}`)
    await screen.findByRole('dialog')
    await linked.user.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(linked.router.shown().location.pathname).toBe('/sui-assistants'))
  })

  it('asks whoever is not signed in before they write one, and leads them back', async () => {
    const { router } = await openPage({}, '/sui-assistant/create')
    await waitFor(() => expect(router.shown().location.pathname).toBe('/app'))
    expect(useLoginPanel.getState()).toMatchObject({ returnTo: '/sui-assistant/create' })
  })

  it('leads whoever has no Sui wallet from the wizard to the list, which tells what it takes [AG-091, AG-092]', async () => {
    await seedSession()
    const { router } = await openPage({}, '/sui-assistant/create')
    await waitFor(() => expect(router.shown().location.pathname).toBe('/sui-assistants'))
    expect(await screen.findByText('Connect a SUI wallet to create blockchain assistants')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

const languages = [
  [
    'pt-BR',
    {
      connect: 'Conecte uma carteira SUI para criar assistentes na blockchain',
      create: 'Criar',
      own: 'Nenhum assistente SUI encontrado. Crie seu primeiro assistente SUI!',
      none: 'Nenhum assistente SUI disponível',
      failed: 'Erro ao carregar os assistentes SUI: Recurso não encontrado.',
      retry: 'Tentar novamente',
    },
  ],
  [
    'es-ES',
    {
      connect: 'Conecta una cartera SUI para crear asistentes en la blockchain',
      create: 'Crear',
      own: 'No se encontraron asistentes SUI. ¡Crea tu primer asistente SUI!',
      none: 'No hay asistentes SUI disponibles',
      failed: 'Error al cargar los asistentes SUI: No se encontró el recurso solicitado.',
      retry: 'Reintentar',
    },
  ],
] as const

describe.each(languages)('the page of agents of wallets in %s', (language, said) => {
  beforeEach(() => localStorage.setItem('language', language))
  afterEach(() => setLanguage('en-US'))

  it('says whom it takes, that there are none, and why it could not be loaded [AG-088, AG-091, AG-092, AG-098, AG-099]', async () => {
    const none = { 'GET /v1/sui/public/assistants': listed([]) }
    const visitor = await openPage(none)
    expect(await screen.findByText(said.none)).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: 'SUI Blockchain Assistants' })).toBeTruthy()
    expect(screen.getByText(said.connect)).toBeTruthy()
    visitor.unmount()
    await seedWallet()
    const owner = await openPage(none)
    expect(await screen.findByText(said.own)).toBeTruthy()
    expect(screen.getAllByRole('button', { name: said.create }).length).toBeGreaterThan(0)
    owner.unmount()
    await openPage({
      'GET /v1/sui/public/assistants': () => ({
        status: 404,
        body: { success: false, code: 'not-found', message: '', status: 404 },
      }),
    })
    expect(await screen.findByText(said.failed)).toBeTruthy()
    expect(screen.getByRole('button', { name: said.retry })).toBeTruthy()
  })
})
