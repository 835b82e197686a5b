import type { CreateChatMessage, Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queuedId } from '../../data/channels/chat-keys'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { putQueued, readQueue } from '../../data/channels/queued-questions'
import { dropAnswers } from '../../data/chat/send-message'
import { openDevice } from '../../data/vault/open-device'
import { asked, line, waiting } from '../../testing/queue-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

beforeEach(() => {
  localStorage.clear()
  line.forget()
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  await cleanUp()
})

const exchange = (channelId: string, question: string, fields: Partial<Message> = {}): Message => ({
  mId: uuidv7(),
  channelId,
  chat_request: question,
  chat_response: { role: 'assistant', content: 'An answer' },
  datetime: new Date().toISOString(),
  status: 'completed',
  ...fields,
})

const entryOf = (channelId: string, mId: string, question: string) => {
  const body: CreateChatMessage = {
    question,
    channelId,
    messageId: mId,
    assistantId: null,
    isAudioMessage: false,
    enableWebSearch: false,
    typeChat: {},
    userLanguage: 'en-US',
    lastMessages: [],
    storageMode: 'local',
  }
  return { mId, body }
}

type Prepared = {
  status?: Message['status']
  /** What is stored before the queue is. */
  prepare?: (channelId: string, mId: string) => Promise<void>
}

/** A chat with an answer, and one question in its queue. What sends it may begin at once. */
async function aQueue({ status = 'completed', prepare = async () => undefined }: Prepared = {}) {
  const [lease] = await seedChannels('Lease clauses')
  const channelId = lease?.id ?? ''
  await localChannels.put(exchange(channelId, 'What is a lien?', { status }))
  const mId = uuidv7()
  await prepare(channelId, mId)
  await putQueued(channelId, { mId, text: 'And a pledge?' })
  return { channelId, mId }
}

const asks = (mId: string): Partial<Message> => ({
  ...{ mId, status: 'queued', chat_response: { role: 'assistant', content: '' } },
  run: { messageId: mId, seq: 0, base: 0 },
})

it.each<[string, (channelId: string, mId: string) => Promise<void>]>([
  ['before anything of it was stored', async () => undefined],
  [
    'between its place in the outbox and its message',
    (channelId, mId) => outbox.add(entryOf(channelId, mId, 'And a pledge?')),
  ],
  [
    'after its message was stored',
    async (channelId, mId) => {
      await outbox.add(entryOf(channelId, mId, 'And a pledge?'))
      await localChannels.put(exchange(channelId, 'And a pledge?', asks(mId)))
    },
  ],
])('a question whose page was closed %s is sent once', async (_moment, prepare) => {
  const { channelId, mId } = await aQueue({ prepare })
  await renderScreen(`/app#${channelId}`, { answers: line.answers })
  await waitFor(() => expect(line.questions().map(({ messageId }) => messageId)).toEqual([mId]))
  await waitFor(async () => expect(await readQueue(channelId)).toEqual([]))
  const { messages } = await localChannels.messages(channelId)
  expect(messages.map(({ chat_request }) => chat_request)).toEqual(['What is a lien?', 'And a pledge?'])
  expect(asked()).toEqual(['And a pledge?'])
})

it('a question that was answered before it could be taken out of the queue is not sent again', async () => {
  const prepare = (channelId: string, mId: string) => localChannels.put(exchange(channelId, 'And a pledge?', { mId }))
  const { channelId } = await aQueue({ prepare })
  await renderScreen(`/app#${channelId}`, { answers: line.answers })
  await waitFor(async () => expect(await readQueue(channelId)).toEqual([]))
  expect(asked()).toEqual([])
  expect((await localChannels.messages(channelId)).messages).toHaveLength(2)
})

it('what waits after an interrupted answer waits on in the next page, and says why', async () => {
  const { channelId } = await aQueue({ status: 'interrupted' })
  await renderScreen(`/app#${channelId}`, { answers: line.answers })
  expect(await screen.findByText('It waits, because the answer before it was interrupted.')).toBeTruthy()
  expect(waiting()).toEqual(['And a pledge?'])
  expect(asked()).toEqual([])
})

it('a queue goes on while another chat is on the screen', async () => {
  const { mId } = await aQueue()
  await renderScreen('/app', { answers: line.answers })
  await waitFor(() => expect(line.questions().map(({ messageId }) => messageId)).toEqual([mId]))
})

it('a question of the queue that cannot be read here is skipped, and kept as it is', async () => {
  const { channelId, mId } = await aQueue()
  const { db } = await openDevice()
  const unreadable = { id: queuedId(channelId, '0'), v: 2, kid: 'gone', n: new Uint8Array(12), c: new ArrayBuffer(32) }
  await db.put('drafts', unreadable)
  await renderScreen(`/app#${channelId}`, { answers: line.answers })
  await waitFor(() => expect(line.questions().map(({ messageId }) => messageId)).toEqual([mId]))
  await waitFor(async () => expect(await readQueue(channelId)).toEqual([]))
  expect(await db.get('drafts', unreadable.id)).toMatchObject({ kid: 'gone' })
})

it('nothing of a queued question is stored in plain text', async () => {
  const { channelId } = await aQueue()
  const { db } = await openDevice()
  const records = await db.getAll('drafts')
  expect(records.map(({ id }) => id.startsWith(channelId))).toEqual([true])
  const bytes = records.map(({ c }) => new TextDecoder('latin1').decode(c))
  expect(JSON.stringify(records) + bytes.join()).not.toContain('pledge')
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('pledge')
})
