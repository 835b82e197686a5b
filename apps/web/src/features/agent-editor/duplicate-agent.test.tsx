import { waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { closeAgentEditor, discardDraft, useAgentEditor } from '../../data/agents/agent-editor-state'
import { closeLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { openEditor } from '../../testing/open-editor'
import { button, field, step, wizard } from '../../testing/publish-wizard'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { someAgent } from '../../testing/some-agents'

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

describe('a copy of an agent', () => {
  it('of somebody else has what everybody sees, and nothing of how it works', async () => {
    const theirs = someAgent({ profileImage: '/api/pictures/theirs' })
    const { user } = await openEditor({ kind: 'duplicate', id: 'keeper' }, { mine: [theirs] })
    await waitFor(() => expect(field('Name')).toHaveProperty('value', 'Lighthouse keeper copy'))
    expect(field('Role')).toHaveProperty('value', 'Knows the coast')
    expect(within(wizard()).getByRole('img', { name: 'No avatar chosen yet' })).toBeTruthy()
    expect(within(wizard()).getByRole('radio', { name: 'Public' })).toHaveProperty('checked', false)
    await user.click(button('Next'))
    expect(step()).toBe('1. General info')
    expect(useAgentEditor.getState().draft).toMatchObject({
      prompt: '',
      knowledge: '',
      translations: [{ language: 'pt', prompt: '' }],
    })
  })
})
