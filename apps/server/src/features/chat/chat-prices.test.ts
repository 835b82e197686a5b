import { serverLimits } from '@parley/contract/limits/server'
import { charge, costOf, dollars, minus, parseMarkup, storedNano } from '@parley/contract/money'
import { describe, expect, it } from 'vitest'
import { ledgerHolds } from '../../db/schema/credits'
import { setups } from '../../testing/chat-setups'
import { aPayingRoom, known, large, prices } from '../../testing/paying-room'

describe.each(setups)('the price of an answer, on $kind and $bus', (setup) => {
  it('is charged by its tokens where no cost is reported, and multiplied by CREDIT_MARKUP with one rounding', async () => {
    const { app, client, balance } = await aPayingRoom(setup, { CREDIT_MARKUP: '1.5' })
    app.gateway.next({ text: 'By tokens.', usage: { prompt_tokens: 101, completion_tokens: 7 } })
    await client.untilEvent('end', client.ask('One', { model: large }))
    const first = charge(costOf({ inputTokens: 101, outputTokens: 7 }, prices), known(parseMarkup('1.5')))
    expect(await balance()).toBe(minus(dollars(10), first))
    app.gateway.next({ text: 'By cost.', usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.0000000011 } })
    await client.untilEvent('end', client.ask('Two', { model: large }))
    // 1.1 nano-dollars: rounded before the markup they would be 3.
    expect(await balance()).toBe(minus(minus(dollars(10), first), dollars('0.000000002')))
  })

  it('ends and is charged by what is left to believe, whatever nonsense the gateway reports', async () => {
    const { app, client, balance, ledger } = await aPayingRoom(setup, { CREDIT_MARKUP: '1000' })
    // The last of them takes all that is held.
    const nonsense = [
      { cost: -1 },
      { cost: 'NaN' },
      { cost: '1e400' },
      { cost: null },
      { prompt_tokens: 3e9 },
      { completion_tokens: 1e300 },
      { cost: 1e9 },
    ]
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
    const { app, client, balance } = await aPayingRoom(setup, { CREDIT_MARKUP: '2' })
    app.gateway.models = [
      { id: 'stand-in/each', pricing: { prompt: '0', completion: '0', request: '0.005' } },
      ...app.gateway.models,
    ]
    app.gateway.next({ text: 'By question.', usage: { prompt_tokens: 9, completion_tokens: 9 } })
    await client.untilEvent('end', client.ask('Any', { model: 'stand-in/each' }))
    expect(await app.db.select({ amount: ledgerHolds.amount }).from(ledgerHolds)).toEqual([{ amount: dollars('0.01') }])
    expect(await balance()).toBe(dollars('9.99'))
  })

  it('of a model whose prices are blank is not taken for free', async () => {
    const { app, client, balance } = await aPayingRoom(setup, { ALLOW_UNPRICED_MODELS: 'true' })
    app.gateway.models = [{ id: 'stand-in/untold', pricing: { prompt: '', completion: '' } }, ...app.gateway.models]
    app.gateway.next({ text: 'Not a gift.', usage: { prompt_tokens: 9, completion_tokens: 9, cost: 0.25 } })
    await client.untilEvent('end', client.ask('Any', { model: 'stand-in/untold' }))
    expect(await balance()).toBe(dollars('9.75'))
  })

  it('costs nobody anything where CREDIT_MARKUP is 0, and needs no credits', async () => {
    const { app, client } = await aPayingRoom(setup, { CREDIT_MARKUP: '0', SIGNUP_CREDITS: '0' })
    app.gateway.next({ text: 'A gift.', usage: { prompt_tokens: 9, completion_tokens: 9, cost: 0.25 } })
    const end = await client.untilEvent('end', client.ask('A gift?', { model: large }))
    // What the gateway asks of the operator is not what the person pays.
    expect(end.message.usage).toEqual({ inputTokens: 9, outputTokens: 9, cost: '0' })
    expect(await app.db.select().from(ledgerHolds)).toEqual([])
  })

  it('cannot be had for nothing by a name that ends as those of free models', async () => {
    const { app, client } = await aPayingRoom(setup)
    for (const model of [`${large}:free`, 'openai/gpt-5:free', 'STAND-IN/GRATIS:FREE'])
      expect(await client.untilOver(client.ask('For free!', { model }))).toMatchObject({
        event: 'error',
        code: 'chat.model-unknown',
      })
    expect(app.gateway.requests).toEqual([])
  })

  it('is charged where a price stands beside a name that ends as those of free models', async () => {
    const { app, client, balance } = await aPayingRoom(setup)
    app.gateway.models = [
      { id: 'stand-in/not:free', pricing: { prompt: '0.000001', completion: '0.000002' } },
      ...app.gateway.models,
    ]
    app.gateway.next({ text: 'Not a gift.', usage: { prompt_tokens: 9, completion_tokens: 9, cost: 0.25 } })
    await client.untilEvent('end', client.ask('Any', { model: 'stand-in/not:free' }))
    expect((await balance()) < dollars(10)).toBe(true)
  })

  it('of a model without a known price, where the operator allows it, holds a dollar, and is charged what is reported', async () => {
    const { app, client, balance } = await aPayingRoom(setup, { SIGNUP_CREDITS: '1.5', ALLOW_UNPRICED_MODELS: 'true' })
    app.gateway.models = [{ id: 'stand-in/auto', pricing: { prompt: '-1', completion: '-1' } }, ...app.gateway.models]
    app.gateway.next({ text: 'By some model.', usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.25 } })
    await client.untilEvent('end', client.ask('Any', { model: 'stand-in/auto' }))
    expect(await app.db.select({ amount: ledgerHolds.amount }).from(ledgerHolds)).toEqual([
      { amount: dollars(serverLimits.credits.unpricedHoldDollars) },
    ])
    expect(app.gateway.requests[0]?.body.max_tokens).toBeUndefined()
    expect(await balance()).toBe(dollars('1.25'))
  })
})
