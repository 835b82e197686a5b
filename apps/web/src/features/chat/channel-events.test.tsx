import type { Channel } from '@parley/contract/channels'
import type { Message, ServerFrame } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import { uuidv7 } from '@parley/contract/uuid'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { paintedAnswer } from '../../data/chat/live-chat'
import { aChatLine } from '../../testing/chat-line'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'

const line = aChatLine()
beforeEach(() => {
  localStorage.clear()
  line.forget()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await cleanUp()
})

const channelId = '0193f000-0000-7000-8000-00000000c4a2'
const aChannel: Channel = {
  ...{ id: channelId, userId: aUser().id, channelName: 'Shared plans', assistantId: null, source: 'postgresql' },
  ...{ isDocument: false, isImage: false, isYoutube: false, isLocked: false, isLocalChannel: false },
  ...{ created_at: '2026-01-05T12:00:00.000Z', updated_at: '2026-01-05T12:00:00.000Z' },
}

function after(previous: Message | undefined, text: string): Message {
  const afterRunId = previous?.mId ?? null
  return {
    ...{ mId: uuidv7(), channelId, chat_request: `${text}?`, status: 'completed', afterRunId },
    chat_response: { role: 'assistant', content: `${text}!` },
    datetime: '2026-01-05T12:00:00.000Z',
    ...(previous ? { author: { name: 'bruno' } } : {}),
  }
}

/** A cloud chat with one exchange is on the screen. `asked`: what the page has asked the server since. */
async function aSharedChat(fields: Partial<Channel> = {}) {
  const channel = { ...aChannel, ...fields }
  const messages = [after(undefined, 'One')]
  await seedSession()
  const page = () => ({ content: messages, page: 0, size: 50, total: messages.length })
  const one: Parameters<typeof renderScreen>[1] = {
    answers: {
      ...line.answers,
      'GET /api/channel': () => ({ status: 200, body: { channels: [channel], documents: [] } }),
      [`GET /api/channel/${channelId}`]: () => ({ status: 200, body: channel }),
      [`GET /api/chat/documents/0/50/${channelId}`]: () => ({ status: 200, body: page() }),
    },
  }
  await renderScreen(`/app#${channelId}`, one)
  await screen.findByText('One!')
  await waitFor(() => expect(line.isOpen()).toBe(true))
  const pathOf = ({ mId }: Message): string => `/api/chat/${channelId}/messages/${mId}`
  const requests: string[] = []
  const before = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    const message = messages.find((each) => pathOf(each) === pathname)
    // What is asked for at the start may still be on its way.
    if (/^\/api\/(chat|channel)\b/.test(pathname) && !/receipts|read/.test(pathname))
      requests.push(pathname.replace(channelId, ':id'))
    return message ? Response.json(message) : before(input, init)
  }
  const changed = (change?: object) =>
    line.push({ event: 'channel-changed', channelId, ...(change ? { change } : {}) } as ServerFrame)
  const exchangesChanged = (...mIds: string[]) => changed({ kind: 'exchanges', mIds })
  return { channel, messages, requests, changed, exchangesChanged }
}

