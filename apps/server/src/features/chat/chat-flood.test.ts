import { errorText } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { uuidv7 } from '@parley/contract/uuid'
import type { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Db } from '../../db/client'
import { generations } from '../../db/schema/chat'
import { Visitor } from '../../testing/chat-client'
import { buildChatApp, plainSetup } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'

/** Counts the queries for rows of answers that wait for the database at the same time, until the test ends. */
function countInFlight(db: Db): { most: number } {
  const flight = { most: 0 }
  let open = 0
  const select = db.select.bind(db)
  onTestFinished(() => void Object.assign(db, { select }))
  const counted = (query: PromiseLike<unknown>): PromiseLike<unknown> => {
    const then = query.then.bind(query)
    return Object.assign(query, {
      // biome-ignore lint/suspicious/noThenProperty: a query is sent when it is first waited for
      then: (...handlers: Parameters<typeof then>) => {
        flight.most = Math.max(flight.most, ++open)
        return Promise.resolve(then())
          .finally(() => open--)
          .then(...handlers)
      },
    })
  }
  Object.assign(db, {
    select: (...fields: Parameters<typeof select>) => {
      const builder = select(...fields)
      const from = builder.from.bind(builder)
      return Object.assign(builder, {
        from: (table: PgTable) => (table === generations ? counted(from(table)) : from(table)),
      })
    },
  })
  return flight
}

describe('a socket that sends without end', () => {
  it('is told once that it is too much, is read no faster, and loses nothing', async () => {
    const app = await buildChatApp()
    const client = await new Visitor().connect(app)
    const ids = Array.from({ length: serverLimits.chat.frameBurst + 20 }, () => uuidv7())
    for (const messageId of ids) client.send({ event: 'resume', messageId, afterSeq: 0 })
    await client.untilEvent('error', ids.at(-1))
    expect(
      client.frames.filter((frame) => frame.event === 'error' && frame.code === 'chat.too-many-frames'),
    ).toHaveLength(1)
    const answered = client.frames.flatMap((frame) =>
      frame.event === 'error' && frame.messageId !== undefined ? [frame.messageId] : [],
    )
    expect(answered).toEqual(ids)
  })

  it('has one question at a time in the database, however many answers it asks for', async () => {
    const app = await buildChatApp()
    const client = await new Visitor().connect(app)
    const flight = countInFlight(app.db)
    const ids = Array.from({ length: 40 }, () => uuidv7())
    for (const messageId of ids) client.send({ event: 'resume', messageId, afterSeq: 0 })
    await client.untilEvent('error', ids.at(-1))
    // The reaper may look for orphans meanwhile.
    expect([1, 2]).toContain(flight.most)
  })

  it('is answered by an error for a frame that is nested without end, and goes on', async () => {
    const app = await buildChatApp()
    const client = await new Visitor().connect(app)
    client.socket.send(`{"route":"createChatMessage","body":${'['.repeat(200_000)}`)
    expect(await client.untilEvent('error')).toMatchObject({ code: 'chat.frame', content: errorText('chat.frame') })
    await client.untilEvent('end', client.ask('Still there?'))
  })

  it('follows a number of answers at a time, and no more', async () => {
    const app = await buildChatApp(plainSetup, { env: { RATE_LIMIT_SCALE: '0', ANON_DAILY_MESSAGES: '1000' } })
    app.gateway.always({ text: words(50), holdAfter: 20 })
    const client = await new Visitor().connect(app)
    for (let n = 0; n < serverLimits.chat.maxWatchedAnswers; n++)
      await client.untilEvent('accepted', client.ask(`Question ${n}`))
    const one = client.ask('One too many', { userLanguage: 'pt-BR' })
    expect(await client.untilEvent('error', one)).toMatchObject({
      code: 'chat.too-many-watched',
      content: errorText('chat.too-many-watched', 'pt-BR'),
    })
  })
})

describe('an anonymous person', () => {
  it('has one answer written at a time', async () => {
    const app = await buildChatApp()
    app.gateway.next({ text: words(500), holdAfter: 50 })
    const visitor = new Visitor()
    const [client, elsewhere] = [await visitor.connect(app), await visitor.connect(app)]
    const first = client.ask('Long')
    await client.untilEvent('content', first)
    const second = elsewhere.ask('At the same time', { userLanguage: 'es-ES' })
    expect(await elsewhere.untilEvent('error', second)).toMatchObject({
      code: 'chat.one-at-a-time',
      content: errorText('chat.one-at-a-time', 'es-ES'),
    })
    // Whoever stops one may ask at once.
    client.send({ event: 'stop-message', messageId: first })
    await client.untilEvent('end', client.ask('Instead'))
    await client.untilEvent('stopped', first)
  })
})

describe('a stop', () => {
  it('does not wait for what was sent before it', async () => {
    const app = await buildChatApp()
    app.gateway.holdModels()
    onTestFinished(() => app.gateway.releaseModels())
    app.gateway.next({ text: words(500), holdAfter: 50 })
    const client = await new Visitor().connect(app)
    const first = client.ask('Long')
    await client.untilEvent('content', first)
    // This question waits for the list of models.
    client.ask('Held up', { model: 'stand-in/large' })
    client.send({ event: 'stop-message', messageId: first })
    await client.untilEvent('stopped', first)
    await expect.poll(() => app.gateway.requests[0]?.aborted).toBe(true)
  })
})
