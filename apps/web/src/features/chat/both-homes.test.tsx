import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { noteMove } from '../../data/channels/move-direction'
import { deleteMessage } from '../../data/chat/send-message'
import { forgetSession } from '../../data/session/stored-session'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

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
  const cloud = { channels: [plans], messages: [...messages] }
  const page = () => ({ status: 200, body: { content: cloud.messages, page: 0, size: 100, total: cloud.messages.length } })
  const answers: NonNullable<Parameters<typeof renderScreen>[1]>['answers'] = {
    'GET /api/channel': () => ({ status: 200, body: { channels: cloud.channels, documents: [] } }),
    'GET /api/channel/c1': () => ({ status: 200, body: plans }),
    'POST /api/channel': () => ({ status: 201, body: { data: plans } }),
    'GET /api/chat/documents/0/100/c1': page,
    'GET /api/chat/documents/0/50/c1': page,
    'PUT /api/chat/c1/messages': (body) => {
      const given = (body as { messages: Message[] }).messages
      for (const message of given) {
        const index = cloud.messages.findIndex(({ mId }) => mId === message.mId)
        cloud.messages.splice(index < 0 ? cloud.messages.length : index, index < 0 ? 0 : 1, message)
      }
      return { status: 200, body: { added: given.length, existing: 0, total: cloud.messages.length } }
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

const here = [exchange(1, 'First.'), exchange(3, 'Third, once.')]
const there = [exchange(1, 'First.'), exchange(2, 'Only in the cloud.'), exchange(3, 'Third, anew.', 2)]
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
  expect(cloud.messages.map(({ chat_response }) => chat_response.content)).toEqual(['First.', 'Only in the cloud.', 'Third, anew.'])
  await waitFor(() => expect(screen.queryByText(/^This chat stands on this device/)).toBeNull())
})

it('offers to finish the move that was cut off, in the direction that it had', async () => {
  const { answers: said, cloud } = aCloud(there)
  await noteMove('c1', 'local')
  const { user } = await openChat({ answers: said })
  await note()
  const finish = await screen.findByRole('button', { name: 'Finish the move to this device' })
  expect(screen.queryByRole('button', { name: 'Finish the move to the cloud' })).toBeNull()
  await user.click(finish)
  await waitFor(() => expect(cloud.channels).toEqual([]))
  const kept = (await localChannels.messages('c1')).messages.map(({ chat_response }) => chat_response.content)
  expect(kept).toEqual(expect.arrayContaining(['First.', 'Only in the cloud.', 'Third, anew.', 'Third, once.']))
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
