import { createServer } from 'node:http'
import { parseCost } from '@parley/contract/money'
import { describe, expect, it, onTestFinished } from 'vitest'
import { markdownText, words } from '../../testing/gateway-scenarios'
import { type GatewayStandIn, startGatewayStandIn } from '../../testing/gateway-stand-in'
import { createEgress } from '../egress'
import { type LlmEvent, UpstreamError } from '../llm'
import { streamChat } from './gateway'

async function gateway(): Promise<GatewayStandIn> {
  const standIn = await startGatewayStandIn()
  onTestFinished(() => standIn.close())
  return standIn
}

type Times = { firstTokenMs: number; betweenTokensMs: number; totalMs: number }
type Options = { kind?: 'local'; signal?: AbortSignal; asksForCost?: boolean; times?: Times; random?: () => number }

/** Everything that a question gives, and how it failed when it did. */
async function ask(
  standIn: { url: string },
  question = 'Go',
  { signal = new AbortController().signal, asksForCost = false, ...options }: Options = {},
) {
  const service = createEgress().service({ baseUrl: standIn.url, headers: { authorization: 'Bearer key' } })
  const events: LlmEvent[] = []
  let error: unknown
  try {
    const request = { model: 'some/model', messages: [{ role: 'user' as const, content: question }], language: 'en-US' }
    for await (const event of streamChat(request, signal, { service, asksForCost, random: () => 0.01, ...options }))
      events.push(event)
  } catch (caught) {
    error = caught
  }
  const joined = (type: 'text' | 'reasoning') =>
    events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('')
  const [text, reasoning] = [joined('text'), joined('reasoning')]
  return { events, text, reasoning, error, code: error instanceof UpstreamError ? error.code : undefined }
}

/** A gateway that answers every question with this very body. */
async function saying(body: string): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body))
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the gateway does not listen')
  return { url: `http://127.0.0.1:${address.port}` }
}

