import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { closeAgentEditor, discardDraft } from '../../data/agents/agent-editor-state'
import { forgetSession } from '../../data/session/stored-session'
import { openEditor, ownAgent } from '../../testing/open-editor'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'

const mine = ownAgent({ userId: aUser().id })

beforeEach(async () => {
  localStorage.clear()
  refreshAgentCaches()
  await seedSession()
})
afterEach(async () => {
  vi.restoreAllMocks()
  discardDraft()
  closeAgentEditor()
  await cleanUp()
  forgetSession()
})

const editor = (title = 'Editing Lighthouse keeper') => screen.findByRole('dialog', { name: title })
const inside = async (name: string, title?: string) => within(await editor(title)).findByRole('textbox', { name })
const button = async (name: string) => within(await editor()).getByRole('button', { name })
const open = (answers: NonNullable<Parameters<typeof openEditor>[1]>['answers'] = {}) =>
  openEditor({ kind: 'edit', id: 'keeper' }, { mine: [mine], answers })

describe('editing one’s own agent', () => {
  it('begins with what the server says of it, with all its fields [AG-061, AG-067]', async () => {
    const { calls } = await open()
    expect(await inside('Prompt')).toHaveProperty('value', 'You know every lamp.')
    expect(calls.some(({ call }) => call === 'GET /v1/assistant')).toBe(true)
    const values = {
      Name: 'Lighthouse keeper',
      About: mine.about,
      Role: 'Knows the coast',
      'Greeting (optional)': mine.defaultGreetings,
      'Knowledge (optional)': mine.knowledge,
    }
    for (const [name, value] of Object.entries(values)) expect(await inside(name), name).toHaveProperty('value', value)
    const dialog = await editor()
    for (const name of ['Yes', 'Public', 'English'])
      expect(within(dialog).getByRole('radio', { name }), name).toHaveProperty('checked', true)
    expect(within(dialog).getByRole('img', { name: 'Avatar' }).getAttribute('src')).toBe(mine.profileImage)
    for (const name of ['Delete', 'Save']) expect(within(dialog).getByRole('button', { name })).toBeTruthy()
  })

  it('can be saved once something differs, not while it is being saved, and keeps its other languages [AG-055, AG-062, AG-068]', async () => {
    let finish = (): void => undefined
    const saving = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { user, calls } = await open({
      'POST /v1/assistants': async () => {
        await saving
        return { status: 201, body: { ...mine, role: 'Knows every coast', updated_at: new Date().toISOString() } }
      },
    })
    const save = await button('Save')
    expect(save).toHaveProperty('disabled', true)
    const role = await inside('Role')
    await user.type(role, '!')
    expect(save).toHaveProperty('disabled', false)
    await user.type(role, '{Backspace}')
    expect(save).toHaveProperty('disabled', true)
    await user.clear(role)
    await user.type(role, 'Knows every coast')
    await user.click(save)
    expect(save.getAttribute('aria-disabled')).toBe('true')
    await user.click(save)
    finish()
    expect(await screen.findByText('Agent updated successfully!')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    const sent = calls.filter(({ call }) => call === 'POST /v1/assistants')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).toMatchObject({
      _id: 'keeper',
      role: 'Knows every coast',
      prompt: 'You know every lamp.',
      languages: [
        { language: 'en', role: 'Knows every coast' },
        {
          language: 'pt',
          role: 'Conhece a costa',
          about: 'Sabe de faróis.',
          prompt: 'Você conhece faróis.',
          defaultGreetings: 'Olá! Qual farol?',
        },
      ],
    })
    expect(JSON.parse(localStorage.getItem('assistantData') ?? '{}')).toEqual({
      keeper: {
        avatar: mine.profileImage,
        name: 'Lighthouse keeper',
        role: 'Knows every coast',
        timestamp: expect.any(Number),
      },
    })
  })

  it('lays what was changed over older answers for two hours [AG-068]', async () => {
    const { user } = await open()
    await user.click(await button('Close'))
    const override = (age: number) => {
      localStorage.setItem(
        'assistantData',
        JSON.stringify({
          keeper: { avatar: mine.profileImage, name: 'Keeper of lamps', role: 'Other', timestamp: Date.now() - age },
        }),
      )
      refreshAgentCaches()
    }
    await user.click(screen.getByRole('tab', { name: 'My Agents' }))
    expect(await screen.findByRole('link', { name: 'Lighthouse keeper' })).toBeTruthy()
    const now = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(now + 1_000)
    override(0)
    expect(await screen.findByRole('link', { name: 'Keeper of lamps' })).toBeTruthy()
    override(7_200_000)
    expect(await screen.findByRole('link', { name: 'Lighthouse keeper' })).toBeTruthy()
  })

  it('is deleted after a question, and hidden from then on [AG-063, AG-066, AG-069]', async () => {
    localStorage.setItem('newAssistants', JSON.stringify([{ ...mine, timestamp: Date.now() }]))
    refreshAgentCaches()
    const { user, calls } = await open({ 'DELETE /v1/assistants/keeper': () => ({ status: 204 }) })
    await user.click(await button('Delete'))
    const question = await screen.findByRole('alertdialog', { name: 'Delete Lighthouse keeper?' })
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(calls.some(({ call }) => call.startsWith('DELETE'))).toBe(false)
    await user.click(await button('Delete'))
    const before = calls.filter(({ call }) => call.startsWith('GET /v1/assistants')).length
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Agent deleted successfully!')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(calls.find(({ call }) => call.startsWith('DELETE'))).toEqual({
      call: 'DELETE /v1/assistants/keeper',
      body: undefined,
    })
    expect(JSON.parse(localStorage.getItem('deleted_assistants') ?? '[]')).toEqual(['keeper'])
    expect(JSON.parse(localStorage.getItem('newAssistants') ?? '[]')).toEqual([])
    await waitFor(() =>
      expect(calls.filter(({ call }) => call.startsWith('GET /v1/assistants')).length).toBeGreaterThan(before),
    )
    // The server lists it still; nobody sees it here.
    await user.click(screen.getByRole('tab', { name: 'My Agents' }))
    await waitFor(() => expect(calls.some(({ call }) => call === 'GET /v1/assistants/community/private')).toBe(true))
    expect(screen.queryByRole('link', { name: 'Lighthouse keeper' })).toBeNull()
  })

  it('stays when it cannot be deleted, or saved [AG-065]', async () => {
    const { user } = await open({
      'DELETE /v1/assistants/keeper': () => ({
        status: 500,
        body: { success: false, code: 'server-error', message: '', status: 500 },
      }),
      'POST /v1/assistants': () => ({
        status: 400,
        body: { success: false, code: 'agent.image-not-allowed', message: '', status: 400 },
      }),
    })
    await user.click(await button('Delete'))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Error deleting assistant')).toBeTruthy()
    expect(localStorage.getItem('deleted_assistants')).toBeNull()
    await user.type(await inside('Role'), '!')
    await user.click(await button('Save'))
    expect(await screen.findByText('Error updating assistant')).toBeTruthy()
    expect(within(await editor()).getByRole('alert').textContent).toBe(
      'Please choose a picture that this server offers, or upload one.',
    )
    expect(await inside('Role')).toHaveProperty('value', 'Knows the coast!')
  })

  it('needs an id to be deleted [AG-064]', async () => {
    const { user, dialog, calls } = await openEditor({ kind: 'edit', id: '' })
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('No assistant ID found')).toBeTruthy()
    expect(calls.some(({ call }) => call.startsWith('DELETE') || call === 'GET /v1/assistant')).toBe(false)
  })

  it('asks before changes are lost', async () => {
    const { user } = await open()
    await user.type(await inside('Role'), '!')
    await user.click(await button('Close'))
    await user.click(
      within(await screen.findByRole('alertdialog', { name: 'Discard your changes?' })).getByRole('button', {
        name: 'Cancel',
      }),
    )
    expect(await inside('Role')).toHaveProperty('value', 'Knows the coast!')
    await user.click(await button('Close'))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('takes the texts of a further language when that becomes its own', async () => {
    const { user, calls } = await open()
    await inside('Role')
    await user.click(within(await editor()).getByRole('radio', { name: 'Português' }))
    expect(await inside('Role')).toHaveProperty('value', 'Conhece a costa')
    expect(await inside('Role in English')).toHaveProperty('value', 'Knows the coast')
    await user.click(await button('Save'))
    await screen.findByText('Agent updated successfully!')
    expect(calls.find(({ call }) => call === 'POST /v1/assistants')?.body).toMatchObject({
      language: 'pt',
      languages: [{ language: 'pt' }, { language: 'en' }],
    })
  })

  it('shows a hostile name as what it is: text', async () => {
    const name = '<img src=x onerror=hacked=1>'
    await openEditor({ kind: 'edit', id: 'keeper' }, { mine: [{ ...mine, name }] })
    expect((await screen.findByRole('heading', { name: /^Editing/ })).textContent).toBe(`Editing ${name}`)
    expect(await inside('Name', `Editing ${name}`)).toHaveProperty('value', name)
    expect(document.querySelector('img[src=x]')).toBeNull()
  })

  it('says so when it is gone, or somebody else’s', async () => {
    const { dialog } = await openEditor({ kind: 'edit', id: 'gone' })
    expect(await within(dialog).findByText('Assistant not found.')).toBeTruthy()
  })

  describe('with files of its knowledge', () => {
    const aFile = (fields: object) => ({
      ...{ id: 'one', name: 'lamps.pdf', mediaType: 'application/pdf', bytes: 5, sha256: 'x', status: 'processed' },
      ...{ pages: 34, notices: [], addedAt: '2026-01-02T03:04:05.678Z', assistantId: 'keeper' },
      ...fields,
    })
    const rows = async () =>
      within(await within(await editor()).findByRole('list', { name: 'Files of its knowledge' }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)

    it('shows the state of each, says why one could not be read, and saves which ones it has [AG-035]', async () => {
      let state: object = { status: 'processing', progress: { done: 3, of: 9, unit: 'pages' } }
      const added = { id: 'two', name: 'fog.docx', assistantId: undefined, pages: undefined }
      const { user, calls } = await open({
        'GET /v1/assistants/files': () => ({ status: 200, body: [aFile({})] }),
        'GET /v1/assistants/files/one': () => ({ status: 200, body: aFile({}) }),
        'GET /v1/assistants/files/two': () => ({ status: 200, body: aFile({ ...added, ...state }) }),
        'POST /v1/assistants/files': () => ({ status: 201, body: aFile({ ...added, status: 'queued' }) }),
      })
      expect(await rows()).toEqual(['lamps.pdfProcessed, 34 pages'])
      expect(await button('Save')).toHaveProperty('disabled', true)
      const input = within(await editor()).getByLabelText<HTMLInputElement>('Add files', { selector: 'input' })
      await user.upload(input, new File(['Fog'], 'fog.docx'))
      await waitFor(async () => expect(await rows()).toEqual([expect.anything(), 'fog.docxReading page 3 of 9']), {
        timeout: 4_000,
      })
      state = { status: 'failed', reason: 'source.protected' }
      await waitFor(
        async () =>
          expect(await rows()).toEqual([
            expect.anything(),
            'fog.docxCould not be read: This file is protected by a password. Save it without one, and add that.',
          ]),
        { timeout: 4_000 },
      )
      expect(within(await editor()).getByRole('button', { name: 'Read fog.docx again' })).toBeTruthy()
      await user.click(within(await editor()).getByRole('button', { name: 'Remove lamps.pdf' }))
      await user.click(await button('Save'))
      await waitFor(() => expect(calls.find(({ call }) => call === 'POST /v1/assistants')).toBeDefined())
      expect(calls.find(({ call }) => call === 'POST /v1/assistants')?.body).toMatchObject({ knowledgeFiles: ['two'] })
      // It is the agent's until it is saved without it.
      expect(calls.some(({ call }) => call.startsWith('DELETE'))).toBe(false)
    })

    it('refuses the eleventh and what is too large, by name, and forgets what was not saved', async () => {
      const saved = Array.from({ length: 9 }, (_, n) => aFile({ id: `old-${n}`, name: `old-${n}.pdf` }))
      const draft = aFile({ id: 'new', name: 'new.pdf', assistantId: undefined })
      const { user, calls } = await open({
        'GET /v1/assistants/files': () => ({ status: 200, body: saved }),
        'GET /v1/assistants/files/new': () => ({ status: 200, body: draft }),
        'POST /v1/assistants/files': () => ({ status: 201, body: draft }),
        'DELETE /v1/assistants/files/new': () => ({ status: 204, body: undefined }),
      })
      await waitFor(async () => expect(await rows()).toHaveLength(9))
      const input = within(await editor()).getByLabelText<HTMLInputElement>('Add files', { selector: 'input' })
      await user.upload(input, [new File(['x'], 'new.pdf'), new File(['x'], 'more.pdf')])
      expect((await within(await editor()).findByRole('alert')).textContent).toBe(
        'more.pdf: An agent can have 10 files. Remove one first.',
      )
      await waitFor(async () => expect(await rows()).toHaveLength(10))
      await user.click(within(await editor()).getByRole('button', { name: 'Remove new.pdf' }))
      await waitFor(() => expect(calls.some(({ call }) => call === 'DELETE /v1/assistants/files/new')).toBe(true))
      expect(await rows()).toHaveLength(9)
    })
  })
})
