// Measures time between tokens: nothing else may run beside it (vitest.config.ts).
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { Visitor } from '../../testing/chat-client'
import { buildChatApp } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { Client } from '../../testing/person'

describe.each(databases)('an answer on %s', (kind) => {
  it('of somebody else goes on without a gap while fifty people sign in', async () => {
    const app = await buildChatApp({ kind, bus: 'memory' }, { env: { RATE_LIMIT_SCALE: '0' } })
    for (let n = 0; n < 50; n++) await new Client(app).signUp(`p${n}@example.org`)
    app.gateway.next({ text: words(600), tokensPerSecond: 100 })
    const client = await new Visitor().connect(app)
    const arrivals: number[] = []
    client.socket.on('message', () => arrivals.push(performance.now()))
    const id = client.ask('Keep going.')
    await client.untilText('word20')
    const from = arrivals.length
    const logins = await Promise.all(Array.from({ length: 50 }, (_, n) => new Client(app).login(`p${n}@example.org`)))
    expect(logins).toHaveLength(50)
    const during = arrivals.slice(from)
    expect(during.length).toBeGreaterThan(3)
    const gaps = during.slice(1).map((at, index) => at - (during[index] ?? at))
    // All of them one after the other would take seconds.
    expect(Math.max(...gaps)).toBeLessThan(500)
    client.send({ event: 'stop-message', messageId: id })
    await client.untilEvent('stopped', id)
  })
})
