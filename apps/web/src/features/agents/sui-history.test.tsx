import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refreshAgentCaches } from '../../data/agents/agent-caches'
import { forgetSession } from '../../data/session/stored-session'
import { connectSui } from '../../data/wallets/wallet-standard'
import { setLanguage } from '../../i18n/i18n'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'
import { anAnchor, anchoring, aSignedAgent, aWallet } from '../../testing/signed-agent'
import { agentAnswers, someAgent } from '../../testing/some-agents'

vi.mock('../../data/wallets/wallet-standard', () => ({ connectSui: vi.fn(), connectSolana: vi.fn() }))

const id = `0x${'ab'.repeat(32)}`
const address = `0x${'7f3a'.repeat(16)}`
const agent = someAgent({
  _id: id,
  source: 'sui',
  userName: '0x7f3a…7f3a',
  sui: { address, version: 2, digest: '', signedAt: '2026-11-21T12:00:00.000Z' },
})

type Answers = NonNullable<NonNullable<Parameters<typeof renderScreen>[1]>['answers']>

const open = async (more: Answers, config = {}) => {
  const { answers } = agentAnswers({ community: [] })
  const calls: Answers = {
    'GET /v1/assistant': () => ({ status: 200, body: agent }),
    'GET /v1/assistants/public/user': () => ({ status: 200, body: { assistants: [], total_count: 0 } }),
    [`GET /api/channels-topic/0/20/${id}/-`]: () => ({
      status: 200,
      body: { content: [], page: 0, size: 20, total: 0 },
    }),
    [`GET /v1/sui/assistant/${id}`]: () => ({ status: 200, body: { agent, head: { manifest: '{}', signature: '' } } }),
  }
  return renderScreen(`/assistant/${id}`, {
    config: { signInMethods: ['email'], ...config },
    answers: { ...answers, ...calls, ...more },
  })
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
  await setLanguage('en-US')
})

