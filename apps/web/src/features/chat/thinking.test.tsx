import { apologyText } from '@parley/contract/apology'
import type { ServerFrame } from '@parley/contract/chat'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { forgetSession } from '../../data/session/stored-session'
import { aMessage, aServer, line } from '../../testing/credit-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(async () => {
  vi.useRealTimers()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  line.forget()
  await cleanUp()
})

it('what a model thought is a line with its seconds, unfolded and folded by click and by key', async () => {
  const message = await aMessage({ reasoning: { text: 'First this.\n\nThen <b>that</b>.', ms: 12_400 } })
  const { user } = await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
  const button = await screen.findByRole('button', { name: 'Thought for 12 s' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  await user.click(button)
  const region = screen.getByRole('region', { name: 'What the model thought' })
  expect(button.getAttribute('aria-controls')).toBe(region.id)
  // Plain text: neither HTML nor Markdown.
  expect(within(region).getByText('Then <b>that</b>.')).toBeTruthy()
  button.focus()
  await user.keyboard('{Enter}')
  expect(button.getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByRole('region', { name: 'What the model thought' })).toBeNull()
})

it('an answer without it has no such line', async () => {
  const message = await aMessage({})
  await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
  await screen.findByText(message.chat_response.content)
  expect(document.querySelector('[data-thinking]')).toBeNull()
})

it.each<[which: string, Parameters<typeof aMessage>[0], shown: RegExp]>([
  ['that was stopped while the model thought says so', { status: 'stopped', answer: '' }, /^Stopped by you/],
  ['of thinking alone is the apology', { answer: apologyText, empty: true }, /^I apologize/],
])('an answer %s, with what was thought above it', async (_which, fields, shown) => {
  const message = await aMessage({ ...fields, reasoning: { text: 'Hm.', ms: 2_000 } })
  const { user } = await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
  const below = await screen.findByText(shown)
  const button = await screen.findByRole('button', { name: 'Thought for 2 s' })
  expect(button.compareDocumentPosition(below)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await user.click(button)
  expect(screen.getByRole('region', { name: 'What the model thought' }).textContent).toBe('Hm.')
})

it('while it comes its seconds go on; with the first word it is over, and is stored with the answer', async () => {
  const message = await aMessage({ status: 'interrupted' })
  const { user } = await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
  await user.click(await screen.findByRole('button', { name: 'Resend' }))
  await waitFor(() => expect(line.questions()).toHaveLength(1))
  const messageId = line.questions()[0]?.messageId ?? ''
  const push = (frame: object) => act(async () => line.push({ messageId, mId: messageId, ...frame } as ServerFrame))
  await push({ event: 'accepted', seq: 1 })
  await push({ event: 'reasoning', seq: 2, content: 'Hm', ms: 2_900 })
  await user.click(await screen.findByRole('button', { name: 'Thinking, 3 s' }))
  await screen.findByRole('button', { name: 'Thinking, 4 s' }, { timeout: 3_000 })
  await push({ event: 'reasoning', seq: 3, content: ', so.', ms: 5_000 })
  expect((await screen.findByRole('region', { name: 'What the model thought' })).textContent).toBe('Hm, so.')
  await push({ event: 'content', seq: 4, content: 'Yes.' })
  await screen.findByRole('button', { name: 'Thought for 5 s', expanded: true })
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('Yes.'))
  await push({
    ...{ event: 'end', seq: 5, length: 4, sha256: Buffer.from(hash).toString('hex') },
    message: {
      mId: message.mId,
      chat_response: { role: 'assistant', content: 'Yes.' },
      reasoning: { text: 'Hm, so.', ms: 5_200 },
    },
  })
  await expect
    .poll(() => localChannels.message(message.channelId, message.mId))
    .toMatchObject({ status: 'completed', reasoning: { text: 'Hm, so.', ms: 5_200 } })
})
