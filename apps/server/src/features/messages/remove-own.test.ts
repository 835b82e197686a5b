import type { Channel } from '@parley/contract/channels'
import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import { databases } from '../../testing/build-test-app'
import { aChannelOf, aMessage, aSharedChannel, idOf } from '../../testing/shared-conversation'

describe.each(databases)('the message paths that name a person on %s', (kind) => {
  it('are oneself or nothing, and delete what one wrote wherever it is, but not in locked channels [ST-203]', async () => {
    const { app, ana, bruno, id } = await aSharedChannel(kind)
    const blank = { chat_response: { role: 'assistant' as const, content: '' }, status: 'failed' as const }
    await bruno.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('b1', blank), aMessage('b2', blank)] })
    await aChannelOf(bruno, 'Own', [aMessage('b3')])
    const locked = ((await bruno.post('/api/channel', { isLocked: true })).body as { data: Channel }).data.id
    await bruno.send('PUT', `/api/chat/${locked}/messages`, { messages: [aMessage('b4')] })
    for (const path of [
      `delete-message/${idOf(ana)}/m1`,
      `delete-user-messages/${idOf(ana)}`,
      'delete-user-messages/x',
    ])
      expect(await bruno.send('DELETE', `/api/chat/${path}`)).toMatchObject({
        status: 404,
        body: { code: 'not-found' },
      })
    expect((await bruno.send('DELETE', `/api/chat/delete-message/${idOf(bruno)}/m1`)).status).toBe(403)
    expect((await bruno.send('DELETE', `/api/chat/delete-message/${idOf(bruno)}/b1?channelId=${id}`)).status).toBe(204)
    expect(await bruno.send('DELETE', `/api/chat/delete-user-messages/${idOf(bruno)}`)).toMatchObject({
      status: 200,
      body: { deleted: 2 },
    })
    expect((await app.db.select({ mId: messages.mId }).from(messages)).map(({ mId }) => mId).sort()).toEqual([
      'b4',
      'm1',
      'm2',
    ])
    expect(await app.db.select().from(channels)).toHaveLength(3)
  })
})
