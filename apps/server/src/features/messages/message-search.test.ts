import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import type { MessageHit } from '@parley/contract/cloud'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { Invitation } from '@parley/contract/sharing'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'

type Person = Awaited<ReturnType<typeof aPerson>>
type Found = { results: MessageHit[]; cursor?: string }

/** The channels of one person, as a program sees them. */
function cloudOf(person: Person) {
  const ok = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await person.send(method, path, body)
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }
  const at = encodeURIComponent
  const find = (q: string, more = '') => ok<Found>('GET', `/api/channel/search?q=${at(q)}${more}`)
  return {
    create: async (fields: object = {}) => (await ok<{ data: Channel }>('POST', '/api/channel', fields)).data,
    fill: (id: string, given: Message[]) => ok('PUT', `/api/chat/${at(id)}/messages`, { messages: given }),
    find,
    search: async (q: string) => (await find(q)).results,
    /** All pages of a search, one after the other. */
    pages: async (q: string, order: 'best' | 'newest') => {
      const pages: MessageHit[][] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const found: Found = await find(q, `&order=${order}${cursor && `&cursor=${at(cursor)}`}`)
        pages.push(found.results)
        cursor = found.cursor
      }
      return pages
    },
    /** Lets somebody in; answers how to put them out. */
    share: async (id: string, member: Person) => {
      const { url } = await ok<Invitation & { url: string }>('POST', `/api/channel/${at(id)}/invitations`, {
        role: 'read',
      })
      expect((await member.post(`/api/invitations/${url.split('/').at(-1)}/accept`, undefined)).status).toBe(200)
      return () => ok('DELETE', `/api/channel/${at(id)}/members/${member.answer.user.id}`)
    },
  }
}

const aMessage = (fields: Partial<Message> = {}): Message => ({
  mId: uuidv7(),
  channelId: 'elsewhere',
  chat_request: 'What?',
  chat_response: { role: 'assistant', content: 'This.' },
  datetime: '2026-01-02T03:04:05.678Z',
  status: 'completed',
  ...fields,
})
const asked = (texts: string[]): Message[] => texts.map((chat_request) => aMessage({ chat_request }))
const idsOf = (hits: readonly MessageHit[]): string[] => hits.map(({ mId }) => mId)
const moment = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()

async function anApp(kind: (typeof databases)[number]) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
  const ana = await aPerson(app, 'ana@example.org')
  return { app, ana, cloud: cloudOf(ana) }
}

