import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { ConversationMessage } from '@parley/contract/receipts'
import { expect } from 'vitest'
import { buildTestApp, type databases } from './build-test-app'
import { aPerson } from './person'

export type Person = Awaited<ReturnType<typeof aPerson>>
export const idOf = (person: Person): string => person.answer.user.id

export const aMessage = (mId: string, fields: Partial<Message> = {}): Message => ({
  mId,
  channelId: 'elsewhere',
  chat_request: `Question ${mId}`,
  chat_response: { role: 'assistant', content: `Answer ${mId}` },
  datetime: '2026-01-02T03:04:05.678Z',
  status: 'completed',
  ...fields,
})

export async function aChannelOf(person: Person, channelName: string, given: Message[] = []): Promise<string> {
  const { data } = (await person.post('/api/channel', { channelName })).body as { data: Channel }
  if (given.length > 0) await person.send('PUT', `/api/chat/${data.id}/messages`, { messages: given })
  return data.id
}

export async function letIn(owner: Person, channelId: string, guest: Person, role: 'read' | 'write'): Promise<void> {
  const { url } = (await owner.post(`/api/channel/${channelId}/invitations`, { role })).body as { url: string }
  expect((await guest.post(`/api/invitations/${url.split('/').at(-1)}/accept`, undefined)).status).toBe(200)
}

/** Ana shares a channel with two messages with Bruno and Carla. */
export async function aSharedChannel(kind: (typeof databases)[number]) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
  const [ana, bruno, carla] = [
    await aPerson(app, 'ana@example.org'),
    await aPerson(app, 'bruno@example.org'),
    await aPerson(app, 'carla@example.org'),
  ]
  const id = await aChannelOf(ana, 'Plans', [aMessage('m1'), aMessage('m2')])
  await letIn(ana, id, bruno, 'write')
  await letIn(ana, id, carla, 'read')
  const conversation = async (person: Person, key = `${id}_`) =>
    (
      (await person.send('GET', '/api/chat/conversations')).body as {
        chats_by_channel_and_assistant_id: Record<string, ConversationMessage[]>
      }
    ).chats_by_channel_and_assistant_id[key]
  const metaOf = async (person: Person, mId: string) =>
    (await conversation(person))?.find((message) => message.mId === mId)?.meta
  return { app, ana, bruno, carla, id, conversation, metaOf }
}
