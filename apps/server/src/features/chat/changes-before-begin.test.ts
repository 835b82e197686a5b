import { charge, costOf, dollars, minus } from '@parley/contract/money'
import { mostTokensOf } from '@parley/contract/token-estimate'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Db } from '../../db/client'
import { generations } from '../../db/schema/chat'
import { ledgerHolds } from '../../db/schema/credits'
import { messages } from '../../db/schema/messages'
import { MemoryBus } from '../../providers/bus/memory-bus'
import { aDraft, anAgent, secretPrompt } from '../../testing/agent-drafts'
import { AskedModel, anAnswerNode, beforeTransactions, model, sharedDatabase } from '../../testing/answer-node'
import { databases } from '../../testing/build-test-app'
import { aHoldService } from '../../testing/ledger-people'
import { known, plain, prices } from '../../testing/paying-room'
import { aChannel, aMessage, idOf } from '../../testing/shared-channel'
import { LedgerService } from '../credits/public/ledger'

/**
 * Ana's channel with one exchange, and a node whose next answers are each preceded by what the test wants to happen.
 */
async function aRoom(kind: (typeof databases)[number]) {
  const room = await aChannel(kind, { database: await sharedDatabase(kind) })
  const { app, ana, id: channelId } = room
  const { db } = app
  const ledger = new LedgerService({ db, now: Date.now })
  await ledger.grant(db, { userId: idOf(ana), amount: dollars(10), key: 'credits of ana' })
  const before: (() => Promise<unknown>)[] = []
  const llm = new AskedModel()
  const bus = new MemoryBus()
  onTestFinished(() => bus.close())
  const node = anAnswerNode(beforeTransactions(db, before), { llm, bus })
  const elsewhere = anAnswerNode(db, { bus })
  const asked = { storageMode: 'cloud' as const, channelId, model }
  const statusOf = async (messageId: string) =>
    (await db.select().from(generations).where(eq(generations.messageId, messageId)))[0]?.status
  const isEnded = async (messageId: string) => {
    await expect.poll(() => statusOf(messageId)).not.toBe('running')
    return messageId
  }
  const remove = (mId: string) => ana.send('DELETE', `/api/chat/${mId}?channelId=${channelId}`)
  const fill = (...filled: ReturnType<typeof aMessage>[]) =>
    ana.send('PUT', `/api/chat/${channelId}/messages`, { messages: filled })
  return { ...room, db, ledger, before, llm, node, elsewhere, channelId, asked, statusOf, isEnded, remove, fill }
}

/** What no refused question may leave. */
const traces = async (db: Db) => [
  await db.select().from(generations),
  await db.select().from(ledgerHolds),
  await db.select({ mId: messages.mId, runMessageId: messages.runMessageId }).from(messages).orderBy(messages.mId),
]
const sentTo = ({ requests }: AskedModel) => requests.at(-1)?.messages.map(({ content }) => content) ?? []

