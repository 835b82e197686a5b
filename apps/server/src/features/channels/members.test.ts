import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import type { Invitation, InvitationPreview, Member, MemberRole } from '@parley/contract/members'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it, onTestFinished } from 'vitest'
import { channelInvitations, channelMembers, channels, messageReceipts, messages } from '../../db/schema'
import { MemoryBus } from '../../providers/memory-bus'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'

type Person = Awaited<ReturnType<typeof aPerson>>
type Link = Invitation & { url: string }

const day = 86_400_000
const aMessage = (chat_request: string, fields: Partial<Message> = {}): Message => ({
  mId: uuidv7(),
  channelId: 'elsewhere',
  chat_request,
  chat_response: { role: 'assistant', content: 'This.' },
  datetime: '2026-01-02T03:04:05.678Z',
  status: 'completed',
  ...fields,
})

const idOf = (person: Person): string => person.answer.user.id
const tokenOf = ({ url }: Link): string => url.split('/').at(-1) ?? ''
const channelsOf = async (person: Person) => ((await person.send('GET', '/api/channel')).body as { channels: Channel[] }).channels
const pageOf = async (person: Person, id: string) => ((await person.send('GET', `/api/chat/documents/0/50/${id}`)).body as { content: Message[] }).content

/** Ana with a channel that holds one message. */
async function aChannel(kind: (typeof databases)[number], options: { now?: () => number; bus?: MemoryBus } = {}) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0', PUBLIC_URL: 'https://parley.example' }, ...options })
  const origin = 'https://parley.example'
  const person = (name: string) => aPerson(app, `${name}@example.org`, origin)
  const ana = await person('ana')
  const { data } = (await ana.post('/api/channel', { channelName: 'Plans' })).body as { data: Channel }
  const id = data.id
  await ana.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('From Ana', { mId: 'm-ana' })] })
  const invite = async (fields: { role?: MemberRole; days?: number; maxUses?: number } = {}): Promise<Link> => {
    const answer = await ana.post(`/api/channel/${id}/invitations`, { role: 'write', ...fields })
    if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Link
  }
  const accept = (who: Client, link: Link) => who.post(`/api/invitations/${tokenOf(link)}/accept`, undefined)
  /** A person who has come in with a link of their own. */
  const aMember = async (name: string, role: MemberRole) => {
    const member = await person(name)
    expect((await accept(member, await invite({ role }))).status).toBe(200)
    return member
  }
  return { app, ana, id, person, invite, accept, aMember }
}

const stateOf = async (app: TestApp) => [
  await app.db.select().from(channels).orderBy(channels.id),
  await app.db.select().from(messages).orderBy(messages.mId),
  await app.db.select().from(channelMembers).orderBy(channelMembers.userId),
  await app.db.select().from(channelInvitations).orderBy(channelInvitations.id),
  await app.db.select().from(messageReceipts).orderBy(messageReceipts.mId),
]

/** Every call about a channel, its messages, people and invitations. */
const callsOn = (id: string, mId: string, { invitationId, memberId }: { invitationId: string; memberId: string }): [string, string, object?][] => [
  ['GET', `/api/channel/${id}`],
  ['PUT', '/api/channel', { channelId: id, channelName: 'Mine now' }],
  ['DELETE', `/api/channel/${id}`],
  ['DELETE', `/api/channel/${id}/clear`],
  ['POST', `/api/chat/${id}/readers`, { messageIds: [mId] }],
  ['GET', `/api/chat/documents/0/10/${id}`],
  ['GET', `/api/chat/${id}/messages/${mId}`],
  ['DELETE', `/api/chat/${mId}?channelId=${id}`],
  ['DELETE', `/api/chat/${mId}`],
  ['PUT', `/api/chat/${id}/messages`, { messages: [aMessage('Intruder')] }],
  ['POST', `/api/channel/${id}/invitations`, { role: 'write' }],
  ['GET', `/api/channel/${id}/invitations`],
  ['DELETE', `/api/channel/${id}/invitations`],
  ['DELETE', `/api/channel/${id}/invitations?invitationId=${invitationId}`],
  ['GET', `/api/channel/${id}/members`],
  ['GET', `/api/channel/${id}/members/${memberId}`],
  ['DELETE', `/api/channel/${id}/members/${memberId}`],
  ['POST', '/api/channel/export', { channelId: id }],
  ['PATCH', `/api/chat/receive-message/${mId}?channelId=${id}`],
  ['PATCH', `/api/chat/read-message/${mId}`],
  ['PATCH', `/api/chat/read-conversation/${id}`],
  ['POST', '/api/chat/forward-message', { messageId: mId, channelIds: [id] }],
]

