import { configRoutes } from '@parley/contract/config'
import { errorText } from '@parley/contract/errors'
import { sessionRoutes } from '@parley/contract/session'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { errorMessage } from '../../lib/error-message'
import { failureOf, request } from './request'

/** A network that takes the call and never answers: only the page's own signal ends it. */
const swallow = (_address: unknown, init?: RequestInit) =>
  new Promise<Response>((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
  )

describe('a call', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('to a network that swallows packets fails after 30 s as any other without a network', async () => {
    vi.stubGlobal('fetch', swallow)
    const over = vi.fn()
    const call = request(configRoutes.get, {}, undefined).finally(over)
    const failed = expect(call).rejects.toMatchObject({ code: 'network' })
    await vi.advanceTimersByTimeAsync(29_999)
    expect(over).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await failed
  })

  it('that has its own bound ends then', async () => {
    vi.stubGlobal('fetch', swallow)
    const failed = expect(
      request(sessionRoutes.refresh, { body: { refresh_token: 'r' }, answerMs: 8_000 }, undefined),
    ).rejects.toMatchObject({ code: 'network' })
    await vi.advanceTimersByTimeAsync(8_000)
    await failed
  })

  it('whose answer breaks off in the middle ends too', async () => {
    vi.stubGlobal('fetch', async (_address: unknown, init?: RequestInit) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"product":'))
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
        },
      })
      return new Response(body, { status: 200 })
    })
    const failed = expect(request(configRoutes.get, {}, undefined)).rejects.toMatchObject({ code: 'network' })
    await vi.advanceTimersByTimeAsync(120_000)
    await failed
  })

  it('that the page gives up throws its own reason, not a failure of the network', async () => {
    vi.stubGlobal('fetch', swallow)
    const controller = new AbortController()
    const failed = expect(request(configRoutes.get, { signal: controller.signal }, undefined)).rejects.toBe('left')
    controller.abort('left')
    await failed
  })
})

describe('what a refused call says', () => {
  const said = async (response: Response, language = 'pt-BR') => errorMessage(await failureOf(response), language)
  const json = (status: number, body: object) => Response.json(body, { status })

  it('is in the language of the person where its code is known [ST-237]', async () => {
    expect(await said(json(409, { code: 'channel.name-taken', message: 'Text of server' }))).toBe(
      errorText('channel.name-taken', 'pt-BR'),
    )
  })

  it.each([
    ['an unknown code', json(400, { code: 'x', message: 'Own text' }), 'Own text'],
    ['no code', json(400, { message: 'JSON body text' }), 'JSON body text'],
    ['a plain body', new Response('bad gateway text\n', { status: 502 }), 'bad gateway text'],
    ['characters that are none', new Response('a\u202eb\u0000c', { status: 500 }), 'a b c'],
  ])("is the server's own text with %s, and the status is kept [ST-237, CH-095]", async (_what, response, text) => {
    const failure = await failureOf(response.clone())
    expect(failure).toMatchObject({ status: response.status, message: text })
    expect(errorMessage(failure, 'pt-BR')).toBe(text)
  })

  it.each([
    ['a page of a proxy', new Response('<html><body>502</body></html>', { status: 502 })],
    ['nothing', new Response('', { status: 502 })],
  ])('is the text for its status with %s', async (_what, response) => {
    expect(await said(response)).toBe(errorText('server-error', 'pt-BR'))
  })
})
