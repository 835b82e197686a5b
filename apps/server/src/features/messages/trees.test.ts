import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { type ConversationCopy, headOf, tidied } from '@parley/contract/tree-copies'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import { runs } from '../../db/schema/runs'
import { branchesOf } from '../../testing/branch-calls'
import { databases } from '../../testing/build-test-app'
import { aMessage, anApp } from '../../testing/cloud-channels'
import { aPerson, type Client } from '../../testing/person'
import { randomTree } from '../../testing/random-trees'

type Page = ConversationCopy & { cursor?: string }

/** All of a channel, as its owner copies it. */
async function readTree(person: Client, channelId: string): Promise<ConversationCopy> {
  const exchanges: ExchangeWithRuns[] = []
  for (let query = ''; ; ) {
    const { status, body } = await person.send('GET', `/api/channel/${channelId}/tree${query}`)
    expect(status).toBe(200)
    const page = body as Page
    exchanges.push(...page.exchanges)
    if (page.cursor === undefined) return { exchanges, head: page.head }
    query = `?after=${page.cursor}`
  }
}

const writeTree = async (person: Client, channelId: string, exchanges: readonly ExchangeWithRuns[], head?: string) =>
  person.send('PUT', `/api/channel/${channelId}/tree`, { exchanges, ...(head === undefined ? {} : { head }) })

/** As it is told wherever it is, and in whichever channel. */
const told = (copy: ConversationCopy) => {
  const { exchanges } = tidied(copy)
  return {
    head: headOf(tidied(copy)),
    exchanges: exchanges.map(({ exchange: { channelId: _channel, ...exchange }, runs: all }) => ({
      exchange,
      runs: all.map(({ channelId: _own, ...run }) => run),
    })),
  }
}

describe.each(databases)('a whole channel on %s', (kind) => {
  it('is told as it was written, however often and in however many calls, with every version', async () => {
    const { app, ana, cloud } = await anApp(kind)
    await fc.assert(
      fc.asyncProperty(fc.boolean().chain(randomTree), fc.nat(6), async (tree, size) => {
        const { id } = await cloud.create()
        const wanted = told(tree)
        const head = headOf(tidied(tree)) ?? undefined
        for (let time = 0; time < 2; time++) {
          for (let at = 0; at < tree.exchanges.length; at += size + 1) {
            const part = tree.exchanges.slice(at, at + size + 1)
            expect(await writeTree(ana, id, part)).toMatchObject({ status: 204 })
          }
          if (head !== undefined) expect(await writeTree(ana, id, [], head)).toMatchObject({ status: 204 })
          const stored = await readTree(ana, id)
          expect(told(stored)).toEqual(wanted)
          // A line is one here, too: its pages are read by position.
          expect(stored.head === null).toBe(tidied(tree).head === null)
        }
        // What people read of it is the path to the head.
        const { content } = await branchesOf(ana, id).page()
        expect(content.at(-1)?.mId).toBe(
          tree.exchanges.find(({ runs: all }) => all.some((run) => run.id === head))?.exchange.id,
        )
        await app.db.delete(channels).where(eq(channels.id, id))
      }),
      { numRuns: process.env.TEST_DEPTH === 'deep' ? 1_000 : 15 },
    )
  })
})

const askedAt = '2026-01-02T03:04:05.678Z'
const item = (afterRunId: string | null, text: string, ...answers: string[]): ExchangeWithRuns => {
  const id = uuidv7()
  return {
    exchange: { id, channelId: 'c', afterRunId, question: [{ type: 'text', text }], askedAt },
    runs: answers.map((answer, index) => ({
      ...{ id: index === 0 ? id : uuidv7(), channelId: 'c', exchangeId: id, status: 'completed' as const, seq: 3 },
      ...{ answer: [{ type: 'text' as const, text: answer }], startedAt: `2026-01-02T03:04:06.00${index}Z` },
    })),
  }
}
const runIdOf = ({ runs: all }: ExchangeWithRuns): string => all.at(-1)?.id ?? ''

