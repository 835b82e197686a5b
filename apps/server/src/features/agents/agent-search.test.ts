import type { AgentPage } from '@parley/contract/agents'
import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { describe, expect, it, vi } from 'vitest'
import { anAgent } from '../../testing/agent-drafts'
import { buildTestApp, databases } from '../../testing/build-test-app'
import { aPerson, Client } from '../../testing/person'

async function aMarketplace(kind: (typeof databases)[number]) {
  const app = await buildTestApp({ kind, env: { RATE_LIMIT_SCALE: '0' } })
  const ana = await aPerson(app, 'ana@example.org')
  const texts = { prompt: 'p', defaultGreetings: '' }
  await anAgent(ana, {
    name: 'Chef Ruiz',
    role: 'Cozinha brasileira',
    about: 'Receitas de feijão e pão.',
    language: 'pt',
  })
  await anAgent(ana, {
    name: 'Corrector',
    role: 'Revisa textos en español',
    about: 'Ortografía y gramática: mañana, corazón, niño.',
    language: 'es',
  })
  await anAgent(ana, {
    name: 'Grammar',
    role: 'Proofreader and assistant',
    about: 'Checks the recipe of your sentences.',
    languages: [{ language: 'pt', role: 'Revisora e assistente', about: 'Confere orações.', ...texts }],
  })
  await anAgent(ana, { name: 'Recipe box', role: 'Cooks', about: 'Dinner for two.' })
  await anAgent(ana, { name: 'Secret garden', role: 'Hidden', about: 'Rhubarb.', private: true })
  await anAgent(ana, { name: '東京案内', role: '観光', about: '東京タワーはどこにありますか。' })
  const find = async (terms: string, more = '', person: Client = new Client(app), path = 'free'): Promise<string[]> => {
    const { status, body } = await person.send(
      'GET',
      `/v1/assistants/community/${path}?search_terms=${encodeURIComponent(terms)}${more}`,
    )
    if (status !== 200) throw new Error(`${status}`)
    const { assistants, total_count } = body as AgentPage
    if (more === '' && total_count !== assistants.length)
      throw new Error(`${total_count} are counted, ${assistants.length} are there`)
    return assistants.map(({ name }) => name)
  }
  return { app, ana, find }
}

describe.each(databases)('the search of agents on %s', (kind) => {
  it('finds by beginnings of words of name, role and about, without accents and capitals, in all three languages', async () => {
    const { find } = await aMarketplace(kind)
    expect(await find('feij')).toEqual(['Chef Ruiz'])
    expect(await find('FEIJÃO pao')).toEqual(['Chef Ruiz'])
    expect(await find('ortografia corazon')).toEqual(['Corrector'])
    expect(await find('proof')).toEqual(['Grammar'])
    expect(await find('oracoes')).toEqual(['Grammar'])
    expect(await find('東京')).toEqual(['東京案内'])
    expect(await find('feijão español')).toEqual([])
    // Every agent is found by what is nobody's word.
    for (const strange of ['!!!', '@community', "'", '#pt', '=chef ruiz'])
      expect(await find(strange)).toEqual(strange === '=chef ruiz' ? ['Chef Ruiz'] : [])
  })

  it('puts names first, then what is liked most, and counts all [AG-017]', async () => {
    const { ana, find } = await aMarketplace(kind)
    expect(await find('recipe')).toEqual(['Recipe box', 'Grammar'])
    const { body } = await ana.send('GET', '/v1/assistants/community/free?search_terms=grammar')
    const [grammar] = (body as AgentPage).assistants
    await ana.post('/v1/assistants/likes', { assistantId: grammar?._id, userId: ana.answer.user.id })
    expect(await find('recipe', '&sort=likes')).toEqual(['Grammar', 'Recipe box'])
    expect(await find('recipe', '&page_size=1&page_number=1')).toEqual(['Grammar'])
    expect(await find('recipe', '&page_number=7')).toEqual([])
    expect(await find('re', '&lang=pt')).toEqual(
      ['Chef Ruiz', 'Grammar'].sort((a, b) => (a === 'Grammar' ? -1 : b === 'Grammar' ? 1 : 0)),
    )
    // Blank: as if nothing was searched.
    expect(await find('  ')).toHaveLength(5)
  })

  it('forgives mistakes of typing', async () => {
    const { ana, find } = await aMarketplace(kind)
    const meant = {
      asistente: 'Grammar',
      assistante: 'Grammar',
      proofraeder: 'Grammar',
      ortogarfia: 'Corrector',
      feijoao: 'Chef Ruiz',
      recipie: 'Recipe box',
      corector: 'Corrector',
    }
    for (const [typed, name] of Object.entries(meant)) expect((await find(typed))[0], typed).toBe(name)
    expect(await find('brasilera feijao')).toEqual(['Chef Ruiz'])
    for (const nonsense of ['xyzzyplugh', 'ab', 'feijoada proofreader']) expect(await find(nonsense)).toEqual([])
    // A private agent only by its owner.
    expect(await find('rubarb')).toEqual([])
    expect(await find('rubarb', '', ana)).toEqual([])
    expect(await find('rubarb', '', ana, 'private')).toEqual(['Secret garden'])
  })

  it('finds whole words and beginnings where the database knows no likeness', async () => {
    const { app, find } = await aMarketplace(kind)
    const { rows } = await app.db.execute<{ definition: string }>(
      sql`select pg_get_indexdef('agent_words_trigrams'::regclass) as definition`,
    )
    await app.db.execute(sql`drop index agent_words_trigrams`)
    try {
      expect(await find('asistente')).toEqual([])
      expect(await find('assist')).toEqual(['Grammar'])
    } finally {
      await app.db.execute(sql.raw(rows[0]?.definition ?? ''))
    }
  })

  it('asks again whether the database knows likeness when it could not answer, and goes on answering', async () => {
    const { app, find } = await aMarketplace(kind)
    const execute = app.db.execute.bind(app.db)
    const broken = new Error('the connection broke')
    let failures = 1
    vi.spyOn(app.db, 'execute').mockImplementation(((query: SQL) =>
      failures > 0 && new PgDialect().sqlToQuery(query).sql.includes('agent_words_trigrams') && failures-- > 0
        ? Promise.reject(broken)
        : execute(query)) as typeof app.db.execute)
    await expect(find('asistente')).rejects.toThrow('500')
    expect(failures).toBe(0)
    expect(await find('asistente')).toEqual(['Grammar'])
    expect(await find('assist')).toEqual(['Grammar'])
  })
})
