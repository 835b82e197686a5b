import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'

const aMessage = () => ({
  mId: uuidv7(),
  channelId: 'elsewhere',
  chat_request: 'What?',
  chat_response: { role: 'assistant', content: 'This.' },
  datetime: '2026-01-02T03:04:05.678Z',
  status: 'completed',
})

describe.each(databases)('a cloud channel that was copied, on %s', (kind) => {
  it('is deleted only if it is still as it was seen [CH-051]', async () => {
    const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
    const ana = await aPerson(app, 'ana@example.org')
    const { data } = (await ana.post('/api/channel', {})).body as { data: { id: string; updated_at: string } }
    const put = () => ana.send('PUT', `/api/chat/${data.id}/messages`, { messages: [aMessage()] })
    const remove = (total: number, updatedAt: string) =>
      ana.send('DELETE', `/api/channel/${data.id}?total=${total}&updatedAt=${encodeURIComponent(updatedAt)}`)
    await put()
    await put()
    const refused = { status: 409, body: { code: 'channel.copy-differs' } }
    expect(await remove(1, data.updated_at)).toMatchObject(refused)
    expect(await remove(2, '2026-01-01T00:00:00.000Z')).toMatchObject(refused)
    expect((await ana.send('GET', `/api/chat/documents/0/10/${data.id}`)).body).toMatchObject({ total: 2 })
    expect((await remove(2, data.updated_at)).status).toBe(204)
    expect((await ana.send('GET', `/api/channel/${data.id}`)).status).toBe(404)
  })
})
