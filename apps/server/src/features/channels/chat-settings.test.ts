import type { Channel } from '@parley/contract/channels'
import { limits } from '@parley/contract/limits/shared'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { databases } from '../../testing/build-test-app'
import { anApp } from '../../testing/cloud-channels'
import { aPerson } from '../../testing/person'
import { aSharedChat } from '../../testing/shared-chat'

const all = { effort: 'high', temperature: 0.7, answerTokens: 500, instructions: 'Be brief.' }

describe.each(databases)('the settings of a cloud channel on %s', (kind) => {
  it('change one by one, come with the channel, and leave its place in the list as it is', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id, updated_at, ...made } = await cloud.create({ channelName: 'Plans' })
    expect(made).not.toHaveProperty('settings')
    const set = (change: object) => ana.send('PATCH', `/api/channel/${id}/settings`, change)
    expect(await set({ effort: 'high', temperature: 0.7 })).toMatchObject({
      status: 200,
      body: { id, updated_at, settings: { effort: 'high', temperature: 0.7 } },
    })
    await set({ answerTokens: 500, instructions: ' Be\u0000\u202e brief. ' })
    await set({ temperature: null })
    const settings = { effort: 'high', answerTokens: 500, instructions: 'Be  brief.' }
    expect((await cloud.get(id)).settings).toEqual(settings)
    expect((await cloud.list()).map((channel) => channel.settings)).toEqual([settings])
    await set({ effort: null, answerTokens: null, instructions: '  ' })
    expect(await cloud.get(id)).not.toHaveProperty('settings')
  })

  it('come with a channel that is made from elsewhere', async () => {
    const { cloud } = await anApp(kind)
    expect((await cloud.create({ id: 'moved', settings: all })).settings).toEqual(all)
    expect((await cloud.get('moved')).settings).toEqual(all)
  })

  it('keep what a later version has stored', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    await app.db
      .update(channels)
      .set({ settings: { effort: 'extreme', style: { tone: 'dry', of: null } } })
      .where(eq(channels.id, id))
    const { body } = await ana.send('PATCH', `/api/channel/${id}/settings`, { temperature: 1 })
    expect((body as Channel).settings).toMatchObject({ effort: 'extreme', style: { tone: 'dry' }, temperature: 1 })
  })

  it('are refused where they are none, and nothing changes', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create({ settings: all })
    const bad = [
      { effort: 'most' },
      { temperature: 2.1 },
      { temperature: 0.75 },
      { temperature: '1' },
      { answerTokens: 0 },
      { answerTokens: 1e9 },
      { instructions: 'x'.repeat(limits.chatSettings.maxInstructions + 1) },
      [],
    ]
    for (const change of bad) {
      const answer = await ana.send('PATCH', `/api/channel/${id}/settings`, change)
      expect(answer, JSON.stringify(change).slice(0, 50)).toMatchObject({ status: 400, body: { code: 'validation' } })
      if (!Array.isArray(change)) expect((await ana.post('/api/channel', { settings: change })).status).toBe(400)
    }
    expect((await cloud.get(id)).settings).toEqual(all)
  })

  it('are the owner’s to change and the members’ to read, who learn of it; for others there is no such channel', async () => {
    const { app, ana, bruno, rita, channelId, sockets } = await aSharedChat({ kind, bus: 'memory' })
    const eve = await aPerson(app, 'eve@example.org')
    const set = (person: typeof ana, id = channelId) =>
      person.send('PATCH', `/api/channel/${id}/settings`, { instructions: 'Mine.' })
    for (const member of [bruno, rita])
      expect(await set(member)).toMatchObject({ status: 403, body: { code: 'channel.owner-only' } })
    const [foreign, unknown] = [await set(eve), await set(eve, 'unknown')]
    expect(foreign).toMatchObject({ status: 404, body: { code: 'channel.not-found' } })
    // Not with its headers, which tell the second.
    expect([unknown.status, unknown.body]).toEqual([foreign.status, foreign.body])
    const init = { method: 'PATCH', body: '{}', headers: { 'content-type': 'application/json' } }
    expect((await app.call(`/api/channel/${channelId}/settings`, init)).status).toBe(401)
    expect((await ana.send('GET', `/api/channel/${channelId}`)).body).not.toHaveProperty('settings')

    expect((await set(ana)).status).toBe(200)
    for (const name of ['bruno', 'rita'] as const)
      expect(await sockets[name].untilEvent('channel-changed')).toMatchObject({ channelId })
    for (const member of [bruno, rita])
      expect((await member.send('GET', `/api/channel/${channelId}`)).body).toMatchObject({
        settings: { instructions: 'Mine.' },
      })
  })
})
