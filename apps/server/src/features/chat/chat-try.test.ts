import type { AgentTrial } from '@parley/contract/chat-try'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databases } from '../../testing/build-test-app'
import { textOf, Visitor } from '../../testing/chat-client'
import { buildChatApp, type ChatApp } from '../../testing/chat-setups'
import { aPerson, type Client } from '../../testing/person'

const aTrial = (fields: Partial<AgentTrial> = {}): AgentTrial => ({
  name: 'Lighthouse keeper',
  role: 'Knows the coast',
  prompt: 'CANARY-PROMPT: you know everything about lighthouses.',
  knowledge: 'CANARY-KNOWLEDGE: the lamp turns every nine seconds.',
  language: 'en',
  messages: [{ role: 'user', content: 'CANARY-QUESTION: which lamp?' }],
  ...fields,
})

const call = (app: ChatApp, person: Client | undefined, body: unknown, init: RequestInit = {}): Promise<Response> =>
  app.call('/api/chat/try', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(person ? { authorization: `Bearer ${person.tokens?.access_token}` } : {}),
      ...init.headers,
    },
    body: JSON.stringify(body),
    ...(init.signal ? { signal: init.signal } : {}),
  })

/** What has come until it holds `wanted`. */
async function readUntil(response: Response, wanted: string): Promise<string> {
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString('utf8')
    if (text.includes(wanted)) break
  }
  return text
}

type Frame = { event: string; content?: string; code?: string }

async function framesOf(response: Response): Promise<Frame[]> {
  return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as Frame)
}

const refusal = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

const anApp = (kind: (typeof databases)[number], env: Record<string, string> = {}) =>
  buildChatApp({ kind, bus: 'memory' }, { env: { RATE_LIMIT_SCALE: '0', ...env } })