const ofMessage = ({ mId }: Message): string => `/api/chat/:id/messages/${mId}`
const ofChannel = '/api/channel/:id'
/** What was read of the messages: one, or a page of them. */
const messageReads = (requests: readonly string[]) => requests.filter((path) => /\/(messages|documents)\//.test(path))

describe('an event of a shared chat', () => {
  it('adds a question that somebody else asked, and reads nothing but it and its chat', async () => {
    const { messages, requests, exchangesChanged } = await aSharedChat()
    const two = after(messages[0], 'Two')
    messages.push(two)
    exchangesChanged(two.mId)
    expect(await screen.findByText('Two!')).toBeTruthy()
    expect(screen.getByText('One!')).toBeTruthy()
    await waitFor(() => expect(requests).toContain(ofChannel))
    expect(messageReads(requests)).toEqual([ofMessage(two)])
  })

  it('shows an answer that was written anew, and one that is gone, without the others read again', async () => {
    const { messages, requests, exchangesChanged } = await aSharedChat()
    const [one] = messages
    if (!one) throw new Error('no message')
    messages[0] = { ...one, chat_response: { role: 'assistant', content: 'One, again!' } }
    exchangesChanged(one.mId)
    expect(await screen.findByText('One, again!')).toBeTruthy()
    messages.pop()
    exchangesChanged(one.mId)
    await waitFor(() => expect(screen.queryByText('One, again!')).toBeNull())
    await waitFor(() => expect(requests.at(-1)).toBe(ofChannel))
    expect(messageReads(requests)).toEqual([ofMessage(one), ofMessage(one)])
  })

  it('reads the page once where the exchange follows none that is shown, or events do not tell what changed', async () => {
    const { messages, requests, changed, exchangesChanged } = await aSharedChat()
    const two = after(messages[0], 'Two')
    const three = after(two, 'Three')
    messages.push(two, three)
    exchangesChanged(three.mId)
    expect(await screen.findByText('Three!')).toBeTruthy()
    expect(screen.getByText('Two!')).toBeTruthy()
    const page = '/api/chat/documents/0/50/:id'
    expect(requests.filter((each) => each === page)).toHaveLength(1)
    messages.push(after(three, 'Four'))
    for (const change of [undefined, { kind: 'of a later version' }]) changed(change)
    expect(await screen.findByText('Four!')).toBeTruthy()
    expect(requests.filter((each) => each === page)).toHaveLength(2)
    expect(requests).not.toContain('/api/channel')
  })

  it('that concerns its name or its people reads the chat alone', async () => {
    const { requests, changed } = await aSharedChat()
    changed({ kind: 'channel' })
    await waitFor(() => expect(requests).toContain(ofChannel))
    expect(messageReads(requests)).toEqual([])
  })

  it('shows the settings that were changed elsewhere', async () => {
    const { channel, changed } = await aSharedChat()
    await screen.findByRole('button', { name: 'Answer settings: As usual' })
    channel.settings = { instructions: 'Rhyme.' }
    changed({ kind: 'channel' })
    expect(await screen.findByRole('button', { name: 'Answer settings: Changed' })).toBeTruthy()
    channel.settings = {}
    changed({ kind: 'channel' })
    expect(await screen.findByRole('button', { name: 'Answer settings: As usual' })).toBeTruthy()
  })
})

it('messages that are shown stay where they cannot be read again, which is said, until they can', async () => {
  const { messages, changed } = await aSharedChat()
  const { retries } = webLimits.queries
  Object.assign(webLimits.queries, { retries: 0 })
  onTestFinished(() => void Object.assign(webLimits.queries, { retries }))
  const ask = globalThis.fetch
  globalThis.fetch = async (input, init) =>
    String(input instanceof Request ? input.url : input).includes('/documents/')
      ? Response.json({ code: 'unknown', error: 'no' }, { status: 500 })
      : ask(input, init)
  changed()
  expect(await screen.findByText('New messages could not be loaded.')).toBeTruthy()
  expect(screen.getByText('One!')).toBeTruthy()
  globalThis.fetch = ask
  messages.push(after(messages[0], 'Two'))
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Two!')).toBeTruthy()
  expect(screen.queryByText('New messages could not be loaded.')).toBeNull()
})

/** Keeps those answers of the server back until they are released. */
function holdReads(isHeld: (path: string) => boolean): () => void {
  const ask = globalThis.fetch
  let release = (): void => undefined
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    if (isHeld(pathname)) await isReleased
    return ask(input, init)
  }
  return release
}

