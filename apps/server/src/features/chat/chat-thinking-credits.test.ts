import { dollars, minus, noMoney } from '@parley/contract/money'
import { estimateTokens } from '@parley/contract/token-estimate'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { thinkingOf, Visitor } from '../../testing/chat-client'
import { words } from '../../testing/gateway-scenarios'
import { aPayingRoom, large } from '../../testing/paying-room'

describe.each(databases)('what a model thinks on %s', (kind) => {
  async function aRoom() {
    const room = await aPayingRoom({ kind, bus: 'memory' })
    const client = await new Visitor(room.ana.tokens?.access_token).connect(room.app, { frames: 'reasoning' })
    return { ...room, client }
  }

  it('costs what the gateway reports for it', async () => {
    const { app, client, balance } = await aRoom()
    const usage = { prompt_tokens: 9, completion_tokens: 400, cost: 0.0123 }
    app.gateway.next({ thinks: words(300), text: 'So.', usage })
    const { message } = await client.untilEvent('end', client.ask('Why?', { model: large }))
    expect(message.usage).toMatchObject({ outputTokens: 400, cost: String(dollars('0.0123')) })
    expect(await balance()).toBe(minus(dollars(10), dollars('0.0123')))
  })

  it('is counted where the gateway reports nothing, also when it is stopped before the first word', async () => {
    const { app, client, ledger } = await aRoom()
    app.gateway.next({ thinks: words(300), text: 'So.', omitsUsage: true })
    const first = await client.untilEvent('end', client.ask('Why?', { model: large }))
    expect(first.message.usage?.outputTokens).toBe(estimateTokens(words(300)) + estimateTokens('So.'))

    app.gateway.next({ thinks: words(300), text: 'So.', holdAfter: 900 })
    const id = client.ask('Why so long?', { model: large })
    await client.untilEvent('reasoning', id)
    client.send({ event: 'stop-message', messageId: id })
    const { message } = await client.untilEvent('stopped', id)
    const own = client.frames.filter((frame) => 'messageId' in frame && frame.messageId === id)
    expect(message.usage?.outputTokens).toBe(estimateTokens(thinkingOf(own)))
    expect(BigInt(message.usage?.cost ?? '0')).toBeGreaterThan(0n)
    expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
  })

  it('is free where no answer follows, and where the gateway fails before the first word', async () => {
    const { app, client, balance, ledger } = await aRoom()
    app.gateway.next({
      thinks: words(300),
      text: '',
      usage: { prompt_tokens: 9, completion_tokens: 400, cost: 0.0123 },
    })
    const { message } = await client.untilEvent('end', client.ask('Why?', { model: large }))
    expect([message.empty, message.usage?.cost]).toEqual([true, String(noMoney)])
    app.gateway.next({ thinks: words(300), breakAfter: 600, breakBy: 'error' })
    await client.untilEvent('error-openrouter', client.ask('Why not?', { model: large }))
    expect(await balance()).toBe(dollars(10))
    expect(await ledger.check()).toMatchObject({ findings: [], openHolds: 0 })
  })
})