const said = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}`

describe('the gateway', () => {
  it('is not listened to behind its [DONE]', async () => {
    const { text, error, events } = await ask(
      await saying(`${said('Yes.')}\n\ndata: [DONE]\n\n${said(' And an advertisement.')}\n\n`),
    )
    expect({ text, error, last: events.at(-1) }).toEqual({
      text: 'Yes.',
      error: undefined,
      last: { type: 'finish', reason: 'stop' },
    })
  })

  it('may end its lines with CR, and its last one not at all', async () => {
    for (const body of [
      `${said('Yes', null)}\r\r${said('.', 'length')}\r\r`,
      `${said('Yes')}\n\n${said('.', 'length')}`,
      `${said('Yes.', 'length')}\n\ndata: {"half":`,
    ]) {
      const { text, error, events } = await ask(await saying(body))
      expect({ text, error, last: events.at(-1) }).toEqual({
        text: 'Yes.',
        error: undefined,
        last: { type: 'finish', reason: 'length' },
      })
    }
    expect(await ask(await saying(`${said('Yes.')}\r\rdata: [DONE]`))).toMatchObject({ text: 'Yes.', error: undefined })
  })

  it.each([undefined, 'reasoning', 'reasoning_content', 'reasoning_details'] as const)(
    'tells what its model thinks once, before the text, in the form %s',
    async (thinksAs) => {
      const standIn = await gateway()
      standIn.next({ thinks: words(50), text: 'So.', ...(thinksAs && { thinksAs }) })
      const { text, reasoning, events } = await ask(standIn)
      expect({ text, reasoning }).toEqual({ text: 'So.', reasoning: words(50) })
      expect(events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])).toEqual([
        'reasoning',
        'text',
        'usage',
        'finish',
      ])
    },
  )

  it('keeps the order of text and thinking, also where all of it comes at once', async () => {
    const standIn = await gateway()
    standIn.next({ pieces: [{ thinks: 'First.' }, 'One.', { thinks: 'Second.' }, 'Two.'], inOnePiece: true })
    const { events } = await ask(standIn)
    expect(events.slice(0, 4)).toEqual([
      { type: 'reasoning', text: 'First.' },
      { type: 'text', text: 'One.' },
      { type: 'reasoning', text: 'Second.' },
      { type: 'text', text: 'Two.' },
    ])
  })

  it('is not asked again once its model has thought: that was shown and is paid for', async () => {
    const standIn = await gateway()
    standIn.always({ thinks: words(40), tokensPerSecond: 400, breakAfter: 60 })
    const { reasoning, code } = await ask(standIn)
    expect(code).toBe('upstream.failed')
    expect(reasoning).not.toBe('')
    expect(standIn.requests).toHaveLength(1)
  })

  it('on this machine may write the thinking into the text; a gateway elsewhere writes what it means', async () => {
    const standIn = await gateway()
    const text = `<think>${words(20)}</think>\n\nSo <think>.`
    standIn.always({ text, tokensPerSecond: 400 })
    expect(await ask(standIn, 'Go', { kind: 'local' })).toMatchObject({ text: 'So <think>.', reasoning: words(20) })
    expect(await ask(standIn)).toMatchObject({ text, reasoning: '' })
  })

  it('streams its text whole, then why it ended, with comments in between and without [DONE]', async () => {
    const standIn = await gateway()
    standIn.next({ text: markdownText, comments: true })
    const { text, events, error } = await ask(standIn)
    expect(error).toBeUndefined()
    expect(text).toBe(markdownText)
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    expect((await ask(standIn, '#nodone')).events.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('is asked for usage, and for the cost where it knows how to tell', async () => {
    const standIn = await gateway()
    const { events } = await ask(standIn, '#cost', { asksForCost: true })
    expect(events).toContainEqual({ type: 'usage', inputTokens: 20, outputTokens: 120, cost: parseCost('0.0000047') })
    expect(standIn.requests[0]?.authorization).toBe('Bearer key')
  })

  it.each([
    [{ status: 401 }, 'upstream.auth', 1],
    [{ status: 403 }, 'upstream.auth', 1],
    [{ status: 402 }, 'upstream.credits', 1],
    [{ status: 400 }, 'upstream.refused', 1],
    [{ status: 404 }, 'upstream.refused', 1],
    [{ status: 413 }, 'upstream.too-long', 1],
    [{ status: 400, message: 'maximum context length is 8192' }, 'upstream.too-long', 1],
    [{ status: 429 }, 'upstream.busy', 3],
    [{ status: 500 }, 'upstream.failed', 3],
    [{ status: 503 }, 'upstream.busy', 3],
    [{ status: 429, hidesStatus: true }, 'upstream.busy', 3],
    [{ status: 402, hidesStatus: true }, 'upstream.credits', 1],
    [{ status: 302 }, 'upstream.failed', 1],
    [{ text: 'x', breakAfter: 0, breakBy: 'cut' }, 'upstream.unreachable', 3],
    [{ text: 'x', breakAfter: 0, breakBy: 'end' }, 'upstream.failed', 3],
    [{ text: 'x', breakAfter: 0, breakBy: 'error' }, 'upstream.failed', 3],
  ] as const)('that fails before the first word with %j gives %s after %i attempts', async (script, code, attempts) => {
    const standIn = await gateway()
    standIn.always(script)
    const result = await ask(standIn)
    expect(result).toMatchObject({ text: '', code })
    expect(standIn.requests).toHaveLength(attempts)
  })

  it('that is busy is asked again when it says, and not when that is too late', async () => {
    const standIn = await gateway()
    standIn.next({ status: 429, retryAfter: '0' })
    standIn.next({ text: 'Now.' })
    expect((await ask(standIn)).text).toBe('Now.')
    standIn.next({ status: 429, retryAfter: '60' })
    expect(await ask(standIn)).toMatchObject({ code: 'upstream.busy' })
    expect(standIn.requests).toHaveLength(3)
  })

  it.each(['cut', 'end', 'error'] as const)(
    'that breaks off after the first word (%s) has failed, and is not asked again',
    async (breakBy) => {
      const standIn = await gateway()
      standIn.next({ text: words(50), breakAfter: 100, breakBy })
      const { code, text } = await ask(standIn)
      expect(code).toBe('upstream.failed')
      expect(words(50).startsWith(text)).toBe(true)
      expect(standIn.requests).toHaveLength(1)
    },
  )

  it.each(['half', 'error'] as const)(
    'that breaks off (%s) keeps the text that came with the failure',
    async (breakBy) => {
      const standIn = await gateway()
      standIn.next({ text: words(50), inOnePiece: true, breakAfter: 100, breakBy })
      const { code, text } = await ask(standIn)
      expect(code).toBe('upstream.failed')
      expect(words(50).startsWith(text)).toBe(true)
      expect(text.length).toBeGreaterThanOrEqual(100)
    },
  )

  it.each([true, false])(
    'that reports its usage in mid-answer is heard in the order in which it speaks (in one piece: %s)',
    async (inOnePiece) => {
      const standIn = await gateway()
      standIn.next({
        text: words(50),
        inOnePiece,
        early: { after: 100, usage: { prompt_tokens: 9, completion_tokens: 2 } },
        breakAfter: 200,
        breakBy: 'error',
      })
      const { events, text } = await ask(standIn)
      expect(text.length).toBeGreaterThanOrEqual(200)
      expect(events.findIndex(({ type }) => type === 'usage')).toBeLessThan(
        events.findLastIndex(({ type }) => type === 'text'),
      )
      standIn.next({
        text: words(50),
        inOnePiece,
        early: { after: words(50).length, usage: { prompt_tokens: 9, completion_tokens: 99 } },
      })
      const types = (await ask(standIn)).events.map(({ type }) => type)
      // Once or twice: what comes at its end may come together with it.
      expect([...new Set(types.slice(types.lastIndexOf('text')))]).toEqual(['text', 'usage', 'finish'])
    },
  )

  it('whose attempt failed before the first word leaves nothing of what that had reported', async () => {
    const standIn = await gateway()
    standIn.next({
      text: 'x',
      early: { after: 0, usage: { prompt_tokens: 9, completion_tokens: 2, cost: 0.5 } },
      breakAfter: 0,
      breakBy: 'end',
    })
    standIn.next({ text: words(50), breakAfter: 100, breakBy: 'end' })
    const { events, text } = await ask(standIn)
    expect(standIn.requests).toHaveLength(2)
    expect(words(50).startsWith(text)).toBe(true)
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['text']))
  })

  it('that nobody listens at is unreachable', async () => {
    expect(await ask({ url: 'http://127.0.0.1:9/v1' })).toMatchObject({ code: 'upstream.unreachable' })
  })

  it('that stays silent is given up: before the first word, and between two', async () => {
    const standIn = await gateway()
    const times = { firstTokenMs: 150, betweenTokensMs: 150, totalMs: 60_000 }
    standIn.next({ text: 'late', delayMs: 30_000 })
    expect(await ask(standIn, 'Go', { times })).toMatchObject({ code: 'upstream.timeout', text: '' })
    standIn.next({ text: 'one two', holdAfter: 3 })
    expect(await ask(standIn, 'Go', { times: { ...times, firstTokenMs: 30_000 } })).toMatchObject({
      code: 'upstream.timeout',
      text: 'one',
    })
    standIn.next({ text: words(1_000), tokensPerSecond: 100 })
    expect(await ask(standIn, 'Go', { times: { ...times, totalMs: 300 } })).toMatchObject({ code: 'upstream.timeout' })
  })

  it('is cut off at once when nobody wants the answer any more', async () => {
    const standIn = await gateway()
    standIn.next({ text: words(1_000), holdAfter: 100 })
    const controller = new AbortController()
    const asked = ask(standIn, 'Go', { signal: controller.signal })
    await expect.poll(() => standIn.requests.length).toBe(1)
    controller.abort()
    expect((await asked).error).toBeUndefined()
    await expect.poll(() => standIn.requests[0]?.aborted).toBe(true)
  })
})
