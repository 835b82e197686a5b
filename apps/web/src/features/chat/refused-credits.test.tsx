import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeDraft } from '../../data/channels/drafts'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { resendMessage } from '../../data/chat/resend-message'
import { dropAnswers } from '../../data/chat/send-message'
import { useShortageState } from '../../data/credits/shortage-state'
import { chooseModel } from '../../data/models/chosen-model'
import { closeNoCredits, useNoCreditsDialog } from '../../data/session/no-credits-dialog'
import { forgetSession } from '../../data/session/stored-session'
import { aServer, box, dialog, isShort, line, notEnough, type World } from '../../testing/credit-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

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

describe('the dialog about credits', () => {
  const open = async (world: World = {}) => {
    await seedSession()
    const view = await renderScreen('/app', aServer(world))
    await isShort()
    await view.user.type(await box(), 'What is a lien?{Enter}')
    // The amount is gone from the address as soon as the tab has read it.
    const pushState = vi.spyOn(history, 'pushState')
    onTestFinished(() => pushState.mockRestore())
    return {
      ...view,
      pushed: () => pushState.mock.calls.map(([, , url]) => String(url).replace(location.origin, '')),
      field: within(await dialog()).queryByRole<HTMLInputElement>('textbox', { name: 'Value in USD' }),
    }
  }

  it('takes an amount, shows 0 for what is no number and names no bounds, and leads to buying it [ST-059]', async () => {
    const { user, pushed, field } = await open()
    if (!field) throw new Error('there is no field')
    expect([field.min, field.max, field.getAttribute('aria-valuemin')]).toEqual(['', '', null])
    await user.clear(field)
    expect(field.value).toBe('0')
    await user.type(field, 'x')
    expect(field.value).toBe('0')
    await user.type(field, '12,5')
    expect(field.value).toBe('12.5')
    await user.click(within(await dialog()).getByRole('button', { name: 'Continue' }))
    expect(pushed()).toEqual(['/settings?tab=credits&pay=12.5'])
    expect(useNoCreditsDialog.getState().isOpen).toBe(false)
  })

  it('goes on with Enter', async () => {
    const { user, pushed, field } = await open()
    if (!field) throw new Error('there is no field')
    await user.clear(field)
    await user.type(field, '20.{Enter}')
    expect(pushed()).toEqual(['/settings?tab=credits&pay=20'])
  })

  it('sells nothing where nothing is sold', async () => {
    const { field } = await open({ methods: [] })
    expect(field).toBeNull()
    expect(
      within(await dialog()).getByText('This server sells no credits. Free models answer without them.'),
    ).toBeTruthy()
    expect(within(await dialog()).queryByRole('button', { name: 'Continue' })).toBeNull()
  })
})

describe('credits that the server misses', () => {
  /** Somebody asks; the server has not answered yet. */
  const ask = async (question = 'What is a lien?') => {
    await seedSession()
    const view = await renderScreen('/app', aServer({ amount: 'unknown' }))
    await view.user.type(await box(), `${question}{Enter}`)
    await waitFor(() => expect(line.questions()).toHaveLength(1))
    await screen.findByRole('article')
    const { messageId = '', channelId = '' } = line.questions()[0] ?? {}
    const refuse = () => line.push({ event: 'no-credits', messageId, mId: messageId, seq: 1, content: notEnough })
    return { ...view, channelId, refuse }
  }

  it('are said in its words; the question is back in its box and is no message any more [ST-098]', async () => {
    const { user, channelId, refuse } = await ask()
    refuse()
    expect(await screen.findByText(notEnough)).toBeTruthy()
    await waitFor(async () => expect((await box()).value).toBe('What is a lien?'))
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
    expect((await localChannels.messages(channelId)).messages).toEqual([])
    expect(await outbox.list()).toEqual([])
    // Nothing of it stands in the way of the next attempt.
    await user.click(await screen.findByRole('button', { name: 'Send' }))
    await waitFor(() =>
      expect(line.questions().map(({ question }) => question)).toEqual(['What is a lien?', 'What is a lien?']),
    )
  })

  it('leave the question where it is, with Resend, when another one is in the box by then [ST-098]', async () => {
    const { user, channelId, refuse } = await ask()
    await user.type(await box(), 'And a pledge?')
    refuse()
    // Above the page and under the question.
    await waitFor(() => expect(screen.getAllByText(notEnough)).toHaveLength(2))
    expect(screen.getByRole('button', { name: 'Resend' })).toBeTruthy()
    expect(await box()).toHaveProperty('value', 'And a pledge?')
    const { messages } = await localChannels.messages(channelId)
    expect(messages.map(({ chat_request, status }) => [chat_request, status])).toEqual([['What is a lien?', 'failed']])
  })

  it('a double click on Resend asks once more, not twice', async () => {
    const { user, channelId, refuse } = await ask('What is a bond?')
    await user.type(await box(), 'And a pledge?')
    refuse()
    await user.dblClick(await screen.findByRole('button', { name: 'Resend' }))
    await waitFor(() => expect(line.questions()).toHaveLength(2))
    // A third one would have gone out before it.
    const [{ mId = '' } = {}] = (await localChannels.messages(channelId)).messages
    await resendMessage(channelId, mId)
    expect(line.questions()).toHaveLength(2)
    expect(await outbox.list()).toHaveLength(1)
  })
})
