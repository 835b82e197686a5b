import { errorText } from '@parley/contract/errors'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../data/agents/agent-caches'
import { closeAgentEditor, discardDraft } from '../data/agents/agent-editor-state'
import { closeLoginPanel } from '../data/session/login-panel'
import { forgetSession } from '../data/session/stored-session'
import { setLanguage } from '../i18n/i18n'
import { openEditor, ownAgent } from '../testing/open-editor'
import '../features/agent-editor/agent-editor-host'
import { renderScreen } from '../testing/render-screen'
import { cleanUp } from '../testing/seed-channels'
import { aUser, seedSession } from '../testing/seed-session'
import { agentAnswers, someAgent } from '../testing/some-agents'

const languages = [
  [
    'pt-BR',
    {
      title: 'Agentes',
      tabs: ['Destaques', 'Parley', 'Comunidade', 'Meus agentes', 'SUI'],
      trending: 'Em alta',
      search: 'Buscar agentes',
      none: 'Nenhum assistente encontrado para "zzzqqq"',
      found: '1 resultado encontrado para "farol"',
      role: 'Conhece a costa',
      createdBy: 'Criado por Otto',
      start: 'Iniciar conversa',
      share: 'Compartilhar',
      shareOne: 'Compartilhar Farol',
      copied: 'Link copiado!',
      private: 'Este assistente é privado.',
      missing: 'Assistente não encontrado.',
      back: 'Voltar aos assistentes',
      gone: 'Este assistente não está mais disponível.',
      publish: 'Publicar',
      steps: ['1. Informações gerais', '2. Dados e conhecimento', '3. Revisão final'],
      empty: 'Preencha todos os campos para criar seu agente',
      as: 'Publicando comoMarina Duarte',
      next: 'Próximo',
      create: 'Criar',
      created: 'Agente criado com sucesso!',
      edit: 'Editar Farol',
      save: 'Salvar',
      updated: 'Agente atualizado com sucesso!',
    },
  ],
  [
    'es-ES',
    {
      title: 'Agentes',
      tabs: ['Destacados', 'Parley', 'Comunidad', 'Mis agentes', 'SUI'],
      trending: 'Tendencias',
      search: 'Buscar agentes',
      none: 'No se encontró ningún asistente para "zzzqqq"',
      found: '1 resultado para "farol"',
      role: 'Conoce la costa',
      createdBy: 'Creado por Otto',
      start: 'Iniciar chat',
      share: 'Compartir',
      shareOne: 'Compartir Farol',
      copied: '¡Enlace copiado!',
      private: 'Este asistente es privado.',
      missing: 'Asistente no encontrado.',
      back: 'Volver a los asistentes',
      gone: 'Este asistente ya no está disponible.',
      publish: 'Publicar',
      steps: ['1. Información general', '2. Datos y conocimiento', '3. Revisión final'],
      empty: 'Rellena todos los campos para crear tu agente',
      as: 'Publicas comoMarina Duarte',
      next: 'Siguiente',
      create: 'Crear',
      created: '¡Agente creado correctamente!',
      edit: 'Editar Farol',
      save: 'Guardar',
      updated: '¡Agente actualizado correctamente!',
    },
  ],
] as const

beforeEach(() => {
  localStorage.clear()
  refreshAgentCaches()
})
afterEach(async () => {
  discardDraft()
  closeAgentEditor()
  closeLoginPanel()
  await cleanUp()
  forgetSession()
  await setLanguage('en-US')
})

