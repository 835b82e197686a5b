import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { exportFileName } from '@parley/contract/cloud'
import { describe, expect, it } from 'vitest'
import { PdfRenderer } from '../../providers/pdf/pdf-renderer'
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

const exportOf = async (app: TestApp, person: Person, body: object) => {
  const headers = { authorization: `Bearer ${person.tokens?.access_token}`, 'content-type': 'application/json' }
  const response = await app.call('/api/channel/export', { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
const codeOf = ({ bytes }: { bytes: Buffer }): string => JSON.parse(bytes.toString()).code

describe.each(databases)('the PDF of a cloud channel on %s', (kind) => {
  it('is made by the server from what it has, as a file with its name, while it goes on answering others [CH-128]', async () => {
    const app = await buildTestApp({ kind })
    const ana = await aPerson(app, 'ana@example.org')
    const id = await aChannel(ana, [aMessage('m1'), aMessage('m2')])
    let isDone = false
    const made = exportOf(app, ana, { channelId: id, messages: [{ ...aMessage('m1'), chat_request: 'Never said' }, 'm2'] }).finally(() => {
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

  it('is given up after its time, and the next one is drawn', async () => {
    const hasty = new PdfRenderer({ threads: 1, waiting: 1, timeoutMs: 1, memoryMb: 256 })
    await expect(hasty.render(channel('slow'))).rejects.toMatchObject({ code: 'channel.export-failed', status: 503 })
    await expect(hasty.render(channel('slow'))).rejects.toMatchObject({ code: 'channel.export-failed' })
  })

  it('goes one after the other, and beyond those that wait is refused at once', async () => {
    const renderer = new PdfRenderer({ threads: 1, waiting: 1, timeoutMs: 60_000, memoryMb: 512 })
    const [first, second] = [renderer.render(channel('a')), renderer.render(channel('b'))]
    await expect(renderer.render(channel('c'))).rejects.toMatchObject({ code: 'channel.export-failed', retryAfter: 5 })
    expect((await Promise.all([first, second])).every((pdf) => pdf.length > 1_000)).toBe(true)
    expect((await renderer.render(channel('d'))).length).toBeGreaterThan(1_000)
  })

  it('names its file by the channel, whatever the id holds', () => {
    expect(exportFileName('0193f000-0000-7000-8000-000000000000')).toBe('chat-export-0193f000-0000-7000-8000-000000000000.pdf')
    expect(exportFileName('a"/..\r\n/é')).toBe('chat-export-a_.._.pdf')
  })
})
