import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { agentAnswers, someAgent } from '../../testing/some-agents'

const id = `0x${'ab'.repeat(32)}`
const address = `0x${'7f3a'.repeat(16)}`
const agent = someAgent({ _id: id, source: 'sui', userName: '0x7f3a…7f3a', sui: { address, version: 2, digest: '', signedAt: '2026-11-21T12:00:00.000Z' } })

type Answers = NonNullable<NonNullable<Parameters<typeof renderScreen>[1]>['answers']>

const open = async (more: Answers) => {
  const { answers } = agentAnswers({ community: [] })
  const calls: Answers = {
    'GET /v1/assistant': () => ({ status: 200, body: agent }),
    'GET /v1/assistants/public/user': () => ({ status: 200, body: { assistants: [], total_count: 0 } }),
    [`GET /api/channels-topic/0/20/${id}/-`]: () => ({ status: 200, body: { content: [], page: 0, size: 20, total: 0 } }),
    [`GET /v1/sui/assistant/${id}`]: () => ({ status: 200, body: { agent, head: { manifest: '{}', signature: '' } } }),
  }
  return renderScreen(`/assistant/${id}`, { config: { signInMethods: ['email'] }, answers: { ...answers, ...calls, ...more } })
}
const section = () => screen.findByRole('region', { name: 'Signed history' })
const chat = () => screen.getByRole('button', { name: 'Start chat' })

beforeEach(() => {
  localStorage.clear()
  refreshAgentCaches()
})
afterEach(async () => {
  await cleanUp()
  forgetSession()
})

describe('the signed history in the dialog of a wallet’s agent', () => {
  it('says nothing before it is verified; one that is forged is told, and Start chat is quiet then', async () => {
    await seedSession()
    const versions = [1, 2].map(() => ({ manifest: '{}', signature: '' }))
    const { user } = await open({ [`GET /v1/sui/assistant/${id}/history`]: () => ({ status: 200, body: { id, versions } }) })
    const history = await section()
    expect(within(history).getByRole('status').textContent).toBe('Nothing of it has been checked in this browser yet.')
    expect(within(history).queryAllByRole('listitem')).toEqual([])
    expect(chat().dataset.variant).toBe('primary')
    await user.click(within(history).getByRole('button', { name: 'Verify' }))
    await within(history).findByText('Checked in this browser: this is not what the wallet signed. Do not trust it.')
    expect(within(history).getByText('Version 2 is no manifest that can be read')).toBeTruthy()
    expect(within(history).getByText('What is shown here is not what was signed.')).toBeTruthy()
    expect(within(history).getByText('Prompt and knowledge were not checked: only the owner has them.')).toBeTruthy()
    expect(chat().dataset.variant).toBe('quiet')
  })

  it('that cannot be read is told so, and can be asked for again', async () => {
    const gone = { status: 404, body: { success: false, code: 'agent.not-found', message: 'Assistant not found.', status: 404 } }
    const { user } = await open({ [`GET /v1/sui/assistant/${id}/history`]: () => gone })
    const verify = within(await section()).getByRole('button', { name: 'Verify' })
    await user.click(verify)
    await screen.findByText('The history could not be read: Assistant not found.')
    await waitFor(() => expect(verify.getAttribute('aria-busy')).not.toBe('true'))
    expect(chat().dataset.variant).toBe('primary')
  })
})
