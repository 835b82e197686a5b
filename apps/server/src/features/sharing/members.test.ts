import type { Channel } from '@parley/contract/channels'
import { describe, expect, it, onTestFinished } from 'vitest'
import { channelInvitations, channelMembers } from '../../db/schema/channels'
import { MemoryBus } from '../../providers/bus/memory-bus'
import { databases } from '../../testing/build-test-app'
import { Client } from '../../testing/person'
import { aChannel, aMessage, callsOn, channelsOf, idOf, pageOf, stateOf } from '../../testing/shared-channel'

describe.each(databases)('members of a cloud channel on %s', (kind) => {
  it('read who asked what, and write where they may; the name goes when the account goes', async () => {
    const { ana, id, aMember } = await aChannel(kind)
    const bruno = await aMember('bruno', 'write')
    const failed = aMessage('From Bruno', {
      mId: 'm-bruno',
      chat_response: { role: 'assistant', content: '' },
      status: 'failed',
    })
    expect((await bruno.send('PUT', `/api/chat/${id}/messages`, { messages: [failed] })).body).toMatchObject({
      added: 1,
    })
    expect((await pageOf(bruno, id)).map(({ chat_request, author }) => [chat_request, author])).toEqual([
      ['From Ana', { id: idOf(ana), name: 'ana' }],
      ['From Bruno', undefined],
    ])
    expect((await pageOf(ana, id)).map(({ author }) => author)).toEqual([undefined, { id: idOf(bruno), name: 'bruno' }])
    await bruno.send('DELETE', '/api/user/account', { userId: idOf(bruno) })
    expect((await pageOf(ana, id)).map(({ author }) => author)).toEqual([undefined, { name: '' }])
    expect((await ana.send('GET', `/api/channel/${id}/members`)).body).toMatchObject({ members: [{ role: 'owner' }] })
  })

  it('delete what they wrote, the owner whatever is in it, and nobody invents answers in the channel of another [ST-045]', async () => {
    const { ana, id, aMember } = await aChannel(kind)
    const bruno = await aMember('bruno', 'write')
    const blank = { chat_response: { role: 'assistant' as const, content: '' }, status: 'failed' as const }
    await bruno.send('PUT', `/api/chat/${id}/messages`, {
      messages: [aMessage('a', { mId: 'a', ...blank }), aMessage('b', { mId: 'b', ...blank })],
    })
    expect(await bruno.send('DELETE', `/api/chat/m-ana?channelId=${id}`)).toMatchObject({
      status: 403,
      body: { code: 'channel.not-author' },
    })
    expect((await bruno.send('DELETE', '/api/chat/a')).status).toBe(204)
    expect((await ana.send('DELETE', `/api/chat/b?channelId=${id}`)).status).toBe(204)
    expect(await bruno.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('Forged')] })).toMatchObject({
      status: 403,
    })
    expect((await pageOf(ana, id)).map(({ mId }) => mId)).toEqual(['m-ana'])
  })

  it('who only read can write nothing, and no member can do what is the owner’s', async () => {
    const { app, id, invite, aMember } = await aChannel(kind)
    const [reader, writer] = [await aMember('reader', 'read'), await aMember('writer', 'write')]
    const { id: invitationId } = await invite()
    const before = await stateOf(app)
    const blank = aMessage('Let me', { chat_response: { role: 'assistant', content: '' }, status: 'failed' })
    expect(await reader.send('PUT', `/api/chat/${id}/messages`, { messages: [blank] })).toMatchObject({
      status: 403,
      body: { code: 'channel.read-only' },
    })
    for (const member of [reader, writer]) {
      const ownerOnly: [string, string, object?][] = [
        ['PUT', '/api/channel', { channelId: id, channelName: 'Ours' }],
        ['DELETE', `/api/channel/${id}`],
        ['DELETE', `/api/channel/${id}/clear`],
        ['POST', `/api/channel/${id}/invitations`, { role: 'write' }],
        ['GET', `/api/channel/${id}/invitations`],
        ['DELETE', `/api/channel/${id}/invitations`],
        ['DELETE', `/api/channel/${id}/invitations?invitationId=${invitationId}`],
        ['DELETE', `/api/channel/${id}/members/${idOf(member === reader ? writer : reader)}`],
      ]
      for (const [method, path, body] of ownerOnly)
        expect(await member.send(method, path, body), `${method} ${path}`).toMatchObject({
          status: 403,
          body: { code: 'channel.owner-only' },
        })
      expect((await member.send('DELETE', '/api/channel/delete/all')).body).toEqual({ deleted: 0, skipped: 0 })
    }
    expect(await stateOf(app)).toEqual(before)
  })

  it('that are removed are out at once, and no open link leads them back', async () => {
    const { app, ana, id, invite, accept, aMember } = await aChannel(kind)
    const bruno = await aMember('bruno', 'write')
    const { id: invitationId, ...link } = await invite()
    expect((await ana.send('DELETE', `/api/channel/${id}/members/${idOf(bruno)}`)).status).toBe(204)
    const before = await stateOf(app)
    for (const [method, path, body] of callsOn(id, 'm-ana', { invitationId, memberId: idOf(bruno) }))
      expect((await bruno.send(method, path, body)).status, `${method} ${path}`).toBe(404)
    expect((await accept(bruno, { id: invitationId, ...link })).status).toBe(404)
    expect(await channelsOf(bruno)).toEqual([])
    expect(await stateOf(app)).toEqual(before)
    expect(await ana.send('DELETE', `/api/channel/${id}/members/${idOf(bruno)}`)).toMatchObject({
      status: 404,
      body: { code: 'not-found' },
    })
    expect((await ana.send('DELETE', `/api/channel/${id}/members/${idOf(ana)}`)).status).toBe(404)
  })

  it('leave by themselves, and the others stay', async () => {
    const { ana, id, aMember } = await aChannel(kind)
    const [bruno, carla] = [await aMember('bruno', 'read'), await aMember('carla', 'write')]
    expect((await bruno.send('DELETE', `/api/channel/${id}/members/${idOf(bruno)}`)).status).toBe(204)
    expect(await channelsOf(bruno)).toEqual([])
    expect(await channelsOf(carla)).toHaveLength(1)
    expect((await channelsOf(ana))[0]).toMatchObject({ memberCount: 1 })
  })

  it('lose the channel with its deletion, and the owner’s other channels were never theirs', async () => {
    const { app, ana, id, aMember } = await aChannel(kind)
    const bruno = await aMember('bruno', 'write')
    await ana.post('/api/channel', { channelName: 'Private' })
    expect(await channelsOf(bruno)).toHaveLength(1)
    expect((await ana.send('DELETE', `/api/channel/${id}`)).status).toBe(204)
    expect(await channelsOf(bruno)).toEqual([])
    expect([await app.db.select().from(channelMembers), await app.db.select().from(channelInvitations)]).toEqual([
      [],
      [],
    ])
  })

  it('come and go also while nobody can be told of it', async () => {
    class DeafBus extends MemoryBus {
      override async publish(topic: string, message: string): Promise<void> {
        if (topic === 'channels:news') throw new Error('away')
        return super.publish(topic, message)
      }
    }
    const bus = new DeafBus()
    onTestFinished(() => bus.close())
    const { app, ana, id, aMember } = await aChannel(kind, { bus })
    const bruno = await aMember('bruno', 'write')
    expect((await ana.send('DELETE', `/api/channel/${id}/members/${idOf(bruno)}`)).status).toBe(204)
    expect((await bruno.send('GET', `/api/channel/${id}`)).status).toBe(404)
    expect((await ana.send('DELETE', `/api/channel/${id}`)).status).toBe(204)
    expect(app.logs()).toContain('an event of a shared channel was not published')
  })

  it('come newest activity first among one’s own channels, in pages', async () => {
    const { id, aMember } = await aChannel(kind)
    const bruno = await aMember('bruno', 'read')
    for (const year of ['2020', '2099'])
      await bruno.post('/api/channel', {
        channelName: year,
        updated_at: `${year}-01-01T00:00:00Z`,
        created_at: '2020-01-01T00:00:00Z',
      })
    expect((await channelsOf(bruno)).map(({ channelName }) => channelName)).toEqual(['2099', 'Plans', '2020'])
    const page = (await bruno.send('GET', '/api/channel?page=1&size=1')).body as { channels: Channel[] }
    expect(page.channels.map((channel) => channel.id)).toEqual([id])
  })
})

describe.each(databases)('a stranger to a shared channel on %s', (kind) => {
  it('is answered 404 to every call, as for an unknown channel, and nothing changes [ST-199, ST-203]', async () => {
    const { app, id, person, invite, aMember } = await aChannel(kind)
    const bruno = await aMember('bruno', 'write')
    const { id: invitationId } = await invite()
    const eve = await person('eve')
    await eve.post('/api/channel', { channelName: 'Hers' })
    const before = await stateOf(app)
    const names = { invitationId, memberId: idOf(bruno) }
    const unknown = callsOn('no-such-channel', 'no-such-message', names)
    for (const [index, [method, path, body]] of callsOn(id, 'm-ana', names).entries()) {
      const answer = await eve.send(method, path, body)
      expect(answer.status, `${method} ${path}`).toBe(404)
      const [, otherPath = '', otherBody] = unknown[index] ?? []
      expect(answer.body, `${method} ${path}`).toEqual((await eve.send(method, otherPath, otherBody)).body)
    }
    expect(await stateOf(app)).toEqual(before)
    const nobody = new Client(app, null)
    for (const [method, path, body] of callsOn(id, 'm-ana', names))
      expect((await nobody.send(method, path, body)).status, `${method} ${path}`).toBe(401)
  })
})
