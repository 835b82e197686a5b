import { randomUUID } from 'node:crypto'
import { serverLimits } from '@parley/contract/limits/server'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadServerKey } from './db/server-keys'
import type { Bus } from './providers/bus/bus'
import { MemoryBus } from './providers/bus/memory-bus'
import { RedisBus } from './providers/bus/redis-bus'
import { Secrets } from './secrets'
import { buildTestApp, type TestApp } from './testing/build-test-app'
import { Visitor } from './testing/chat-client'
import { aPerson, Client, goodPassword } from './testing/person'
import { databaseKind, emptyTables, testDatabase } from './testing/test-databases'

const [old, newer] = [
  'the old secret of the tests that is long enough',
  'the new secret of the tests that is long enough',
]
const log = pino({ level: 'silent' })
/**
 * As docs/operations.md has it: the new one is known everywhere before it signs, and the old one is kept until nothing
 * of it is left.
 */
const documented = [old, `${old},${newer}`, `${newer},${old}`, newer]

const settingsOf = (secret: string, env: Record<string, string> = {}) => ({
  kind: databaseKind,
  keepTables: true,
  env: { AUTH_SECRET: secret, RATE_LIMIT_SCALE: '0', ...env },
})

const aNode = (secret: string, env?: Record<string, string>): Promise<TestApp> => buildTestApp(settingsOf(secret, env))

/** A node that is gone afterwards; the bus stays. */
async function onNode(secret: string, bus: Bus, act: (node: TestApp) => Promise<unknown>): Promise<void> {
  const node = await buildTestApp({ ...settingsOf(secret), bus, keepOpen: true })
  try {
    await act(node)
  } finally {
    await node.close()
  }
}

async function fresh() {
  const { db } = await testDatabase(databaseKind)
  await emptyTables(db)
  return db
}

const creditOf = async (client: Client): Promise<unknown> => (await client.send('GET', '/api/billing/credit/user')).body

describe('while AUTH_SECRET is replaced step by step', () => {
  it('nobody is paid the sign-up credits again, not even who deletes the account and comes back', async () => {
    await fresh()
    const env = { SIGNUP_CREDITS: '2.5' }
    const first = await aNode(old, env)
    const gone = await aPerson(first, 'gone@example.org')
    await gone.send('DELETE', '/api/user/account', { userId: gone.answer.user.id })
    await aPerson(first, 'ana@example.org')
    for (const secret of documented) {
      const node = await aNode(secret, env)
      const ana = new Client(node)
      await ana.login('ana@example.org')
      expect(await creditOf(ana)).toEqual({ amount: 2.5 })
      const back = await aPerson(node, 'gone@example.org')
      expect(await creditOf(back)).toEqual({ amount: 0 })
      await back.send('DELETE', '/api/user/account', { userId: back.answer.user.id })
    }
  })

  it('people stay signed in from step to step, on either of two nodes that are a step apart', async () => {
    await fresh()
    let [ana, steps] = [undefined as Client | undefined, 0]
    for (const [index, secret] of documented.entries()) {
      const [ahead, behind] = [await aNode(secret), await aNode(documented[index - 1] ?? secret)]
      ana ??= await aPerson(ahead, 'ana@example.org', null)
      for (const node of [ahead, behind, ahead]) {
        const here = new Client(node, null)
        here.tokens = ana.tokens
        expect((await here.send('GET', '/api/user')).status, `${secret}, ${steps++}`).toBe(200)
        await here.renew()
        ana.tokens = here.tokens
      }
    }
  })

  it('anonymous people stay who they are, with the count of their day and their answers', async () => {
    await fresh()
    const ticket = async (node: TestApp, cookie?: string) =>
      node.call('/api/ws/ticket', { method: 'POST', ...(cookie ? { headers: { cookie } } : {}) })
    const first = await ticket(await aNode(old))
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    for (const [index, secret] of documented.slice(0, 3).entries())
      for (const node of [await aNode(secret), await aNode(documented[index - 1] ?? secret)])
        expect((await ticket(node, cookie)).headers.get('set-cookie'), secret).toBeNull()
  })

  it('a question that is sent again gets its answer, and is not refused as another one', async () => {
    await fresh()
    const messageId = randomUUID()
    const email = 'ana@example.org'
    const bus = new MemoryBus()
    // One after the other: two of the embedded database at a time would end each other's answers as a dead node's.
    await onNode(old, bus, (node) => aPerson(node, email, null))
    for (const secret of documented.slice(0, 3))
      await onNode(secret, bus, async (node) => {
        const ana = new Client(node, null)
        await ana.login(email, goodPassword)
        const chat = await new Visitor(ana.tokens?.access_token).connect(node)
        chat.ask('Hello', { messageId })
        const last = await chat.untilOver(messageId)
        expect(last, `${secret}: ${JSON.stringify(last)}`).toMatchObject({ event: 'end' })
      })
  })

  it.skipIf(!process.env.TEST_REDIS_URL)('an answer that one node writes is read by a node a step apart', async () => {
    const url = process.env.TEST_REDIS_URL ?? ''
    for (const [index, secret] of documented.entries()) {
      const writer = await RedisBus.connect(url, new Secrets(listed(documented[index - 1] ?? secret)), log)
      const reader = await RedisBus.connect(url, new Secrets(listed(secret)), log)
      onTestFinished(async () => {
        await writer.close()
        await reader.close()
      })
      for (const [from, to] of [
        [writer, reader],
        [reader, writer],
      ] as const) {
        const id = randomUUID()
        await from.log.append(id, { seq: 1, frame: 'words' })
        await from.log.finish(id)
        const frames: string[] = []
        await expect.poll(() => to.log.lastSeq(id)).toBe(1)
        for await (const batch of to.log.read(id, 0, AbortSignal.timeout(serverLimits.chat.leaseMs)))
          frames.push(...batch.map(({ frame }) => frame))
        expect(frames, secret).toEqual(['words'])
      }
    }
  })

  it('what must outlive every secret is the same on all nodes, whoever starts first', async () => {
    const db = await fresh()
    const load = (secret: string, first: number) =>
      loadServerKey(db, {
        secrets: new Secrets(listed(secret)),
        name: 'tests',
        makeFirst: () => Buffer.alloc(32, first),
        log,
      })
    const together = await Promise.all(
      [`${newer},${old}`, old, `${old},${newer}`].map((secret, index) => load(secret, index)),
    )
    expect(new Set(together.map(String)).size).toBe(1)
    for (const secret of [newer, old, ...documented]) expect(await load(secret, 9)).toEqual(together[0])
  })
})

const listed = (secret: string): [string, ...string[]] => secret.split(',') as [string, ...string[]]
