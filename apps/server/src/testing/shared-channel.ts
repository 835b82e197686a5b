import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { Invitation, MemberRole } from '@parley/contract/sharing'
import { uuidv7 } from '@parley/contract/uuid'
import { expect } from 'vitest'
import type { Database } from '../db/client'
import { channelInvitations, channelMembers, channels } from '../db/schema/channels'
import { messageReceipts, messages } from '../db/schema/messages'
import type { MemoryBus } from '../providers/bus/memory-bus'
import { buildTestApp, type databases, type TestApp } from './build-test-app'
import { aPerson, type Client } from './person'

export type Person = Awaited<ReturnType<typeof aPerson>>
export type Link = Invitation & { url: string }

export const aMessage = (chat_request: string, fields: Partial<Message> = {}): Message => ({
  mId: uuidv7(),
  channelId: 'elsewhere',
  chat_request,
  chat_response: { role: 'assistant', content: 'This.' },
  datetime: '2026-01-02T03:04:05.678Z',
  status: 'completed',
  ...fields,
})

export const idOf = (person: Person): string => person.answer.user.id
export const tokenOf = ({ url }: Link): string => url.split('/').at(-1) ?? ''
export const channelsOf = async (person: Person) =>
  ((await person.send('GET', '/api/channel')).body as { channels: Channel[] }).channels
export const pageOf = async (person: Person, id: string) =>
  ((await person.send('GET', `/api/chat/documents/0/50/${id}`)).body as { content: Message[] }).content

/** Ana with a channel that holds one message. */
export async function aChannel(
  kind: (typeof databases)[number],
  options: { now?: () => number; bus?: MemoryBus; database?: Database } = {},
) {
  const app = await buildTestApp({
    kind,
    env: { RATE_LIMIT_SCALE: '0', PUBLIC_URL: 'https://parley.example' },
    ...options,
  })
  const origin = 'https://parley.example'
  const person = (name: string) => aPerson(app, `${name}@example.org`, origin)
  const ana = await person('ana')
  const { data } = (await ana.post('/api/channel', { channelName: 'Plans' })).body as { data: Channel }
  const id = data.id
  await ana.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('From Ana', { mId: 'm-ana' })] })
  const invite = async (fields: { role?: MemberRole; days?: number; maxUses?: number } = {}): Promise<Link> => {
    const answer = await ana.post(`/api/channel/${id}/invitations`, { role: 'write', ...fields })
    if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Link
  }
  const accept = (who: Client, link: Link) => who.post(`/api/invitations/${tokenOf(link)}/accept`, undefined)
  /** A person who has come in with a link of their own. */
  const aMember = async (name: string, role: MemberRole) => {
    const member = await person(name)
    expect((await accept(member, await invite({ role }))).status).toBe(200)
    return member
  }
  return { app, ana, id, person, invite, accept, aMember }
}

export const stateOf = async (app: TestApp) => [
  await app.db.select().from(channels).orderBy(channels.id),
  await app.db.select().from(messages).orderBy(messages.mId),
  await app.db.select().from(channelMembers).orderBy(channelMembers.userId),
  await app.db.select().from(channelInvitations).orderBy(channelInvitations.id),
  await app.db.select().from(messageReceipts).orderBy(messageReceipts.mId),
]

/** Every call about a channel, its messages, people and invitations. */
export const callsOn = (
  id: string,
  mId: string,
  { invitationId, memberId }: { invitationId: string; memberId: string },
): [string, string, object?][] => [
  ['GET', `/api/channel/${id}`],
  ['PUT', '/api/channel', { channelId: id, channelName: 'Mine now' }],
  ['DELETE', `/api/channel/${id}`],
  ['DELETE', `/api/channel/${id}/clear`],
  ['POST', `/api/chat/${id}/readers`, { messageIds: [mId] }],
  ['GET', `/api/chat/documents/0/10/${id}`],
  ['GET', `/api/chat/${id}/messages/${mId}`],
  ['DELETE', `/api/chat/${mId}?channelId=${id}`],
  ['DELETE', `/api/chat/${mId}`],
  ['PUT', `/api/chat/${id}/messages`, { messages: [aMessage('Intruder')] }],
  ['POST', `/api/channel/${id}/invitations`, { role: 'write' }],
  ['GET', `/api/channel/${id}/invitations`],
  ['DELETE', `/api/channel/${id}/invitations`],
  ['DELETE', `/api/channel/${id}/invitations?invitationId=${invitationId}`],
  ['GET', `/api/channel/${id}/members`],
  ['GET', `/api/channel/${id}/members/${memberId}`],
  ['DELETE', `/api/channel/${id}/members/${memberId}`],
  ['PUT', `/api/channel/${id}/head`, { mId }],
  ['DELETE', `/api/channel/${id}/branch/${mId}`],
  ['GET', `/api/channel/${id}/outline`],
  ['PUT', `/api/chat/${id}/messages/${mId}/pin`, { isPinned: true }],
  ['POST', '/api/channel/export', { channelId: id }],
  ['PATCH', `/api/chat/receive-message/${mId}?channelId=${id}`],
  ['PATCH', `/api/chat/read-message/${mId}`],
  ['PATCH', `/api/chat/read-conversation/${id}`],
  ['POST', '/api/chat/forward-message', { messageId: mId, channelIds: [id] }],
]
