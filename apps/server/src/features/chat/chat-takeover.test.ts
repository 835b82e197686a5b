import { randomUUID } from 'node:crypto'
import type { ServerFrame } from '@parley/contract/chat'
import { finalEvents } from '@parley/contract/chat-protocol'
import { uuidv7 } from '@parley/contract/uuid'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { generations } from '../../db/schema/chat'
import { createBus } from '../../providers/bus/create-bus'
import { Secrets } from '../../secrets'
import { databases } from '../../testing/build-test-app'
import { type ChatClient, inOrder, textOf, thinkingOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, busSetups, redisUrl } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { nodeAndSurvivor } from '../../testing/node-and-survivor'
import { encodeFrame } from './frames'

const hasBoth = redisUrl !== undefined && databases.includes('postgresql')
const secret = `a secret that all nodes share ${randomUUID()}`

const endsOf = ({ frames }: ChatClient, messageId: string) =>
  frames.filter(
    (frame) =>
      'messageId' in frame && frame.messageId === messageId && finalEvents.some((event) => event === frame.event),
  )

/** Resolves when everything that the server has sent so far is there. */
async function settled(client: ChatClient): Promise<void> {
  const pongs = (): number => client.frames.filter(({ event }) => event === 'pong').length
  const before = pongs()
  client.send({ event: 'ping' })
  await expect.poll(pongs).toBe(before + 1)
}

describe.each(busSetups)('an answer that is over, on $kind and $bus', (setup) => {
  it('tells its end, once, to whoever asks from any seq, also from beyond it', async () => {
    const app = await buildChatApp(setup)
    app.gateway.next({ text: words(30) })
    const visitor = new Visitor()
    const client = await visitor.connect(app)
    const id = client.ask('Where does it end?')
    const { seq: endSeq } = await client.untilEvent('end', id)
    for (const afterSeq of [0, 2, endSeq - 1, endSeq, endSeq + 1, 1_000]) {
      const reader = await visitor.connect(app)
      reader.send({ event: 'resume', messageId: id, afterSeq })
      await reader.untilOver(id)
      await settled(reader)
      expect(endsOf(reader, id), `from ${afterSeq}`).toHaveLength(1)
    }
  })
})

describe.skipIf(!hasBoth)('an answer whose node died (needs TEST_DATABASE_URL and TEST_REDIS_URL)', () => {
  /** A node that has shown more of an answer than it brought to Redis. */
  async function deadAnswer() {
    const app = await buildChatApp({ kind: 'postgresql', bus: 'redis' }, { env: { AUTH_SECRET: secret } })
    const visitor = new Visitor()
    const client = await visitor.connect(app)
    await client.untilEvent('end', client.ask('Who am I?'))
    const [row] = await app.db.select().from(generations)
    if (!row) throw new Error('no row')
    const messageId = uuidv7()
    const dead = await createBus({ redisUrl, secrets: new Secrets([secret]), log: pino({ level: 'silent' }) })
    for (const seq of [1, 2, 3, 4]) {
      await dead.log.append(messageId, {
        seq,
        frame: encodeFrame({ messageId, mId: messageId }, seq, { event: 'content', content: `${seq} ` }),
      })
    }
    await dead.close()
    await app.db.insert(generations).values({
      ...row,
      messageId,
      status: 'running',
      owner: 'dead',
      seq: 0,
      heartbeatAt: new Date(Date.now() - 600_000),
    })
    return { app, visitor, messageId }
  }

  it('is over for whoever has seen less, as much or more than what is left of it', async () => {
    const { app, visitor, messageId } = await deadAnswer()
    const readers = await Promise.all(
      [0, 2, 4, 5, 9, 40].map(async (afterSeq) => {
        const reader = await visitor.connect(app)
        reader.send({ event: 'resume', messageId, afterSeq })
        return reader
      }),
    )
    for (const reader of readers) {
      expect(await reader.untilOver(messageId)).toMatchObject({ event: 'error', code: 'chat.interrupted' })
      await settled(reader)
      expect(endsOf(reader, messageId)).toHaveLength(1)
      reader.cut()
    }
    for (const afterSeq of [0, 4, 5, 6, 40]) {
      const late = await visitor.connect(app)
      late.send({ event: 'resume', messageId, afterSeq })
      expect(await late.untilOver(messageId)).toMatchObject({ event: 'error', code: 'chat.interrupted' })
      late.cut()
    }
  })

  it('is over also when nobody could tell its log so', async () => {
    const { app, visitor, messageId } = await deadAnswer()
    const reader = await visitor.connect(app)
    reader.send({ event: 'resume', messageId, afterSeq: 4 })
    await app.db.update(generations).set({ status: 'interrupted' })
    expect(await reader.untilOver(messageId)).toMatchObject({ event: 'error', code: 'chat.interrupted' })
  })
})

