import type { Message } from '@parley/contract/chat'
import { serverLimits } from '@parley/contract/limits/server'
import { dollars, minus, parseMarkup } from '@parley/contract/money'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it, vi } from 'vitest'
import { generations } from '../../db/schema/chat'
import { ledgerHolds } from '../../db/schema/credits'
import { MemoryBus } from '../../providers/bus/memory-bus'
import { createEgress } from '../../providers/egress'
import { createLlm } from '../../providers/llm/create-llm'
import { Visitor } from '../../testing/chat-client'
import { buildChatApp, type ChatApp } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import type { GatewayScript } from '../../testing/gateway-script'
import { aHoldService } from '../../testing/ledger-people'
import { aPerson } from '../../testing/person'
import { ChannelEvents } from '../channels/public/channel-events'
import { ChargeService } from '../credits/public/charges'
import { CreditEvents } from '../credits/public/credit-events'
import { LedgerService } from '../credits/public/ledger'
import { CostInquiry } from './cost-inquiry'

const model = 'stand-in/large'
const told = { total_cost: 0.0045, tokens_prompt: 40, tokens_completion: 77 }
const neverTold = { ...told, missing: Number.POSITIVE_INFINITY }

async function aRoom() {
  const app = await buildChatApp(undefined, { env: { SIGNUP_CREDITS: '10', RATE_LIMIT_SCALE: '0' } })
  const ana = await aPerson(app, 'ana@example.org')
  const client = await new Visitor(ana.tokens?.access_token).connect(app)
  const ledger = new LedgerService({ db: app.db, now: Date.now })
  const holds = aHoldService(app.db)
  const userId = ana.answer.user.id
  const { data } = (await ana.post('/api/channel', {})).body as { data: { id: string } }
  const isRight = async () => expect(await ledger.check()).toMatchObject({ findings: [] })
  return { app, ana, client, holds, userId, channelId: data.id, isRight, balance: () => ledger.balance(userId) }
}

/** Another node, whose clock shows so much more. */
async function aNode(app: ChatApp, aheadMs: number) {
  const { db, log } = app
  const [bus, now] = [new MemoryBus(), () => Date.now() + aheadMs]
  const llm = await createLlm({
    baseUrl: app.gateway.url,
    apiKey: 'sk',
    defaultModel: undefined,
    egress: createEgress(),
    log,
  })
  const holds = aHoldService(db, now)
  const markup = parseMarkup(1)
  if (markup === undefined) throw new Error('no markup')
  const charges = new ChargeService({ db, holds, creditEvents: new CreditEvents({ bus, log }), markup })
  return {
    holds,
    charges,
    inquiry: new CostInquiry({ db, llm, charges, channelEvents: new ChannelEvents({ db, bus, log }), log }),
  }
}

/** An answer that says nothing of what it cost. */
async function anUntoldAnswer({ app, client, channelId }: Awaited<ReturnType<typeof aRoom>>, script: GatewayScript) {
  app.gateway.next({ text: words(200), breakAfter: 400, ...script })
  const id = client.ask('How much?', { model, storageMode: 'cloud', channelId })
  return { id, over: await client.untilOver(id) }
}

