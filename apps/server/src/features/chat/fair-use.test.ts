import { errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { Visitor } from '../../testing/chat-client'
import { buildChatApp, type ChatApp, setups } from '../../testing/chat-setups'
import { aPerson, aWalletPerson } from '../../testing/person'

const [setup] = setups
if (!setup) throw new Error('there is no setup')
const large = 'stand-in/large'

const aWallet = async (app: ChatApp) => {
  const person = await aWalletPerson(app, privateKeyToAccount(generatePrivateKey()))
  return new Visitor(person.tokens?.access_token).connect(app)
}

describe('the fair use of wallets', () => {
  it('is so many paid answers an hour, told with the time in the language of the person', async () => {
    const app = await buildChatApp(setup, { env: { WALLET_HOURLY_ANSWERS: '2' } })
    const client = await aWallet(app)
    for (const question of ['One', 'Two']) await client.untilEvent('end', client.ask(question, { model: large }))
    for (const language of ['en-US', 'pt-BR', 'es-ES']) {
      const refused = await client.untilOver(client.ask('Three', { model: large, userLanguage: language }))
      expect(refused).toMatchObject({
        event: 'error',
        code: 'chat.fair-use',
        content: errorText('chat.fair-use', language),
      })
      expect(refused).toHaveProperty('retryAfter', expect.any(Number))
    }
    expect(errorText('chat.fair-use')).toBe('You have reached the fair-use limit. Please try again later.')
    expect(app.gateway.requests).toHaveLength(2)
  })

  it('ends for many wallets of one address, asked at once, and for all of them together', async () => {
    for (const env of [{ WALLET_HOURLY_ANSWERS_PER_ADDRESS: '5' }, { WALLET_HOURLY_ANSWERS_TOTAL: '5' }]) {
      const app = await buildChatApp(setup, { env: { ...env } })
      const clients = await Promise.all(Array.from({ length: 8 }, () => aWallet(app)))
      const ends = await Promise.all(clients.map((client) => client.untilOver(client.ask('Hello', { model: large }))))
      expect(ends.filter(({ event }) => event === 'end')).toHaveLength(5)
      expect(app.gateway.requests).toHaveLength(5)
    }
  })

  it('counts a free model where its web is searched, which the operator pays for', async () => {
    const env = { WALLET_HOURLY_ANSWERS: '1', SEARCH_PROVIDER: 'gateway' }
    const client = await aWallet(await buildChatApp(setup, { env }))
    const ask = (more: object) => client.untilOver(client.ask('Hm?', { model: 'stand-in/gratis:free', ...more }))
    expect((await ask({})).event).toBe('end')
    expect((await ask({ enableWebSearch: true })).event).toBe('end')
    expect(await ask({ enableWebSearch: true })).toMatchObject({ event: 'error', code: 'chat.fair-use' })
    expect((await ask({})).event).toBe('end')
  })

  it('is nobody else’s: who pays is not counted, and bounds no answer of theirs', async () => {
    const app = await buildChatApp(setup, {
      env: { WALLET_HOURLY_ANSWERS: '0', WALLET_HOURLY_ANSWERS_PER_ADDRESS: '0', WALLET_HOURLY_ANSWERS_TOTAL: '0' },
    })
    const ana = await aPerson(app, 'ana@example.org')
    const client = await new Visitor(ana.tokens?.access_token).connect(app)
    await client.untilEvent('end', client.ask('Hello', { model: large }))
  })

  it('bounds the length of an answer that nobody is charged for, of a wallet and of an anonymous person', async () => {
    const app = await buildChatApp(setup)
    const wallet = await aWallet(app)
    await wallet.untilEvent('end', wallet.ask('Hello', { model: large }))
    const anonymous = await new Visitor().connect(app)
    await anonymous.untilEvent('end', anonymous.ask('Hello'))
    for (const { body } of app.gateway.requests) {
      expect(body.max_tokens).toBeGreaterThan(0)
      expect(body.max_tokens).toBeLessThanOrEqual(limits.credits.mostOutputTokens)
    }
    expect(app.gateway.requests).toHaveLength(2)
  })
})