describe.skipIf(!hasBoth)(
  'a cloud answer that another node takes over (needs TEST_DATABASE_URL and TEST_REDIS_URL)',
  { timeout: 120_000 },
  () => {
    it('keeps all that people were shown when its node was killed', async () => {
      const { gateway, child, node, connect, channelId, stored, endLease } = await nodeAndSurvivor()
      gateway.next({ text: words(5_000), tokensPerSecond: 200 })
      const reader = await connect(node)
      const id = reader.ask('Keep what I see.', { storageMode: 'cloud', channelId })
      await reader.untilText('word150')
      child.kill('SIGKILL')
      await reader.closed
      endLease()
      await expect.poll(async () => (await stored())?.status).toBe('interrupted')
      const kept = (await stored())?.chat_response.content ?? ''
      expect(words(5_000).startsWith(kept)).toBe(true)
      expect(kept.slice(0, textOf(inOrder(reader.frames, id)).length)).toBe(textOf(inOrder(reader.frames, id)))
    })

    it('keeps the thinking that people were shown when its node was killed before the first word', async () => {
      const { gateway, child, node, connect, channelId, stored, endLease } = await nodeAndSurvivor()
      gateway.next({ thinks: words(5_000), text: 'So.', tokensPerSecond: 200 })
      const reader = await connect(node)
      const id = reader.ask('Keep what it thought.', { storageMode: 'cloud', channelId })
      const isFar = ({ event, ...frame }: ServerFrame) =>
        event === 'reasoning' && 'seq' in frame && Number(frame.seq) > 20
      await reader.until((frame): frame is ServerFrame => isFar(frame))
      child.kill('SIGKILL')
      await reader.closed
      endLease()
      await expect.poll(async () => (await stored())?.status).toBe('interrupted')
      const kept = (await stored())?.reasoning?.text ?? ''
      const shown = thinkingOf(inOrder(reader.frames, id))
      expect(words(5_000).startsWith(kept)).toBe(true)
      expect(kept.slice(0, shown.length)).toBe(shown)
      expect((await stored())?.chat_response.content).toBe('')
    })

    it('grows no more when its node wakes up after a pause', async () => {
      const { gateway, child, node, survivor, connect, channelId, stored, endLease } = await nodeAndSurvivor()
      gateway.next({ text: words(2_000), tokensPerSecond: 200 })
      const reader = await connect(node)
      const id = reader.ask('Do not write behind the end.', { storageMode: 'cloud', channelId })
      await reader.untilText('word50')
      child.kill('SIGSTOP')
      endLease()
      await expect.poll(async () => (await stored())?.status).toBe('interrupted')
      const kept = (await stored())?.chat_response.content ?? ''
      // Meanwhile the gateway has sent on: all of that is there when the node wakes up.
      await expect.poll(() => gateway.requests.length).toBe(1)
      child.kill('SIGCONT')
      expect(await reader.untilOver(id)).toMatchObject({ event: 'error', code: 'chat.interrupted' })
      expect(textOf(inOrder(reader.frames, id))).toBe(kept)
      const late = await connect(survivor)
      late.send({ event: 'resume', messageId: id, afterSeq: 0 })
      expect(await late.untilOver(id)).toMatchObject({ event: 'error', code: 'chat.interrupted' })
      expect(textOf(inOrder(late.frames, id))).toBe(kept)
      expect((await stored())?.chat_response.content).toBe(kept)
    })

    it('keeps what was stored when its log is gone', async () => {
      const { gateway, child, node, connect, channelId, stored, endLease } = await nodeAndSurvivor()
      gateway.next({ text: words(5_000), tokensPerSecond: 200 })
      const reader = await connect(node)
      const id = reader.ask('Without a log.', { storageMode: 'cloud', channelId })
      await expect.poll(async () => (await stored())?.chat_response.content.length).toBeGreaterThan(0)
      child.kill('SIGSTOP')
      const before = (await stored())?.chat_response.content
      const { createClient } = await import('redis')
      const redis = await createClient({ url: redisUrl ?? '' }).connect()
      onTestFinished(() => redis.destroy())
      await redis.del(`parley:gen:${id}`)
      endLease()
      await expect.poll(async () => (await stored())?.status).toBe('interrupted')
      expect((await stored())?.chat_response.content).toBe(before)
      child.kill('SIGCONT')
      expect(await reader.untilOver(id)).toMatchObject({ event: 'error', code: 'chat.interrupted' })
      expect((await stored())?.chat_response.content).toBe(before)
    })
  },
)
