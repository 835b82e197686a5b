import type { Message, ServerFrame } from '@parley/contract/chat'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { chooseModel } from '../../data/models/chosen-model'
import { forgetSession } from '../../data/session/stored-session'
import { aMessage, aServer, box, line } from '../../testing/credit-chat'
import { defaultModel } from '../../testing/many-models'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

beforeEach(async () => {
  localStorage.clear()
  forgetSession()
  await seedSession()
})
afterEach(async () => {
  vi.restoreAllMocks()
  chooseModel(undefined)
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  line.forget()
  await cleanUp()
})

const smallModel = {
  ...defaultModel,
  ...{ id: 'small/model', name: 'Small', contextTokens: 4_096, maxOutputTokens: 512 },
  pricing: { prompt: '0.000001', completion: '0.000002' },
}

function aSmallServer() {
  const server = aServer({ amount: 5, markup: '1' })
  const answers = {
    ...server.answers,
    'GET /models': () => ({ status: 200, body: { data: [smallModel] } }),
    'GET /api/chat/instructions-size': () => ({ status: 200, body: { tokens: 100 } }),
  }
  return { config: { ...server.config, defaultModel: smallModel.id }, answers }
}

/** A chat of this device with so many answered questions, each of about `length` tokens. */
async function aChat(count: number, length = 100, fields: Partial<Message> = {}): Promise<string> {
  const text = 'x'.repeat(length * 2)
  const { channelId, mId, afterRunId: _begins, ...first } = await aMessage({ question: text, answer: text, ...fields })
  for (let at = 1; at < count; at++)
    await localChannels.put({ ...first, channelId, mId: `${mId.slice(0, -4)}${String(1_000 + at)}` })
  return channelId
}

const gauge = (name: RegExp = /^Context: \d+% of the model’s window$/) => screen.findByRole('button', { name })
const details = () => screen.findByRole('dialog', { name: 'Sent with the next question' })

it('says by keyboard what goes along, what does not, and what the chat has cost', async () => {
  const usage = { inputTokens: 1, outputTokens: 1, cost: '2000000' }
  const channelId = await aChat(60, 100, { usage })
  const { user } = await renderScreen(`/app#${channelId}`, aSmallServer())
  const button = await gauge()
  act(() => button.focus())
  await user.keyboard('{Enter}')
  const panel = await details()
  expect(document.activeElement === panel).toBe(true)
  // 4,096 less 512, 100 and a question of 8 leave 3,476, a tenth of them spare: 26 exchanges of 116 + 16 tokens fit.
  const sent = Math.floor((3_476 - 348) / 116)
  expect(within(panel).getByText(`Last ${sent * 2} messages, in full`)).toBeTruthy()
  expect(within(panel).getByText(`${120 - sent * 2} messages are not sent`)).toBeTruthy()
  expect(within(panel).getByText('Room for the answer').nextSibling?.textContent).toBe('512')
  expect(within(panel).getByText('General instructions').nextSibling?.textContent).toBe('100')
  await waitFor(() => expect(within(panel).getByText('This chat so far').nextSibling?.textContent).toBe('$0.12'))
  await user.keyboard('{Escape}')
  expect(screen.queryAllByRole('dialog')).toHaveLength(0)
  expect(document.activeElement === button).toBe(true)
})

it('warns only of what has to go along and does not fit', async () => {
  const channelId = await aChat(3)
  const { user } = await renderScreen(`/app#${channelId}`, aSmallServer())
  expect((await gauge()).dataset.warn).toBeUndefined()
  await user.click(await box())
  await user.paste('y'.repeat(16_000))
  const button = await gauge(/not everything fits$/)
  expect(button.dataset.warn).toBe('true')
  await user.click(button)
  expect(within(await details()).getByText('Your question is too long for this model')).toBeTruthy()
})

it('reads what lies before the loaded messages once, however much is typed and written', async () => {
  const channelId = await aChat(60)
  const reads = vi.spyOn(localChannels, 'messages')
  const { user } = await renderScreen(`/app#${channelId}`, aSmallServer())
  await gauge()
  // The page on the screen, and that of the ten messages before it.
  expect(reads.mock.calls.map(([, position]) => position?.around !== undefined)).toEqual([false, true])
  await user.type(await box(), 'What else is there?')
  await gauge()
  expect(reads).toHaveBeenCalledTimes(2)

  await user.keyboard('{Enter}')
  await waitFor(() => expect(line.questions()).toHaveLength(1))
  const messageId = line.questions()[0]?.messageId ?? ''
  const push = (frame: object) => act(async () => line.push({ messageId, mId: messageId, ...frame } as ServerFrame))
  await push({ event: 'accepted', seq: 1 })
  await screen.findByRole('button', { name: 'Stop' })
  const asked = reads.mock.calls.length
  for (let seq = 2; seq < 30; seq++) await push({ event: 'content', seq, content: 'more ' })
  await waitFor(() =>
    expect([...document.querySelectorAll('[data-answer]')].at(-1)?.textContent).toContain('more more'),
  )
  expect(reads).toHaveBeenCalledTimes(asked)
  // What was loaded before the question was asked is not read again either.
  expect(reads.mock.calls.slice(2).filter(([, position]) => position?.around !== undefined)).toHaveLength(0)
})
