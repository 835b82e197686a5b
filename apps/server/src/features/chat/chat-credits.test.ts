import { errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { charge, costOf, dollars, minus, type Nano, parseCost, parseMarkup, parsePrice, storedNano } from '@parley/contract/money'
import { estimateTokens } from '@parley/contract/token-estimate'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ledgerHolds } from '../../db/ledger-schema'
import { generations, messages, subscriptions, users } from '../../db/schema'
import { type ChatClient, textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, type ChatApp, setups } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { aPerson, type Client } from '../../testing/person'
import { LedgerService } from '../billing/ledger-service'

const large = 'stand-in/large'
const prices = { prompt: known(parsePrice('0.000001')), completion: known(parsePrice('0.000002')) }
const plain = known(parseMarkup(1))

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('this is known')
  return value
}

async function aChannel(person: Client): Promise<string> {
  return ((await person.post('/api/channel', {})).body as { data: { id: string } }).data.id
}

const priceOf = (cost: number | string, markup: number | string = 1): Nano => charge(known(parseCost(cost)), known(parseMarkup(markup)))

describe.each(setups)('an answer that costs credits, on $kind and $bus', (setup) => {
  async function aRoom(env: Record<string, string> = {}, options: { now?: () => number } = {}) {
    const app = await buildChatApp(setup, { env: { SIGNUP_CREDITS: '10', RATE_LIMIT_SCALE: '0', ANON_DAILY_MESSAGES: '1', ...env }, ...options })
    const ana = await aPerson(app, 'ana@example.org')
    const ledger = new LedgerService({ db: app.db, now: Date.now })
    const userId = ana.answer.user.id
    const client = await connect(app, ana)
    return { app, ana, userId, ledger, client, balance: () => ledger.balance(userId) }
  }
  const connect = (app: ChatApp, person: Client): Promise<ChatClient> => new Visitor(person.tokens?.access_token).connect(app)

  it('is charged what the gateway reports, says so itself, stands in the history, and every open tab learns the balance [ST-097]', async () => {
    const { app, ana, client, balance, ledger } = await aRoom()
    const otherTab = await connect(app, ana)
    app.gateway.next({ text: 'Twelve.', usage: { prompt_tokens: 20, completion_tokens: 3, cost: 0.0001234567891 } })
    const id = client.ask('How many?', { model: large })
    const end = await client.untilEvent('end', id)
    expect(end.message.usage).toEqual({ inputTokens: 20, outputTokens: 3, cost: '123457' })
    for (const tab of [client, otherTab]) expect(await tab.untilEvent('credits-updated')).toEqual({ event: 'credits-updated', content: 9.999876543 })
    expect(await balance()).toBe(dollars('9.999876543'))
    expect((await ana.send('GET', '/api/billing/credit/history')).body).toMatchObject({
      data: [{ kind: 'settle', amount: '-0.000123457', messageId: id, model: large, inputTokens: 20, outputTokens: 3 }, { kind: 'grant' }],
    })
    expect(await app.db.select().from(generations)).toEqual([expect.objectContaining({ cost: 123_457n, inputTokens: 20, outputTokens: 3 })])
    expect((await ledger.check()).findings).toEqual([])
  })

  it('is charged by its tokens where no cost is reported, and multiplied by CREDIT_MARKUP with one rounding', async () => {
    const { app, client, balance } = await aRoom({ CREDIT_MARKUP: '1.5' })
    app.gateway.next({ text: 'By tokens.', usage: { prompt_tokens: 101, completion_tokens: 7 } })
    await client.untilEvent('end', client.ask('One', { model: large }))
    const first = charge(costOf({ inputTokens: 101, outputTokens: 7 }, prices), known(parseMarkup('1.5')))
    expect(await balance()).toBe(minus(dollars(10), first))
    app.gateway.next({ text: 'By cost.', usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.0000000011 } })
    await client.untilEvent('end', client.ask('Two', { model: large }))
    // 1.1 nano-dollars: rounded before the markup they would be 3.
    expect(await balance()).toBe(minus(minus(dollars(10), first), dollars('0.000000002')))
  })

  it('is held before the model is asked, for as long an answer as is asked for, and shown as spent only when it ends', async () => {
    const { app, ana, userId, client, ledger } = await aRoom()
    app.gateway.next({ text: words(2_000), tokensPerSecond: 100 })
    const id = client.ask('Long.', { model: large })
    await client.untilText('word3')
    const [hold] = await app.db.select().from(ledgerHolds)
    expect(hold).toMatchObject({ messageId: id, state: 'held', model: large })
    const { max_tokens: maxTokens = 0 } = app.gateway.requests[0]?.body ?? {}
    // A window of 8,192 tokens, less what is asked.
    expect(maxTokens).toBeGreaterThan(7_500)
    expect(maxTokens).toBeLessThan(8_192)
    const least = charge(costOf({ inputTokens: 0, outputTokens: maxTokens }, prices), plain)
    expect(hold && hold.amount > least).toBe(true)
    expect(await ledger.spendable(userId)).toBe(minus(dollars(10), known(hold?.amount)))
    expect((await ana.send('GET', '/api/billing/credit/user')).body).toEqual({ amount: 10 })
    client.send({ event: 'stop-message', messageId: id })
    await client.untilEvent('stopped', id)
    expect(await app.db.select({ state: ledgerHolds.state }).from(ledgerHolds)).toEqual([{ state: 'settled' }])
  })

  it('may be no longer than the credits pay for', async () => {
    const { app, client } = await aRoom({ SIGNUP_CREDITS: '1' })
    app.gateway.models = [{ id: 'stand-in/dear', pricing: { prompt: '0.000001', completion: '0.001' } }, ...app.gateway.models]
    app.gateway.next({ text: 'Short.' })
    await client.untilEvent('end', client.ask('Hm?', { model: 'stand-in/dear' }))
    const { max_tokens: maxTokens } = app.gateway.requests[0]?.body ?? {}
    expect(maxTokens).toBeGreaterThan(900)
    expect(maxTokens).toBeLessThan(1_000)
  })

  it('is charged for what was written when it is stopped or breaks, and nothing when there is no word of it', async () => {
    const { app, client, balance } = await aRoom()
    app.gateway.next({ text: words(3_000), tokensPerSecond: 300 })
    const stopped = client.ask('Stop me.', { model: large })
    await client.untilText('word20')
    client.send({ event: 'stop-message', messageId: stopped })
    const { message } = await client.untilEvent('stopped', stopped)
    const { usage, chat_response: written } = message
    expect(usage?.outputTokens).toBe(estimateTokens(written.content))
    expect(usage?.cost).toBe(String(charge(costOf(known(usage), prices), plain)))
    let left = minus(dollars(10), priceOf(`${Number(known(usage).cost)}e-9`))
    expect(await balance()).toBe(left)

    app.gateway.next({ text: words(300), tokensPerSecond: 400, breakAfter: 300, breakBy: 'cut' })
    const broken = client.ask('Break.', { model: large })
    const { usage: ofBroken } = await client.untilEvent('error', broken)
    expect(BigInt(known(ofBroken?.cost))).toBeGreaterThan(0n)
    left = minus(left, priceOf(`${Number(ofBroken?.cost)}e-9`))
    expect(await balance()).toBe(left)

    for (const question of ['#empty', '#blank']) await client.untilEvent('end', client.ask(question, { model: large }))
    await client.untilEvent('error-openrouter', client.ask('#early', { model: large }))
    app.gateway.next({ text: 'Too late.', delayMs: 60_000 })
    const unbegun = client.ask('Never mind.', { model: large })
    await client.untilEvent('accepted', unbegun)
    client.send({ event: 'stop-message', messageId: unbegun })
    await client.untilEvent('stopped', unbegun)
    expect(await balance()).toBe(left)
    expect(await app.db.select().from(ledgerHolds).where(eq(ledgerHolds.state, 'held'))).toEqual([])
  })

  it('is charged once, however often and wherever its question is repeated', async () => {
    const { app, ana, client, balance } = await aRoom()
    app.gateway.always({ text: words(20), usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.005 } })
    const messageId = uuidv7()
    const other = await connect(app, ana)
    for (const each of [client, other, client]) each.ask('Once?', { messageId, model: large })
    await Promise.all([client, other].map((each) => each.untilEvent('end', messageId)))
    client.ask('Once?', { messageId, model: large })
    other.send({ event: 'resume', messageId, afterSeq: 0 })
    await other.untilEvent('end', messageId)
    // Another question goes behind them, so that all were looked at.
    await client.untilEvent('end', client.ask('Twice?', { model: large }))
    expect(await balance()).toBe(dollars('9.99'))
    expect(app.gateway.requests).toHaveLength(2)
  })

  it('needs a dollar: with less nothing is asked, stored or held, and no-credits says why in the language of the person [ST-053, ST-057, ST-058, ST-098, CH-155]', async () => {
    const { app, ana, client, ledger, balance } = await aRoom({ SIGNUP_CREDITS: '0.999999999' })
    const channelId = await aChannel(ana)
    const local = client.ask('Please', { userLanguage: 'en-US' })
    expect(await client.untilEvent('no-credits', local)).toEqual({
      event: 'no-credits',
      messageId: local,
      mId: local,
      content: 'You need at least 1 dollar in credits to send a message.',
    })
    const cloud = client.ask('Por favor', { userLanguage: 'pt-BR', storageMode: 'cloud', channelId })
    expect(await client.untilEvent('no-credits', cloud)).toMatchObject({ content: errorText('credits.minimum', 'pt-BR') })
    expect(app.gateway.requests).toEqual([])
    expect(await app.db.select().from(generations)).toEqual([])
    expect(await app.db.select().from(messages)).toEqual([])
    expect(await app.db.select().from(ledgerHolds)).toEqual([])
    expect(await balance()).toBe(dollars('0.999999999'))

    await ledger.grant(app.db, { userId: ana.answer.user.id, amount: dollars('0.000000001'), key: 'the last bit' })
    await client.untilEvent('end', client.ask('And now?'))
    app.gateway.models = [{ id: 'stand-in/dear', pricing: { prompt: '0.01', completion: '0.01' } }]
    await ledger.grant(app.db, { userId: ana.answer.user.id, amount: dollars(1), key: 'more' })
    const dear = client.ask('How dear?', { model: large })
    await client.untilEvent('end', dear)
  })

  it("says that the credits are not enough where a dollar does not pay for the model's shortest answer [ST-057]", async () => {
    const { app, client } = await aRoom({ SIGNUP_CREDITS: '2' })
    app.gateway.models = [{ id: 'stand-in/dear', pricing: { prompt: '0.000001', completion: '0.01' } }, ...app.gateway.models]
    const id = client.ask('Dear?', { model: 'stand-in/dear' })
    expect(await client.untilEvent('no-credits', id)).toMatchObject({ content: "You don't have enough credits to send a message, please buy credits." })
    expect(app.gateway.requests).toEqual([])
  })

  it('costs nobody anything who subscribed, to the end of the period, or has a wallet, and is free for everybody with a free model [ST-051, ST-052, CH-006, CH-077, CH-155]', async () => {
    let ahead = 0
    const { app, userId, client, balance } = await aRoom({ SIGNUP_CREDITS: '0' }, { now: () => Date.now() + ahead })
    const day = 86_400_000
    await client.untilEvent('end', client.ask('Free', { model: 'stand-in/gratis:free' }))
    await client.untilEvent('no-credits', client.ask('Not free', { model: large }))
    const period = { currentPeriodStart: new Date(Date.now() - day), currentPeriodEnd: new Date(Date.now() + day / 2) }
    await app.db.insert(subscriptions).values({ userId, productName: 'Monthly', ...period })
    for (const question of ['One', 'Two', 'Three']) await client.untilEvent('end', client.ask(question, { model: large }))
    ahead = day
    await client.untilEvent('no-credits', client.ask('The period is over', { model: large }))
    await app.db.update(users).set({ kind: 'ethereum' }).where(eq(users.id, userId))
    await client.untilEvent('end', client.ask('By wallet', { model: large }))
    expect(await balance()).toBe(dollars(0))
    expect(await app.db.select().from(ledgerHolds)).toEqual([])
  })

  it('is kept with its price in the cloud', async () => {
    const { app, ana, client } = await aRoom()
    const channelId = await aChannel(ana)
    app.gateway.next({ text: 'Stored.', usage: { prompt_tokens: 3, completion_tokens: 1, cost: 0.002 } })
    const id = client.ask('Store it', { storageMode: 'cloud', channelId, model: large })
    await client.untilEvent('end', id)
    expect((await ana.send('GET', `/api/chat/documents/0/100/${channelId}`)).body).toMatchObject({
      content: [{ mId: id, usage: { inputTokens: 3, outputTokens: 1, cost: '2000000' } }],
    })
  })

  it('never takes more than was held, whatever the gateway says it cost', async () => {
    const { app, userId, client, balance, ledger } = await aRoom({ SIGNUP_CREDITS: '1' })
    app.gateway.next({ text: 'A mistake of the gateway.', usage: { prompt_tokens: 1, completion_tokens: 1, cost: 1e6 } })
    const end = await client.untilEvent('end', client.ask('Hm?', { model: large }))
    const [hold] = await app.db.select().from(ledgerHolds)
    expect(end.message.usage?.cost).toBe(String(hold?.amount))
    expect(await balance()).toBe(minus(dollars(1), known(hold?.amount)))
    expect(await ledger.spendable(userId)).toBe(await balance())
    expect((await ledger.check()).findings).toEqual([])
  })

  it('ends and is charged by what is left to believe, whatever nonsense the gateway reports', async () => {
    const { app, client, balance, ledger } = await aRoom({ CREDIT_MARKUP: '1000' })
    // The last of them takes all that is held.
    const nonsense = [{ cost: -1 }, { cost: 'NaN' }, { cost: '1e400' }, { cost: null }, { prompt_tokens: 3e9 }, { completion_tokens: 1e300 }, { cost: 1e9 }]
    for (const usage of nonsense) {
      app.gateway.next({ text: 'Twelve.', usage: { prompt_tokens: 100, completion_tokens: 10, ...usage } })
      const before = await balance()
      const { message } = await client.untilEvent('end', client.ask('How many?', { model: large }))
      const cost = storedNano(known(message.usage?.cost))
      expect(cost > dollars('0.01'), JSON.stringify(usage)).toBe(true)
      expect(await balance(), JSON.stringify(usage)).toBe(minus(before, cost))
    }
    expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
  })

  it('of a model with a price for each question holds and is charged that as well, though its tokens cost nothing', async () => {
    const { app, client, balance } = await aRoom({ CREDIT_MARKUP: '2' })
    app.gateway.models = [{ id: 'stand-in/each', pricing: { prompt: '0', completion: '0', request: '0.005' } }, ...app.gateway.models]
    app.gateway.next({ text: 'By question.', usage: { prompt_tokens: 9, completion_tokens: 9 } })
    await client.untilEvent('end', client.ask('Any', { model: 'stand-in/each' }))
    expect(await app.db.select({ amount: ledgerHolds.amount }).from(ledgerHolds)).toEqual([{ amount: dollars('0.01') }])
    expect(await balance()).toBe(dollars('9.99'))
  })

  it('of a model whose prices are blank is not taken for free', async () => {
    const { app, client, balance } = await aRoom({ ALLOW_UNPRICED_MODELS: 'true' })
    app.gateway.models = [{ id: 'stand-in/untold', pricing: { prompt: '', completion: '' } }, ...app.gateway.models]
    app.gateway.next({ text: 'Not a gift.', usage: { prompt_tokens: 9, completion_tokens: 9, cost: 0.25 } })
    await client.untilEvent('end', client.ask('Any', { model: 'stand-in/untold' }))
    expect(await balance()).toBe(dollars('9.75'))
  })

  it('costs nobody anything where CREDIT_MARKUP is 0, and needs no credits', async () => {
    const { app, client } = await aRoom({ CREDIT_MARKUP: '0', SIGNUP_CREDITS: '0' })
    app.gateway.next({ text: 'A gift.', usage: { prompt_tokens: 9, completion_tokens: 9, cost: 0.25 } })
    const end = await client.untilEvent('end', client.ask('A gift?', { model: large }))
    // What the gateway asks of the operator is not what the person pays.
    expect(end.message.usage).toEqual({ inputTokens: 9, outputTokens: 9, cost: '0' })
    expect(await app.db.select().from(ledgerHolds)).toEqual([])
  })

  it('cannot be had for nothing by a name that ends as those of free models', async () => {
    const { app, client } = await aRoom()
    for (const model of [`${large}:free`, 'openai/gpt-5:free', 'STAND-IN/GRATIS:FREE'])
      expect(await client.untilOver(client.ask('For free!', { model }))).toMatchObject({ event: 'error', code: 'chat.model-unknown' })
    expect(app.gateway.requests).toEqual([])
  })

  it.each<[string, object]>([
    ['is missing', {}],
    ['is negative', { prompt: '-1', completion: '-1' }],
    ['is no number', { prompt: 'much', completion: '0.000001' }],
    ['is another thing', { prompt: '0.000001', completion: '0.000001', request: { each: 1 } }],
    ['is absurd', { prompt: '1e9', completion: '1e9' }],
  ])('is not to be had of a model whose price %s, unless the operator allows it', async (_what, pricing) => {
    const { app, client, balance } = await aRoom()
    app.gateway.models = [{ id: 'stand-in/untold', pricing }, ...app.gateway.models]
    expect(await client.untilOver(client.ask('Any', { model: 'stand-in/untold' }))).toMatchObject({ event: 'error', code: 'chat.model-unpriced' })
    expect([app.gateway.requests.length, await balance()]).toEqual([0, dollars(10)])
  })

  it('is charged where a price stands beside a name that ends as those of free models', async () => {
    const { app, client, balance } = await aRoom()
    app.gateway.models = [{ id: 'stand-in/not:free', pricing: { prompt: '0.000001', completion: '0.000002' } }, ...app.gateway.models]
    app.gateway.next({ text: 'Not a gift.', usage: { prompt_tokens: 9, completion_tokens: 9, cost: 0.25 } })
    await client.untilEvent('end', client.ask('Any', { model: 'stand-in/not:free' }))
    expect((await balance()) < dollars(10)).toBe(true)
  })

  it('of a model without a known price, where the operator allows it, holds a dollar, and is charged what is reported', async () => {
    const { app, client, balance } = await aRoom({ SIGNUP_CREDITS: '1.5', ALLOW_UNPRICED_MODELS: 'true' })
    app.gateway.models = [{ id: 'stand-in/auto', pricing: { prompt: '-1', completion: '-1' } }, ...app.gateway.models]
    app.gateway.next({ text: 'By some model.', usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.25 } })
    await client.untilEvent('end', client.ask('Any', { model: 'stand-in/auto' }))
    expect(await app.db.select({ amount: ledgerHolds.amount }).from(ledgerHolds)).toEqual([{ amount: dollars(limits.credits.unpricedHoldDollars) }])
    expect(app.gateway.requests[0]?.body.max_tokens).toBeUndefined()
    expect(await balance()).toBe(dollars('1.25'))
  })

  it('of many asked at once on one balance never takes what is not there', async () => {
    const { app, ana, client, balance, ledger } = await aRoom({ SIGNUP_CREDITS: '1' })
    app.gateway.models = [{ id: 'stand-in/dear', pricing: { prompt: '0.0000001', completion: '0.001' } }, ...app.gateway.models]
    app.gateway.always({ text: words(10), usage: { prompt_tokens: 1, completion_tokens: 100, cost: 0.3 } })
    const tabs = [client, ...(await Promise.all(Array.from({ length: 4 }, () => connect(app, ana))))]
    const asked = tabs.flatMap((tab) => Array.from({ length: 10 }, () => ({ tab, id: tab.ask('Now!', { model: 'stand-in/dear' }) })))
    const ends = await Promise.all(asked.map(({ tab, id }) => tab.untilOver(id)))
    const paid = ends.filter(({ event }) => event === 'end').length
    expect(paid).toBeGreaterThan(0)
    expect(await balance()).toBe(minus(dollars(1), dollars((paid * 0.3).toFixed(1))))
    expect(app.gateway.requests).toHaveLength(paid)
    expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
  })
})

describe.each(setups)('somebody who is not signed in, on $kind and $bus', (setup) => {
  it('has the allowance of the day, and no credits', async () => {
    const app = await buildChatApp(setup, { env: { ANON_DAILY_MESSAGES: '1' } })
    const client = await new Visitor().connect(app)
    const id = client.ask('One')
    await client.untilEvent('end', id)
    expect(await client.untilEvent('error', client.ask('Two'))).toMatchObject({ code: 'chat.daily-limit' })
    expect(textOf(client.frames)).toContain('One')
    expect(await app.db.select().from(ledgerHolds)).toEqual([])
  })
})