/** What the last answer on the screen says, from now until the texts are asked for. */
function textsOfLastAnswer(): () => Set<string | null | undefined> {
  const texts = new Set<string | null | undefined>()
  const observer = new MutationObserver(() => {
    const answers = [...document.querySelectorAll('[data-answer-text]')]
    texts.add(answers.at(-1)?.textContent)
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  return () => {
    observer.disconnect()
    return texts
  }
}

/** The answer of this run ends with these words. Gives the message as the server has it then. */
async function endWith(text: string, asked: Message, messageId: string): Promise<Message> {
  const run = { messageId, seq: 3, base: 0 }
  const message: Message = { ...asked, status: 'completed', run, chat_response: { role: 'assistant', content: text } }
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex')
  const ids = { messageId, mId: asked.mId }
  line.push({ event: 'end', ...ids, seq: 3, message, length: text.length, sha256 } as ServerFrame)
  return message
}

it('an own answer that was written anew stays in sight at its end, however slowly the chat is read then', async () => {
  const { messages } = await aSharedChat()
  const [one] = messages
  if (!one) throw new Error('no message')
  fireEvent.click(screen.getByRole('button', { name: 'Regenerate' }))
  await waitFor(() => expect(line.questions()).toHaveLength(1))
  const messageId = line.questions()[0]?.messageId ?? ''
  const of = { messageId, mId: one.mId }
  line.push({ event: 'accepted', ...of, seq: 1 } as ServerFrame)
  line.push({ event: 'content', ...of, seq: 2, content: 'Another one' } as ServerFrame)
  await screen.findByText('Another one')
  const release = holdReads((path) => path.includes('/documents/'))
  const texts = textsOfLastAnswer()
  messages[0] = await endWith('Another one', one, messageId)
  await waitFor(() => expect(paintedAnswer(one.mId)).toMatchObject({ phase: 'stored' }))
  await waitFor(() => expect(paintedAnswer(one.mId)).toBeUndefined(), { timeout: 5_000 })
  release()
  await screen.findByRole('button', { name: 'Regenerate' })
  expect([...texts()]).toEqual(['Another one'])
})

describe('an answer that somebody else asked for', () => {
  /** Bruno has asked, and what is written is followed. */
  async function anAnswerOfBruno(fields?: Partial<Channel>) {
    const { messages, exchangesChanged } = await aSharedChat(fields)
    const two = after(messages[0], 'Two')
    const messageId = two.mId
    const run = { messageId, seq: 0, base: 0 }
    messages.push({ ...two, status: 'streaming', run, chat_response: { role: 'assistant', content: '' } })
    exchangesChanged(two.mId)
    await screen.findByText('Two?')
    await waitFor(() => expect(line.sent()).toContainEqual({ event: 'resume', messageId, afterSeq: 0 }))
    const of = { messageId, mId: messageId }
    line.push({ event: 'accepted', ...of, seq: 1 } as ServerFrame)
    line.push({ event: 'content', ...of, seq: 2, content: 'Half of it' } as ServerFrame)
    await screen.findByText('Half of it')
    return { messages, messageId, two }
  }

  it('stays in sight at its end, however slowly the chat is read then', async () => {
    const { messages, messageId, two } = await anAnswerOfBruno()
    const release = holdReads(() => true)
    const text = 'Half of it'
    const texts = textsOfLastAnswer()
    messages[1] = await endWith(text, two, messageId)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop this answer' })).toBeNull())
    release()
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Copy' })).toHaveLength(2))
    expect([...texts()]).toEqual([text])
  })

  it('grows for the owner, who waits for it with nothing, and may stop it', async () => {
    const { messageId } = await anAnswerOfBruno()
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Stop this answer' }))
    await waitFor(() => expect(line.sent()).toContainEqual({ event: 'stop-message', messageId }))
  })

  it('grows for whoever may only read, and cannot be stopped by them', async () => {
    await anAnswerOfBruno({ userId: 'u2', ownerName: 'ana', role: 'read' })
    expect(screen.queryByRole('button', { name: /^Stop/ })).toBeNull()
  })
})
