import type { Message } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { aMessage, anApp, messagesAsking, numbered, questionsOf } from '../../testing/cloud-channels'

describe.each(databases)('messages of cloud channels on %s', (kind) => {
  it('come in pages, oldest first within the page, page 0 the newest [ST-201]', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    await cloud.fill(id, messagesAsking(numbered(1, 23)))
    expect(questionsOf(await cloud.page(id, 0, 10))).toEqual(numbered(14, 23))
    expect(questionsOf(await cloud.page(id, 2, 10))).toEqual(numbered(1, 3))
    expect(await cloud.page(id, 3, 10)).toEqual({ content: [], page: 3, size: 10, total: 23 })
    for (const bad of ['0/101', '0/0', '-1/10', 'x/10', '0/1.5'])
      expect((await ana.send('GET', `/api/chat/documents/${bad}/${id}`)).status).toBe(400)
    for (const bad of ['before=1;drop', 'after=x', 'before=3&after=2', 'around=m&before=3'])
      expect((await ana.send('GET', `/api/chat/documents/0/10/${id}?${bad}`)).status).toBe(400)
  })

  it('come by cursor without gap or repetition while others are added and deleted', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    await cloud.fill(id, messagesAsking(numbered(1, 23)))
    const seen: string[] = []
    let page = await cloud.page(id, 0, 10)
    seen.unshift(...questionsOf(page))
    await cloud.fill(id, messagesAsking(['new']))
    expect((await ana.send('DELETE', `/api/chat/${page.content[3]?.mId}?channelId=${id}`)).status).toBe(204)
    while (page.cursor !== undefined) {
      page = await cloud.page(id, 0, 10, `?before=${page.cursor}`)
      seen.unshift(...questionsOf(page))
      expect(page.total).toBe(23)
    }
    expect(seen).toEqual(numbered(1, 23))
  })

  it('come around one of them, and from there in both directions without gap or repetition', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const all = messagesAsking(numbered(1, 60))
    await cloud.fill(id, all)
    expect((await ana.send('DELETE', `/api/chat/${all[28]?.mId}?channelId=${id}`)).status).toBe(204)
    const wanted = all[29]?.mId
    const middle = await cloud.page(id, 0, 10, `?around=${wanted}`)
    expect(questionsOf(middle)).toEqual([...numbered(24, 28), ...numbered(30, 34)])
    expect(middle.total).toBe(59)
    // The page's own end, so that it can be read again when that message is gone.
    expect((await cloud.page(id, 0, 10, `?before=${middle.newer}`)).content).toEqual(middle.content)

    const [up, down] = [questionsOf(middle), questionsOf(middle)]
    for (let { cursor } = middle; cursor !== undefined; ) {
      const page = await cloud.page(id, 0, 10, `?before=${cursor}`)
      expect(page.newer).toBe(cursor)
      up.unshift(...questionsOf(page))
      cursor = page.cursor
    }
    await cloud.fill(id, messagesAsking(['q61']))
    for (let { newer } = middle; newer !== undefined; ) {
      const page = await cloud.page(id, 0, 10, `?after=${newer}`)
      expect(page.cursor).toBe(newer)
      down.push(...questionsOf(page))
      newer = page.newer
    }
    expect(up).toEqual([...numbered(1, 28), ...numbered(30, 34)])
    expect(down).toEqual([...numbered(24, 28), ...numbered(30, 61)])
  })

  it('come around the first, the last and none of them', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const all = messagesAsking(numbered(1, 30))
    await cloud.fill(id, all)
    const first = await cloud.page(id, 0, 10, `?around=${all[0]?.mId}`)
    expect([questionsOf(first), first.cursor, first.newer]).toEqual([numbered(1, 5), undefined, expect.any(String)])
    const last = await cloud.page(id, 0, 10, `?around=${all[29]?.mId}`)
    expect([questionsOf(last), last.cursor, last.newer]).toEqual([numbered(25, 30), expect.any(String), undefined])
    expect(await ana.send('GET', `/api/chat/documents/0/10/${id}?around=unknown`)).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
    expect(await ana.send('GET', `/api/chat/documents/0/10/${id}?around=%00`)).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
  })

  it('are imported once, in their order, with every field as it was', async () => {
    const { cloud } = await anApp(kind)
    const { id, updated_at } = await cloud.create({ updated_at: '2026-01-01T00:00:00.000Z' })
    const given: Message[] = [
      aMessage({
        mId: 'z/1 é?',
        chat_request: 'nul \u0000, half \ud83c, \u0001 and 👩‍👩‍👧',
        chat_response: { role: 'assistant', content: '\u0001\u0000' },
      }),
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
    expect(await cloud.fill(id, [aMessage({ mId: 'a', chat_request: 'Another?' })])).toEqual({
      added: 0,
      existing: 1,
      total: 3,
    })
    const after = [null, 'z/1 é?', given[1]?.run?.messageId]
    const expected = given.map((message, index) => ({ ...message, channelId: id, afterRunId: after[index] }))
    expect((await cloud.page(id, 0, 10)).content).toEqual(expected)
    expect(await cloud.message(id, 'z/1 é?')).toEqual(expected[0])
    expect((await cloud.get(id)).updated_at).toBe(updated_at)
  })

  it('that were still being written where they come from are written by nobody here', async () => {
    const { cloud } = await anApp(kind)
    const { id } = await cloud.create()
    await cloud.fill(id, [
      aMessage({ status: 'streaming' }),
      aMessage({ status: 'queued' }),
      aMessage({ status: 'sent' }),
    ])
    expect((await cloud.page(id, 0, 10)).content.map(({ status }) => status)).toEqual([
      'interrupted',
      'interrupted',
      'interrupted',
    ])
  })

  it('are imported by many calls at once, each message once', async () => {
    const { cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const given = messagesAsking(numbered(1, 60))
    const added = await Promise.all(Array.from({ length: 6 }, () => cloud.fill(id, given)))
    expect(added.reduce((sum, answer) => sum + answer.added, 0)).toBe(60)
    expect(questionsOf(await cloud.page(id, 0, 100))).toEqual(numbered(1, 60))
  })

  it('are imported up to a batch of 200 and 16 MB, and nothing of what is refused is kept', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const long = (length: number) =>
      aMessage({ chat_response: { role: 'assistant', content: 'word '.repeat(length / 5) } })
    const send = (given: unknown[]) => ana.send('PUT', `/api/chat/${id}/messages`, { messages: given })
    expect((await send([])).status).toBe(400)
    expect((await send(Array.from({ length: limits.cloud.maxImportBatch + 1 }, () => aMessage()))).status).toBe(400)
    expect((await send([aMessage(), { ...aMessage(), mId: '\u0000' }])).status).toBe(400)
    expect((await send([aMessage(), { ...aMessage(), chat_request: 5 }])).status).toBe(400)
    expect((await send([long(serverLimits.cloud.importBodyBytes)])).status).toBe(413)
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
