// Makes fixtures/conversations-0016.json.gz with the code of the version before runs:
//   git worktree add /tmp/before d90560c, with its node_modules; copy this file and conversation-answers.ts there; in
//   it run MAKE_FIXTURE=/path/of/conversations-0016.json.gz TEST_DATABASE_URL=… npx vitest run --project server \
//   make-conversations
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, it } from 'vitest'
import { generations } from '../db/schema/chat'
import { messages } from '../db/schema/messages'
import type { ChatClient } from './chat-client'
import { Visitor } from './chat-client'
import { buildChatApp } from './chat-setups'
import { aMessage, cloudOf, messagesAsking, numbered } from './cloud-channels'
import { aTalker, tokenOf } from './cloud-talker'
import { answersFor } from './conversation-answers'
import { words } from './gateway-scenarios'
import { aPerson } from './person'
import { idOf, letIn } from './shared-conversation'

const target = process.env.MAKE_FIXTURE

const tables = ['users', 'channels', 'channel_members', 'messages', 'message_receipts']
/** What a node sends to the tables that a migration changes. */
const isWrite = /^\s*(insert into|update|delete from)\s+"?(messages|channels|channel_members|message_receipts)\b/i

function recordWrites(): { text: string; values: unknown[] }[] {
  const writes: { text: string; values: unknown[] }[] = []
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
  const plain = (value: unknown): unknown =>
    value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? String(value) : (value ?? null)
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...given: [string | { text: string; values?: unknown[] }, unknown[]?]) {
      const [first, second] = given
      const text = typeof first === 'string' ? first : first.text
      const values = Array.isArray(second) ? second : typeof first === 'string' ? [] : (first.values ?? [])
      if (typeof text === 'string' && isWrite.test(text)) writes.push({ text, values: values.map(plain) })
      return query.apply(this, given)
    },
  })
  return writes
}

