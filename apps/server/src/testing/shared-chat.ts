import { randomUUID } from 'node:crypto'
import type { CreateChatMessage, Message } from '@parley/contract/chat'
import { expect, onTestFinished } from 'vitest'
import { MemoryBus } from '../providers/bus/memory-bus'
import { buildTestApp } from './build-test-app'
import { type ChatClient, Visitor } from './chat-client'
import { buildChatApp, redisUrl, type Setup } from './chat-setups'
import { aPerson, type Client } from './person'
import { testDatabase } from './test-databases'

const tokenOf = ({ tokens }: Client): string => tokens?.access_token ?? ''

/**
 * Ana's cloud channel, in which Bruno may write and Rita may read. With two nodes Ana's socket is on the first, the
 * others' on the second.
 */
export async function aSharedChat({ kind, bus }: Setup, { nodes = 1 }: { nodes?: 1 | 2 } = {}) {
  const memory = bus === 'memory' ? { bus: new MemoryBus() } : {}
  onTestFinished(async () => memory.bus?.close())
  // Of this test alone: the names of counters, which a Redis keeps for a day, are made with it.
  const env = { RATE_LIMIT_SCALE: '0', AUTH_SECRET: `a secret of both nodes ${randomUUID()}` }
  // A node on an embedded database takes itself for the only one, and the answers of any other for dead.
  const shared = nodes === 1 ? {} : { database: { ...(await testDatabase(kind)), kind: 'postgresql' as const } }
  const app = await buildChatApp({ kind, bus }, { ...memory, ...shared, env })
  const gatewayEnv = {
    LLM_BASE_URL: app.gateway.url,
    LLM_API_KEY: 'sk-canary-key',
    ...(bus === 'redis' ? { REDIS_URL: redisUrl ?? '' } : {}),
  }
  const other =
    nodes === 1
      ? app
      : await buildTestApp({ kind, ...memory, ...shared, keepTables: true, env: { ...env, ...gatewayEnv } })
  const [ana, bruno, rita] = [
    await aPerson(app, 'ana@example.org'),
    await aPerson(app, 'bruno@example.org'),
    await aPerson(app, 'rita@example.org'),
  ]
  const channelId = ((await ana.post('/api/channel', { channelName: 'Plans' })).body as { data: { id: string } }).data
    .id
  const letIn = async (guest: Client, role: 'read' | 'write') => {
    const { url } = (await ana.post(`/api/channel/${channelId}/invitations`, { role })).body as { url: string }
    expect((await guest.post(`/api/invitations/${url.split('/').at(-1)}/accept`, undefined)).status).toBe(200)
  }
  await letIn(bruno, 'write')
  await letIn(rita, 'read')
  const connect = (person: Client, node: { url: string } = app) => new Visitor(tokenOf(person)).connect(node)
  const sockets = { ana: await connect(ana), bruno: await connect(bruno, other), rita: await connect(rita, other) }
  const ask = (on: ChatClient, question: string, more: Partial<CreateChatMessage> = {}) =>
    on.ask(question, { storageMode: 'cloud', channelId, ...more })
  const readBy = async (person: Client): Promise<Message[]> =>
    ((await person.send('GET', `/api/chat/documents/0/50/${channelId}`)).body as { content: Message[] }).content
  const remove = (guest: typeof bruno) =>
    ana.send('DELETE', `/api/channel/${channelId}/members/${guest.answer.user.id}`)
  return { app, other, ana, bruno, rita, channelId, sockets, connect, ask, readBy, remove }
}
