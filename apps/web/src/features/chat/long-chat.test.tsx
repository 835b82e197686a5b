import type { Message, ServerFrame } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { KeyVault } from '../../data/local/vault'
import { aChatLine } from '../../testing/chat-line'
import { defaultModel } from '../../testing/many-models'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

const rendered = vi.hoisted((): string[] => [])
vi.mock('./answer', async (original) => {
  const { Answer } = await original<typeof import('./answer')>()
  return {
    Answer: (props: Parameters<typeof Answer>[0]) => {
      rendered.push(props.shown.message.mId)
      return <Answer {...props} />
    },
  }
})

const line = aChatLine()
beforeEach(() => {
  localStorage.clear()
  line.forget()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await cleanUp()
})

const loaded = 3_000
/** So many of them are in the storage; the rest is loaded as if it were, which takes a test too long. */
const stored = 20
/** 30 ms of a fast model each. */
const frames = 33

const aMessage = (channelId: string, n: number): Message => ({
  ...{ mId: uuidv7(), channelId, chat_request: `Question ${n}`, status: 'completed' },
  chat_response: { role: 'assistant', content: `Answer ${n}` },
  datetime: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
})

/** The chat is on the screen with all of its messages. Each call of `reads` is a page that is read. */
async function aLongChat() {
  const [channel] = await seedChannels('Not this one')
  if (!channel) throw new Error('no channel')
  const channelId = uuidv7()
  const all = Array.from({ length: loaded }, (_, n) => aMessage(channelId, n))
  await localChannels.importChannel({ ...channel, id: channelId, channelName: 'The long one' }, all.slice(-stored))
  const read = localChannels.messages.bind(localChannels)
  const reads = vi.spyOn(localChannels, 'messages').mockImplementation(async (id, options) => {
    const page = await read(id, options)
    return { ...page, messages: [...all.slice(0, -stored), ...page.messages], total: page.total + loaded - stored }
  })
  const told = new Set<string>()
  // What the gauge of the context asks, once.
  const answers = {
    ...line.answers,
    'GET /models': () => {
      told.add('models')
      return { status: 200, body: { data: [defaultModel] } }
    },
    'GET /api/chat/instructions-size': () => {
      told.add('size')
      return { status: 200, body: { tokens: 100 } }
    },
  }
  const { user } = await renderScreen(`/app#${channelId}`, { answers })
  await screen.findByText(`Question ${loaded - 1}`)
  return { user, reads, told }
}

const nextFrame = () => act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())))

it('with 3,000 messages loaded, a second of an answer reads no message, asks the server nothing and renders its text alone', async () => {
  const { user, reads, told } = await aLongChat()
  await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'And now?{Enter}')
  await waitFor(() => expect(line.questions()).toHaveLength(1))
  const messageId = line.questions()[0]?.messageId ?? ''
  const push = (frame: object): void => line.push({ messageId, mId: messageId, ...frame } as ServerFrame)
  push({ event: 'accepted', seq: 1, model: 'm' })
  push({ event: 'content', seq: 2, content: 'Word 0' })
  await screen.findByText('Word 0')
  await waitFor(() => expect(told.size).toBe(2))
  await nextFrame()
  expect(document.querySelectorAll('[data-message-id]').length).toBeGreaterThan(2)

  const decrypted = vi.spyOn(KeyVault.prototype, 'open')
  const requested = vi.spyOn(globalThis, 'fetch')
  const addresses = () => requested.mock.calls.map(([input]) => String(input))
  reads.mockClear()
  expect(rendered).toContain(messageId)
  rendered.length = 0
  for (let n = 1; n <= frames; n++) {
    push({ event: 'content', seq: n + 2, content: ` ${n}` })
    await nextFrame()
  }
  await screen.findByText(new RegExp(`^Word 0 1 .* ${frames}$`))
  expect(decrypted.mock.calls.filter(([{ id }]) => !id.includes(messageId))).toEqual([])
  expect(addresses()).toEqual([])
  expect(reads).not.toHaveBeenCalled()
  expect(rendered).toEqual([])
})
