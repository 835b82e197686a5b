import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeDraft } from '../../data/channels/drafts'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { useShortageState } from '../../data/credits/shortage-state'
import { chooseModel } from '../../data/models/chosen-model'
import { closeNoCredits } from '../../data/session/no-credits-dialog'
import { forgetSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { aMessage, aServer, line } from '../../testing/credit-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, aWalletUser, seedSession } from '../../testing/seed-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  chooseModel(undefined)
  closeNoCredits()
  useShortageState.setState({ isShort: false })
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  writeDraft('new', '')
  line.forget()
  await cleanUp()
})

it('an answer that was continued says what all of it used and cost, once, however often its end comes', async () => {
  await seedSession()
  const message = await aMessage({
    status: 'interrupted',
    usage: { inputTokens: 10, outputTokens: 20, cost: '30000000' },
  })
  const { user } = await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(line.questions()).toHaveLength(1))
  const messageId = line.questions()[0]?.messageId ?? ''
  const [mId, content] = [messageId, ' and more']
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content))
  const digest = { length: content.length, sha256: Buffer.from(hash).toString('hex') }
  const usage = { inputTokens: 5, outputTokens: 6, cost: '20000000' }
  line.push({ event: 'content', messageId, mId, seq: 1, content })
  for (let n = 0; n < 2; n++)
    line.push({
      event: 'end',
      messageId,
      mId,
      seq: 2,
      message: { mId, chat_response: { role: 'assistant', content }, usage },
      ...digest,
    })
  await waitFor(async () =>
    expect(await localChannels.message(message.channelId, message.mId)).toMatchObject({
      status: 'completed',
      chat_response: { content: `${message.chat_response.content}${content}` },
      usage: { inputTokens: 15, outputTokens: 26, cost: '50000000' },
    }),
  )
  await waitFor(async () => expect(await outbox.list()).toEqual([]))
  expect((await localChannels.message(message.channelId, message.mId))?.usage?.cost).toBe('50000000')
})

describe('what an answer cost', () => {
  const shownCost = async (cost: string, user = aUser()) => {
    await seedSession(user)
    const message = await aMessage({ usage: { inputTokens: 10, outputTokens: 20, cost }, durationMs: 3_200 })
    await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
    await screen.findByText('3.2 s')
    return document.querySelector<HTMLElement>('[data-cost]')
  }

  it.each([
    ['4217500', '$0.0043', '$0.0042175'],
    ['42000000', '$0.042', '$0.042'],
    ['50000000', '$0.05', '$0.05'],
    ['1234567890', '$1.24', '$1.23456789'],
    ['1', '$0.000000001', '$0.000000001'],
  ])(
    'stands beside it (%s nano-dollars): short, named for whoever hears it, exact on hover',
    async (cost, short, exact) => {
      await shownCost(cost)
      await waitFor(() =>
        expect(document.querySelector('[data-cost]')?.textContent).toBe(`Cost of this answer: ${short}`),
      )
      expect(document.querySelector<HTMLElement>('[data-cost]')?.title).toBe(exact)
    },
  )

  it('is not shown for what was free, for wallets, and where it is no amount', async () => {
    expect(await shownCost('0')).toBeNull()
    await cleanUp()
    expect(await shownCost('4217500', aWalletUser())).toBeNull()
    await cleanUp()
    forgetSession()
    expect(await shownCost('much')).toBeNull()
  })
})

it('how long an answer took is written as the language writes numbers', async () => {
  await seedSession()
  const message = await aMessage({ durationMs: 3_200 })
  await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
  await screen.findByText('3.2 s')
  try {
    await act(() => setLanguage('pt-BR'))
    await screen.findByText('3,2 s')
  } finally {
    await act(() => setLanguage('en-US'))
  }
})
