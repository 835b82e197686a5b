import { type SuiPage, suiRoutes } from '@parley/contract/sui-agents'
import { describe, expect, it } from 'vitest'
import { secretKnowledge, secretPrompt } from '../../testing/agent-drafts'
import { databases } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'
import { aSuiApp, away, codeOf, home } from '../../testing/sui-calls'
import { SuiPerson, suiTestDigests } from '../../testing/sui-people'

describe.each(databases)('agents of wallets on %s', (kind) => {
  it('are made, listed, read, liked, changed and deleted [AG-093, AG-094, AG-095]', async () => {
    const app = await aSuiApp(kind)
    const [ana, eve, nobody] = [
      await SuiPerson.signIn(app),
      await aPerson(app, 'eve@example.org', null),
      new Client(app, null),
    ]
    const made = await ana.make({
      languages: [
        { language: 'pt', role: 'Conhece a costa', about: 'Sabe de faróis.', prompt: 'Você conhece faróis.' },
      ],
    })
    const { agent } = made
    expect(agent).toMatchObject({
      source: 'sui',
      name: 'Lighthouse keeper',
      userPrice: 100,
      prompt: secretPrompt,
      knowledge: secretKnowledge,
    })
    expect(agent._id).toBe(suiTestDigests.id(made.head.manifest, ana.wallet.address))
    expect(agent.userName).toBe(`${ana.wallet.address.slice(0, 6)}…${ana.wallet.address.slice(-4)}`)
    expect(agent.sui).toMatchObject({
      address: ana.wallet.address,
      version: 1,
      digest: suiTestDigests.manifest(made.head.manifest),
    })

    const changed = await ana.change(made, { name: 'Keeper' })
    expect(changed.agent).toMatchObject({
      _id: agent._id,
      name: 'Keeper',
      created_at: agent.created_at,
      sui: { version: 2 },
    })
    expect((changed.agent as { languages: { language: string }[] }).languages.map(({ language }) => language)).toEqual([
      'en',
    ])

    for (const person of [eve, nobody]) {
      const list = await person.send('GET', '/v1/sui/public/assistants')
      expect(list.body).toMatchObject({
        data: [{ _id: agent._id, name: 'Keeper', sui: { version: 2 } }],
        pagination: { totalAssistants: 1, hasNextPage: false },
      })
      const one = await person.send('GET', `/v1/sui/assistant/${agent._id}`)
      for (const text of [JSON.stringify(list.body), JSON.stringify(one.body)]) {
        expect(text).not.toContain('CANARY')
        expect(text).not.toContain(changed.secrets?.salt)
      }
      expect((await person.send('GET', `/v1/assistant?assistant_id=${agent._id}`)).body).toMatchObject({
        name: 'Keeper',
        source: 'sui',
      })
      const bundle = await person.send('GET', `/v1/sui/assistant/${agent._id}/export`)
      expect(bundle.body).toMatchObject({ id: agent._id, versions: [{}, {}] })
      expect(bundle.body).not.toHaveProperty('secrets')
    }
    const like = await eve.post('/v1/assistants/likes', { assistantId: agent._id, userId: eve.answer.user.id })
    expect(like.body).toEqual({ likes: 1, likedByMe: true })
    const own = (await nobody.send('GET', `/v1/sui/public/user-assistants?user_id=${agent.userId}`)).body as SuiPage
    expect(own).toMatchObject({ data: [{ _id: agent._id }], pagination: { totalAssistants: 1 } })

    expect(await codeOf(eve.send('DELETE', `/v1/sui/assistant/${agent._id}`, { signature: '' }))).toBe(
      'agent.not-found',
    )
    // Signed for another server, and of a version that is not the last.
    expect(await codeOf(ana.remove(changed, away.domain))).toBe('sui.altered')
    expect(await codeOf(ana.remove(made, home.domain))).toBe('sui.altered')
    expect((await ana.remove(changed, home.domain)).status).toBe(204)
    expect((await nobody.send('GET', `/v1/sui/assistant/${agent._id}`)).body).toMatchObject({ code: 'agent.not-found' })
  })

  it('are paged by twenty, newest first, and a private one of somebody else has no words [AG-096, AG-097]', async () => {
    const app = await aSuiApp(kind)
    const [ana, eve] = [await SuiPerson.signIn(app), await SuiPerson.signIn(app)]
    const hidden = await ana.make({ private: true, name: 'CANARY-NAME' })
    const off = await ana.make({ enabled: false })
    for (let n = 0; n < 2; n++) await eve.make({ name: `Agent ${n}` })
    expect(suiRoutes.list.query.parse({}).page_size).toBe(20)
    const page = async (person: Client, query: string) =>
      (await person.send('GET', `/v1/sui/public/assistants?page_size=2&${query}`)).body as SuiPage
    const first = await page(eve, 'page_number=0')
    expect([first.data.length, first.data[0]?.name, first.pagination]).toEqual([
      2,
      'Agent 1',
      { totalAssistants: 3, hasNextPage: true },
    ])
    const last = await page(eve, 'page_number=1')
    expect(last.pagination).toEqual({ totalAssistants: 3, hasNextPage: false })
    expect(last.data).toMatchObject([
      { _id: hidden.agent._id, name: '', role: '', about: '', profileImage: '', private: true, sui: { version: 1 } },
    ])
    expect(JSON.stringify(last)).not.toContain('CANARY')
    expect((await page(ana, 'page_number=1')).data).toMatchObject([{ name: 'CANARY-NAME' }])
    const mine = (await ana.send('GET', `/v1/sui/public/user-assistants?user_id=${off.agent.userId}`)).body as SuiPage
    expect(mine.data.map(({ _id }) => _id)).toEqual([off.agent._id, hidden.agent._id])
    for (const path of ['', '/history', '/export'])
      expect((await eve.send('GET', `/v1/sui/assistant/${hidden.agent._id}${path}`)).body).toMatchObject({
        code: 'agent.private',
      })
  })
})
