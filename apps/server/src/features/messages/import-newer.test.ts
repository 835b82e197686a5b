import type { Message } from '@parley/contract/chat'
import type { MessagesPage } from '@parley/contract/cloud'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'

const written = (mId: string, at: number, content: string): Message => ({
  mId,
  channelId: 'elsewhere',
  chat_request: 'What?',
  chat_response: { role: 'assistant', content },
  datetime: '2026-01-02T03:04:05.678Z',
  status: 'completed',
  run: { messageId: uuidv7(at), seq: 3, base: 0 },
})

describe.each(databases)('messages of another copy of a cloud channel, on %s', (kind) => {
  it('take the place of an earlier state only where that is asked for, and never of a later one', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
    const ana = await aPerson(app, 'ana@example.org')
    const { data } = (await ana.post('/api/channel', {})).body as { data: { id: string } }
    const put = async (messages: Message[], takesNewer?: boolean) =>
      (await ana.send('PUT', `/api/chat/${data.id}/messages`, { messages, ...(takesNewer ? { takesNewer } : {}) })).body
    const texts = async () =>
      ((await ana.send('GET', `/api/chat/documents/0/10/${data.id}`)).body as MessagesPage).content.map(
        ({ chat_response }) => chat_response.content,
      )
    const [a, b] = [uuidv7(), uuidv7()]
    await put([written(a, 2_000, 'a'), written(b, 2_000, 'b')])
    await put([written(a, 3_000, 'a, later')])
    expect(await texts()).toEqual(['a', 'b'])
    expect(await put([written(a, 3_000, 'a, later'), written(b, 1_000, 'b, earlier')], true)).toEqual({
      added: 0,
      existing: 2,
      total: 2,
    })
    expect(await texts()).toEqual(['a, later', 'b'])
  })
})
