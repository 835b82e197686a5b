import { serverLimits } from '@parley/contract/limits/server'
import { describe, expect, it } from 'vitest'
import { anAgent, secretKnowledge, secretPrompt } from '../../testing/agent-drafts'
import { buildTestApp } from '../../testing/build-test-app'
import { aBuiltWeb } from '../../testing/built-web'
import { aPerson } from '../../testing/person'

async function start() {
  const app = await buildTestApp({ webRoot: aBuiltWeb(), env: { RATE_LIMIT_SCALE: '0' } })
  const ana = await aPerson(app, 'ana@example.org')
  const pageOf = async (id: string, language = 'en') => {
    const response = await app.call(`/assistant/${id}`, {
      headers: { accept: 'text/html', 'accept-language': language },
    })
    return { status: response.status, headers: response.headers, html: await response.text() }
  }
  return { app, ana, pageOf }
}

describe('the page of a shared agent', () => {
  it('has the agent’s name, words and picture in its head, for whoever shows the link and for people', async () => {
    const { app, ana, pageOf } = await start()
    const agent = await anAgent(ana, { name: 'Keeper "<b>&', about: `Knows ${'lamps '.repeat(60)}`, languages: [] })
    const { status, html, headers } = await pageOf(agent._id)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html).toContain('<title>Keeper &quot;&lt;b&gt;&amp; · Parley</title>')
    expect(html).toContain('<meta property="og:title" content="Keeper &quot;&lt;b&gt;&amp;">')
    const [, description = ''] = /<meta name="description" content="([^"]*)">/.exec(html) ?? []
    expect(description).toMatch(/^Knows the coast\. Knows lamps lamps.*lamps…$/)
    expect(description.length).toBeLessThanOrEqual(serverLimits.agents.maxLinkDescription + 1)
    expect(html.match(/name="description"/g)).toHaveLength(1)
    expect(html).toContain(`<link rel="canonical" href="http://localhost:0/assistant/${agent._id}">`)
    const [, picture = ''] = /<meta property="og:image" content="http:\/\/localhost:0([^"]*)">/.exec(html) ?? []
    const drawn = await app.call(picture)
    expect([
      drawn.headers.get('content-type'),
      Buffer.from(await drawn.arrayBuffer()).toString('latin1', 1, 4),
    ]).toEqual(['image/png', 'PNG'])
    expect(html).not.toMatch(new RegExp(`${secretPrompt}|${secretKnowledge}|ana@example`))
  })

  it('speaks the reader’s language where the agent does', async () => {
    const { ana, pageOf } = await start()
    const spanish = {
      language: 'es' as const,
      role: 'Conoce la costa',
      about: 'Responde.',
      prompt: 'x',
      defaultGreetings: '',
    }
    const agent = await anAgent(ana, { languages: [spanish] })
    expect((await pageOf(agent._id, 'es-MX')).html).toContain('content="Conoce la costa. Responde."')
    expect((await pageOf(agent._id, 'pt-BR')).html).toContain('content="Knows the coast.')
  })

  it('says the same of a private agent, one that is switched off and one that does not exist: nothing [AG-085]', async () => {
    const { ana, pageOf } = await start()
    const hidden = await anAgent(ana, { private: true, name: 'Secret plan' })
    const off = await anAgent(ana, { enabled: false, name: 'Secret plan' })
    const answers = [
      await pageOf(hidden._id),
      await pageOf(off._id),
      await pageOf('0193f000-0000-7000-8000-000000000000'),
      await pageOf('x'),
    ]
    for (const { status, html, headers } of answers) {
      expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
      expect(html).toBe(answers[0]?.html)
      expect(html).not.toContain('Secret')
      expect(html).toContain('<title>Parley</title>')
    }
  })
})
