import { serverLimits } from '@parley/contract/limits/server'
import type { InvitationPreview, Member } from '@parley/contract/sharing'
import { describe, expect, it } from 'vitest'
import { channelInvitations, channelMembers } from '../../db/schema/channels'
import { databases } from '../../testing/build-test-app'
import { Client } from '../../testing/person'
import { aChannel, channelsOf, idOf, type Link, type Person, tokenOf } from '../../testing/shared-channel'

const dayMs = 86_400_000

describe.each(databases)('an invitation to a cloud channel on %s', (kind) => {
  it('is a link that lets another person in, who sees the channel, whose it is and what they may do [CH-039]', async () => {
    const { app, ana, id, person, invite, accept } = await aChannel(kind)
    const link = await invite({ role: 'read', days: 3 })
    expect(link).toMatchObject({ role: 'read', uses: 0, maxUses: null })
    expect(link.url).toMatch(/^https:\/\/parley\.example\/invite\/[\w-]{43}$/)
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(3 * dayMs)
    const preview = (await new Client(app, null).send('GET', `/api/invitations/${tokenOf(link)}`))
      .body as InvitationPreview
    expect(preview).toEqual({ channelName: 'Plans', ownerName: 'ana', role: 'read', expires_at: link.expires_at })
    const bruno = await person('bruno')
    expect(await accept(bruno, link)).toMatchObject({
      status: 200,
      body: { id, channelName: 'Plans', role: 'read', ownerName: 'ana' },
    })
    expect(await channelsOf(bruno)).toEqual([
      expect.objectContaining({ id, role: 'read', ownerName: 'ana', memberCount: 1, source: 'postgresql' }),
    ])
    const [own] = await channelsOf(ana)
    expect(own).toMatchObject({ id, memberCount: 1 })
    expect(own).not.toHaveProperty('role')
    expect((await bruno.send('GET', `/api/channel/${id}/members`)).body).toEqual({
      members: [
        { userId: idOf(ana), name: 'ana', role: 'owner', joined_at: null },
        { userId: idOf(bruno), name: 'bruno', role: 'read', joined_at: expect.any(String) },
      ],
    })
    expect((await ana.send('GET', `/api/channel/${id}/members/${idOf(bruno)}`)).body).toMatchObject({
      name: 'bruno',
      role: 'read',
    } satisfies Partial<Member>)
  })

  it('is kept as a hash: neither the database nor the list nor the log tells the link', async () => {
    const { app, ana, id, invite } = await aChannel(kind)
    const link = await invite()
    await new Client(app, null).send('GET', `/api/invitations/${tokenOf(link)}`)
    const { body } = await ana.send('GET', `/api/channel/${id}/invitations`)
    expect(body).toEqual({ invitations: [expect.objectContaining({ id: link.id, role: 'write' })] })
    const everything = JSON.stringify([await app.db.select().from(channelInvitations), body]) + app.logs()
    expect(everything).not.toContain(tokenOf(link))
  })

  it('that is unknown, revoked, used up or out of date is one and the same error, for looking and for accepting', async () => {
    let now = Date.now()
    const { app, ana, id, person, invite, accept } = await aChannel(kind, { now: () => now })
    const [bruno, carla] = [await person('bruno'), await person('carla')]
    const revoked = await invite()
    const once = await invite({ maxUses: 1 })
    const short = await invite({ days: 1 })
    expect((await accept(bruno, once)).status).toBe(200)
    expect((await ana.send('DELETE', `/api/channel/${id}/invitations?invitationId=${revoked.id}`)).status).toBe(204)
    const refusal = {
      success: false,
      code: 'invitation.invalid',
      status: 404,
      message: 'This invitation is no longer valid. Please ask for a new one.',
    }
    const look = (link: Link) => new Client(app, null).send('GET', `/api/invitations/${tokenOf(link)}`)
    expect((await look(short)).status).toBe(200)
    now += dayMs
    // Their sessions' tokens last for minutes only.
    await carla.login('carla@example.org')
    for (const link of [revoked, once, short, { ...once, url: 'x/unknown' }]) {
      expect((await look(link)).body).toEqual(refusal)
      expect(await accept(carla, link)).toMatchObject({ status: 404, body: refusal })
    }
    await ana.login('ana@example.org')
    expect((await ana.send('GET', `/api/channel/${id}/invitations`)).body).toEqual({ invitations: [] })
    expect(await app.db.select().from(channelMembers)).toHaveLength(1)
  })

  it('uses nothing up for who is in already, gives more rights but never less, and none to its owner', async () => {
    const { app, ana, id, invite, accept, aMember } = await aChannel(kind)
    const bruno = await aMember('bruno', 'read')
    const [read, write] = [await invite({ role: 'read', maxUses: 1 }), await invite({ role: 'write', maxUses: 1 })]
    for (const link of [read, write]) expect((await accept(ana, link)).body).not.toHaveProperty('role')
    expect((await accept(bruno, read)).body).toMatchObject({ role: 'read' })
    expect((await accept(bruno, write)).body).toMatchObject({ role: 'write' })
    expect((await accept(bruno, read)).body).toMatchObject({ id, role: 'write' })
    expect((await app.db.select().from(channelInvitations)).map(({ uses }) => uses).sort()).toEqual([0, 1, 1])
    expect((await accept(new Client(app, null), read)).status).toBe(401)
  })

  it('for one lets one in, however many come at once', async () => {
    const { app, person, invite, accept } = await aChannel(kind)
    const link = await invite({ maxUses: 1 })
    const people: Person[] = []
    for (const name of ['b', 'c', 'd', 'e']) people.push(await person(name))
    const answers = await Promise.all(people.map((who) => accept(who, link)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    expect(await app.db.select().from(channelMembers)).toHaveLength(1)
  })

  it('is made for 30 days at most, and 20 are open at a time', async () => {
    const { ana, id, invite } = await aChannel(kind)
    const refused = (body: object) => ana.post(`/api/channel/${id}/invitations`, body)
    for (const body of [
      { role: 'owner' },
      { role: 'read', days: 31 },
      { role: 'read', days: 0 },
      { role: 'read', maxUses: 0 },
      {},
    ])
      expect((await refused(body)).status).toBe(400)
    for (let n = 0; n < serverLimits.sharing.maxInvitations; n++) await invite()
    expect(await refused({ role: 'read' })).toMatchObject({ status: 409, body: { code: 'invitation.too-many' } })
    expect((await ana.send('DELETE', `/api/channel/${id}/invitations`)).status).toBe(204)
    await invite()
  })
})
