import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { closeAgentEditor, discardDraft } from '../../data/agents/agent-editor-state'
import { useShortageState } from '../../data/credits/shortage-state'
import { closeNoCredits } from '../../data/session/no-credits-dialog'
import { forgetSession } from '../../data/session/stored-session'
import { defaultModel } from '../../testing/many-models'
import { openEditor, ownAgent } from '../../testing/open-editor'
import { aConfig } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'
import { useToasts } from '../../ui/toast-store'

const mine = ownAgent({ userId: aUser().id })
const minimum = 'You need at least 1 dollar in credits to send a message.'

beforeEach(async () => {
  localStorage.clear()
  refreshAgentCaches()
  await seedSession()
})
afterEach(async () => {
  discardDraft()
  closeAgentEditor()
  closeNoCredits()
  useShortageState.setState({ isShort: false })
  await cleanUp()
  forgetSession()
})

/** An agent that is being tried, by somebody with so many dollars. */
async function openTrial(amount: number | 'unknown') {
  const config = { ...aConfig, signInMethods: ['email'], models: 'gateway', defaultModel: defaultModel.id }
  const view = await openEditor(
    { kind: 'edit', id: 'keeper' },
    {
      mine: [mine],
      answers: {
        'GET /api/config': () => ({ status: 200, body: config }),
        'GET /models': () => ({ status: 200, body: { data: [defaultModel] } }),
        'GET /api/billing/credit/user': () =>
          amount === 'unknown' ? { status: 500, body: { code: 'server-error' } } : { status: 200, body: { amount } },
        'POST /api/chat/try': () => ({
          status: 402,
          body: { success: false, code: 'credits.minimum', message: minimum, status: 402 },
        }),
      },
    },
  )
  const editor = await screen.findByRole('dialog', { name: 'Editing Lighthouse keeper' })
  await view.user.click(await within(editor).findByRole('button', { name: 'Try it' }))
  return { ...view, box: await within(editor).findByRole<HTMLTextAreaElement>('textbox', { name: 'Your message' }) }
}

const dialog = () => screen.findByRole('dialog', { name: 'Not enough credits' })

describe('trying an agent without enough credits', () => {
  it('opens the dialog about them instead, and the question stays [ST-051]', async () => {
    const { user, box, calls } = await openTrial(0.5)
    await waitFor(() => expect(useShortageState.getState().isShort).toBe(true))
    await user.type(box, 'Who are you?{Enter}')
    await dialog()
    expect(box.value).toBe('Who are you?')
    expect(calls.filter(({ call }) => call === 'POST /api/chat/try')).toEqual([])
  })

  it('opens it as well when the server knows better, and says so in the trial alone [ST-070]', async () => {
    const { user, box } = await openTrial('unknown')
    await user.type(box, 'Who are you?{Enter}')
    await dialog()
    expect(screen.getByRole('alert').textContent).toBe(minimum)
    expect(useToasts.getState().toasts).toEqual([])
  })
})
