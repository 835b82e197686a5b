import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { anAgentApp, community, likeOf, mine, namesOf, pageOf } from '../../testing/agent-calls'
import { anAgent } from '../../testing/agent-drafts'
import { databases } from '../../testing/build-test-app'

describe.each(databases)('agents on %s', (kind) => {
  it("come in pages, newest first or by likes, in a language, one's own in all of them, with an exact count [AG-019, AG-020, AG-026, AG-027, AG-029, AG-030]", async () => {
    const { ana, eve } = await anAgentApp(kind)
    const spanish = { language: 'es' as const, role: 'r', about: 'a', prompt: 'p' }
    for (let n = 1; n <= 23; n++) await anAgent(ana, { name: `Agent ${n}`, languages: n % 2 ? [spanish] : [] })
    const first = await pageOf(eve, `${community}?page_number=0&_t=1`)
    expect([first.total_count, first.assistants.length, first.assistants[0]?.name]).toEqual([23, 21, 'Agent 23'])
    expect(namesOf(await pageOf(eve, `${community}?page_number=1`))).toEqual(['Agent 2', 'Agent 1'])
    expect(await pageOf(eve, `${community}?page_number=9`)).toEqual({ assistants: [], total_count: 23 })
    expect(await pageOf(eve, `${community}?lang=es&page_size=100`)).toMatchObject({ total_count: 12 })
    expect(await pageOf(ana, `${mine}?lang=es`)).toMatchObject({ total_count: 23 })
    expect(await pageOf(eve, `${community}?lang=pt`)).toEqual({ assistants: [], total_count: 0 })
    expect(await pageOf(ana, `${mine}?page_size=50`)).toMatchObject({ total_count: 23, assistants: { length: 23 } })
    const [, second, , fourth] = first.assistants
    await eve.post('/v1/assistants/likes', likeOf(eve, second?._id ?? ''))
    for (const person of [ana, eve]) await person.post('/v1/assistants/likes', likeOf(person, fourth?._id ?? ''))
    const liked = await pageOf(eve, `${community}?sort=likes`)
    expect(liked.assistants.slice(0, 3).map(({ name, likes, likedByMe }) => [name, likes, likedByMe])).toEqual([
      ['Agent 20', 2, true],
      ['Agent 22', 1, true],
      ['Agent 23', 0, false],
    ])
    for (const wrong of ['page_size=101', 'page_size=0', 'page_number=-1', 'sort=name', 'lang=xx'])
      expect(await eve.send('GET', `${community}?${wrong}`)).toMatchObject({
        status: 400,
        body: { code: 'validation' },
      })
  })

  it("show one creator's others [AG-075]", async () => {
    const { ana, eve } = await anAgentApp(kind)
    await anAgent(ana, { name: 'First' })
    await anAgent(ana, { name: 'Second' })
    await anAgent(eve, { name: 'Other' })
    expect(await pageOf(eve, `/v1/assistants/public/user?user_id=${ana.answer.user.id}&lang=en`)).toMatchObject({
      total_count: 2,
      assistants: [{ name: 'Second', userName: 'ana' }, { name: 'First' }],
    })
    for (const strange of ['x', '%00', uuidv7(), "'; drop table agents; --"])
      expect(await pageOf(eve, `/v1/assistants/public/user?user_id=${encodeURIComponent(strange)}`)).toEqual({
        assistants: [],
        total_count: 0,
      })
  })
})