describe.each(databases)('search over cloud messages on %s', (kind) => {
  const marked = ({ passage, marks }: MessageHit): string[] => marks.map(([from, to]) => passage.slice(from, to))

  async function filled(kind: (typeof databases)[number], texts: Record<string, [string, string?]>) {
    const { app, ana, cloud } = await anApp(kind)
    const { id } = await cloud.create({ channelName: 'Notes' })
    await cloud.fill(
      id,
      Object.entries(texts).map(([mId, [question, answer = '']]) =>
        aMessage({ mId, chat_request: question, chat_response: { role: 'assistant', content: answer } }),
      ),
    )
    const find = async (q: string): Promise<string[]> => (await cloud.search(q)).map(({ mId }) => mId).sort()
    return { app, ana, cloud, id, find }
  }

  it('finds every word by its beginning, in question and answer, whatever accents and capitals', async () => {
    const { cloud, id, find } = await filled(kind, {
      a: ['Onde fica a praça de São João?', 'Fica no coração da cidade.'],
      b: ['PRAÇAS e jardins'],
      c: ['Nothing of the kind', 'ΟΔΟΣ Ελλάδα'],
    })
    expect(await find('praca')).toEqual(['a', 'b'])
    expect(await find('PRAÇA coracao')).toEqual(['a'])
    expect(await find('raca')).toEqual([])
    expect(await find('οδος ελλ')).toEqual(['c'])
    const [hit] = await cloud.search('joao PRACA')
    expect(hit).toMatchObject({ channelId: id, channelName: 'Notes', mId: 'a', datetime: '2026-01-02T03:04:05.678Z' })
    expect(hit && marked(hit)).toEqual(['praça', 'João'])
  })

  it('finds parts of texts that are written without spaces', async () => {
    const { cloud, find } = await filled(kind, {
      a: ['東京タワーはどこですか', '港区にあります。'],
      b: ['大阪の天気 weather report'],
      c: ['ภาษาไทยยากไหม', '日本語GPT'],
    })
    expect(await find('タワー')).toEqual(['a'])
    expect(await find('天気 weath')).toEqual(['b'])
    expect(await find('気')).toEqual(['b'])
    expect(await find('どこタワー')).toEqual([])
    expect(await find('ไทย')).toEqual(['c'])
    expect((await cloud.search('gpt 語')).map(marked)).toEqual([['語', 'GPT']])
    expect((await cloud.search('港区')).map(marked)).toEqual([['港区']])
    expect((await cloud.search('タワー')).map(marked)).toEqual([['タワー']])
  })

  it('gives the best first, at most 50, with a short passage around what matched', async () => {
    const { cloud, id } = await filled(kind, {
      far: [`${'filler '.repeat(300)}needle ${'filler '.repeat(300)}`],
      near: ['needle needle needle'],
    })
    const hits = await cloud.search('needle')
    expect(hits.map(({ mId }) => mId)).toEqual(['near', 'far'])
    expect(hits[1]?.passage.length).toBeLessThanOrEqual(limits.cloud.passageLength)
    expect(hits.map(marked)).toEqual([['needle', 'needle', 'needle'], ['needle']])
    await cloud.fill(id, asked(Array.from({ length: 60 }, (_, n) => `needle ${n}`)))
    expect(await cloud.search('needle')).toHaveLength(serverLimits.cloud.searchResults)
  })

  it('gives all that match, page by page and each once, the best or the newest first, while others are added', async () => {
    const { cloud } = await anApp(kind)
    const [one, two] = [await cloud.create(), await cloud.create()]
    // Of many the times are the same, in one channel and in both.
    const needles = (from: number) =>
      Array.from({ length: 70 }, (_, n) =>
        aMessage({ mId: `m${from + n}`, chat_request: 'needle', datetime: moment(n % 20) }),
      )
    await cloud.fill(one.id, needles(0))
    await cloud.fill(two.id, [
      ...needles(70),
      aMessage({ mId: 'best', chat_request: 'needle needle needle', datetime: moment(3) }),
    ])

    const newest = await cloud.pages('needle', 'newest')
    expect(newest.map(({ length }) => length)).toEqual([50, 50, 41])
    expect(new Set(idsOf(newest.flat())).size).toBe(141)
    const times = newest.flat().map(({ datetime }) => datetime)
    expect(times).toEqual(times.toSorted().toReversed())

    const best = await cloud.pages('needle', 'best')
    expect(best.map(({ length }) => length)).toEqual([50, 50, 41])
    expect(new Set(idsOf(best.flat()))).toEqual(new Set(idsOf(newest.flat())))
    expect(best[0]?.[0]?.mId).toBe('best')

    const { cursor = '' } = await cloud.find('needle', '&order=newest')
    await cloud.fill(one.id, [aMessage({ mId: 'later', chat_request: 'needle', datetime: moment(30) })])
    expect(idsOf((await cloud.find('needle', `&order=newest&cursor=${encodeURIComponent(cursor)}`)).results)).toEqual(
      idsOf(newest[1] ?? []),
    )
    expect((await cloud.find('needle', '&order=newest')).results[0]?.mId).toBe('later')
  })

  it('takes no cursor but its own', async () => {
    const { ana } = await anApp(kind)
    for (const cursor of ['x', '-1', '1.2.', '99999', '1.2.%00', '1.2.%ED%A0%80x'])
      expect((await ana.send('GET', `/api/channel/search?q=x&cursor=${cursor}`)).status).toBe(400)
    for (const cursor of ['x', '7', '1.2.', '1.-2.c', '1.2.%00'])
      expect((await ana.send('GET', `/api/channel/search?q=x&order=newest&cursor=${cursor}`)).status).toBe(400)
    expect((await ana.send('GET', '/api/channel/search?q=x&order=oldest')).status).toBe(400)
  })

  it('finds what others share, under the channel’s name, and only as long as one is in it', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const eve = await aPerson(app, 'eve@example.org')
    const bob = await aPerson(app, 'bob@example.org')
    // Ids that would be a language of their own in a query of the index.
    const ids = ["it's | 'a\\", '#@ \\\\', "a' & 'b", '日本 ']
    const outs: (() => Promise<unknown>)[] = []
    for (const id of ids) {
      await cloud.create({ id, channelName: `Plans ${id}` })
      await cloud.fill(id, [aMessage({ mId: `in ${id}`, chat_request: 'a shared needle' })])
      outs.push(await cloud.share(id, eve))
    }
    const secret = await cloud.create({ channelName: 'Secret' })
    await cloud.fill(secret.id, [aMessage({ mId: 'secret', chat_request: 'a secret needle' })])
    const own = await cloudOf(eve).create()
    await cloudOf(eve).fill(own.id, [aMessage({ mId: 'own', chat_request: 'her needle' })])

    for (const order of ['best', 'newest'] as const) {
      const [hits = []] = await cloudOf(eve).pages('needle', order)
      expect(new Set(idsOf(hits))).toEqual(new Set(['own', ...ids.map((id) => `in ${id}`)]))
      expect(hits.find(({ channelId }) => channelId === ids[0])?.channelName).toBe(`Plans ${ids[0]}`)
      expect(await cloudOf(eve).pages('secret', order)).toEqual([[]])
      expect(await cloudOf(bob).pages('needle', order)).toEqual([[]])
      // What a member has of their own is not the owner's to find.
      expect(idsOf((await cloud.pages('needle', order)).flat())).not.toContain('own')
    }
    for (const out of outs) await out()
    for (const order of ['best', 'newest'] as const)
      expect(idsOf((await cloudOf(eve).pages('needle', order)).flat())).toEqual(['own'])
    expect(idsOf(await cloudOf(ana).search('shared'))).toHaveLength(ids.length)
  })

  it('takes whatever is typed as words, never as a language of its own', async () => {
    const { ana, find } = await filled(kind, { a: ["it's 100% a_b (c) & d:* 'x' \\ y"], b: ['plain'] })
    for (const q of ["'", '&', '!', ':*', '(', '%', '\u0000', '<->', '\\', ' ', '']) expect(await find(q)).toEqual([])
    for (const q of ["it's", '100%', '(c) & !d', "x' | plain"])
      expect(await find(q)).toEqual(q.includes('plain') ? [] : ['a'])
    expect((await ana.send('GET', `/api/channel/search?q=${'x'.repeat(201)}`)).status).toBe(400)
    expect((await ana.send('GET', '/api/channel/search')).status).toBe(400)
  })

  it('looks at the whole index only for its own person, and at nothing that is deleted', async () => {
    const { app, ana, id, find } = await filled(kind, { a: ['shared word'] })
    const eve = cloudOf(await aPerson(app, 'eve@example.org'))
    await eve.fill((await eve.create()).id, [aMessage({ mId: 'e', chat_request: 'shared word' })])
    expect(await find('shared')).toEqual(['a'])
    expect((await eve.search('shared')).map(({ mId }) => mId)).toEqual(['e'])
    await ana.send('DELETE', `/api/channel/${id}/clear`)
    expect(await find('shared')).toEqual([])
  })

  it('takes a message of any length and kind of words', async () => {
    const han = Array.from({ length: 80_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * n * 31 + n) % 20_011)))
    const { find } = await filled(kind, {
      a: [Array.from({ length: 40_000 }, (_, n) => n.toString(36)).join(' '), han.join(' ')],
      b: ['x'.repeat(100_000), '𠀀'.repeat(60_000)],
      c: [han.join(''), han.toReversed().join('')],
    })
    expect(await find('zz')).toEqual(['a'])
  })
})
