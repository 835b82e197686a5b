import type { SuiPage } from '@parley/contract/sui-agents'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'
import { SuiPerson } from '../../testing/sui-people'

const anApp = () => buildTestApp({ env: { RATE_LIMIT_SCALE: '0' } })

describe('the list of wallets’ agents', () => {
  it('is searched by words, by an id and by a wallet, and nobody finds words of a private one', async () => {
    const app = await anApp()
    const [ana, eve, nobody] = [await SuiPerson.signIn(app), await SuiPerson.signIn(app), new Client(app, null)]
    const auditor = await ana.make({ name: 'Move Auditor', about: 'Points at lines.' })
    const secret = await ana.make({ name: 'Secret Auditor', private: true })
    await ana.make({ name: 'Sleeping Auditor', enabled: false })
    await eve.make({ name: 'Gas Gardener' })
    const found = async (person: Client, typed: string) => {
      const { data, pagination } = (
        await person.send('GET', `/v1/sui/public/assistants?search_terms=${encodeURIComponent(typed)}`)
      ).body as SuiPage
      expect(pagination).toEqual({ totalAssistants: data.length, hasNextPage: false })
      return data.map(({ name, _id }) => name || _id).sort()
    }
    for (const typed of ['audit', 'MOVE áuditor', 'points lines', 'auditro'])
      expect(await found(nobody, typed), typed).toEqual(['Move Auditor'])
    expect(await found(ana, 'auditor')).toEqual(['Move Auditor', 'Secret Auditor', 'Sleeping Auditor'])
    expect(await found(eve, 'auditor')).toEqual(['Move Auditor'])
    expect(await found(nobody, 'zzz')).toEqual([])
    expect(await found(nobody, ` ${auditor.agent._id.toUpperCase().replace('0X', '0x')} `)).toEqual(['Move Auditor'])
    expect(await found(eve, ana.wallet.address)).toEqual([secret.agent._id, 'Move Auditor'].sort())
    await ana.change(auditor, { name: 'Move Auditor', private: true })
    expect(await found(eve, 'auditor')).toEqual([])
  })

  it('shows the person those that they like, greyed where one has become private', async () => {
    const app = await anApp()
    const [ana, eve, nobody] = [
      await SuiPerson.signIn(app),
      await aPerson(app, 'eve@example.org', null),
      new Client(app, null),
    ]
    const [first, second] = [await ana.make({ name: 'First' }), await ana.make({ name: 'Second' })]
    await ana.make({ name: 'Third' })
    for (const { agent } of [first, second])
      await eve.post('/v1/assistants/likes', { assistantId: agent._id, userId: eve.answer.user.id })
    const liked = async (person: Client) =>
      ((await person.send('GET', '/v1/sui/public/assistants?liked=true&lang=pt')).body as SuiPage).data
    expect((await liked(eve)).map(({ name, likedByMe }) => [name, likedByMe])).toEqual([
      ['Second', true],
      ['First', true],
    ])
    await ana.change(first, { name: 'CANARY', private: true })
    expect(await liked(eve)).toMatchObject([{ name: 'Second' }, { _id: first.agent._id, name: '', likes: 1 }])
    expect(await liked(nobody)).toEqual([])
    expect(await liked(ana)).toEqual([])
  })
})