describe.each(languages)('agents in %s', (language, said) => {
  const texts = (role: string) => ({ role, about: 'Sabe de faróis.', defaultGreetings: 'Olá!' })
  const beacon = someAgent({
    _id: 'farol',
    name: 'Farol',
    role: said.role,
    languages: [
      { language: 'en', ...texts('Knows the coast') },
      { language: 'pt', ...texts('Conhece a costa') },
      { language: 'es', ...texts('Conoce la costa') },
    ],
  })
  const config = { signInMethods: ['email'] as ['email'] }

  beforeEach(() => localStorage.setItem('language', language))

  it('are looked through, searched, opened and shared by a visitor [AG-001, AG-004, AG-005, AG-082, AG-086]', async () => {
    const { answers } = agentAnswers({ community: [beacon] })
    const { user, unmount } = await renderScreen('/assistants', { config, answers })
    expect(await screen.findByRole('heading', { level: 1, name: said.title })).toBeTruthy()
    expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual(said.tabs)
    const trending = await screen.findByRole('region', { name: said.trending })
    await waitFor(() => expect(trending.textContent).toContain(said.role))
    expect(within(trending).getByRole('button', { name: said.shareOne })).toBeTruthy()
    const box = screen.getByRole('searchbox', { name: said.search })
    await user.type(box, 'zzzqqq')
    expect(await screen.findByRole('heading', { name: said.none })).toBeTruthy()
    await user.clear(box)
    await user.type(box, 'farol')
    expect(await screen.findByRole('heading', { name: said.found })).toBeTruthy()

    unmount()
    const shared = await renderScreen('/assistant/farol', { config, answers })
    const dialog = await screen.findByRole('dialog', { name: said.role })
    expect(dialog.textContent).toContain(said.createdBy)
    expect(within(dialog).getByRole('button', { name: said.start })).toBeTruthy()
    await shared.user.click(within(dialog).getByRole('button', { name: said.share }))
    expect(await screen.findByText(said.copied)).toBeTruthy()
  })

  it.each([
    ['agent.private', 403, said.private],
    ['agent.not-found', 404, said.missing],
  ] as const)('that cannot be seen say why (%s), and lead back [AG-084, AG-085]', async (code, status, text) => {
    const refused = { 'GET /v1/assistant': () => ({ status, body: { success: false, code, message: '', status } }) }
    const { user, router } = await renderScreen('/assistant/farol', {
      config,
      answers: { ...agentAnswers({}).answers, ...refused },
    })
    const dialog = await screen.findByRole('dialog', { name: text })
    await user.click(within(dialog).getByRole('button', { name: said.back }))
    await waitFor(() => expect(router.shown().location.pathname).toBe('/assistants'))
  })

  it('that are gone say so in a chat', () => {
    expect(errorText('agent.unavailable', language)).toBe(said.gone)
  })

  it('are published in three named steps [AG-043, AG-045, AG-047, AG-052]', async () => {
    await seedSession(aUser({ language }))
    const faces = {
      'GET /v1/assistants/images': () => ({ status: 200, body: { data: [{ url: '/api/faces/one.svg' }] } }),
    }
    const { user, dialog } = await openEditor({ kind: 'new' }, { answers: faces })
    const inside = within(dialog)
    const step = () => dialog.querySelector('[aria-current=step]')?.textContent
    expect(screen.getAllByRole('button', { name: said.publish, hidden: true }).length).toBeGreaterThan(0)
    expect(inside.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(said.steps)
    expect(dialog.querySelector('footer')?.textContent).toContain(said.as)
    await user.click(inside.getByRole('button', { name: said.next }))
    expect(await screen.findByText(said.empty)).toBeTruthy()

    for (const [index, text] of ['Farol', 'Sabe de faróis.', 'Guia'].entries())
      await user.type(inside.getAllByRole('textbox')[index] ?? dialog, text)
    for (const index of [0, 2]) await user.click(inside.getAllByRole('radio')[index] ?? dialog)
    await user.click(inside.getByRole('button', { name: /avatar$/ }))
    const picker = screen.getAllByRole('dialog').at(-1) ?? dialog
    await user.click(within(picker).getByRole('button', { name: /^(Gerar|Generar)$/ }))
    await user.click(await within(picker).findByRole('radio', { name: /1$/ }))
    await user.click([...picker.querySelectorAll('footer button')].at(-1) ?? picker)
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    await user.click(inside.getByRole('button', { name: said.next }))
    expect(step()).toBe(said.steps[1])
    await user.click(inside.getByRole('radio', { name: 'Português' }))
    await user.type(inside.getByRole('textbox', { name: 'Prompt' }), 'Leia.')
    await user.click(inside.getByRole('button', { name: said.next }))
    expect(step()).toBe(said.steps[2])
    await user.click(inside.getByRole('button', { name: said.create }))
    expect(await screen.findByText(said.created)).toBeTruthy()
  })

  it('are changed by their owner [AG-062]', async () => {
    await seedSession(aUser({ language }))
    const mine = ownAgent({ _id: 'farol', name: 'Farol', userId: aUser().id })
    const answers = {
      'GET /v1/assistant': () => ({ status: 200, body: mine }),
      'POST /v1/assistants': () => ({ status: 201, body: mine }),
    }
    const { user } = await openEditor({ kind: 'edit', id: 'farol' }, { mine: [mine], answers })
    await user.type(await screen.findByRole('textbox', { name: 'Prompt' }), '!')
    await user.click(screen.getByRole('button', { name: said.save }))
    expect(await screen.findByText(said.updated)).toBeTruthy()
    await user.click(screen.getByRole('tab', { name: said.tabs[3] }))
    expect(await screen.findByRole('button', { name: said.edit })).toBeTruthy()
  })
})