describe.each(databases)('what is added to a whole channel on %s', (kind) => {
  it('is added to what is there, which stays: the later state of one answer stands, others are versions', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const one = item(null, 'One?', 'First')
    const two = item(runIdOf(one), 'Two?', 'Second')
    await writeTree(ana, id, [one, two])
    const later = {
      ...one,
      runs: one.runs.map((run) => ({ ...run, seq: 4, answer: [{ type: 'text' as const, text: 'First, whole' }] })),
    }
    const other = {
      ...two,
      runs: [
        {
          ...two.runs[0],
          id: uuidv7(),
          answer: [{ type: 'text' as const, text: 'Second, anew' }],
          startedAt: '2026-01-02T03:05:00.000Z',
        },
      ],
    } as ExchangeWithRuns
    expect((await writeTree(ana, id, [later, other])).status).toBe(204)
    // An earlier state changes nothing.
    expect((await writeTree(ana, id, [one])).status).toBe(204)
    const branches = branchesOf(ana, id)
    expect(await branches.answers()).toEqual(['First, whole', 'Second'])
    expect((await branches.messages())[1]?.versions?.answers).toEqual([runIdOf(two), runIdOf(other)])
    expect((await writeTree(ana, id, [], runIdOf(other))).status).toBe(204)
    expect(await branches.answers()).toEqual(['First, whole', 'Second, anew'])
    expect((await cloud.search('whole')).length).toBe(1)
  })

  it('makes a channel differ from what was copied of it', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const one = item(null, 'One?', 'First', 'Second')
    await writeTree(ana, id, [one])
    const remove = async (total: number, all: number) => {
      const { updated_at } = await cloud.get(id)
      return ana.send(
        'DELETE',
        `/api/channel/${id}?total=${total}&runs=${all}&updatedAt=${encodeURIComponent(updated_at)}`,
      )
    }
    const before = await cloud.get(id)
    const other = { ...one, runs: [{ ...one.runs[0], id: uuidv7() }] } as ExchangeWithRuns
    await writeTree(ana, id, [other])
    const at = encodeURIComponent(before.updated_at)
    const refused = { status: 409, body: { code: 'channel.copy-differs' } }
    expect(await ana.send('DELETE', `/api/channel/${id}?total=1&updatedAt=${at}`)).toMatchObject(refused)
    expect(await remove(1, 2)).toMatchObject(refused)
    expect(await remove(1, 3)).toMatchObject({ status: 204 })
  })

  it('leaves what was deleted deleted, unless it was answered anew elsewhere', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const one = item(null, 'One?', 'First')
    const two = item(runIdOf(one), 'Two?', 'Second')
    const edited = item(runIdOf(one), 'Two, edited?', 'Third')
    await writeTree(ana, id, [one, two, edited], runIdOf(edited))
    await ana.send('DELETE', `/api/chat/${two.exchange.id}?channelId=${id}`)
    expect((await writeTree(ana, id, [one, two, edited])).status).toBe(204)
    const branches = branchesOf(ana, id)
    expect((await branches.outline()).map(({ text }) => text)).toEqual(['One?', 'Two, edited?'])
    const below = item(runIdOf(two), 'Below?', 'Fourth')
    expect((await writeTree(ana, id, [two, below], runIdOf(below))).status).toBe(204)
    expect(await branches.questions()).toEqual(['One?', 'Below?'])
    const anew = { ...two, runs: [...two.runs, { ...two.runs[0], id: uuidv7() }] } as ExchangeWithRuns
    expect((await writeTree(ana, id, [anew])).status).toBe(204)
    expect(await branches.questions()).toEqual(['One?', 'Two?', 'Below?'])
  })

  it('is refused as a whole where it is none', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const one = item(null, 'One?', 'First')
    await writeTree(ana, id, [one])
    const circle = [item('b', 'Circle?', 'x'), item('a', 'Circle?', 'y')]
    const refused: ExchangeWithRuns[][] = [
      [item(uuidv7(), 'Of nothing?', 'x')],
      circle,
      [item(null, 'No answer?')],
      [{ ...item(null, 'Of another?', 'x'), runs: one.runs }],
      [{ ...one, exchange: { ...one.exchange, removedAt: askedAt } }],
      [{ ...item(null, 'Long?', 'x'), exchange: { ...one.exchange, id: 'x'.repeat(201) } }],
      [{ ...item(null, 'Not storable?', 'x'), exchange: { ...one.exchange, id: 'a\u0000' } }],
    ]
    for (const exchanges of refused)
      expect(await writeTree(ana, id, [item(null, 'Before?', 'z'), ...exchanges])).toMatchObject({ status: 400 })
    expect(await writeTree(ana, id, [], 'gone')).toMatchObject({ status: 400 })
    expect(await writeTree(ana, id, [], '\u0000')).toMatchObject({ status: 400 })
    expect(await ana.send('GET', `/api/channel/${id}/tree?after=-1`)).toMatchObject({ status: 400 })
    expect(told(await readTree(ana, id)).exchanges).toHaveLength(1)
    expect(await app.db.$count(runs)).toBe(1)
  })

  it('is for its owner alone, and tells who asked', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const bruno = await aPerson(app, 'bruno@example.org')
    const missing = { status: 404, body: { code: 'channel.not-found' } }
    expect(await bruno.send('GET', `/api/channel/${id}/tree`)).toMatchObject(missing)
    expect(await writeTree(bruno, id, [])).toMatchObject(missing)
    const link = (await ana.post(`/api/channel/${id}/invitations`, { role: 'write' })).body as { url: string }
    await bruno.post(`/api/invitations/${link.url.split('/').at(-1)}/accept`, undefined)
    const refused = { status: 403, body: { code: 'channel.owner-only' } }
    expect(await bruno.send('GET', `/api/channel/${id}/tree`)).toMatchObject(refused)
    expect(await writeTree(bruno, id, [])).toMatchObject(refused)
    const body = { messages: [aMessage({ chat_response: { role: 'assistant', content: '' } })] }
    await bruno.send('PUT', `/api/chat/${id}/messages`, body)
    const [asked] = (await readTree(ana, id)).exchanges
    expect(asked?.exchange.author).toMatchObject({ id: bruno.answer.user.id, name: 'bruno' })
    await writeTree(
      ana,
      id,
      [
        {
          ...item(null, 'Elsewhere?', 'x'),
          exchange: { ...item(null, 'Elsewhere?').exchange, author: { name: 'Rita' } },
        },
      ].map((each) => ({
        ...each,
        runs: each.runs.map((run) => ({ ...run, id: each.exchange.id, exchangeId: each.exchange.id })),
      })),
    )
    expect((await readTree(ana, id)).exchanges[1]?.exchange.author).toEqual({ name: 'Rita' })
  })

  it('is told page by page, also what nodes of the version before have written', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const long = 'x'.repeat(900_000)
    await cloud.fill(
      id,
      [1, 2, 3, 4].map((n) => aMessage({ chat_request: `q${n}`, chat_response: { role: 'assistant', content: long } })),
    )
    await app.db.delete(runs).where(eq(runs.channelId, id))
    await app.db.update(messages).set({ afterRunId: '' })
    const first = (await ana.send('GET', `/api/channel/${id}/tree`)).body as Page
    expect([first.exchanges.length, first.head, typeof first.cursor]).toEqual([2, null, 'string'])
    const all = await readTree(ana, id)
    expect(all.exchanges.map(({ exchange }) => exchange.afterRunId)).toEqual([
      null,
      ...all.exchanges.slice(0, 3).map(runIdOf),
    ])
    expect(all.exchanges.map(({ runs: each }) => each.length)).toEqual([1, 1, 1, 1])
  })
})
