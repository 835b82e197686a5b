import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { exportFileName } from '@parley/contract/cloud'
import { AppError } from '@parley/contract/errors'
import { describe, expect, it, vi } from 'vitest'
import { exportMemoryMb, PdfRenderer } from '../../providers/pdf/pdf-renderer'
import { buildTestApp, databases, type TestApp } from '../../testing/build-test-app'
import { aPerson } from '../../testing/person'

type Person = Awaited<ReturnType<typeof aPerson>>

const aMessage = (mId: string, fields: Partial<Message> = {}): Message => ({
  mId,
  channelId: 'elsewhere',
  chat_request: 'Onde fica a praça?',
  chat_response: { role: 'assistant', content: '**Aqui**, 日本 $$x^2$$' },
  datetime: 'some day',
  status: 'completed',
  ...fields,
})

async function aChannel(person: Person, given: Message[], channelName = 'Viagem à Lua'): Promise<string> {
  const { data } = (await person.post('/api/channel', { channelName })).body as { data: Channel }
  if (given.length > 0) await person.send('PUT', `/api/chat/${data.id}/messages`, { messages: given })
  return data.id
}

const exportOf = async (app: TestApp, person: Person, body: object, signal?: AbortSignal) => {
  const headers = { authorization: `Bearer ${person.tokens?.access_token}`, 'content-type': 'application/json' }
  const response = await app.call('/api/channel/export', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
const codeOf = ({ bytes }: { bytes: Buffer }): string => JSON.parse(bytes.toString()).code

describe.each(databases)('the PDF of a cloud channel on %s', (kind) => {
  it('is made by the server from what it has, as a file with its name, while it goes on answering others [CH-128]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, 'ana@example.org')
    const id = await aChannel(ana, [aMessage('m1'), aMessage('m2')])
    let isDone = false
    const made = exportOf(app, ana, {
      channelId: id,
      messages: [{ ...aMessage('m1'), chat_request: 'Never said' }, 'm2'],
    }).finally(() => {
      isDone = true
    })
    const live = await app.call('/api/health/live')
    expect([live.status, isDone]).toEqual([200, false])
    const { status, headers, bytes } = await made
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="chat-export-${id}.pdf"`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(bytes.subarray(-6).toString()).toContain('%%EOF')
    expect(bytes.length).toBeGreaterThan(5_000)
  })

  it('needs messages with a text, and only of those that are there [CH-127]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, 'ana@example.org')
    const blank = aMessage('blank', { chat_request: ' ', chat_response: { role: 'assistant', content: '' } })
    const [none, blanks] = [await aChannel(ana, [], 'a'), await aChannel(ana, [blank, aMessage('m1')], 'b')]
    const refused = async (body: object, code: string) => {
      const answer = await exportOf(app, ana, body)
      expect([answer.status, codeOf(answer)]).toEqual([400, code])
    }
    await refused({ channelId: none }, 'channel.no-messages')
    await refused({ channelId: blanks, messages: ['unknown'] }, 'channel.no-messages')
    await refused({ channelId: blanks, messages: ['blank'] }, 'channel.no-valid-messages')
    await refused({}, 'validation')
  })

  it('gives its place to the next one when its client has gone', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, 'ana@example.org')
    const long = Array.from({ length: 80 }, (_, n) =>
      aMessage(`m${n}`, { chat_response: { role: 'assistant', content: '**word** `x` '.repeat(3_000) } }),
    )
    const [id, short] = [await aChannel(ana, long), await aChannel(ana, [aMessage('m1')], 'short')]
    const gone = new AbortController()
    const asked = Array.from({ length: 3 }, () => exportOf(app, ana, { channelId: id }, gone.signal))
    const refused = await Promise.race(asked)
    expect([refused.status, codeOf(refused), refused.headers.get('retry-after')]).toEqual([
      429,
      'channel.exporting',
      '5',
    ])
    gone.abort()
    await Promise.allSettled(asked)
    await vi.waitFor(async () => expect((await exportOf(app, ana, { channelId: short })).status).toBe(200), {
      timeout: 15_000,
    })
  })

  it('of a chat that is too long is refused before anything is drawn', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, 'ana@example.org')
    const long = aMessage('long', { chat_response: { role: 'assistant', content: 'word '.repeat(800_001) } })
    const answer = await exportOf(app, ana, { channelId: await aChannel(ana, [long]) })
    expect([answer.status, codeOf(answer)]).toEqual([413, 'channel.export-too-large'])
  })
})

describe('drawing PDFs on the server', () => {
  const channel = (title: string) => ({
    title,
    exportedAt: '2026-11-21T10:00:00Z',
    language: 'en-US',
    labels: { exported: 'Exported', cut: 'Cut' },
    exchanges: [{ question: 'q', answer: 'a', askedAt: '2026-11-21T10:00:00Z', agentName: 'Parley' }],
  })

  const everybody = new AbortController().signal
  const of = (userId: string, signal = everybody) => ({ userId, signal })
  const reading = (title: string) => async () => channel(title)
  const tooLarge = (exchanges: number) => async () => ({
    ...channel('large'),
    exchanges: channel('').exchanges.flatMap((one) =>
      new Array(exchanges).fill({ ...one, answer: '**word** `x` '.repeat(500) }),
    ),
  })

  it('is given up after its time, and the next one is drawn', async () => {
    const hasty = new PdfRenderer({ timeoutMs: 1 })
    const failed = { code: 'channel.export-failed', status: 503 }
    await expect(hasty.render(reading('slow'), of('ana'))).rejects.toMatchObject(failed)
    await expect(hasty.render(reading('slow'), of('ana'))).rejects.toMatchObject(failed)
  })

  it('goes one after the other, and beyond those that wait is refused at once', async () => {
    const renderer = new PdfRenderer({ threads: 1, waiting: 1 })
    const [first, second] = [renderer.render(reading('a'), of('ana')), renderer.render(reading('b'), of('bea'))]
    await expect(renderer.render(reading('c'), of('cid'))).rejects.toMatchObject({
      code: 'channel.export-queue-full',
      status: 503,
      retryAfter: 5,
    })
    expect((await Promise.all([first, second])).every((pdf) => pdf.length > 1_000)).toBe(true)
    expect((await renderer.render(reading('d'), of('dan'))).length).toBeGreaterThan(1_000)
  })

  it('lets one person neither take the places of the others nor be drawn twice at a time', async () => {
    const renderer = new PdfRenderer({ threads: 2, waiting: 8, perPerson: 2 })
    const begun: string[] = []
    const open = new Map<string, () => void>()
    const held = (name: string) => async () => {
      begun.push(name)
      await new Promise<void>((resolve) => open.set(name, resolve))
      throw new AppError('channel.no-messages')
    }
    const [first, second] = [renderer.render(held('ana 1'), of('ana')), renderer.render(held('ana 2'), of('ana'))]
    await expect(renderer.render(held('ana 3'), of('ana'))).rejects.toMatchObject({
      code: 'channel.exporting',
      status: 429,
      retryAfter: 5,
    })
    const third = renderer.render(held('bea 1'), of('bea'))
    await vi.waitFor(() => expect(begun).toEqual(['ana 1', 'bea 1']))
    open.get('ana 1')?.()
    await expect(first).rejects.toMatchObject({ code: 'channel.no-messages' })
    await vi.waitFor(() => expect(begun).toEqual(['ana 1', 'bea 1', 'ana 2']))
    for (const name of ['bea 1', 'ana 2']) open.get(name)?.()
    await Promise.allSettled([second, third])
  })

  it('ends at once when nobody waits for it any more, drawn or waiting', async () => {
    const renderer = new PdfRenderer({ threads: 1, waiting: 2 })
    const [drawn, waiting] = [new AbortController(), new AbortController()]
    const isRead = vi.fn(reading('never'))
    const settled = Promise.allSettled([
      renderer.render(tooLarge(400), of('ana', drawn.signal)),
      renderer.render(isRead, of('bea', waiting.signal)),
    ])
    const next = renderer.render(reading('next'), of('cid'))
    waiting.abort()
    drawn.abort()
    expect((await next).length).toBeGreaterThan(1_000)
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(isRead).not.toHaveBeenCalled()
    await expect(renderer.render(isRead, of('dan', AbortSignal.abort()))).rejects.toMatchObject({
      code: 'channel.export-failed',
    })
  })

  it('says of a chat that needs more memory than there is that it is too long', async () => {
    const small = new PdfRenderer({ memoryMb: 64 })
    await expect(small.render(tooLarge(400), of('ana'))).rejects.toMatchObject({
      code: 'channel.export-too-large',
      status: 413,
    })
  })

  it('takes at most two fifths of what the process may use, and never more than its maximum', () => {
    const gibibyte = 1024 ** 3
    expect(exportMemoryMb(gibibyte, 16 * gibibyte)).toBe(409)
    expect(exportMemoryMb(8 * gibibyte, 16 * gibibyte)).toBe(768)
    expect([undefined, 0, 2 ** 64].map((unlimited) => exportMemoryMb(unlimited, gibibyte))).toEqual([409, 409, 409])
  })

  it('names its file by the channel, whatever the id holds', () => {
    expect(exportFileName('0193f000-0000-7000-8000-000000000000')).toBe(
      'chat-export-0193f000-0000-7000-8000-000000000000.pdf',
    )
    expect(exportFileName('a"/..\r\n/é')).toBe('chat-export-a_.._.pdf')
  })
})
