import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { MessageHit, MessagesPage } from '@parley/contract/cloud'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { channels, messages } from '../../db/schema'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'

const email = 'ana@example.org'
type Person = Awaited<ReturnType<typeof aPerson>>

/** The channels of one person, as a program sees them. */
function cloudOf(person: Client) {
  const ok = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await person.send(method, path, body)
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
  const at = encodeURIComponent
  return {
    create: async (fields: object = {}) => (await ok<{ data: Channel }>('POST', '/api/channel', fields)).data,
    list: async (query = '') => (await ok<{ channels: Channel[] }>('GET', `/api/channel${query}`)).channels,
    get: (id: string) => ok<Channel>('GET', `/api/channel/${at(id)}`),
    fill: (id: string, given: Message[]) => ok<{ added: number; existing: number; total: number }>('PUT', `/api/chat/${at(id)}/messages`, { messages: given }),
    page: (id: string, page: number, size: number, query = '') => ok<MessagesPage>('GET', `/api/chat/documents/${page}/${size}/${at(id)}${query}`),
    message: (id: string, mId: string) => ok<Message>('GET', `/api/chat/${at(id)}/messages/${at(mId)}`),
    search: async (q: string) => (await ok<{ results: MessageHit[] }>('GET', `/api/channel/search?q=${at(q)}`)).results,
  }
}

const aMessage = (fields: Partial<Message> = {}): Message => ({
  mId: uuidv7(),
  channelId: 'elsewhere',
  chat_request: 'What?',
  chat_response: { role: 'assistant', content: 'This.' },
  datetime: '2026-01-02T03:04:05.678Z',
  status: 'completed',
  ...fields,
})
const asked = (texts: string[]): Message[] => texts.map((chat_request) => aMessage({ chat_request }))
const questions = ({ content }: MessagesPage): string[] => content.map(({ chat_request }) => chat_request)
const numbered = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, index) => `q${from + index}`)

async function anApp(kind: (typeof databases)[number], now?: () => number) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' }, ...(now ? { now } : {}) })
  const ana = await aPerson(app, email)
  return { app, ana, cloud: cloudOf(ana) }
}