/** Every row of every table, as text. */
async function everythingIn({ db }: ChatApp): Promise<string> {
  const { rows } = await db.execute(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const texts = []
  for (const { name } of rows as { name: string }[]) {
    const all = await db.execute(sql`select coalesce(json_agg(t)::text, '') as text from ${sql.identifier(name)} t`)
    texts.push(String((all.rows[0] as { text: string }).text))
  }
  return texts.join('\n')
}

describe.each(databases)('trying an agent that is not saved, on %s', (kind) => {
  it('asks the model with the draft as it stands and the trial so far, and keeps no word of either', async () => {
    const app = await anApp(kind)
    const ana = await aPerson(app, 'ana@example.org')
    const earlier = [
      { role: 'user' as const, content: 'CANARY-BEFORE' },
      { role: 'assistant' as const, content: 'Yes' },
    ]
    const response = await call(
      app,
      ana,
      aTrial({ messages: [...earlier, { role: 'user', content: 'CANARY-QUESTION: which lamp?' }] }),
    )
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const frames = await framesOf(response)
    expect([frames[0]?.event, frames.at(-1)?.event]).toEqual(['accepted', 'end'])
    expect(textOf(frames as Parameters<typeof textOf>[0])).toBe('You said: CANARY-QUESTION: which lamp?')
    expect(JSON.stringify(frames)).not.toMatch(/CANARY-(PROMPT|KNOWLEDGE)/)
    const [system, ...rest] = app.gateway.requests.at(-1)?.body.messages ?? []
    for (const part of ['CANARY-PROMPT', 'CANARY-KNOWLEDGE', 'Name: Lighthouse keeper', 'Role: Knows the coast'])
      expect(system?.content).toContain(part)
    expect(rest.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'CANARY-BEFORE'],
      ['assistant', 'Yes'],
      ['user', 'CANARY-QUESTION: which lamp?'],
    ])
    // The next trial is of the draft as it is then.
    await framesOf(await call(app, ana, aTrial({ prompt: 'You know nothing.', knowledge: '' })))
    expect(app.gateway.requests.at(-1)?.body.messages[0]?.content).toMatch(/You know nothing\.$/)
    const kept = await everythingIn(app)
    expect(kept).toContain('ana@example.org')
    expect(kept).not.toMatch(/CANARY|You know nothing/)
    expect(app.logs()).not.toMatch(/CANARY/)
  })

  it('is for whoever is signed in, from this site alone, and for drafts that a saved agent could be', async () => {
    const app = await anApp(kind)
    const ana = await aPerson(app, 'ana@example.org')
    expect(await refusal(await call(app, undefined, aTrial()))).toEqual([401, 'unauthenticated'])
    expect(await refusal(await call(app, ana, aTrial(), { headers: { origin: 'https://evil.example' } }))).toEqual([
      403,
      'forbidden',
    ])
    const wrong: Partial<Record<keyof AgentTrial, unknown>>[] = [
      { prompt: ' ' },
      { prompt: 'x'.repeat(limits.agents.prompt + 1) },
      { knowledge: 'x'.repeat(limits.agents.knowledge + 1) },
      { name: 'x'.repeat(limits.agents.name + 1) },
      { language: 'fr' },
      { messages: [] },
      { messages: [{ role: 'assistant', content: 'I ask' }] },
      { messages: [{ role: 'system', content: 'Obey' }] },
      {
        messages: Array.from({ length: limits.chat.maxContextMessages + 1 }, () => ({
          role: 'user',
          content: 'again',
        })),
      },
    ]
    for (const fields of wrong)
      expect(
        await refusal(await call(app, ana, { ...aTrial(), ...fields })),
        JSON.stringify(fields).slice(0, 80),
      ).toEqual([400, 'validation'])
    expect(await refusal(await call(app, ana, aTrial({ model: 'no/such' })))).toEqual([400, 'chat.model-unknown'])
    expect(app.gateway.requests).toEqual([])
  })

  it('is charged as a question is, and refused without credits, as the limit of the plan [ST-053, ST-070]', async () => {
    const app = await anApp(kind, { SIGNUP_CREDITS: '1' })
    const ana = await aPerson(app, 'ana@example.org')
    app.gateway.next({ text: 'Yes.', usage: { prompt_tokens: 10, completion_tokens: 1, cost: 0.0025 } })
    const events = await framesOf(await call(app, ana, aTrial({ model: 'stand-in/large' })))
    expect(events.at(-1)).toMatchObject({ event: 'end', message: { usage: { cost: '2500000' } } })
    expect((await ana.send('GET', '/api/billing/credit/user')).body).toEqual({ amount: 0.9975 })
    const refused = await call(app, ana, aTrial())
    expect([refused.status, refused.headers.get('content-type'), await refused.json()]).toMatchObject([
      402,
      expect.stringContaining('application/json'),
      { code: 'credits.minimum', planLimit: true, planLimitErrorType: 'credits' },
    ])
    expect(app.gateway.requests).toHaveLength(1)
  })

  it('is paced with the questions of the same person', async () => {
    const app = await anApp(kind, { RATE_LIMIT_SCALE: '0.1' })
    const ana = await aPerson(app, 'ana@example.org')
    const socket = await new Visitor(ana.tokens?.access_token ?? '').connect(app)
    for (const question of ['One', 'Two', 'Three']) await socket.untilEvent('end', socket.ask(question))
    const refused = await call(app, ana, aTrial())
    expect([refused.status, await refused.json()]).toMatchObject([429, { success: false }])
    expect(app.gateway.requests).toHaveLength(3)
  })

  it('ends when the request is closed: the model is not asked on', async () => {
    const app = await anApp(kind)
    const ana = await aPerson(app, 'ana@example.org')
    app.gateway.next({ text: 'word '.repeat(2_000), tokensPerSecond: 20 })
    const controller = new AbortController()
    const response = await call(app, ana, aTrial(), { signal: controller.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    controller.abort()
    await expect.poll(() => app.gateway.requests.at(-1)?.aborted).toBe(true)
    await expect
      .poll(async () => (await app.db.execute(sql`select status from generations`)).rows)
      .toEqual([{ status: 'stopped' }])
  })

  it('shows that it lives while the model is silent', async () => {
    const before = serverLimits.chat.streamCommentMs
    Object.assign(serverLimits.chat, { streamCommentMs: 20 })
    onTestFinished(() => void Object.assign(serverLimits.chat, { streamCommentMs: before }))
    const app = await anApp(kind)
    const ana = await aPerson(app, 'ana@example.org')
    app.gateway.next({ text: 'At last.', holdAfter: 0 })
    const text = await readUntil(await call(app, ana, aTrial()), '\n:\n\n')
    expect(text).not.toContain('At last')
    app.gateway.release()
  })

  it('says in the stream when the model fails, in the language of whoever asks', async () => {
    const app = await anApp(kind)
    const ana = await aPerson(app, 'ana@example.org')
    app.gateway.next({ status: 401 })
    const frames = await framesOf(await call(app, ana, aTrial(), { headers: { 'accept-language': 'pt-BR' } }))
    expect(frames.at(-1)).toMatchObject({
      event: 'error-openrouter',
      code: 'upstream.auth',
      content: expect.stringContaining('chave'),
    })
  })
})
