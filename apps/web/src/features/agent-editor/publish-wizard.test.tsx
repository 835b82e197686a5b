import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { closeAgentEditor, discardDraft, openAgentEditor, useAgentEditor } from '../../data/agents/agent-editor-state'
import { closeLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { openEditor } from '../../testing/open-editor'
import { button, field, images, step, wizard } from '../../testing/publish-wizard'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { agentAnswers } from '../../testing/some-agents'

const missing = 'Please fill in all the fields to create your agent'

beforeEach(async () => {
  localStorage.clear()
  refreshAgentCaches()
  await seedSession()
})
afterEach(async () => {
  discardDraft()
  closeAgentEditor()
  closeLoginPanel()
  await cleanUp()
  forgetSession()
})

/** What is wrong, as it stands at the fields. */
const errors = () =>
  within(wizard())
    .queryAllByRole('alert')
    .map(({ textContent }) => textContent)

async function pickAvatar(user: UserEvent, index = 0) {
  await user.click(button('Choose an avatar'))
  const picker = await screen.findByRole('dialog', { name: 'Choose an avatar for your agent' })
  await user.click(within(picker).getByRole('button', { name: 'Generate' }))
  await user.click(await within(picker).findByRole('radio', { name: `Avatar ${index + 1}` }))
  await user.click(within(picker).getByRole('button', { name: 'Use this avatar' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Choose an avatar for your agent' })).toBeNull())
}

async function fillGeneral(user: UserEvent) {
  await user.type(field('Name'), 'Cold Reader')
  await user.type(field('About'), 'Reads your draft.')
  await user.type(field('Role'), 'First reader')
  await user.click(within(wizard()).getByRole('radio', { name: 'Yes' }))
  await user.click(within(wizard()).getByRole('radio', { name: 'Private' }))
  await pickAvatar(user, 1)
}

async function fillData(user: UserEvent, language = 'Português') {
  await user.click(within(wizard()).getByRole('radio', { name: language }))
  await user.type(field('Prompt'), 'Read coldly.')
}

describe('publishing an agent', () => {
  it('takes three named steps, in the name of whoever publishes, and sends all of it [AG-043, AG-044, AG-045, AG-046, AG-049, AG-051, AG-052, AG-054, AG-055]', async () => {
    const { user, calls } = await openEditor({ kind: 'new' }, { answers: images })
    expect(
      within(wizard())
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['1. General info', '2. Data & Knowledge', '3. Final review'])
    expect(step()).toBe('1. General info')
    expect(wizard().querySelector('footer')?.textContent).toContain('Publishing asMarina Duarte')
    expect(wizard().querySelector('footer svg, footer img')).toBeTruthy()
    expect(button('Cancel')).toBeTruthy()
    await fillGeneral(user)
    await user.click(button('Next'))
    expect(step()).toBe('2. Data & Knowledge')
    expect(within(wizard()).queryByRole('button', { name: 'Cancel' })).toBeNull()
    expect(
      within(wizard())
        .getAllByRole('radio')
        .map((radio) => radio.parentElement?.textContent),
    ).toEqual(['English', 'Spanish', 'Português'])
    await fillData(user)
    await user.click(button('Previous'))
    expect(field('Name')).toHaveProperty('value', 'Cold Reader')
    await user.click(button('Next'))
    expect(field('Prompt')).toHaveProperty('value', 'Read coldly.')
    await user.type(field('Greeting (optional)'), 'Olá.')
    await user.type(field('Knowledge (optional)'), 'Adverbs.')
    await user.click(button('Next'))
    expect(step()).toBe('3. Final review')
    expect(wizard().textContent).toContain('Private: only you find it')
    expect(useAgentEditor.getState().step).toBe(2)
    expect(calls.some(({ call }) => call === 'POST /v1/assistants')).toBe(false)

    await user.click(button('Create'))
    expect(await screen.findByText('Agent created successfully!')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    const texts = {
      language: 'pt',
      role: 'First reader',
      about: 'Reads your draft.',
      prompt: 'Read coldly.',
      defaultGreetings: 'Olá.',
    }
    expect(calls.find(({ call }) => call === 'POST /v1/assistants')?.body).toEqual({
      ...texts,
      name: 'Cold Reader',
      category: 'Assistant',
      knowledge: 'Adverbs.',
      profileImage: '/api/faces/two.svg',
      private: true,
      enabled: true,
      userName: 'Marina Duarte',
      languages: [texts],
    })
    // The next one begins empty, at the first step.
    await user.click(screen.getAllByRole('button', { name: 'Publish' })[0] as HTMLElement)
    await screen.findByRole('dialog')
    expect([step(), field('Name')]).toEqual(['1. General info', expect.objectContaining({ value: '' })])
  })

  it('is remembered with the time, beside the lists and without what is secret [AG-057]', async () => {
    const { user } = await openEditor({ kind: 'new' }, { answers: images })
    await fillGeneral(user)
    await user.click(button('Next'))
    await fillData(user)
    await user.click(button('Next'))
    await user.click(button('Create'))
    await screen.findByText('Agent created successfully!')
    const kept = localStorage.getItem('newAssistants') ?? ''
    expect(JSON.parse(kept)).toMatchObject([{ _id: 'made', name: 'Cold Reader', timestamp: expect.any(Number) }])
    expect(kept).not.toMatch(/Read coldly|"prompt"|knowledge/)
  })

  it('goes on from the first step only when everything is there, and says at each field what is not [AG-047]', async () => {
    const { user } = await openEditor({ kind: 'new' }, { answers: images })
    await user.click(button('Next'))
    expect(await screen.findByText(missing)).toBeTruthy()
    expect(errors()).toEqual([
      'Please fill this in.',
      'Please choose an avatar.',
      'Please fill this in.',
      'Please fill this in.',
      'Please choose one.',
      'Please choose one.',
    ])
    expect(document.activeElement).toBe(field('Name'))
    expect(field('Name').getAttribute('aria-invalid')).toBe('true')
    await fillGeneral(user)
    expect(errors()).toEqual([])
    for (const [name, text] of [
      ['Name', 'Cold Reader'],
      ['About', 'Reads'],
      ['Role', 'First reader'],
    ] as const) {
      await user.clear(field(name))
      await user.type(field(name), '   ')
      await user.click(button('Next'))
      expect([step(), errors()]).toEqual(['1. General info', ['Please fill this in.']])
      expect(document.activeElement).toBe(field(name))
      await user.clear(field(name))
      await user.type(field(name), text)
    }
    await user.click(button('Next'))
    expect(step()).toBe('2. Data & Knowledge')
  })

  it('goes on from the second step only with a prompt and a language, and with whole texts in each further language [AG-048]', async () => {
    const { user } = await openEditor({ kind: 'new' }, { answers: images })
    await fillGeneral(user)
    await user.click(button('Next'))
    await user.type(field('Prompt'), '  ')
    await user.click(button('Next'))
    expect(await screen.findByText(missing)).toBeTruthy()
    expect(errors()).toEqual(['Please choose one.', 'Please fill this in.'])
    await fillData(user, 'English')
    await user.click(button('Further languages (optional)'))
    await user.click(button('Add Spanish'))
    await user.type(field('Role in Spanish'), 'Primer lector')
    await user.click(button('Next'))
    expect(errors()).toEqual([expect.stringMatching(/^Role, about and prompt are needed in each language/)])
    await user.type(field('About in Spanish'), 'Lee.')
    await user.type(field('Prompt in Spanish'), 'Lee con frialdad.')
    await user.click(button('Next'))
    expect(step()).toBe('3. Final review')
    expect(wizard().textContent).toContain('EnglishSpanish')
  })

  it('has room for thirty characters of a name, and says in red when they are used up [AG-050]', async () => {
    const { user } = await openEditor({ kind: 'new' })
    await user.type(field('Name'), 'x'.repeat(29))
    expect(wizard().textContent).not.toContain('Maximum 30 characters.')
    await user.type(field('Name'), 'xyz')
    expect(field('Name')).toHaveProperty('value', 'x'.repeat(30))
    expect(within(wizard()).getByText('Maximum 30 characters.').closest('[data-full]')).toBeTruthy()
  })

  it('asks before it throws away what was written, and then begins anew [AG-053]', async () => {
    const { user } = await openEditor({ kind: 'new' }, { answers: images })
    await fillGeneral(user)
    await user.click(button('Next'))
    await user.click(button('Close'))
    const question = await screen.findByRole('alertdialog', { name: 'Discard your changes?' })
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(step()).toBe('2. Data & Knowledge')
    await user.click(button('Previous'))
    await user.click(button('Cancel'))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getAllByRole('button', { name: 'Publish' })[0] as HTMLElement)
    await screen.findByRole('dialog')
    expect([step(), field('Name')]).toEqual(['1. General info', expect.objectContaining({ value: '' })])
    // Nothing was written: nothing is asked.
    await user.click(button('Cancel'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('keeps the draft when the server refuses it, and says why, at the field where it is one [AG-056]', async () => {
    let answer = { status: 409, body: { success: false, code: 'agent.limit', message: '', status: 409 } as object }
    const { user } = await openEditor({ kind: 'new' }, { answers: { ...images, 'POST /v1/assistants': () => answer } })
    await fillGeneral(user)
    await user.click(button('Next'))
    await fillData(user)
    await user.click(button('Next'))
    await user.click(button('Create'))
    expect(await screen.findByText('Error creating assistant')).toBeTruthy()
    expect(errors()).toEqual(['You have as many agents as you can have. Delete one first.'])
    expect(step()).toBe('3. Final review')
    answer = {
      status: 400,
      body: {
        success: false,
        code: 'validation',
        message: '',
        status: 400,
        issues: [{ path: 'name', message: 'Nothing of it can be seen' }],
      },
    }
    await user.click(button('Create'))
    await waitFor(() => expect(step()).toBe('1. General info'))
    expect(errors()).toContain('Please write something that can be seen.')
    expect(document.activeElement).toBe(field('Name'))
    await user.type(field('Name'), '!')
    expect(errors()).not.toContain('Please write something that can be seen.')
  })

  it('finds its draft again after another page, and not after another person', async () => {
    const { user, router } = await openEditor({ kind: 'new' }, { answers: images })
    await user.type(field('Name'), 'Cold Reader')
    await router.navigate('/settings')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New agent' })).toBeNull())
    await router.navigate('/assistants')
    await user.click((await screen.findAllByRole('button', { name: 'Publish' }))[0] as HTMLElement)
    await screen.findByRole('dialog')
    expect(field('Name')).toHaveProperty('value', 'Cold Reader')
    forgetSession()
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New agent' })).toBeNull())
    expect(useAgentEditor.getState().draft.name).toBe('')
  })

  it('needs somebody who is signed in', async () => {
    forgetSession()
    await renderScreen('/assistants', { config: { signInMethods: ['email'] }, answers: agentAnswers({}).answers })
    openAgentEditor({ kind: 'new' })
    expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
  })
})
