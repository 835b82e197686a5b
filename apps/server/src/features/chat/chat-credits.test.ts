import { errorText } from '@parley/contract/errors'
import { charge, costOf, dollars, minus } from '@parley/contract/money'
import { estimateTokens } from '@parley/contract/token-estimate'
import { uuidv7 } from '@parley/contract/uuid'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { generations } from '../../db/schema/chat'
import { ledgerHolds } from '../../db/schema/credits'
import { messages } from '../../db/schema/messages'
import { subscriptions, users } from '../../db/schema/users'
import { textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, setups } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { aChannel, aPayingRoom, connect, known, large, plain, priceOf, prices } from '../../testing/paying-room'

describe.each(setups)('an answer that costs credits, on $kind and $bus', (setup) => {
  it('is charged what the gateway reports, says so itself, stands in the history, and every open tab learns the balance [ST-097]', async () => {
    const { app, ana, client, balance, ledger } = await aPayingRoom(setup)
    const otherTab = await connect(app, ana)
    app.gateway.next({ text: 'Twelve.', usage: { prompt_tokens: 20, completion_tokens: 3, cost: 0.0001234567891 } })
    const id = client.ask('How many?', { model: large })
    const end = await client.untilEvent('end', id)
    expect(end.message.usage).toEqual({ inputTokens: 20, outputTokens: 3, cost: '123457' })
    for (const tab of [client, otherTab])
      expect(await tab.untilEvent('credits-updated')).toEqual({ event: 'credits-updated', content: 9.999876543 })
    expect(await balance()).toBe(dollars('9.999876543'))
    expect((await ana.send('GET', '/api/billing/credit/history')).body).toMatchObject({
      data: [
        { kind: 'settle', amount: '-0.000123457', messageId: id, model: large, inputTokens: 20, outputTokens: 3 },
        { kind: 'grant' },
      ],
    })
    expect(await app.db.select().from(generations)).toEqual([
      expect.objectContaining({ cost: 123_457n, inputTokens: 20, outputTokens: 3 }),
    ])
    expect((await ledger.check()).findings).toEqual([])
  })

  it('is held before the model is asked, for as long an answer as is asked for, and shown as spent only when it ends', async () => {
    const { app, ana, userId, client, ledger } = await aPayingRoom(setup)
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
    const { app, client } = await aPayingRoom(setup, { SIGNUP_CREDITS: '1' })
    app.gateway.models = [
      { id: 'stand-in/dear', pricing: { prompt: '0.000001', completion: '0.001' } },
      ...app.gateway.models,
    ]
    app.gateway.next({ text: 'Short.' })
    await client.untilEvent('end', client.ask('Hm?', { model: 'stand-in/dear' }))
    const { max_tokens: maxTokens } = app.gateway.requests[0]?.body ?? {}
    expect(maxTokens).toBeGreaterThan(900)
    expect(maxTokens).toBeLessThan(1_000)
  })

  it('is charged for what was written when it is stopped or breaks, and nothing when there is no word of it', async () => {
    const { app, client, balance } = await aPayingRoom(setup)
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
    const { app, ana, client, balance } = await aPayingRoom(setup)
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
    const { app, ana, client, ledger, balance } = await aPayingRoom(setup, { SIGNUP_CREDITS: '0.999999999' })
    const channelId = await aChannel(ana)
    const local = client.ask('Please', { userLanguage: 'en-US' })
    expect(await client.untilEvent('no-credits', local)).toEqual({
      event: 'no-credits',
      messageId: local,
      mId: local,
      content: 'You need at least 1 dollar in credits to send a message.',
    })
    const cloud = client.ask('Por favor', { userLanguage: 'pt-BR', storageMode: 'cloud', channelId })
    expect(await client.untilEvent('no-credits', cloud)).toMatchObject({
      content: errorText('credits.minimum', 'pt-BR'),
    })
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
    const { app, client } = await aPayingRoom(setup, { SIGNUP_CREDITS: '2' })
    app.gateway.models = [
      { id: 'stand-in/dear', pricing: { prompt: '0.000001', completion: '0.01' } },
      ...app.gateway.models,
    ]
    const id = client.ask('Dear?', { model: 'stand-in/dear' })
    expect(await client.untilEvent('no-credits', id)).toMatchObject({
      content: "You don't have enough credits to send a message, please buy credits.",
    })
    expect(app.gateway.requests).toEqual([])
  })

  it('costs nobody anything who subscribed, to the end of the period, or has a wallet, and is free for everybody with a free model [ST-051, ST-052, CH-006, CH-077, CH-155]', async () => {
    let ahead = 0
    const { app, userId, client, balance } = await aPayingRoom(
      setup,
      { SIGNUP_CREDITS: '0' },
      { now: () => Date.now() + ahead },
    )
    const day = 86_400_000
    await client.untilEvent('end', client.ask('Free', { model: 'stand-in/gratis:free' }))
    await client.untilEvent('no-credits', client.ask('Not free', { model: large }))
    const period = { currentPeriodStart: new Date(Date.now() - day), currentPeriodEnd: new Date(Date.now() + day / 2) }
    await app.db.insert(subscriptions).values({ userId, productName: 'Monthly', ...period })
    for (const question of ['One', 'Two', 'Three'])
      await client.untilEvent('end', client.ask(question, { model: large }))
    ahead = day
    await client.untilEvent('no-credits', client.ask('The period is over', { model: large }))
    await app.db.update(users).set({ kind: 'ethereum' }).where(eq(users.id, userId))
    await client.untilEvent('end', client.ask('By wallet', { model: large }))
    expect(await balance()).toBe(dollars(0))
    expect(await app.db.select().from(ledgerHolds)).toEqual([])
  })

  it('is kept with its price in the cloud', async () => {
    const { app, ana, client } = await aPayingRoom(setup)
    const channelId = await aChannel(ana)
    app.gateway.next({ text: 'Stored.', usage: { prompt_tokens: 3, completion_tokens: 1, cost: 0.002 } })
    const id = client.ask('Store it', { storageMode: 'cloud', channelId, model: large })
    await client.untilEvent('end', id)
    expect((await ana.send('GET', `/api/chat/documents/0/100/${channelId}`)).body).toMatchObject({
      content: [{ mId: id, usage: { inputTokens: 3, outputTokens: 1, cost: '2000000' } }],
    })
  })

  it('never takes more than was held, whatever the gateway says it cost', async () => {
    const { app, userId, client, balance, ledger } = await aPayingRoom(setup, { SIGNUP_CREDITS: '1' })
    app.gateway.next({
      text: 'A mistake of the gateway.',
      usage: { prompt_tokens: 1, completion_tokens: 1, cost: 1e6 },
    })
    const end = await client.untilEvent('end', client.ask('Hm?', { model: large }))
    const [hold] = await app.db.select().from(ledgerHolds)
    expect(end.message.usage?.cost).toBe(String(hold?.amount))
    expect(await balance()).toBe(minus(dollars(1), known(hold?.amount)))
    expect(await ledger.spendable(userId)).toBe(await balance())
    expect((await ledger.check()).findings).toEqual([])
  })

  it.each<[string, object]>([
    ['is missing', {}],
    ['is negative', { prompt: '-1', completion: '-1' }],
    ['is no number', { prompt: 'much', completion: '0.000001' }],
    ['is another thing', { prompt: '0.000001', completion: '0.000001', request: { each: 1 } }],
    ['is absurd', { prompt: '1e9', completion: '1e9' }],
  ])('is not to be had of a model whose price %s, unless the operator allows it', async (_what, pricing) => {
    const { app, client, balance } = await aPayingRoom(setup)
    app.gateway.models = [{ id: 'stand-in/untold', pricing }, ...app.gateway.models]
    expect(await client.untilOver(client.ask('Any', { model: 'stand-in/untold' }))).toMatchObject({
      event: 'error',
      code: 'chat.model-unpriced',
    })
    expect([app.gateway.requests.length, await balance()]).toEqual([0, dollars(10)])
  })

  it('of many asked at once on one balance never takes what is not there', async () => {
    const { app, ana, client, balance, ledger } = await aPayingRoom(setup, { SIGNUP_CREDITS: '1' })
    app.gateway.models = [
      { id: 'stand-in/dear', pricing: { prompt: '0.0000001', completion: '0.001' } },
      ...app.gateway.models,
    ]
    app.gateway.always({ text: words(10), usage: { prompt_tokens: 1, completion_tokens: 100, cost: 0.3 } })
    const tabs = [client, ...(await Promise.all(Array.from({ length: 4 }, () => connect(app, ana))))]
    const asked = tabs.flatMap((tab) =>
      Array.from({ length: 10 }, () => ({ tab, id: tab.ask('Now!', { model: 'stand-in/dear' }) })),
    )
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
