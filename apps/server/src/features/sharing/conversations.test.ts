import type { Channel } from '@parley/contract/channels'
import type { ConversationMessage } from '@parley/contract/receipts'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'
import { aChannelOf, aMessage, aSharedChannel, idOf, letIn, type Person } from '../../testing/shared-conversation'

describe.each(databases)('conversations on %s', (kind) => {
  it('are the latest messages with an answer of each channel one is in, by channel and assistant [ST-069]', async () => {
    const { ana, bruno, conversation } = await aSharedChannel(kind)
    const own = (
      (await bruno.post('/api/channel', { channelName: 'Own', assistantId: 'agent' })).body as { data: Channel }
    ).data.id
    const many = Array.from({ length: 12 }, (_, n) =>
      aMessage(`n${n}`, n === 11 ? { chat_response: { role: 'assistant', content: ' ' } } : {}),
    )
    await bruno.send('PUT', `/api/chat/${own}/messages`, { messages: many })
    expect((await conversation(bruno))?.map(({ mId }) => mId)).toEqual(['m1', 'm2'])
    expect((await conversation(bruno, `${own}_agent`))?.map(({ mId }) => mId)).toEqual([
      'n2',
      'n3',
      'n4',
      'n5',
      'n6',
      'n7',
      'n8',
      'n9',
      'n10',
    ])
    expect(await conversation(bruno, `${own}_agent`)).toContainEqual({
      mId: 'n2',
      channelId: own,
      chat_request: 'Question n2',
      chat_response: { content: 'Answer n2' },
      time: '2026-01-02T03:04:05.678Z',
      meta: { sender: idOf(bruno), receiver: null, sent: '2026-01-02T03:04:05.678Z', received: null, read: null },
    })
    const page = (await bruno.send('GET', '/api/chat/conversations?page=0&size=1')).body as {
      chats_by_channel_and_assistant_id: object
    }
    expect(Object.keys(page.chats_by_channel_and_assistant_id)).toHaveLength(1)
    expect(await conversation(ana, `${own}_agent`)).toBeUndefined()
    expect(await conversation(ana)).toHaveLength(2)
  })

  it('take as many queries for many channels as for one', async () => {
    const { ana, bruno } = await aSharedChannel(kind)
    const asked = vi.spyOn(pg.Pool.prototype, 'query')
    onTestFinished(() => asked.mockRestore())
    const queriesOf = async (path: string): Promise<number> => {
      asked.mockClear()
      expect((await bruno.send('GET', path)).status).toBe(200)
      return asked.mock.calls.filter((call) =>
        /messages|message_receipts|channel_members/.test(JSON.stringify(call[0])),
      ).length
    }
    const paths = ['/api/chat/conversations', '/api/chat/get-direct-messages']
    const before = [await queriesOf(paths[0] ?? ''), await queriesOf(paths[1] ?? '')]
    for (const name of ['Second', 'Third', 'Fourth'])
      await letIn(ana, await aChannelOf(ana, name, [aMessage('m1'), aMessage('m3')]), bruno, 'read')
    expect([await queriesOf(paths[0] ?? ''), await queriesOf(paths[1] ?? '')]).toEqual(before)
    expect(Math.min(...before)).toBeGreaterThan(0)
    const { content } = (await bruno.send('GET', paths[1] ?? '')).body as { content: ConversationMessage[] }
    expect(content).toHaveLength(8)
    expect(new Set(content.map(({ channelId, mId }) => `${channelId} ${mId}`)).size).toBe(8)
  })

  it('of others are listed newest first, in pages, and nobody else’s are [ST-202]', async () => {
    const { app, ana, bruno } = await aSharedChannel(kind)
    const eve = await aPerson(app, 'eve@example.org')
    const direct = async (person: Person, query = '') =>
      (await person.send('GET', `/api/chat/get-direct-messages${query}`)).body
    expect(await direct(bruno)).toMatchObject({ content: [{ mId: 'm2' }, { mId: 'm1' }], page: 0, size: 10, total: 2 })
    expect(await direct(bruno, '?page=1&size=1')).toMatchObject({
      content: [{ mId: 'm1', meta: { sender: idOf(ana) } }],
      total: 2,
    })
    for (const person of [ana, eve]) expect(await direct(person)).toMatchObject({ content: [], total: 0 })
  })
})