describe('what an answer cost of which the gateway said nothing before its end', () => {
  it('is asked for afterwards, and charged and shown then; nobody waits for it', async () => {
    const room = await aRoom()
    const { app, ana, client, holds, userId, channelId, balance, isRight } = room
    app.gateway.next({ text: words(200), holdAfter: 400, generation: told })
    const id = client.ask('How much?', { model, storageMode: 'cloud', channelId })
    await client.untilText('word20')
    client.send({ event: 'stop-message', messageId: id })
    const over = await client.untilEvent('stopped', id)
    expect(over.message.usage?.cost).toBeUndefined()
    expect(await balance()).toBe(dollars(10))
    expect(await holds.chargedFor({ userId, messageId: id })).toBeUndefined()
    await vi.waitFor(async () => expect(await holds.chargedFor({ userId, messageId: id })).toBe(dollars('0.0045')), {
      timeout: 10_000,
    })
    expect(await balance()).toBe(minus(dollars(10), dollars('0.0045')))
    const stored = (await ana.send('GET', `/api/chat/${channelId}/messages/${id}`)).body as Message
    expect(stored.usage).toEqual({ inputTokens: 40, outputTokens: 77, cost: String(dollars('0.0045')) })
    expect(await app.db.select().from(generations)).toMatchObject([
      { status: 'stopped', inputTokens: 40, outputTokens: 77 },
    ])
    expect(app.gateway.generationRequests).toEqual(['gen-1'])
    await isRight()
  })

  it('is asked for again when the gateway does not know it yet, by one of the nodes, and charged once', async () => {
    const room = await aRoom()
    const { app, holds, userId, balance, isRight } = room
    const { id, over } = await anUntoldAnswer(room, { breakBy: 'end', generation: { ...told, missing: 1 } })
    expect(over.event).toBe('error')
    const nodes = await Promise.all([2_000, 2_000].map((ahead) => aNode(app, ahead)))
    await Promise.all(nodes.map(({ inquiry }) => inquiry.ask()))
    expect(await holds.chargedFor({ userId, messageId: id })).toBeUndefined()
    const later = await Promise.all([60_000, 60_000].map((ahead) => aNode(app, ahead)))
    // The sweeper leaves it to those who ask.
    expect(await later[0]?.holds.sweep()).toBe(0)
    await Promise.all(later.map(({ inquiry }) => inquiry.ask()))
    expect(await holds.chargedFor({ userId, messageId: id })).toBe(dollars('0.0045'))
    expect(await balance()).toBe(minus(dollars(10), dollars('0.0045')))
    expect(app.gateway.generationRequests).toEqual(['gen-1', 'gen-1'])
    await isRight()
  })

  it('is what was counted here when the gateway never tells it', async () => {
    const room = await aRoom()
    const { app, ana, holds, userId, channelId, balance, isRight } = room
    const { id } = await anUntoldAnswer(room, { breakBy: 'error', generation: neverTold })
    const [{ accruedCost = dollars(0) } = {}] = await app.db.select().from(ledgerHolds)
    expect(accruedCost).toBeGreaterThan(0n)
    for (let n = 1; n <= serverLimits.credits.askCostTries; n++) {
      expect(await holds.chargedFor({ userId, messageId: id })).toBeUndefined()
      await (await aNode(app, n * 3_600_000)).inquiry.ask()
    }
    expect(await holds.chargedFor({ userId, messageId: id })).toBe(accruedCost)
    expect(await balance()).toBe(minus(dollars(10), accruedCost))
    expect(app.gateway.generationRequests).toHaveLength(serverLimits.credits.askCostTries)
    const stored = (await ana.send('GET', `/api/chat/${channelId}/messages/${id}`)).body as Message
    expect(stored.usage?.cost).toBe(String(accruedCost))
    await isRight()
  })

  it('is swept at what was counted here when the node died that asked for the last time', async () => {
    const room = await aRoom()
    const { app, holds, userId, isRight } = room
    const { id } = await anUntoldAnswer(room, { breakBy: 'end', generation: neverTold })
    for (let n = 1; n <= serverLimits.credits.askCostTries; n++)
      await (await aNode(app, n * 3_600_000)).charges.claimUnreportedCost()
    const { holds: last } = await aNode(app, 10 * 3_600_000)
    expect(await last.sweep()).toBe(1)
    expect(await holds.chargedFor({ userId, messageId: id })).toBeGreaterThan(0n)
    await isRight()
  })

  it('is asked for also when the node died that wrote the answer', async () => {
    const { app, holds, userId, isRight } = await aRoom()
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
      const usage = { inputTokens: 10, outputTokens: 50 }
      await holds.extend(tx, [{ userId, messageId, cost: dollars('0.2'), usage, generationRef: 'gen-7' }])
    })
    await vi.waitFor(
      async () => expect(await app.db.select().from(generations)).toMatchObject([{ status: 'interrupted' }]),
      { timeout: 10_000 },
    )
    expect(await holds.chargedFor({ userId, messageId })).toBeUndefined()
    for (let n = 1; n <= serverLimits.credits.askCostTries; n++) await (await aNode(app, n * 3_600_000)).inquiry.ask()
    expect(app.gateway.generationRequests[0]).toBe('gen-7')
    expect(await holds.chargedFor({ userId, messageId })).toBe(dollars('0.2'))
    await isRight()
  })
})

describe('the start of a server whose gateway tells no prices', () => {
  it('tells the operator', async () => {
    const app = await buildChatApp()
    app.gateway.models = [{ id: 'some/model', name: 'Some', context_length: 8_192 }]
    await app.checkPrices()
    expect(app.logs()).toContain('carry no prices at all')
    const usual = await buildChatApp()
    await usual.checkPrices()
    expect(usual.logs()).not.toContain('carry no prices at all')
  })
})
