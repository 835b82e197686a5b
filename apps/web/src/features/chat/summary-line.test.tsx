import { finalEvents } from '@parley/contract/chat-protocol'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { noteAsked, useSummaryState } from '../../data/chat/summary-state'
import { writeSummary } from '../../data/chat/write-summary'
import { closeNoCredits } from '../../data/session/no-credits-dialog'
import { forgetSession } from '../../data/session/stored-session'
import { aMessage, aServer, line } from '../../testing/credit-chat'
import { defaultModel } from '../../testing/many-models'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

beforeEach(async () => {
  localStorage.clear()
  forgetSession()
  closeNoCredits()
  useSummaryState.setState({ asked: {}, runs: {}, lines: {} })
  await seedSession()
})
afterEach(async () => {
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  line.forget()
  await cleanUp()
})

const smallModel = {
  ...defaultModel,
  ...{ id: 'small/model', name: 'Small', contextTokens: 4_096, maxOutputTokens: 512 },
}

const answer = (text: string) => ({
  ...{ mId: 'm', chat_response: { role: 'assistant', content: text } },
  ...{ usage: { inputTokens: 10, outputTokens: 5, cost: '4200000' } },
})

/** A server that writes summaries: `requests` are those that it was asked for, `texts` what it answers. */
function aSummarist(texts: (string | undefined)[], { amount = 5 } = {}) {
  const server = aServer({ amount, markup: '1' })
  const requests: { messages: { content: string }[]; before?: string }[] = []
  const state = { config: { ...server.config, defaultModel: smallModel.id }, requests }
  const answers = {
    ...server.answers,
    'GET /models': () => ({ status: 200, body: { data: [smallModel] } }),
    'GET /api/chat/instructions-size': () => ({ status: 200, body: { tokens: 100 } }),
  }
  const render = async (address: string) => {
    const view = await renderScreen(address, { config: state.config, answers })
    const { fetch } = globalThis
    globalThis.fetch = async (input, init) => {
      if (!String(input).endsWith('/api/chat/summary')) return fetch(input, init)
      requests.push(JSON.parse(String(init?.body)))
      const text = texts.shift()
      const ids = { messageId: '01a20b0c-a763-78c9-9934-5b6e9805c0e2', mId: 'm', seq: 2 }
      const frame =
        text === undefined
          ? { event: finalEvents[4], ...ids, code: 'upstream.failed', content: 'No' }
          : { event: 'end', ...ids, message: answer(text), length: text.length, sha256: '' }
      return new Response(`data: ${JSON.stringify(frame)}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
    }
    return view
  }
  return { requests, render }
}

/** A chat of this device with three short exchanges, and a fourth that takes nearly the whole window. */
async function aLongChat(): Promise<string> {
  const { channelId, mId, afterRunId: _begins, ...first } = await aMessage({ question: 'What is it?', answer: 'That.' })
  const put = (n: number, content: string): Promise<void> =>
    localChannels.put({
      ...{ ...first, channelId, mId: `${mId.slice(0, -4)}${1_000 + n}` },
      chat_response: { role: 'assistant', content },
    })
  for (const n of [1, 2]) await put(n, 'This.')
  await put(3, 'long '.repeat(2_480))
  return channelId
}

/** As if the last question had been asked in this tab. */
async function noteLastAsked(channelId: string): Promise<void> {
  const { messages } = await localChannels.messages(channelId)
  noteAsked(channelId, messages.at(-1)?.mId ?? '')
}

const title = (name: RegExp) => screen.findByRole('region', { name })
const act = async (user: { click: (element: Element) => Promise<void> }, region: RegExp, name: string) =>
  user.click(within(await title(region)).getByRole('button', { name }))

it('is not asked for by opening a chat: the chat says how many messages are not sent', async () => {
  const summarist = aSummarist(['In short.'])
  const channelId = await aLongChat()
  await summarist.render(`/app#${channelId}`)
  await title(/^6 messages are not sent$/)
  expect(summarist.requests).toEqual([])
})

it('is asked for once after a question, with all that is left out; then it is a line to read, edit and undo', async () => {
  const channelId = await aLongChat()
  const summarist = aSummarist(['In short, they agreed.'])
  const { user } = await summarist.render(`/app#${channelId}`)
  await title(/are not sent$/)
  await noteLastAsked(channelId)
  const region = await title(/^From here on Parley sends this summary$/)
  expect(summarist.requests).toHaveLength(1)
  const [stored] = await localChannels.summaries(channelId)
  expect(stored).toMatchObject({ text: 'In short, they agreed.', cost: '4200000', editedByPerson: false })
  expect(stored?.messages).toBe(summarist.requests[0]?.messages.length)
  expect(region.textContent).toContain(`${stored?.messages} messages in 6 tokens`)
  expect(region.textContent).toContain('$0.0042')

  await user.click(within(region).getByRole('button', { name: 'Edit' }))
  const box = await screen.findByRole('textbox', { name: 'Summary' })
  await user.clear(box)
  await user.type(box, 'My own words.')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(async () => expect((await localChannels.summaries(channelId))[0]?.text).toBe('My own words.'))
  await waitFor(async () => expect((await title(/^From here on/)).textContent).toContain('Your text'))

  await act(user, /^From here on/, 'Undo')
  await title(/are not sent$/)
  await noteLastAsked(channelId)
  await act(user, /are not sent$/, 'Use the summary')
  expect((await title(/^From here on/)).textContent).toContain('My own words.')
  expect(summarist.requests).toHaveLength(1)
})

it('that failed is asked for again by hand alone', async () => {
  const channelId = await aLongChat()
  const summarist = aSummarist([undefined, 'In short.'])
  const { user } = await summarist.render(`/app#${channelId}`)
  await title(/are not sent$/)
  await noteLastAsked(channelId)
  await screen.findByText('The summary could not be written.')
  await noteLastAsked(channelId)
  await screen.findByText('The summary could not be written.')
  expect(summarist.requests).toHaveLength(1)
  await act(user, /are not sent$/, 'Try again')
  await title(/^From here on/)
  expect(summarist.requests).toHaveLength(2)
})

it('is asked for once by two tabs', async () => {
  const channelId = await aLongChat()
  const summarist = aSummarist(['In short.', 'Twice.'])
  await summarist.render(`/app#${channelId}`)
  const messages = (await localChannels.messages(channelId, { limit: 9 })).messages
  const [, second] = messages
  const place = { mId: second?.mId ?? '', runId: second?.mId ?? '' }
  const here = writeSummary(channelId, place)
  // As from another tab, which knows nothing of this one's state.
  useSummaryState.setState({ runs: {} })
  await Promise.all([here, writeSummary(channelId, place)])
  expect(summarist.requests).toHaveLength(1)
  expect(await localChannels.summaries(channelId)).toHaveLength(1)
})

it('is not asked for without credits: the line leads to them', async () => {
  const channelId = await aLongChat()
  const summarist = aSummarist(['In short.'], { amount: 0.5 })
  const { user } = await summarist.render(`/app#${channelId}`)
  await title(/are not sent$/)
  await noteLastAsked(channelId)
  await user.click(await screen.findByRole('button', { name: 'Get credits' }))
  await screen.findByRole('dialog', { name: 'Not enough credits' })
  expect(summarist.requests).toEqual([])
})
