import type { CreateChatMessage } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { charge, costOf, dollars } from '@parley/contract/money'
import { mostTokensOf } from '@parley/contract/token-estimate'
import { uuidv7 } from '@parley/contract/uuid'
import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database, Db } from '../../db/client'
import { generations } from '../../db/schema/chat'
import { ledgerHolds } from '../../db/schema/credits'
import { messages } from '../../db/schema/messages'
import { anAgent, secretKnowledge } from '../../testing/agent-drafts'
import { AskedModel, anAnswerNode, beforeTransactions, model, sharedDatabase } from '../../testing/answer-node'
import { breakingAfter } from '../../testing/breaking-database'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aChannel, known, plain, prices } from '../../testing/paying-room'
import { aPerson } from '../../testing/person'
import { recordedDatabase } from '../../testing/recorded-database'
import { isDeep } from '../../testing/seeded'
import { aMessage } from '../../testing/shared-channel'
import { openPostgresql } from '../../testing/test-databases'
import { LedgerService } from '../credits/public/ledger'

/** Ana, who has credits, an agent, and a cloud channel with one message. */
async function aRoom(database: Database) {
  const app = await buildTestApp({
    database,
    env: { RATE_LIMIT_SCALE: '0', SIGNUP_CREDITS: '10' },
  })
  const { db } = app
  const [ana, eve] = [await aPerson(app, 'ana@example.org'), await aPerson(app, 'eve@example.org')]
  const channelId = await aChannel(ana)
  await ana.send('PUT', `/api/chat/${channelId}/messages`, { messages: [aMessage('Before', { mId: 'm-1' })] })
  const { _id: agentId } = await anAgent(ana, { private: true })
  const inCloud = { storageMode: 'cloud' as const, channelId, model, assistantId: agentId }
  return { app, db, ana: ana.answer.user.id, eve: eve.answer.user.id, agentId, channelId, inCloud }
}

const isOver = async (db: Db): Promise<boolean> =>
  (await db.select().from(generations)).every(({ status }) => status !== 'running')

/** Every row of every table. */
async function everything(db: Db): Promise<unknown> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const tables = rows.map(({ name }) => `select '${name}' as name, to_jsonb(t)::text as row from "${name}" t`)
  return (await db.execute(sql.raw(`${tables.join(' union all ')} order by 1, 2`))).rows
}

describe.each(databases)('the phases of an answer on %s', (kind) => {
  it('hold what the very prompt can cost that the model gets, even when the day or the agent changes in between', async () => {
    const { db, ana, inCloud } = await aRoom(await sharedDatabase(kind))
    for (const more of [inCloud, { model }, { model, assistantId: inCloud.assistantId }]) {
      let now = Date.parse('2026-03-04T23:59:59.999Z')
      const llm = new AskedModel()
      const nextDay = async (): Promise<void> => {
        now += 86_400_000
        await db.execute(
          sql`update agent_secrets set prompts = '{"en":"Another prompt, a good deal longer than before"}'`,
        )
      }
      const node = anAnswerNode(beforeTransactions(db, [nextDay]), { llm, now: () => now })
      const messageId = await node.ask(ana, 'What day is it?', more)
      await expect.poll(() => isOver(db)).toBe(true)
      const [request] = llm.requests
      const sent = request?.messages ?? []
      expect(sent[0]?.content).toContain('Today is 2026-03-04.')
      const hold = (await db.select().from(ledgerHolds)).find((row) => row.messageId === messageId)
      const most = { inputTokens: mostTokensOf(sent), outputTokens: known(request?.maxTokens) }
      expect(hold?.amount).toBe(charge(costOf(most, prices), plain))
    }
  })

  it('write nothing and ask nothing where one of the first two refuses', async () => {
    const { db, ana, eve, agentId, channelId, inCloud } = await aRoom(await sharedDatabase(kind))
    const untouched = await everything(db)
    const llm = new AskedModel()
    const node = anAnswerNode(db, { llm, scale: 1 })
    const refusals: [string | undefined, Partial<CreateChatMessage>, string][] = [
      [undefined, { storageMode: 'cloud', channelId }, 'unauthenticated'],
      [undefined, { model: 'stand-in/free' }, 'chat.model-not-allowed'],
      [ana, { model: 'stand-in/none' }, 'chat.model-unknown'],
      [ana, { assistantId: 'no such agent' }, 'agent.unavailable'],
      [eve, { assistantId: agentId }, 'agent.unavailable'],
      [eve, { storageMode: 'cloud', channelId }, 'channel.not-found'],
      [ana, { ...inCloud, mId: 'no such message' }, 'not-found'],
      [ana, { ...inCloud, mId: '\u0000' }, 'not-found'],
      [ana, { ...inCloud, channelId: '\u0000' }, 'channel.not-found'],
    ]
    for (const [who, more, code] of refusals) await expect(node.ask(who, 'Hm?', more)).rejects.toMatchObject({ code })
    llm.pricing = { prompt: '', completion: '' }
    await expect(node.ask(ana, 'Hm?', { model })).rejects.toMatchObject({ code: 'chat.model-unpriced' })
    for (let asked = 0; asked < serverLimits.chat.maxMessagesPerMinute; asked++)
      await node.ask(eve, 'Hm?', { assistantId: agentId }).catch(() => undefined)
    await expect(node.ask(eve, 'Hm?')).rejects.toMatchObject({ code: 'chat.too-fast' })
    expect(await everything(db)).toEqual(untouched)
    expect(llm.requests).toEqual([])
  })

  it('are not gone through by a repeated question, not even where it would be refused by now', async () => {
    const { db, ana, inCloud } = await aRoom(await sharedDatabase(kind))
    const llm = new AskedModel()
    const node = anAnswerNode(db, { llm })
    const messageId = await node.ask(ana, 'Once?', inCloud)
    await expect.poll(() => isOver(db)).toBe(true)
    const repeat = () => node.ask(ana, 'Once?', { ...inCloud, messageId })
    await repeat()
    llm.pricing = { prompt: '', completion: '' }
    await repeat()
    await db.execute(sql`delete from agents`)
    await repeat()
    await db.execute(sql`delete from channels`)
    await repeat()
    const other = node.ask(ana, 'Twice?', { ...inCloud, messageId })
    await expect(other).rejects.toMatchObject({ code: 'chat.message-id-taken' })
    expect(llm.requests).toHaveLength(1)
    expect(await db.select().from(ledgerHolds)).toHaveLength(1)
  })
})