describe('the signed history in the dialog of a wallet’s agent', () => {
  it('says nothing before it is verified; one that is forged is told, and Start chat is quiet then', async () => {
    await seedSession()
    const versions = [1, 2].map(() => ({ manifest: '{}', signature: '' }))
    const { user } = await open({
      [`GET /v1/sui/assistant/${id}/history`]: () => ({ status: 200, body: { id, versions } }),
    })
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
    const gone = {
      status: 404,
      body: { success: false, code: 'agent.not-found', message: 'Assistant not found.', status: 404 },
    }
    const { user } = await open({ [`GET /v1/sui/assistant/${id}/history`]: () => gone })
    const verify = within(await section()).getByRole('button', { name: 'Verify' })
    await user.click(verify)
    await screen.findByText('The history could not be read: Assistant not found.')
    await waitFor(() => expect(verify.getAttribute('aria-busy')).not.toBe('true'))
    expect(chat().dataset.variant).toBe('primary')
  })

  it('offers its owner to anchor it where the operator anchors, says why it failed, and asks nothing else of anybody', async () => {
    await seedSession(aUser({ email: `${address}@sui`, name: '', app_metadata: { kind: 'sui' } }))
    const own = { ...agent, prompt: '', knowledge: '', userEmail: '' }
    const mine = { 'GET /v1/assistant': () => ({ status: 200, body: own }) }
    const without = await open(mine)
    await section()
    expect(screen.queryByRole('button', { name: 'Anchor on Sui' })).toBeNull()
    without.unmount()

    const chain = { suiAnchoring: { package: `0x${'a1'.repeat(32)}`, network: 'mainnet' } }
    const stranger = await open({}, chain)
    await section()
    expect(screen.queryByRole('button', { name: 'Anchor on Sui' })).toBeNull()
    stranger.unmount()

    const head = { manifest: JSON.stringify({ version: 2, address }), signature: '' }
    const refused = { status: 503, body: { success: false, code: 'sui.chain-away', message: '', status: 503 } }
    const anchors = { answer: refused as { status: number; body: unknown } }
    const { user } = await open(
      {
        ...mine,
        [`GET /v1/sui/assistant/${id}`]: () => ({ status: 200, body: { agent: own, head } }),
        [`POST /v1/sui/assistant/${id}/anchors`]: () => anchors.answer,
      },
      chain,
    )
    const history = await section()
    const anchor = await within(history).findByRole('button', { name: 'Anchor on Sui' })
    expect(within(history).getByText(/^Your wallet can publish the digest of version 2 in a transaction/)).toBeTruthy()
    await user.click(anchor)
    expect(await within(history).findByText('The chain cannot be reached. Try again in a moment.')).toBeTruthy()
    anchors.answer = { status: 200, body: { anchors: [] } }
    vi.mocked(connectSui).mockResolvedValueOnce({ address, sign: async () => '', send: undefined })
    await user.click(anchor)
    expect(await within(history).findByText('This wallet cannot send transactions from here.')).toBeTruthy()
    const send = vi.fn(async () => Promise.reject(new Error('User rejected')))
    vi.mocked(connectSui).mockResolvedValueOnce({ address, sign: async () => '', send })
    await user.click(anchor)
    expect(
      await within(history).findByText('The wallet did not send the transaction. Nothing was anchored.'),
    ).toBeTruthy()
    expect(send).toHaveBeenCalledWith(expect.stringContaining('"function":"publish"'), 'mainnet')
  })

  it('tells of each version where the chain has it, in the person’s language', async () => {
    const signed = aSignedAgent()
    const [first, second] = signed.history.versions
    const of = (version: number, manifest = '', signer = signed.wallet) =>
      anAnchor({ id: signed.agent._id, version, manifest, wallet: signed.wallet, signer })
    const anchors = { answer: { status: 200, body: { anchors: [] as unknown[] } } as { status: number; body: unknown } }
    const verify = { current: 'Verify' }
    const said = async (...given: unknown[]) => {
      anchors.answer = { status: 200, body: { anchors: given } }
      const { unmount, user } = await renderScreen(`/assistant/${signed.agent._id}`, {
        config: { signInMethods: ['email'], suiAnchoring: anchoring },
        answers: {
          'GET /v1/assistant': () => ({ status: 200, body: signed.agent }),
          [`GET /v1/sui/assistant/${signed.agent._id}`]: () => ({
            status: 200,
            body: { agent: signed.agent, head: second },
          }),
          [`GET /v1/sui/assistant/${signed.agent._id}/history`]: () => ({ status: 200, body: signed.history }),
          [`GET /v1/sui/assistant/${signed.agent._id}/anchors`]: () => anchors.answer,
        },
      })
      await user.click(await screen.findByRole('button', { name: verify.current }))
      const status = await screen.findByText(/^(Checked in|Verificado neste|Comprobado en) /)
      const told = [
        status.textContent,
        ...screen.getAllByText(/Sui\b|wallet published|âncora|ancla/).map((one) => one.textContent),
      ]
      unmount()
      return told.join('\n')
    }
    const kept = of(2, second?.manifest)
    const short = `${kept.transaction.slice(0, 6)}…${kept.transaction.slice(-4)}`
    const whole = 'Checked in this browser: 2 versions, unbroken, all signed by this wallet.'
    const time = (language: string) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(kept.at))
    expect(await said(kept)).toBe(`${whole}\nAnchored on Sui: ${time('en-US')}, transaction ${short}.`)
    expect(await said()).toBe(`${whole}\nIt is not anchored on Sui.`)
    expect(await said({ ...kept, chain: 'away' })).toBe(
      `${whole} Not every anchor could be read.\nIts anchor could not be read: the Sui node did not answer.`,
    )
    expect(await said({ ...kept, chain: 'missing' })).toContain(
      `The Sui node does not show its anchor, transaction ${short}.`,
    )
    expect(await said(of(1, first?.manifest, aWallet()))).toMatch(
      /^Checked in this browser: this is not what the wallet signed\.(.|\n)+ is not what this wallet published\.$/,
    )
    await setLanguage('pt-BR')
    verify.current = 'Verificar'
    expect(await said(kept)).toContain(`Ancorada na Sui: ${time('pt-BR')}, transação ${short}.`)
    await setLanguage('es-ES')
    verify.current = 'Verificar'
    expect(await said(kept)).toContain(`Anclada en Sui: ${time('es-ES')}, transacción ${short}.`)
  })
})