describe.each(databases)('cloud channels on %s', (kind) => {
  it('are nothing for whoever is not signed in [CH-088, ST-204]', async () => {
    const { app, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const nobody = new Client(app)
    const calls: [string, string, object?][] = [
      ['GET', '/api/channel'],
      ['GET', `/api/channel/${id}`],
      ['POST', '/api/channel', {}],
      ['PUT', '/api/channel', { channelId: id, channelName: 'x' }],
      ['DELETE', `/api/channel/${id}`],
      ['DELETE', `/api/channel/${id}/clear`],
      ['DELETE', '/api/channel/delete/all'],
      ['GET', '/api/channel/search?q=x'],
      ['GET', `/api/chat/documents/0/10/${id}`],
      ['GET', `/api/chat/${id}/messages/x`],
      ['DELETE', '/api/chat/x'],
      ['PUT', `/api/chat/${id}/messages`, { messages: [aMessage()] }],
    ]
    for (const [method, path, body] of calls) expect(await nobody.send(method, path, body)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await cloud.list()).toHaveLength(1)
  })

  it('have all their fields, and the default name where none is given [CH-079, CH-080, CH-082, CH-092]', async () => {
    const { ana, cloud } = await anApp(kind)
    const answer = await ana.post('/api/channel', { isYoutube: true })
    expect(answer.status).toBe(201)
    const channel = await cloud.create({ channelName: ' Viagem à\u0007Lua 🌙 ', assistantId: 'agent', isDocument: true })
    expect(channel).toMatchObject({ userId: ana.answer.user.id, assistantId: 'agent', channelName: 'Viagem à Lua 🌙', isDocument: true, isImage: false })
    expect(channel).toMatchObject({ isYoutube: false, isLocked: false, isLocalChannel: false, source: 'postgresql' })
    expect(await cloud.get(channel.id)).toEqual(channel)
    const names = (await Promise.all([cloud.create(), cloud.create(), cloud.create(), cloud.create()])).map(({ channelName }) => channelName)
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(name).toMatch(/^Chat \d\d-\d\d \d\d-\d\d-\d\d/)
  })

  it('come newest activity first, whole or in pages [CH-089, CH-091, ST-199]', async () => {
    const { ana, cloud } = await anApp(kind)
    for (const day of ['02', '03', '01']) await cloud.create({ channelName: day, updated_at: `2026-01-${day}T00:00:00Z`, created_at: '2025-01-01T00:00:00Z' })
    expect((await ana.send('GET', '/api/channel')).body).toMatchObject({ channels: [{}, {}, {}], documents: [] })
    expect((await cloud.list()).map(({ channelName }) => channelName)).toEqual(['03', '02', '01'])
    expect((await cloud.list('?page=1&size=2')).map(({ channelName }) => channelName)).toEqual(['01'])
    expect(await ana.send('GET', '/api/channel?size=100000')).toMatchObject({ status: 400, body: { code: 'validation' } })
  })

  it('never have one name twice for one assistant, ignoring case, however many ask at once [CH-114]', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => ana.post('/api/channel', { channelName: n % 2 ? 'Same' : 'SAME' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body } of answers) if (status !== 201) expect({ status, body }).toMatchObject({ status: 409, body: { code: 'channel.name-taken' } })
    const other = await cloud.create({ channelName: 'Other' })
    expect(await ana.send('PUT', '/api/channel', { channelId: other.id, channelName: 'same' })).toMatchObject({
      status: 409,
      body: { code: 'channel.name-taken', message: 'Channel with this name already exists' },
    })
    await cloud.create({ channelName: 'Same', assistantId: 'another-agent' })
    await cloudOf(await aPerson(app, 'eve@example.org')).create({ channelName: 'Same' })
    expect((await cloud.list()).map(({ channelName }) => channelName.toLowerCase()).sort()).toEqual(['other', 'same', 'same'])
  })

  it('are renamed, also to the same name in other capitals, but not to nothing [CH-094, CH-112, CH-113]', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id, updated_at } = await cloud.create({ channelName: 'Plans' })
    const rename = (channelId: string, channelName: string) => ana.send('PUT', '/api/channel', { channelId, channelName })
    expect(await rename(id, ' PLANS ')).toMatchObject({ status: 200, body: { id, channelName: 'PLANS', updated_at } })
    for (const empty of ['', '  ', '\u0000']) expect(await rename(id, empty)).toMatchObject({ status: 400, body: { code: 'validation' } })
    expect(await rename(id, 'a\ud83c\u0000b')).toMatchObject({ status: 200, body: { channelName: 'a\ufffd b' } })
    const suggest = (channelName: string, instead: string) => ana.send('PUT', '/api/channel', { channelId: id, channelName, instead })
    expect(await suggest('Suggested', 'What it was called before')).toMatchObject({ status: 200, body: { channelName: 'a\ufffd b' } })
    expect(await suggest('Suggested', 'a\ufffd b')).toMatchObject({ status: 200, body: { channelName: 'Suggested' } })
    expect(await rename('unknown', 'x')).toMatchObject({ status: 404, body: { code: 'channel.not-found', message: 'Channel not found' } })
    expect(await rename('\u0000', 'x')).toMatchObject({ status: 404, body: { code: 'channel.not-found' } })
  })

  it('are made once, however often the call is repeated with one id', async () => {
    const { app, cloud } = await anApp(kind)
    const id = `${'i'.repeat(180)}/?é日`
    const made = await Promise.all(Array.from({ length: 5 }, () => cloud.create({ id, channelName: 'Once' })))
    expect(new Set(made.map((channel) => channel.id))).toEqual(new Set([id]))
    expect(await cloud.create({ id })).toEqual(made[0])
    expect(await cloud.get(id)).toEqual(made[0])
    const eve = cloudOf(await aPerson(app, 'eve@example.org'))
    const hers = await eve.create({ id, channelName: 'Mine' })
    expect(hers.id).not.toBe(id)
    expect(await eve.create({ id })).toEqual(hers)
    expect(await cloud.list()).toHaveLength(1)
    expect(await app.db.select().from(channels)).toHaveLength(2)
  })

  it('are deleted with their messages, and a locked one is neither deleted nor cleared [CH-087, CH-095]', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const open = await cloud.create()
    const locked = await cloud.create({ isLocked: true })
    for (const { id } of [open, locked]) await cloud.fill(id, [aMessage()])
    expect(await ana.send('DELETE', `/api/channel/${locked.id}`)).toMatchObject({ status: 423, body: { code: 'channel.locked-delete' } })
    expect(await ana.send('DELETE', `/api/channel/${locked.id}/clear`)).toMatchObject({ status: 423, body: { code: 'channel.locked-clear' } })
    expect(await ana.send('DELETE', `/api/channel/${open.id}`)).toMatchObject({ status: 204, body: undefined })
    expect(await ana.send('DELETE', `/api/channel/${open.id}`)).toMatchObject({ status: 404, body: { code: 'channel.not-found' } })
    expect((await app.db.select().from(messages)).map(({ channelId }) => channelId)).toEqual([locked.id])
  })

  it('are cleared of their messages and stay; a cursor of before meets nothing of after [CH-096]', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id, updated_at } = await cloud.create()
    await cloud.fill(id, asked(numbered(1, 5)))
    const { cursor } = await cloud.page(id, 0, 2)
    expect((await ana.send('DELETE', `/api/channel/${id}/clear`)).status).toBe(204)
    expect(await cloud.page(id, 0, 10)).toEqual({ content: [], page: 0, size: 10, total: 0 })
    expect((await cloud.get(id)).updated_at).toBe(updated_at)
    await cloud.fill(id, asked(['later']))
    expect((await cloud.page(id, 0, 10, `?before=${cursor}`)).content).toEqual([])
    expect(questions(await cloud.page(id, 0, 10))).toEqual(['later'])
  })

  it('are all deleted but the locked ones, which are counted [CH-118, ST-199]', async () => {
    const { app, ana, cloud } = await anApp(kind)
    await cloud.create({ channelName: 'Kept', isLocked: true })
    for (let n = 0; n < 3; n++) await cloud.create()
    const eve = cloudOf(await aPerson(app, 'eve@example.org'))
    await eve.create()
    expect(await ana.send('DELETE', '/api/channel/delete/all')).toMatchObject({ status: 200, body: { deleted: 3, skipped: 1 } })
    expect((await cloud.list()).map(({ channelName }) => channelName)).toEqual(['Kept'])
    expect(await eve.list()).toHaveLength(1)
  })

  it('are gone with the account', async () => {
    const { app, ana, cloud } = await anApp(kind)
    await cloud.fill((await cloud.create()).id, [aMessage()])
    expect((await ana.send('DELETE', '/api/user/account', { userId: ana.answer.user.id })).status).toBeLessThan(300)
    expect([await app.db.select().from(channels), await app.db.select().from(messages)]).toEqual([[], []])
  })
})

