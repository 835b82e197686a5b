import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeDraft } from '../../data/channels/drafts'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { useShortageState } from '../../data/credits/shortage-state'
import { chooseModel } from '../../data/models/chosen-model'
import { closeNoCredits } from '../../data/session/no-credits-dialog'
import { forgetSession } from '../../data/session/stored-session'
import { aMessage, aServer, box, dearModel, line } from '../../testing/credit-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aWalletUser, seedSession } from '../../testing/seed-session'

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

describe('a question that is likely to be expensive', () => {
  const estimate = () => screen.findByText(/^About \$/)

  it('is announced before it is sent, with the chat that goes along and the server’s markup', async () => {
    await seedSession()
    chooseModel(dearModel)
    const message = await aMessage({ question: 'x'.repeat(3_968), answer: 'y'.repeat(3_968) })
    const { user } = await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
    await user.type(await box(), 'Go on')
    // (1000 + 1000 + 10 tokens of text) × $0.00001 + 700 × $0.0001, twice
    // Once the messages are there.
    expect(await screen.findByText('About $0.19 with Big Model')).toBeTruthy()
    await user.clear(await box())
    await waitFor(() => expect(screen.queryByText(/^About \$/)).toBeNull())
  })

  it('is no word where it is cheap or nobody pays', async () => {
    await seedSession()
    const { user, unmount } = await renderScreen('/app', aServer({ amount: 5 }))
    await user.type(await box(), 'Go on')
    chooseModel(dearModel)
    await estimate()
    chooseModel(undefined)
    await waitFor(() => expect(screen.queryByText(/^About \$/)).toBeNull())
    unmount()
    await seedSession(aWalletUser())
    chooseModel(dearModel)
    const second = await renderScreen('/app', aServer({ amount: 5 }))
    await second.user.type(await box(), 'Go on')
    await screen.findByText('Web3 Unlimited')
    expect(screen.queryByText(/^About \$/)).toBeNull()
  })
})
