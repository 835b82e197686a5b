import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import { databases } from '../../testing/build-test-app'
import { aMessage, anApp, cloudOf, messagesAsking, numbered, questionsOf } from '../../testing/cloud-channels'
import { aPerson, Client } from '../../testing/person'

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
    for (const [method, path, body] of calls)
      expect(await nobody.send(method, path, body)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await cloud.list()).toHaveLength(1)
  })

  it('have all their fields, and the default name where none is given [CH-079, CH-080, CH-082, CH-092]', async () => {
    const { ana, cloud } = await anApp(kind)
    const answer = await ana.post('/api/channel', { isYoutube: true })
    expect(answer.status).toBe(201)
    const channel = await cloud.create({
      channelName: ' Viagem à\u0007Lua 🌙 ',
      assistantId: 'agent',
      isDocument: true,
    })
    expect(channel).toMatchObject({
      userId: ana.answer.user.id,
      assistantId: 'agent',
      channelName: 'Viagem à Lua 🌙',
      isDocument: true,
      isImage: false,
    })
    expect(channel).toMatchObject({ isYoutube: false, isLocked: false, isLocalChannel: false, source: 'postgresql' })
    expect(await cloud.get(channel.id)).toEqual(channel)
    const names = (await Promise.all([cloud.create(), cloud.create(), cloud.create(), cloud.create()])).map(
      ({ channelName }) => channelName,
    )
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(name).toMatch(/^Chat \d\d-\d\d \d\d-\d\d-\d\d/)
  })

  it('come newest activity first, whole or in pages [CH-089, CH-091, ST-199]', async () => {
    const { ana, cloud } = await anApp(kind)
    for (const day of ['02', '03', '01'])
      await cloud.create({
        channelName: day,
        updated_at: `2026-01-${day}T00:00:00Z`,
        created_at: '2025-01-01T00:00:00Z',
      })
    expect((await ana.send('GET', '/api/channel')).body).toMatchObject({ channels: [{}, {}, {}], documents: [] })
    expect((await cloud.list()).map(({ channelName }) => channelName)).toEqual(['03', '02', '01'])
    expect((await cloud.list('?page=1&size=2')).map(({ channelName }) => channelName)).toEqual(['01'])
    expect(await ana.send('GET', '/api/channel?size=100000')).toMatchObject({
      status: 400,
      body: { code: 'validation' },
    })
  })

  it('never have one name twice for one assistant, ignoring case, however many ask at once [CH-114]', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => ana.post('/api/channel', { channelName: n % 2 ? 'Same' : 'SAME' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body } of answers)
      if (status !== 201) expect({ status, body }).toMatchObject({ status: 409, body: { code: 'channel.name-taken' } })
    const other = await cloud.create({ channelName: 'Other' })
    expect(await ana.send('PUT', '/api/channel', { channelId: other.id, channelName: 'same' })).toMatchObject({
      status: 409,
      body: { code: 'channel.name-taken', message: 'Channel with this name already exists' },
    })
    await cloud.create({ channelName: 'Same', assistantId: 'another-agent' })
    await cloudOf(await aPerson(app, 'eve@example.org')).create({ channelName: 'Same' })
    expect((await cloud.list()).map(({ channelName }) => channelName.toLowerCase()).sort()).toEqual([
      'other',
      'same',
      'same',
    ])
  })

  it('are renamed, also to the same name in other capitals, but not to nothing [CH-094, CH-112, CH-113]', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id, updated_at } = await cloud.create({ channelName: 'Plans' })
    const rename = (channelId: string, channelName: string) =>
      ana.send('PUT', '/api/channel', { channelId, channelName })
    expect(await rename(id, ' PLANS ')).toMatchObject({ status: 200, body: { id, channelName: 'PLANS', updated_at } })
    for (const empty of ['', '  ', '\u0000'])
      expect(await rename(id, empty)).toMatchObject({ status: 400, body: { code: 'validation' } })
    expect(await rename(id, 'a\ud83c\u0000b')).toMatchObject({ status: 200, body: { channelName: 'a\ufffd b' } })
    const suggest = (channelName: string, instead: string) =>
      ana.send('PUT', '/api/channel', { channelId: id, channelName, instead })
    expect(await suggest('Suggested', 'What it was called before')).toMatchObject({
      status: 200,
      body: { channelName: 'a\ufffd b' },
    })
    expect(await suggest('Suggested', 'a\ufffd b')).toMatchObject({ status: 200, body: { channelName: 'Suggested' } })
    expect(await rename('unknown', 'x')).toMatchObject({
      status: 404,
      body: { code: 'channel.not-found', message: 'Channel not found' },
    })
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
    expect(await ana.send('DELETE', `/api/channel/${locked.id}`)).toMatchObject({
      status: 423,
      body: { code: 'channel.locked-delete' },
    })
    expect(await ana.send('DELETE', `/api/channel/${locked.id}/clear`)).toMatchObject({
      status: 423,
      body: { code: 'channel.locked-clear' },
    })
    expect(await ana.send('DELETE', `/api/channel/${open.id}`)).toMatchObject({ status: 204, body: undefined })
    expect(await ana.send('DELETE', `/api/channel/${open.id}`)).toMatchObject({
      status: 404,
      body: { code: 'channel.not-found' },
    })
    expect((await app.db.select().from(messages)).map(({ channelId }) => channelId)).toEqual([locked.id])
  })

  it('are cleared of their messages and stay; a cursor of before meets nothing of after [CH-096]', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id, updated_at } = await cloud.create()
    await cloud.fill(id, messagesAsking(numbered(1, 5)))
    const { cursor } = await cloud.page(id, 0, 2)
    expect((await ana.send('DELETE', `/api/channel/${id}/clear`)).status).toBe(204)
    expect(await cloud.page(id, 0, 10)).toEqual({ content: [], page: 0, size: 10, total: 0 })
    expect((await cloud.get(id)).updated_at).toBe(updated_at)
    await cloud.fill(id, messagesAsking(['later']))
    expect((await cloud.page(id, 0, 10, `?before=${cursor}`)).content).toEqual([])
    expect(questionsOf(await cloud.page(id, 0, 10))).toEqual(['later'])
  })

  it('are all deleted but the locked ones, which are counted [CH-118, ST-199]', async () => {
    const { app, ana, cloud } = await anApp(kind)
    await cloud.create({ channelName: 'Kept', isLocked: true })
    for (let n = 0; n < 3; n++) await cloud.create()
    const eve = cloudOf(await aPerson(app, 'eve@example.org'))
    await eve.create()
    expect(await ana.send('DELETE', '/api/channel/delete/all')).toMatchObject({
      status: 200,
      body: { deleted: 3, skipped: 1 },
    })
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
