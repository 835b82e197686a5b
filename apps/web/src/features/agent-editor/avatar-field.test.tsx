import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { closeAgentEditor, discardDraft } from '../../data/agents/agent-editor-state'
import { closeLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { openEditor } from '../../testing/open-editor'
import { button, faces, images, wizard } from '../../testing/publish-wizard'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

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

describe('the avatar', () => {
  it('is one of a grid of generated ones, chosen by the arrow keys [AG-058, AG-059, AG-060]', async () => {
    const { user, calls } = await openEditor({ kind: 'new' }, { answers: images })
    await user.click(button('Choose an avatar'))
    const picker = await screen.findByRole('dialog', { name: 'Choose an avatar for your agent' })
    expect(within(picker).queryByRole('radio')).toBeNull()
    expect(within(picker).getByRole('button', { name: 'Use this avatar' })).toHaveProperty('disabled', true)
    await user.click(within(picker).getByRole('button', { name: 'Generate' }))
    const grid = await within(picker).findByRole('radiogroup', { name: 'Avatars' })
    expect(calls.filter(({ call }) => call === 'GET /v1/assistants/images')).toEqual([
      { call: 'GET /v1/assistants/images', body: undefined },
    ])
    expect([...grid.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual(faces)
    const [first, second, third] = within(grid).getAllByRole('radio')
    first?.focus()
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
    expect([document.activeElement, third?.getAttribute('aria-checked')]).toEqual([third, 'true'])
    await user.keyboard('{Home}{ArrowRight}')
    expect(second?.getAttribute('aria-checked')).toBe('true')
    await user.click(within(picker).getByRole('button', { name: 'Use this avatar' }))
    expect(within(wizard()).getByRole('img', { name: 'Avatar' }).getAttribute('src')).toBe(faces[1])
  })

  it('can be a picture of one’s own; what the server says against it is said there', async () => {
    let answer = { status: 415, body: { success: false, code: 'picture.type', message: '', status: 415 } as object }
    const { user } = await openEditor({ kind: 'new' }, { answers: { 'POST /v1/assistants/images': () => answer } })
    const file = (size: number) => new File([new Uint8Array(size)], 'me.png', { type: 'image/png' })
    await user.upload(within(wizard()).getByLabelText('Upload a picture'), file(8))
    const picker = await screen.findByRole('dialog', { name: 'Choose an avatar for your agent' })
    expect((await within(picker).findByRole('alert')).textContent).toBe(
      'This file type is not supported. Please use a JPEG, PNG, WebP or GIF picture.',
    )
    await user.upload(within(picker).getByLabelText('Upload a picture'), file(2 * 1024 * 1024 + 1))
    await waitFor(() =>
      expect(within(picker).getByRole('alert').textContent).toBe('File is too large. The maximum is 2 MB.'),
    )
    answer = { status: 200, body: { url: '/api/pictures/one' } }
    await user.upload(within(picker).getByLabelText('Upload a picture'), file(8))
    expect((await within(picker).findByRole('radio', { name: 'Your picture' })).getAttribute('aria-checked')).toBe(
      'true',
    )
    await user.click(within(picker).getByRole('button', { name: 'Use this avatar' }))
    expect(within(wizard()).getByRole('img', { name: 'Avatar' }).getAttribute('src')).toBe('/api/pictures/one')
  })
})