it.runIf(target !== undefined)('a database with all that a conversation may hold', async () => {
  // Connections that are open already are not recorded.
  const writes = recordWrites()
  const app = await buildChatApp(undefined, { env: { RATE_LIMIT_SCALE: '0' } })
  const { gateway, db } = app
  const { person: ana, client, ask, stored, channelId: talk } = await aTalker(app)
  const bruno = await aPerson(app, 'bruno@example.org')
  const cloud = cloudOf(ana)
  const contentOf = async (mId: string, id = talk): Promise<string> =>
    (await cloud.message(id, mId)).chat_response.content
  const over = (id: string, on: ChatClient = client) =>
    on.until(
      (frame): frame is typeof frame =>
        'messageId' in frame &&
        frame.messageId === id &&
        ['end', 'stopped', 'error', 'error-openrouter'].includes(frame.event),
    )
  const usage = { prompt_tokens: 50, completion_tokens: 70, cost: 0.0000047 }
  const asked = async (question: string, more: Parameters<typeof ask>[1] = {}): Promise<string> => {
    const id = ask(question, more)
    await over(id)
    return more.mId ?? id
  }

  gateway.next({ text: 'A plain answer', usage })
  const plain = await asked('Plain?')
  gateway.next({ status: 401 })
  const failed = await asked('Failed?')
  await asked('#empty')
  gateway.next({ text: words(500), holdAfter: 900 })
  const stopped = ask('Stopped?')
  await expect.poll(() => contentOf(stopped)).not.toBe('')
  client.send({ event: 'stop-message', messageId: stopped })
  await over(stopped)
  gateway.next({ text: ' and the rest 👩‍👩‍👧', usage })
  await asked('Go on.', { mId: stopped, isContinuation: true })
  const regenerated = await asked('Regenerated?')
  gateway.next({ text: 'Second answer', usage })
  await asked('Regenerated?', { mId: regenerated })
  gateway.next({ text: 'Third ánswer 👍', usage })
  await asked('Regenerated?', { mId: regenerated })
  const restored = await asked('Restored?')
  gateway.next({ text: '' })
  await asked('Restored?', { mId: restored })
  const broken = await asked('#cut')
  const deleted = await asked('Deleted later?')
  const escaped = await asked('nul \u0000, half \ud83c and \u0001')
  gateway.next({ text: '\u0000 more 👩‍👩‍👧' })
  await asked('Go on.', { mId: escaped, isContinuation: true })
  gateway.next({ text: words(300), holdAfter: 700 })
  const dead = ask('Whose node is gone?')
  await expect.poll(() => contentOf(dead)).not.toBe('')
  await db
    .update(generations)
    .set({ owner: 'a dead node', heartbeatAt: new Date(0) })
    .where(eq(generations.messageId, dead))
  await expect.poll(async () => (await cloud.message(talk, dead)).status).toBe('interrupted')

  const odd = (await cloud.create({ channelName: 'Odd' })).id
  const runId = uuidv7()
  const imported: Message[] = [
    aMessage({
      datetime: 'some day',
      status: 'stopped',
      chat_request: '\u0000',
      chat_response: { role: 'assistant', content: '\u0001\ud83d' },
    }),
    aMessage({
      usage: { inputTokens: 5, outputTokens: 7.5, cost: '4700' },
      durationMs: 1234.5,
      run: { messageId: runId, seq: 12, base: 3, question: 'Go on' },
    }),
    aMessage({
      usage: { inputTokens: 1e300, outputTokens: 0.1, cost: 'free' },
      run: { messageId: runId, seq: 1.5, base: -3 },
    }),
    aMessage({
      chat_response: { role: 'assistant', content: '👩‍👩‍👧 split' },
      run: { messageId: uuidv7(), seq: 1, base: 1 },
    }),
    aMessage({
      status: 'streaming',
      chat_response: { role: 'assistant', content: '' },
      run: { messageId: uuidv7(0), seq: 0, base: 99 },
    }),
    aMessage({ mId: runId, author: { name: 'Somebody' }, forwarded: true, error: { code: 'x', content: '\u0000' } }),
    aMessage({
      mId: 'z/1 é?',
      empty: true,
      status: 'failed',
      assistantId: 'agent',
      model: 'some/model',
      finishReason: 'stop',
    }),
  ]
  await cloud.fill(odd, imported)
  await ana.send('DELETE', `/api/chat/${imported[2]?.mId}?channelId=${odd}`)
  const long = (await cloud.create({ channelName: 'Long' })).id
  const longMessages = messagesAsking(numbered(1, 40))
  await cloud.fill(long, longMessages)

  const shared = ((await ana.post('/api/channel', { channelName: 'Shared' })).body as { data: Channel }).data.id
  await cloud.fill(shared, [aMessage({ mId: 'm1' }), aMessage({ mId: 'm2' })])
  await letIn(ana, shared, bruno, 'write')
  const other = await new Visitor(tokenOf(bruno)).connect(app)
  const askShared = (question: string, more: object = {}) =>
    other.ask(question, { storageMode: 'cloud', channelId: shared, ...more })
  const byBruno = askShared('Of Bruno?')
  await over(byBruno, other)
  await bruno.send('PATCH', `/api/chat/read-message/m1?channelId=${shared}`)
  await bruno.send('PATCH', `/api/chat/receive-message/m2?channelId=${shared}`)
  await ana.send('PATCH', `/api/chat/read-conversation/${shared}`)
  const forward = (messageId: string, channelIds: string[]) =>
    ana.post('/api/chat/forward-message', { messageId, channelId: talk, channelIds })
  expect((await forward(stopped, [shared, odd])).status).toBe(201)

  // Written while the database is copied: a first answer, one of an exchange that has one, and a continuation.
  gateway.next({ text: words(400), holdAfter: 1_200, usage })
  const streaming = ask('Streaming?')
  await expect.poll(() => contentOf(streaming)).not.toBe('')
  gateway.next({ text: 'Fourth answer', holdAfter: 0, usage })
  const anew = ask('Regenerated?', { mId: regenerated })
  await expect.poll(async () => (await cloud.message(talk, regenerated)).status).toBe('streaming')
  gateway.next({ text: `, ${words(400)}`, holdAfter: 1_200, usage })
  const longer = askShared('Go on.', { mId: byBruno, isContinuation: true })
  const before = await contentOf(byBruno, shared)
  await expect.poll(() => contentOf(byBruno, shared)).not.toBe(before)
  await expect
    .poll(() => gateway.requests.filter(({ path }) => path.endsWith('/chat/completions')).length)
    .toBeGreaterThan(17)

  const channelIds = [talk, odd, long, shared]
  const answers = async () => ({ ana: await answersFor(ana, channelIds), bruno: await answersFor(bruno, [shared]) })
  const dump: Record<string, unknown[]> = {}
  for (const table of tables) {
    const { rows } = await db.execute<{ row: string }>(
      sql.raw(`select (to_jsonb(t) - 'search')::text as row from ${table} t`),
    )
    dump[table] = rows.map(({ row }) => JSON.parse(row) as unknown)
  }
  const atFirst = await answers()
  expect(writes).not.toEqual([])

  const first = writes.length
  gateway.release()
  await Promise.all([over(streaming), over(anew), over(longer, other)])
  const later = await asked('Later?')
  gateway.next({ text: 'Anew' })
  await asked('Plain?', { mId: plain })
  gateway.next({ text: ' and on', usage })
  await asked('Go on.', { mId: plain, isContinuation: true })
  gateway.next({ status: 401 })
  await asked('Restored?', { mId: restored })
  gateway.next({ text: 'Now', usage })
  await asked('Failed?', { mId: failed })
  gateway.next({ text: ' from the ashes', usage })
  await asked('Go on.', { mId: broken, isContinuation: true })
  gateway.next({ text: words(400), holdAfter: 1_200 })
  ask('Replaced?', { mId: later })
  await expect.poll(async () => (await cloud.message(talk, later)).status).toBe('streaming')
  gateway.next({ text: 'Replacing', usage })
  await asked('Replaced?', { mId: later })
  await asked('Go on.', { mId: dead, isContinuation: true })
  await ana.send('DELETE', `/api/chat/${deleted}?channelId=${talk}`)
  await ana.send('DELETE', `/api/chat/${longMessages[0]?.mId}?channelId=${long}`)
  await ana.send('DELETE', `/api/chat/${longMessages[20]?.mId}?channelId=${long}`)
  await cloud.fill(long, messagesAsking(['new', 'newer']))
  await forward(regenerated, [shared])
  await bruno.send('PATCH', `/api/chat/read-conversation/${shared}`)
  const gone = askShared('Of Bruno, deleted?')
  await over(gone, other)
  await bruno.send('DELETE', `/api/chat/delete-message/${idOf(bruno)}/${gone}?channelId=${shared}`)
  expect((await stored()).length).toBeGreaterThan(9)
  expect(await db.select({ mId: messages.mId }).from(messages).where(eq(messages.status, 'streaming'))).toEqual([])
  const fixture = { tables: dump, before: atFirst, writes: writes.slice(first), after: await answers() }
  writeFileSync(target ?? '', gzipSync(JSON.stringify(fixture), { level: 9 }))
})
