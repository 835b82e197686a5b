import { serverLimits } from '@parley/contract/limits/server'
import { dollars, minus, type Nano, storedNano } from '@parley/contract/money'
import { estimateTokens } from '@parley/contract/token-estimate'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import type { DatabaseKind, Db } from '../../db/client'
import { generations } from '../../db/schema/chat'
import { ledgerHolds } from '../../db/schema/credits'
import { databases } from '../../testing/build-test-app'
import { inOrder, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { aHoldService } from '../../testing/ledger-people'
import { aPerson } from '../../testing/person'
import { testDatabase } from '../../testing/test-databases'
import { LedgerService } from '../credits/public/ledger'

const model = 'stand-in/large'

/** A database whose connection breaks once, after the commit that ends an answer and before it is acknowledged. */
async function losingAnEnd(kind: DatabaseKind) {
  const real = await testDatabase(kind)
  let broken = 0
  const transaction: Db['transaction'] = async (...given) => {
    const answer = await real.db.transaction(...given)
    const [row] = broken === 0 ? await real.db.select().from(generations) : []
    if (!row || row.status === 'running') return answer
    broken++
    throw new Error('the connection broke')
  }
  const db = new Proxy(real.db, {
    get: (target, key) => (key === 'transaction' ? transaction : Reflect.get(target, key)),
  })
  return { database: { ...real, db }, broken: () => broken }
}

describe.each(databases)('the end of an answer that costs credits, on %s', (kind) => {
  async function aRoom(options: Parameters<typeof buildChatApp>[1] = {}) {
    const app = await buildChatApp(
      { kind, bus: 'memory' },
      { ...options, env: { SIGNUP_CREDITS: '10', RATE_LIMIT_SCALE: '0', ...options.env } },
    )
    const ana = await aPerson(app, 'ana@example.org')
    const client = await new Visitor(ana.tokens?.access_token).connect(app)
    const ledger = new LedgerService({ db: app.db, now: Date.now })
    const holds = aHoldService(app.db)
    const userId = ana.answer.user.id
    return { app, ana, client, ledger, holds, userId, balance: () => ledger.balance(userId) }
  }

  it('is charged what the gateway reports, also when its hold ran out meanwhile: the sweeper leaves it to an answer that is under way', async () => {
    const { app, client, holds, userId, balance } = await aRoom()
    app.gateway.next({
      text: words(100),
      holdAfter: 200,
      usage: { prompt_tokens: 9, completion_tokens: 100, cost: 0.0123 },
    })
    const id = client.ask('Still there?', { model })
    await client.untilText('word20')
    // Later than any heartbeat of this answer has extended it to.
    const later = () => Date.now() + 3 * serverLimits.credits.holdMs
    expect(await aHoldService(app.db, later).sweep()).toBe(0)
    expect(await app.db.select({ state: ledgerHolds.state }).from(ledgerHolds)).toEqual([{ state: 'held' }])
    app.gateway.release()
    const end = await client.untilEvent('end', id)
    expect(end.message.usage?.cost).toBe(String(dollars('0.0123')))
    expect(await balance()).toBe(minus(dollars(10), dollars('0.0123')))
    expect(await new LedgerService({ db: app.db, now: later }).check()).toMatchObject({ findings: [], openHolds: 0 })
    expect(await holds.chargedFor({ userId, messageId: id })).toBe(dollars('0.0123'))
  })

  it('that breaks off is charged for all that was written, not for what the gateway had reported early', async () => {
    const { app, client, balance } = await aRoom()
    const early = { after: 10, usage: { prompt_tokens: 30, completion_tokens: 1, cost: 0.0000001 } }
    const told = async (id: string): Promise<{ outputTokens: number; cost: Nano }> => {
      const { usage } = await client.untilEvent('error', id)
      return { outputTokens: usage?.outputTokens ?? 0, cost: storedNano(usage?.cost ?? '-1') }
    }
    app.gateway.next({ text: words(300), inOnePiece: true, early, breakAfter: 900, breakBy: 'error' })
    const first = await told(client.ask('By tokens?', { model }))
    const text = textOf(client.frames)
    expect(text.length).toBeGreaterThanOrEqual(900)
    expect(first.outputTokens).toBe(estimateTokens(text))
    // A millionth of a dollar for each token of the question, two for each of the answer.
    expect(first.cost).toBe(dollars((0.00003 + 0.000002 * first.outputTokens).toFixed(6)))
    // What had become dear already does not become cheaper.
    app.gateway.next({
      text: words(300),
      inOnePiece: true,
      early: { ...early, usage: { ...early.usage, cost: 0.005 } },
      breakAfter: 900,
      breakBy: 'error',
    })
    const second = await told(client.ask('By cost?', { model }))
    expect(second.cost).toBe(dollars('0.005'))
    expect(await balance()).toBe([first.cost, second.cost].reduce(minus, dollars(10)))
  })

  it.each(['cloud', 'local'] as const)(
    'is told though the connection broke right after it was stored (%s), and it is paid once',
    async (storageMode) => {
      const { database, broken } = await losingAnEnd(kind)
      const { app, ana, client, balance, ledger } = await aRoom({ database })
      const channelId = ((await ana.post('/api/channel', {})).body as { data: { id: string } }).data.id
      app.gateway.next({ text: words(100), usage: { prompt_tokens: 9, completion_tokens: 100, cost: 0.0123 } })
      const id = client.ask('Did you say something?', { model, storageMode, channelId })
      const over = await client.untilOver(id)
      expect(over).toMatchObject({ event: 'end', message: { usage: { cost: String(dollars('0.0123')) } } })
      expect(textOf(inOrder(client.frames, id))).toBe(words(100))
      expect(broken()).toBe(1)
      expect(await balance()).toBe(minus(dollars(10), dollars('0.0123')))
      expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
    },
  )

  it('comes from the reaper when its node is gone: its hold, which the sweeper leaves, is charged what had been noted', async () => {
    const { app, ledger, holds, userId, balance } = await aRoom()
    const messageId = uuidv7()
    await app.db.transaction(async (tx) => {
      const row = {
        messageId,
        subject: `user:${userId}`,
        requestHash: 'h',
        owner: 'a dead node',
        model,
        storageMode: 'local' as const,
      }
      await tx
        .insert(generations)
        .values({ ...row, status: 'running', heartbeatAt: new Date(Date.now() - 2 * serverLimits.chat.leaseMs) })
      await holds.reserve(tx, { userId, messageId, amount: dollars(1), model })
      await holds.extend(tx, [
        { userId, messageId, cost: dollars('0.2'), usage: { inputTokens: 10, outputTokens: 50 } },
      ])
    })
    await expect.poll(() => holds.chargedFor({ userId, messageId })).toBe(dollars('0.2'))
    expect(await balance()).toBe(dollars('9.8'))
    expect(await app.db.select().from(generations)).toMatchObject([
      { status: 'interrupted', outputTokens: 50, cost: dollars('0.2') },
    ])
    expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
  })
})
