import { limits } from '@parley/contract/limits/shared'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { beginDraft, discardDraft, goToStep } from '../../data/agents/agent-editor-state'
import { emptyForm } from '../../data/agents/agent-form'
import { forgetSession } from '../../data/session/stored-session'
import { WalletMissingError } from '../../data/wallets/wallet-missing-error'
import { connectSui } from '../../data/wallets/wallet-standard'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'

vi.mock('../../data/wallets/wallet-standard', () => ({ connectSui: vi.fn(), connectSolana: vi.fn() }))
const connect = vi.mocked(connectSui)
const address = `0x${'7f3a'.repeat(16)}`
const none = { status: 200, body: { data: [], pagination: { totalAssistants: 0, hasNextPage: false } } }

beforeEach(() => {
  localStorage.clear()
  refreshAgentCaches()
})
afterEach(async () => {
  discardDraft()
  await cleanUp()
  forgetSession()
})

it('an agent that the wallet does not sign is not published, and the person reads why', async () => {
  await seedSession(aUser({ email: `${address}@sui`, name: '', app_metadata: { kind: 'sui' } }))
  const { user } = await renderScreen('/sui-assistant/create', {
    config: { signInMethods: ['sui'] },
    answers: { 'GET /v1/sui/public/assistants': () => none },
  })
  const dialog = await screen.findByRole('dialog')
  beginDraft({
    ...emptyForm,
    name: 'Cold',
    about: 'Reads.',
    role: 'Reader',
    prompt: 'Read.',
    language: 'en',
    avatar: '/api/faces/a.svg',
    private: false,
    enabled: true,
  })
  expect(within(dialog).getByLabelText<HTMLInputElement>('User price').value).toBe(
    String(limits.agents.sui.defaultPrice),
  )
  goToStep(2)
  const submit = await within(dialog).findByRole('button', { name: 'Sign and create' })
  const refusals: [() => Promise<never> | ReturnType<typeof connectSui>, string][] = [
    [() => Promise.reject(new WalletMissingError()), 'No Sui wallet was found in this browser.'],
    [
      async () => ({ address: '0x2', sign: async () => '', send: undefined }),
      'The wallet shows another account than the one you are signed in with. Switch it in the wallet and try again.',
    ],
    [() => Promise.reject(new Error('User rejected')), 'The wallet did not sign. Nothing was published.'],
  ]
  for (const [answer, text] of refusals) {
    connect.mockImplementationOnce(answer)
    await user.click(submit)
    await waitFor(() => expect(within(dialog).getByRole('alert').textContent).toBe(text))
  }
  expect(screen.getByRole('dialog')).toBe(dialog)
})

it('an agent of a wallet takes text files into the knowledge that is signed, refuses what is none, and has no files', async () => {
  await seedSession(aUser({ email: `${address}@sui`, name: '', app_metadata: { kind: 'sui' } }))
  const { user } = await renderScreen('/sui-assistant/create', {
    config: { signInMethods: ['sui'] },
    answers: { 'GET /v1/sui/public/assistants': () => none },
  })
  const dialog = within(await screen.findByRole('dialog'))
  beginDraft({ ...emptyForm, knowledge: 'Lamps.' })
  goToStep(1)
  const knowledge = await dialog.findByRole('textbox', { name: 'Knowledge (optional)' })
  const input = dialog.getByLabelText('Add a text file', { selector: 'input' })
  await user.upload(input, new File(['Fog horns\r\nare loud.'], 'horns.txt', { type: 'text/plain' }))
  await waitFor(() => expect(knowledge).toHaveProperty('value', 'Lamps.\n\nFog horns\nare loud.'))
  await user.upload(input, new File([new Uint8Array([0xff, 0xd8, 0xff])], 'photo.txt', { type: 'text/plain' }))
  expect(await dialog.findByText('“photo.txt” is not a text file. Please choose a plain text file.')).toBeTruthy()
  await user.upload(input, new File(['x'.repeat(100_001)], 'long.txt', { type: 'text/plain' }))
  expect(await dialog.findByText('“long.txt” does not fit: knowledge may have 100,000 characters.')).toBeTruthy()
  expect(knowledge).toHaveProperty('value', 'Lamps.\n\nFog horns\nare loud.')
  expect(dialog.queryByText('Add files')).toBeNull()
})