describe.each(databases)('what changes after a question was prepared, on %s:', (kind) => {
  it('a deleted channel refuses it, and it is counted as one that is being prepared until then', async () => {
    const { ana, channelId, before, node, llm, asked, db } = await aRoom(kind)
    const counts: unknown[] = []
    before.push(async () => {
      counts.push(await node.preparing())
      await ana.send('DELETE', `/api/channel/${channelId}`)
    })
    await expect(node.ask(idOf(ana), 'Hm?', asked)).rejects.toMatchObject({ code: 'channel.not-found' })
    await expect.poll(() => node.preparing()).toBe(0)
    expect(counts).toEqual([1])
    expect(llm.requests).toEqual([])
    expect(await traces(db)).toEqual([[], [], []])
  })

  it('a removed member and one who may only read now are refused', async () => {
    const { ana, aMember, channelId, before, node, llm, asked, db, ledger } = await aRoom(kind)
    const bruno = await aMember('bruno', 'write')
    await ledger.grant(db, { userId: idOf(bruno), amount: dollars(10), key: 'credits of bruno' })
    const member = `/api/channel/${channelId}/members/${idOf(bruno)}`
    const untouched = await traces(db)
    before.push(() => db.execute("update channel_members set role = 'read'"))
    await expect(node.ask(idOf(bruno), 'Hm?', asked)).rejects.toMatchObject({ code: 'channel.read-only' })
    await db.execute("update channel_members set role = 'write'")
    before.push(() => ana.send('DELETE', member))
    await expect(node.ask(idOf(bruno), 'Hm?', asked)).rejects.toMatchObject({ code: 'channel.not-found' })
    expect(llm.requests).toEqual([])
    expect(await traces(db)).toEqual(untouched)
  })

  it('a deleted message is not sent to the model', async () => {
    const { ana, before, node, llm, asked, isEnded, remove } = await aRoom(kind)
    before.push(() => remove('m-ana'))
    await isEnded(await node.ask(idOf(ana), 'What did I say?', asked))
    expect(llm.requests).toHaveLength(1)
    expect(sentTo(llm)).toEqual([expect.any(String), 'What did I say?'])
  })

  it('an answer that is written anew is not sent as it was', async () => {
    const { ana, before, node, elsewhere, llm, asked, isEnded } = await aRoom(kind)
    before.push(async () =>
      isEnded(await elsewhere.ask(idOf(ana), 'From Ana, in other words', { ...asked, mId: 'm-ana' })),
    )
    await isEnded(await node.ask(idOf(ana), 'And then?', asked))
    expect(sentTo(llm).slice(1)).toEqual([
      'From Ana, in other words',
      'Answer to: From Ana, in other words',
      'And then?',
    ])
  })

  it('a context that changes each time refuses it, and it can be asked again', async () => {
    const { ana, before, node, llm, asked, isEnded, remove, fill, db } = await aRoom(kind)
    const others = ['m-1', 'm-2', 'm-3'].map((mId) => aMessage('More', { mId }))
    await fill(...others)
    before.push(
      ...others.map(
        ({ mId }) =>
          () =>
            remove(mId),
      ),
    )
    const messageId = uuidv7()
    await expect(node.ask(idOf(ana), 'Hm?', { ...asked, messageId })).rejects.toMatchObject({ code: 'conflict' })
    expect(llm.requests).toEqual([])
    expect(await traces(db)).toEqual([[], [], [{ mId: 'm-ana', runMessageId: null }]])
    await isEnded(await node.ask(idOf(ana), 'Hm?', { ...asked, messageId }))
    expect(llm.requests).toHaveLength(1)
  })

  it('other questions in the channel are answered as well, each once', async () => {
    const { ana, before, node, elsewhere, llm, asked, isEnded, db } = await aRoom(kind)
    const others: string[] = []
    before.push(async () => {
      others.push(await elsewhere.ask(idOf(ana), 'Meanwhile', asked))
      others.push(await isEnded(await elsewhere.ask(idOf(ana), 'And this', asked)))
    })
    const last = await isEnded(await node.ask(idOf(ana), 'At the same time', asked))
    for (const each of others) await isEnded(each)
    expect([llm.requests.length, elsewhere.llm.requests.length]).toEqual([1, 2])
    const stored = await db.select().from(messages).orderBy(messages.position)
    expect(stored.map(({ mId, status }) => [mId, status])).toEqual(
      ['m-ana', ...others, last].map((mId) => [mId, 'completed']),
    )
    expect(new Set(stored.map(({ position }) => position)).size).toBe(4)
  })

  it('of two runs of one exchange the later one stands, and the earlier one is stopped', async () => {
    const { ana, before, node, elsewhere, asked, isEnded, statusOf, db } = await aRoom(kind)
    elsewhere.llm.onAsked = (signal) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    let earlier = ''
    before.push(async () => {
      earlier = await elsewhere.ask(idOf(ana), 'One way', { ...asked, mId: 'm-ana' })
    })
    const later = await isEnded(await node.ask(idOf(ana), 'Another way', { ...asked, mId: 'm-ana' }))
    await isEnded(earlier)
    expect([await statusOf(earlier), await statusOf(later)]).toEqual(['stopped', 'completed'])
    expect(await db.select().from(messages)).toMatchObject([
      { mId: 'm-ana', runMessageId: later, question: 'Another way', answer: 'Answer to: Another way' },
    ])
  })

  it('what is continued goes on after the answer that stands then', async () => {
    const { ana, before, node, elsewhere, llm, asked, isEnded, db } = await aRoom(kind)
    before.push(async () => isEnded(await elsewhere.ask(idOf(ana), 'Anew', { ...asked, mId: 'm-ana' })))
    await isEnded(await node.ask(idOf(ana), 'Go on', { ...asked, mId: 'm-ana', isContinuation: true }))
    expect(sentTo(llm).slice(1)).toEqual(['Anew', 'Answer to: Anew', 'Go on'])
    expect(await db.select().from(messages)).toMatchObject([
      { question: 'Anew', answer: 'Answer to: AnewAnswer to: Go on', status: 'completed' },
    ])
  })

  it('an exchange that is deleted is not answered anew', async () => {
    const { ana, before, node, llm, asked, remove, db } = await aRoom(kind)
    before.push(() => remove('m-ana'))
    const asking = node.ask(idOf(ana), 'Anew', { ...asked, mId: 'm-ana' })
    await expect(asking).rejects.toMatchObject({ code: 'not-found' })
    expect(llm.requests).toEqual([])
    expect(await traces(db)).toEqual([[], [], []])
  })

  it('an agent that is withdrawn refuses it, whatever stores the answer', async () => {
    const { ana, person, aMember, before, node, llm, asked, db, ledger } = await aRoom(kind)
    const [bruno, carla] = [await aMember('bruno', 'write'), await person('carla')]
    for (const each of [bruno, carla])
      await ledger.grant(db, { userId: idOf(each), amount: dollars(10), key: `credits of ${idOf(each)}` })
    const untouched = await traces(db)
    for (const [who, more] of [
      [bruno, asked],
      [carla, {}],
      [carla, { model: 'stand-in/free' }],
    ] as const) {
      const agent = await anAgent(ana)
      before.push(() => ana.post('/v1/assistants', aDraft({ _id: agent._id, private: true })))
      const asking = node.ask(idOf(who), 'Hm?', { ...more, assistantId: agent._id })
      await expect(asking).rejects.toMatchObject({ code: 'agent.unavailable' })
      await node.ask(idOf(ana), 'Mine still', { assistantId: agent._id })
      expect(sentTo(llm)[0]).toContain(secretPrompt)
      await expect.poll(async () => (await db.select().from(generations))[0]?.status).toBe('completed')
      await db.delete(generations)
    }
    expect(llm.requests).toHaveLength(3)
    expect((await traces(db))[2]).toEqual(untouched[2])
    expect(await db.select({ state: ledgerHolds.state }).from(ledgerHolds)).toHaveLength(3)
  })

  it('a price is the one that it was admitted with, from its hold to its charge', async () => {
    const { ana, before, node, llm, asked, isEnded, db } = await aRoom(kind)
    before.push(async () => {
      llm.pricing = { prompt: '0.1', completion: '0.1' }
    })
    const messageId = await isEnded(await node.ask(idOf(ana), 'How much?', asked))
    const [request] = llm.requests
    const [hold] = await db.select().from(ledgerHolds)
    const most = { inputTokens: mostTokensOf(request?.messages ?? []), outputTokens: known(request?.maxTokens) }
    expect(hold?.amount).toBe(charge(costOf(most, prices), plain))
    const charged = known(await aHoldService(db).chargedFor({ userId: idOf(ana), messageId }))
    expect(charged > dollars(0) && charged <= known(hold?.amount)).toBe(true)
  })

  it('its own repetition on another node is answered once, and paid once', async () => {
    const { ana, before, node, elsewhere, llm, asked, isEnded, db } = await aRoom(kind)
    const messageId = uuidv7()
    before.push(() => elsewhere.ask(idOf(ana), 'Once?', { ...asked, messageId }))
    await isEnded(await node.ask(idOf(ana), 'Once?', { ...asked, messageId }))
    expect([llm.requests.length, elsewhere.llm.requests.length]).toEqual([0, 1])
    expect(await db.select().from(ledgerHolds)).toHaveLength(1)
    before.push(() => elsewhere.ask(idOf(ana), 'This?', { ...asked, messageId: other }))
    const other = uuidv7()
    const asking = node.ask(idOf(ana), 'Or that?', { ...asked, messageId: other })
    await expect(asking).rejects.toMatchObject({ code: 'chat.message-id-taken' })
    expect(llm.requests).toEqual([])
    await isEnded(other)
  })

  it('credits that are spent elsewhere are not spent again', async () => {
    const { ana, before, node, llm, asked, db, ledger } = await aRoom(kind)
    const holds = aHoldService(db)
    const spendable = await ledger.spendable(idOf(ana))
    const untouched = await traces(db)
    before.push(() => holds.reserve(db, { userId: idOf(ana), messageId: uuidv7(), amount: spendable, model }))
    await expect(node.ask(idOf(ana), 'Hm?', asked)).rejects.toMatchObject({ code: 'credits.not-enough' })
    expect(llm.requests).toEqual([])
    const [rows, held, stored] = await traces(db)
    expect([rows, stored]).toEqual([untouched[0], untouched[2]])
    expect(held).toHaveLength(1)
  })

  it('a conversation that is too dear by then goes along in part', async () => {
    const { ana, before, node, llm, asked, db, ledger, fill, isEnded } = await aRoom(kind)
    llm.pricing = { prompt: '0.0001', completion: '0.0001' }
    await fill(...Array.from({ length: 20 }, (_, n) => aMessage('x'.repeat(1_000), { mId: `long-${n}` })))
    const spent = minus(await ledger.spendable(idOf(ana)), dollars(1))
    const holds = aHoldService(db)
    before.push(() => holds.reserve(db, { userId: idOf(ana), messageId: uuidv7(), amount: spent, model }))
    await isEnded(await node.ask(idOf(ana), 'Go on', asked))
    const [request] = llm.requests
    const sent = request?.messages.length ?? 0
    expect(llm.requests).toHaveLength(1)
    expect(sent).toBeGreaterThan(4)
    expect(sent).toBeLessThan(40)
  })
})
