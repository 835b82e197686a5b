import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { textOf } from '@parley/contract/parts'
import { oldestRunsFirst } from '@parley/contract/tree-copies'
import { uuidv7 } from '@parley/contract/uuid'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { storeMoveDirection } from '../../data/channels/move-direction'
import { deleteMessage } from '../../data/chat/send-message'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'
import { lineOf } from '../../testing/tree-cloud'

beforeEach(async () => {
  localStorage.clear()
  await seedSession()
})
afterEach(async () => {
  await cleanUp()
  forgetSession()
})

const at = '2026-01-01T00:00:00.000Z'
const plans: Channel = {
  id: 'c1',
  userId: null,
  channelName: 'Plans',
  assistantId: null,
  isDocument: false,
  isImage: false,
  isYoutube: false,
  isLocked: false,
  created_at: at,
  updated_at: at,
  isLocalChannel: false,
  source: 'postgresql',
}
/** The `minute`th exchange, as a run wrote it that began at `run`. */
const exchange = (minute: number, answer: string, run = 1): Message => ({
  mId: `m${minute}`,
  channelId: 'c1',
  chat_request: `Question ${minute}?`,
  chat_response: { role: 'assistant', content: answer },
  datetime: `2026-01-01T00:0${minute}:00.000Z`,
  status: 'completed',
  run: { messageId: uuidv7(run), seq: 3, base: 0 },
})

/** A cloud that has this channel with these messages, as the server keeps it. */
function aCloud(messages: Message[]) {
  const cloud = { channels: [plans], messages: [...messages], exchanges: lineOf(messages) }
  const page = () => ({
    status: 200,
    body: { content: cloud.messages, page: 0, size: 100, total: cloud.messages.length },
  })
  const answers: NonNullable<Parameters<typeof renderScreen>[1]>['answers'] = {
    'GET /api/channel': () => ({ status: 200, body: { channels: cloud.channels, documents: [] } }),
    'GET /api/channel/c1': () => ({ status: 200, body: plans }),
    'POST /api/channel': () => ({ status: 201, body: { data: plans } }),
    'GET /api/chat/documents/0/100/c1': page,
    'GET /api/chat/documents/0/50/c1': page,
    'GET /api/channel/c1/tree': () => ({ status: 200, body: { exchanges: cloud.exchanges, head: null } }),
    'GET /api/embeddings/job/channel/c1': () => ({ status: 200, body: [] }),
    'GET /api/channel/c1/summaries': () => ({ status: 200, body: { summaries: [] } }),
    'PUT /api/channel/c1/tree': (body) => {
      for (const { exchange, runs } of (body as { exchanges: ExchangeWithRuns[] }).exchanges) {
        const known = cloud.exchanges.find((each) => each.exchange.id === exchange.id)
        if (known) known.runs = oldestRunsFirst([...known.runs, ...runs])
        else cloud.exchanges.push({ exchange, runs })
      }
      return { status: 204 }
    },
    'DELETE /api/chat/m2': () => {
      cloud.messages = cloud.messages.filter(({ mId }) => mId !== 'm2')
      return { status: 204 }
    },
    'DELETE /api/channel/c1': () => {
      Object.assign(cloud, { channels: [], messages: [] })
      return { status: 204 }
    },
  }
  return { cloud, answers }
}

const first = exchange(1, 'First.')
const here = [first, exchange(3, 'Third, once.')]
const there = [first, exchange(2, 'Only in the cloud.'), exchange(3, 'Third, anew.', 2)]
const local: Channel = { ...plans, isLocalChannel: true, source: 'indexeddb' }
const note = () => screen.findByText('This chat stands on this device and in the cloud. You see the messages of both.')

async function openChat(options: Parameters<typeof renderScreen>[1]) {
  await localChannels.importChannel(local, here)
  return renderScreen('/app#c1', options)
}

it('shows the messages of both copies, and lets the person choose where the move ends that nobody noted', async () => {
  const { cloud, answers: said } = aCloud(there)
  const { user } = await openChat({ answers: said })
  const list = within(screen.getByRole('main'))
  for (const text of ['First.', 'Only in the cloud.', 'Third, anew.']) expect(await list.findByText(text)).toBeTruthy()
  expect(list.queryByText('Third, once.')).toBeNull()
  const order = list.getAllByText(/^Question \d\?$/).map(({ textContent }) => textContent)
  expect(order).toEqual(['Question 1?', 'Question 2?', 'Question 3?'])
  await note()
  expect(await screen.findByRole('button', { name: 'Finish the move to this device' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Finish the move to the cloud' }))
  await waitFor(async () => expect(await localChannels.list()).toEqual([]))
  expect(cloud.exchanges.map(({ runs }) => runs.map(({ answer }) => textOf(answer)))).toEqual([
    ['First.'],
    ['Only in the cloud.'],
    ['Third, once.', 'Third, anew.'],
  ])
  await waitFor(() => expect(screen.queryByText(/^This chat stands on this device/)).toBeNull())
})

it('offers to finish the move that was cut off, in the direction that it had', async () => {
  const { answers: said, cloud } = aCloud(there)
  await storeMoveDirection('c1', 'local')
  const { user } = await openChat({ answers: said })
  await note()
  const finish = await screen.findByRole('button', { name: 'Finish the move to this device' })
  expect(screen.queryByRole('button', { name: 'Finish the move to the cloud' })).toBeNull()
  await user.click(finish)
  await waitFor(() => expect(cloud.channels).toEqual([]))
  const kept = (await localChannels.messages('c1')).messages.map(({ chat_response }) => chat_response.content)
  expect(kept).toEqual(['First.', 'Only in the cloud.', 'Third, anew.'])
  expect((await localChannels.readWhole('c1'))?.exchanges[2]?.runs).toHaveLength(2)
})

it('deletes a message in both, so that the other copy does not bring it back', async () => {
  const { answers: said, cloud } = aCloud(there)
  await openChat({ answers: said })
  await screen.findByText('Only in the cloud.')
  await deleteMessage('c1', 'm2')
  await waitFor(() => expect(screen.queryByText('Only in the cloud.')).toBeNull())
  expect(cloud.messages).toHaveLength(2)
})

it('says that the messages in the cloud could not be read, and keeps those that are here', async () => {
  const { answers: said } = aCloud(there)
  const down = () => ({ status: 403, body: { success: false, code: 'forbidden', message: '', status: 403 } })
  await openChat({ answers: { ...said, 'GET /api/chat/documents/0/100/c1': down } })
  expect(await screen.findByText('Third, once.')).toBeTruthy()
  expect(await screen.findByText('New messages could not be loaded.')).toBeTruthy()
  await note()
})