describe.skipIf(!databases.includes('postgresql'))('the phases of an answer (needs TEST_DATABASE_URL)', () => {
  async function aRoomOfItsOwn() {
    const { database, url, remove } = await openPostgresql()
    onTestFinished(async () => {
      await database.close()
      await remove()
    })
    return { ...(await aRoom(database)), url }
  }

  it('have no transaction open while the agent and the context are read and while the model is asked', async () => {
    const { url, db: healthy, ana, inCloud } = await aRoomOfItsOwn()
    const { db, statements, openTransactions, end } = recordedDatabase(url)
    onTestFinished(end)
    const llm = new AskedModel()
    const open: number[] = []
    llm.onAsked = async () => open.push(openTransactions())
    const node = anAnswerNode(db, { llm })
    const kinds: Partial<CreateChatMessage>[] = [
      inCloud,
      { ...inCloud, mId: 'm-1' },
      { model, assistantId: inCloud.assistantId },
    ]
    for (const more of kinds) {
      statements.length = 0
      await node.ask(ana, 'What was before?', more)
      await expect.poll(() => isOver(healthy)).toBe(true)
      const reads = statements.filter(
        ({ text }) => /^select .*("knowledge"|"answer")/s.test(text) && !text.endsWith('for update'),
      )
      expect(reads.length).toBeGreaterThan(0)
      expect(reads.filter(({ isInTransaction }) => isInTransaction)).toEqual([])
      // One to begin, one to end.
      expect(statements.filter(({ text }) => text.startsWith('begin'))).toHaveLength(2)
    }
    expect(open).toEqual([0, 0, 0])
    expect(llm.requests[0]?.messages[0]?.content).toContain(secretKnowledge)
  })

  it('leave nothing, or what the reaper ends, wherever the process dies, and the question can be asked again', async () => {
    const { url, db, ana, inCloud } = await aRoomOfItsOwn()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const ledger = new LedgerService({ db, now: Date.now })
    const survivor = anAnswerNode(db)
    await survivor.reap()
    vi.setSystemTime(Date.now() + 2 * serverLimits.chat.heartbeatMs)
    const kinds: Partial<CreateChatMessage>[] = [inCloud, { model: 'stand-in/free' }]
    const others = [{ ...inCloud, mId: 'm-1' }, { ...inCloud, mId: 'm-1', isContinuation: true }, { model }]
    if (isDeep) kinds.push(...others)
    for (const more of kinds) {
      let [lost, interrupted, isWhole] = [0, 0, false]
      for (let statements = 0; !isWhole; statements++) {
        const before = await db.select().from(messages).orderBy(messages.position)
        const broken = breakingAfter(url, statements)
        const dying = anAnswerNode(broken.db)
        // A draining node does not wait for the database, so that the answer's end is lost, too.
        dying.llm.onAsked = async () => (dying.runner.isDraining = true)
        const messageId = uuidv7()
        const asked = { ...more, messageId }
        await dying.ask(ana, 'Will it be answered?', asked).catch(() => undefined)
        await dying.runner.drain(60_000)
        await broken.end()
        // The server may still hold what the lost connection had locked.
        const isReaped = async () => survivor.reap().then(() => isOver(db))
        await expect.poll(isReaped, { interval: 5 }).toBe(true)
        const [row] = (await db.select().from(generations)).filter((each) => each.messageId === messageId)
        expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
        expect((await db.select().from(messages)).some(({ status }) => status === 'streaming')).toBe(false)
        if (!row) {
          lost++
          expect(dying.llm.requests).toEqual([])
          expect(await db.select().from(messages).orderBy(messages.position)).toEqual(before)
        } else if (row.status === 'interrupted') interrupted++
        else isWhole = true
        const paidOnce = await ledger.balance(ana)
        await survivor.ask(ana, 'Will it be answered?', asked)
        await expect.poll(() => isOver(db), { interval: 5 }).toBe(true)
        expect(dying.llm.requests.length + survivor.llm.requests.length).toBeLessThanOrEqual(1)
        if (row) expect(await ledger.balance(ana)).toBe(paidOnce)
        else expect(survivor.llm.requests).toHaveLength(1)
        survivor.llm.requests.length = 0
        if (!row) {
          await db.delete(generations)
          if (more.mId === undefined) await db.execute(sql`delete from messages where m_id = ${messageId}`)
        }
      }
      expect(lost).toBeGreaterThan(0)
      expect(interrupted).toBeGreaterThan(0)
      expect((await ledger.balance(ana)) < dollars(10)).toBe(true)
    }
  })
})