describe.each(databases)('messages of cloud channels on %s', (kind) => {
  it('come in pages, oldest first within the page, page 0 the newest [ST-201]', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    await cloud.fill(id, asked(numbered(1, 23)))
    expect(questions(await cloud.page(id, 0, 10))).toEqual(numbered(14, 23))
    expect(questions(await cloud.page(id, 2, 10))).toEqual(numbered(1, 3))
    expect(await cloud.page(id, 3, 10)).toEqual({ content: [], page: 3, size: 10, total: 23 })
    for (const bad of ['0/101', '0/0', '-1/10', 'x/10', '0/1.5']) expect((await ana.send('GET', `/api/chat/documents/${bad}/${id}`)).status).toBe(400)
    for (const bad of ['before=1;drop', 'after=x', 'before=3&after=2', 'around=m&before=3'])
      expect((await ana.send('GET', `/api/chat/documents/0/10/${id}?${bad}`)).status).toBe(400)
  })

  it('come by cursor without gap or repetition while others are added and deleted', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    await cloud.fill(id, asked(numbered(1, 23)))
    const seen: string[] = []
    let page = await cloud.page(id, 0, 10)
    seen.unshift(...questions(page))
    await cloud.fill(id, asked(['new']))
    expect((await ana.send('DELETE', `/api/chat/${page.content[3]?.mId}?channelId=${id}`)).status).toBe(204)
    while (page.cursor !== undefined) {
      page = await cloud.page(id, 0, 10, `?before=${page.cursor}`)
      seen.unshift(...questions(page))
      expect(page.total).toBe(23)
    }
    expect(seen).toEqual(numbered(1, 23))
  })

  it('come around one of them, and from there in both directions without gap or repetition', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const all = asked(numbered(1, 60))
    await cloud.fill(id, all)
    expect((await ana.send('DELETE', `/api/chat/${all[28]?.mId}?channelId=${id}`)).status).toBe(204)
    const wanted = all[29]?.mId
    const middle = await cloud.page(id, 0, 10, `?around=${wanted}`)
    expect(questions(middle)).toEqual([...numbered(24, 28), ...numbered(30, 34)])
    expect(middle.total).toBe(59)
    // The page's own end, so that it can be read again when that message is gone.
    expect((await cloud.page(id, 0, 10, `?before=${middle.newer}`)).content).toEqual(middle.content)

    const [up, down] = [questions(middle), questions(middle)]
    for (let { cursor } = middle; cursor !== undefined; ) {
      const page = await cloud.page(id, 0, 10, `?before=${cursor}`)
      expect(page.newer).toBe(cursor)
      up.unshift(...questions(page))
      cursor = page.cursor
    }
    await cloud.fill(id, asked(['q61']))
    for (let { newer } = middle; newer !== undefined; ) {
      const page = await cloud.page(id, 0, 10, `?after=${newer}`)
      expect(page.cursor).toBe(newer)
      down.push(...questions(page))
      newer = page.newer
    }
    expect(up).toEqual([...numbered(1, 28), ...numbered(30, 34)])
    expect(down).toEqual([...numbered(24, 28), ...numbered(30, 61)])
  })

  it('come around the first, the last and none of them', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const all = asked(numbered(1, 30))
    await cloud.fill(id, all)
    const first = await cloud.page(id, 0, 10, `?around=${all[0]?.mId}`)
    expect([questions(first), first.cursor, first.newer]).toEqual([numbered(1, 5), undefined, expect.any(String)])
    const last = await cloud.page(id, 0, 10, `?around=${all[29]?.mId}`)
    expect([questions(last), last.cursor, last.newer]).toEqual([numbered(25, 30), expect.any(String), undefined])
    expect(await ana.send('GET', `/api/chat/documents/0/10/${id}?around=unknown`)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect(await ana.send('GET', `/api/chat/documents/0/10/${id}?around=%00`)).toMatchObject({ status: 404, body: { code: 'not-found' } })
  })

  it('are imported once, in their order, with every field as it was', async () => {
    const { cloud } = await anApp(kind)
    const { id, updated_at } = await cloud.create({ updated_at: '2026-01-01T00:00:00.000Z' })
    const given: Message[] = [
      aMessage({ mId: 'z/1 é?', chat_request: 'nul \u0000, half \ud83c, \u0001 and 👩‍👩‍👧', chat_response: { role: 'assistant', content: '\u0001\u0000' } }),
      aMessage({
        mId: 'a',
        status: 'failed',
        empty: true,
        error: { code: 'upstream.busy', content: 'Busy\u0000' },
        model: 'some/model',
        assistantId: 'agent',
        usage: { inputTokens: 5, outputTokens: 7.5, cost: '4700' },
        finishReason: 'stop',
        durationMs: 1234.5,
        run: { messageId: uuidv7(), seq: 12, base: 3, question: 'Go on' },
      }),
      aMessage({ mId: 'm', datetime: 'some day', status: 'stopped' }),
    ]
    const [first, ...rest] = given
    expect(await cloud.fill(id, first ? [first] : [])).toEqual({ added: 1, existing: 0, total: 1 })
    expect(await cloud.fill(id, [...given, ...rest])).toEqual({ added: 2, existing: 3, total: 3 })
    expect(await cloud.fill(id, [aMessage({ mId: 'a', chat_request: 'Another?' })])).toEqual({ added: 0, existing: 1, total: 3 })
    const expected = given.map((message) => ({ ...message, channelId: id }))
    expect((await cloud.page(id, 0, 10)).content).toEqual(expected)
    expect(await cloud.message(id, 'z/1 é?')).toEqual(expected[0])
    expect((await cloud.get(id)).updated_at).toBe(updated_at)
  })

  it('that were still being written where they come from are written by nobody here', async () => {
    const { cloud } = await anApp(kind)
    const { id } = await cloud.create()
    await cloud.fill(id, [aMessage({ status: 'streaming' }), aMessage({ status: 'queued' }), aMessage({ status: 'sent' })])
    expect((await cloud.page(id, 0, 10)).content.map(({ status }) => status)).toEqual(['interrupted', 'interrupted', 'interrupted'])
  })

  it('are imported by many calls at once, each message once', async () => {
    const { cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const given = asked(numbered(1, 60))
    const added = await Promise.all(Array.from({ length: 6 }, () => cloud.fill(id, given)))
    expect(added.reduce((sum, answer) => sum + answer.added, 0)).toBe(60)
    expect(questions(await cloud.page(id, 0, 100))).toEqual(numbered(1, 60))
  })

  it('are imported up to a batch of 200 and 16 MB, and nothing of what is refused is kept', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const long = (length: number) => aMessage({ chat_response: { role: 'assistant', content: 'word '.repeat(length / 5) } })
    const send = (given: unknown[]) => ana.send('PUT', `/api/chat/${id}/messages`, { messages: given })
    expect((await send([])).status).toBe(400)
    expect((await send(Array.from({ length: limits.cloud.maxImportBatch + 1 }, () => aMessage()))).status).toBe(400)
    expect((await send([aMessage(), { ...aMessage(), mId: '\u0000' }])).status).toBe(400)
    expect((await send([aMessage(), { ...aMessage(), chat_request: 5 }])).status).toBe(400)
    expect((await send([long(limits.cloud.importBodyBytes)])).status).toBe(413)
    expect((await cloud.page(id, 0, 1)).total).toBe(0)
    expect((await send([long(5_000_000), long(5_000_000)])).status).toBe(200)
    expect((await send(Array.from({ length: limits.cloud.maxImportBatch }, () => aMessage()))).status).toBe(200)
  })

  it('are deleted one by one, with the channel or by an id that tells alone which is meant [ST-043]', async () => {
    const { ana, cloud } = await anApp(kind)
    const [one, two] = [await cloud.create(), await cloud.create()]
    const [a, b, c] = [aMessage({ mId: 'a' }), aMessage({ mId: 'b' }), aMessage({ mId: 'c' })]
    await cloud.fill(one.id, [a, b, c])
    await cloud.fill(two.id, [b])
    const remove = (path: string) => ana.send('DELETE', `/api/chat/${path}`)
    expect((await remove('a')).status).toBe(204)
    expect((await remove('b')).status).toBe(400)
    expect((await remove(`b?channelId=${one.id}`)).status).toBe(204)
    expect(await remove(`c?channelId=${two.id}`)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect((await remove('%00')).status).toBe(404)
    expect((await cloud.page(one.id, 0, 10)).content.map(({ mId }) => mId)).toEqual(['c'])
    expect((await cloud.page(two.id, 0, 10)).content.map(({ mId }) => mId)).toEqual(['b'])
  })
})