describe.each(databases)('an invitation to a cloud channel on %s', (kind) => {
  it('is a link that lets another person in, who sees the channel, whose it is and what they may do [CH-039]', async () => {
    const { app, ana, id, person, invite, accept } = await aChannel(kind)
    const link = await invite({ role: 'read', days: 3 })
    expect(link).toMatchObject({ role: 'read', uses: 0, maxUses: null })
    expect(link.url).toMatch(/^https:\/\/parley\.example\/invite\/[\w-]{43}$/)
    expect(Date.parse(link.expires_at) - Date.parse(link.created_at)).toBe(3 * day)
    const preview = (await new Client(app, null).send('GET', `/api/invitations/${tokenOf(link)}`)).body as InvitationPreview
    expect(preview).toEqual({ channelName: 'Plans', ownerName: 'ana', role: 'read', expires_at: link.expires_at })
    const bruno = await person('bruno')
    expect(await accept(bruno, link)).toMatchObject({ status: 200, body: { id, channelName: 'Plans', role: 'read', ownerName: 'ana' } })
    expect(await channelsOf(bruno)).toEqual([expect.objectContaining({ id, role: 'read', ownerName: 'ana', memberCount: 1, source: 'postgresql' })])
    const [own] = await channelsOf(ana)
    expect(own).toMatchObject({ id, memberCount: 1 })
    expect(own).not.toHaveProperty('role')
    expect((await bruno.send('GET', `/api/channel/${id}/members`)).body).toEqual({
      members: [
        { userId: idOf(ana), name: 'ana', role: 'owner', joined_at: null },
        { userId: idOf(bruno), name: 'bruno', role: 'read', joined_at: expect.any(String) },
      ],
    })
    expect((await ana.send('GET', `/api/channel/${id}/members/${idOf(bruno)}`)).body).toMatchObject({ name: 'bruno', role: 'read' } satisfies Partial<Member>)
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
    const refusal = { success: false, code: 'invitation.invalid', status: 404, message: 'This invitation is no longer valid. Please ask for a new one.' }
    const look = (link: Link) => new Client(app, null).send('GET', `/api/invitations/${tokenOf(link)}`)
    expect((await look(short)).status).toBe(200)
    now += day
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
    for (const body of [{ role: 'owner' }, { role: 'read', days: 31 }, { role: 'read', days: 0 }, { role: 'read', maxUses: 0 }, {}])
      expect((await refused(body)).status).toBe(400)
    for (let n = 0; n < limits.sharing.maxInvitations; n++) await invite()
    expect(await refused({ role: 'read' })).toMatchObject({ status: 409, body: { code: 'invitation.too-many' } })
    expect((await ana.send('DELETE', `/api/channel/${id}/invitations`)).status).toBe(204)
    await invite()
  })
})

describe.each(databases)('members of a cloud channel on %s', (kind) => {
  it('read who asked what, and write where they may; the name goes when the account goes', async () => {
    const { ana, id, aMember } = await aChannel(kind)
    const bruno = await aMember('bruno', 'write')
    const failed = aMessage('From Bruno', { mId: 'm-bruno', chat_response: { role: 'assistant', content: '' }, status: 'failed' })
    expect((await bruno.send('PUT', `/api/chat/${id}/messages`, { messages: [failed] })).body).toMatchObject({ added: 1 })
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
    await bruno.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('a', { mId: 'a', ...blank }), aMessage('b', { mId: 'b', ...blank })] })
    expect(await bruno.send('DELETE', `/api/chat/m-ana?channelId=${id}`)).toMatchObject({ status: 403, body: { code: 'channel.not-author' } })
    expect((await bruno.send('DELETE', '/api/chat/a')).status).toBe(204)
    expect((await ana.send('DELETE', `/api/chat/b?channelId=${id}`)).status).toBe(204)
    expect(await bruno.send('PUT', `/api/chat/${id}/messages`, { messages: [aMessage('Forged')] })).toMatchObject({ status: 403 })
    expect((await pageOf(ana, id)).map(({ mId }) => mId)).toEqual(['m-ana'])
  })

  it('who only read can write nothing, and no member can do what is the owner’s', async () => {
    const { app, id, invite, aMember } = await aChannel(kind)
    const [reader, writer] = [await aMember('reader', 'read'), await aMember('writer', 'write')]
    const { id: invitationId } = await invite()
    const before = await stateOf(app)
    const blank = aMessage('Let me', { chat_response: { role: 'assistant', content: '' }, status: 'failed' })
    expect(await reader.send('PUT', `/api/chat/${id}/messages`, { messages: [blank] })).toMatchObject({ status: 403, body: { code: 'channel.read-only' } })
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
        expect(await member.send(method, path, body), `${method} ${path}`).toMatchObject({ status: 403, body: { code: 'channel.owner-only' } })
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
    expect(await ana.send('DELETE', `/api/channel/${id}/members/${idOf(bruno)}`)).toMatchObject({ status: 404, body: { code: 'not-found' } })
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
    expect([await app.db.select().from(channelMembers), await app.db.select().from(channelInvitations)]).toEqual([[], []])
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
    expect(app.logs()).toContain('news of a shared channel were not told')
  })

  it('come newest activity first among one’s own channels, in pages', async () => {
    const { id, aMember } = await aChannel(kind)
    const bruno = await aMember('bruno', 'read')
    for (const year of ['2020', '2099'])
      await bruno.post('/api/channel', { channelName: year, updated_at: `${year}-01-01T00:00:00Z`, created_at: '2020-01-01T00:00:00Z' })
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
    for (const [method, path, body] of callsOn(id, 'm-ana', names)) expect((await nobody.send(method, path, body)).status, `${method} ${path}`).toBe(401)
  })
})