describe.each(databases)("another person's channels on %s", (kind) => {
  const stateOf = async (app: TestApp) => [
    await app.db.select().from(channels).orderBy(channels.id),
    await app.db.select().from(messages).orderBy(messages.mId),
  ]

  it('do not exist: every call answers 404 as for an unknown id, and nothing changes [ST-199]', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id } = await cloud.create({ channelName: 'Secret plans' })
    await cloud.fill(id, [aMessage({ mId: 'm1', chat_request: 'The canary question' })])
    const eve = await aPerson(app, 'eve@example.org')
    const before = await stateOf(app)
    const calls = (channelId: string, mId: string): [string, string, object?][] => [
      ['GET', `/api/channel/${channelId}`],
      ['PUT', '/api/channel', { channelId, channelName: 'Mine now' }],
      ['DELETE', `/api/channel/${channelId}`],
      ['DELETE', `/api/channel/${channelId}/clear`],
      ['GET', `/api/chat/documents/0/10/${channelId}`],
      ['GET', `/api/chat/documents/0/10/${channelId}?before=5`],
      ['GET', `/api/chat/documents/0/10/${channelId}?after=1`],
      ['GET', `/api/chat/documents/0/10/${channelId}?around=${mId}`],
      ['GET', `/api/chat/${channelId}/messages/${mId}`],
      ['DELETE', `/api/chat/${mId}?channelId=${channelId}`],
      ['DELETE', `/api/chat/${mId}`],
      ['PUT', `/api/chat/${channelId}/messages`, { messages: [aMessage({ mId: 'm2' }), aMessage({ mId: 'm1', chat_request: 'Changed' })] }],
    ]
    const unknown = calls('no-such-channel', 'no-such-message')
    for (const [index, [method, path, body]] of calls(id, 'm1').entries()) {
      const answer = await eve.send(method, path, body)
      expect(answer.status, `${method} ${path}`).toBe(404)
      const [, otherPath = '', otherBody] = unknown[index] ?? []
      expect(answer.body).toEqual((await eve.send(method, otherPath, otherBody)).body)
    }
    expect(await cloudOf(eve).list()).toEqual([])
    expect(await cloudOf(eve).search('canary')).toEqual([])
    expect((await eve.send('DELETE', '/api/channel/delete/all')).body).toEqual({ deleted: 0, skipped: 0 })
    expect(await stateOf(app)).toEqual(before)
    expect((await ana.send('GET', `/api/chat/${id}/messages/m1`)).status).toBe(200)
  })

  it('stay closed when her own channel holds a message with the same id', async () => {
    const { app, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    await cloud.fill(id, [aMessage({ mId: 'shared', chat_request: 'Hers' })])
    const eve: Person = await aPerson(app, 'eve@example.org')
    const hers = await cloudOf(eve).create()
    await cloudOf(eve).fill(hers.id, [aMessage({ mId: 'shared', chat_request: 'Mine' })])
    expect((await eve.send('DELETE', '/api/chat/shared')).status).toBe(204)
    expect(await cloud.message(id, 'shared')).toMatchObject({ chat_request: 'Hers' })
  })

  it('cannot be changed from a page of another site', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const origin = { origin: 'https://evil.example' }
    expect(await ana.send('DELETE', `/api/channel/${id}`, undefined, origin)).toMatchObject({ status: 403 })
    expect(await ana.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage()] }, origin)).toMatchObject({ status: 403 })
    expect((await cloud.page(id, 0, 1)).total).toBe(0)
  })
})
