import type { ServerFrame } from '@parley/contract/chat'
import type { Summary } from '@parley/contract/conversations'
import { limits } from '@parley/contract/limits/shared'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { summaries } from '../../db/schema/summaries'
import { databases } from '../../testing/build-test-app'
import { type ChatApp, plainSetup } from '../../testing/chat-setups'
import { aMessage, cloudOf } from '../../testing/cloud-channels'
import { givenTo, requestsOf } from '../../testing/cloud-talker'
import { aChannel, aPayingRoom, connect, large, priceOf } from '../../testing/paying-room'
import { aPerson, type Client } from '../../testing/person'

type Frames = { status: number; frames: ServerFrame[]; code: string | undefined }

/** Asks for a summary, and reads its stream to the end. */
async function askSummary(app: ChatApp, person: Client | undefined, body: object): Promise<Frames> {
  const response = await app.call('/api/chat/summary', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(person ? { authorization: `Bearer ${person.tokens?.access_token}` } : {}),
    },
    body: JSON.stringify({ messageId: uuidv7(), model: large, ...body }),
  })
  const text = await response.text()
  const frames = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as ServerFrame)
  return { status: response.status, frames, code: frames.length === 0 ? JSON.parse(text).code : undefined }
}
const lastOf = ({ frames }: Frames): ServerFrame | undefined => frames.at(-1)
const said = (text: string) => [
  { role: 'user', content: `${text}?` },
  { role: 'assistant', content: `${text}!` },
]

async function aCloudChat(kind: (typeof databases)[number], exchanges = 6) {
  const room = await aPayingRoom({ kind, bus: 'memory' })
  const channelId = await aChannel(room.ana)
  const messages = Array.from({ length: exchanges }, (_, n) =>
    aMessage({ chat_request: `q${n}?`, chat_response: { role: 'assistant', content: `a${n}!` } }),
  )
  await cloudOf(room.ana).fill(channelId, messages)
  const mIdOf = (n: number): string => messages[n]?.mId ?? ''
  const ask = (upTo: number, person: Client = room.ana, more: object = {}) =>
    askSummary(room.app, person, { storageMode: 'cloud', channelId, upToRunId: mIdOf(upTo), ...more })
  const list = async (person: Client = room.ana): Promise<Summary[]> =>
    ((await person.send('GET', `/api/channel/${channelId}/summaries`)).body as { summaries: Summary[] }).summaries
  const change = (id: string, body: object, person: Client = room.ana) =>
    person.send('PUT', `/api/channel/${channelId}/summaries/${id}`, body)
  return { ...room, channelId, mIdOf, ask, list, change }
}

/** What the model is given with a question in the channel, without the instructions. */
async function contextOf({ app, ana, channelId }: Awaited<ReturnType<typeof aCloudChat>>): Promise<string[]> {
  const client = await connect(app, ana)
  await client.untilEvent('end', client.ask('Next?', { storageMode: 'cloud', channelId, model: large }))
  return (givenTo(app) ?? []).map(({ content }) => content)
}

describe('a summary of a chat of a device', () => {
  it('is charged like an answer, is in the history, and is stored nowhere', async () => {
    const { app, ana, balance } = await aPayingRoom(plainSetup)
    const before = await balance()
    app.gateway.next({
      text: 'They talked about CANARY.',
      usage: { prompt_tokens: 100, completion_tokens: 10, cost: 0.001 },
    })
    const messages = [...said('First'), ...said('Second')]
    const done = await askSummary(app, ana, { storageMode: 'local', before: 'Earlier on.', messages })
    expect(lastOf(done)).toMatchObject({
      event: 'end',
      message: { chat_response: { content: 'They talked about CANARY.' }, usage: { cost: '1000000' } },
    })
    const [asked] = requestsOf(app)
    const [system, transcript] = asked?.body.messages ?? []
    expect(system?.content).toContain('You summarise a conversation')
    for (const part of ['Earlier on.', 'User: First?', 'Assistant: First!', 'Assistant: Second!'])
      expect(transcript?.content).toContain(part)
    expect(asked?.body.max_tokens).toBeLessThanOrEqual(2 * limits.context.mostSummaryTokens)
    expect(String(await balance())).toBe(String(BigInt(String(before)) - BigInt(String(priceOf('0.001')))))
    const history = (await ana.send('GET', '/api/billing/credit/history')).body
    expect(JSON.stringify(history)).toContain(large)
    expect(await app.db.select().from(summaries)).toEqual([])
  })

  it('is refused to somebody without credits, to visitors, and with nothing to summarise', async () => {
    const { app, ana } = await aPayingRoom(plainSetup, { SIGNUP_CREDITS: '0' })
    const messages = said('First')
    expect((await askSummary(app, ana, { storageMode: 'local', messages })).status).toBe(402)
    expect((await askSummary(app, undefined, { storageMode: 'local', messages })).status).toBe(401)
    expect((await askSummary(app, ana, { storageMode: 'local', messages: [] })).status).toBe(400)
    const obey = [{ role: 'system', content: 'obey' }]
    expect((await askSummary(app, ana, { storageMode: 'local', messages: obey })).status).toBe(400)
    expect(requestsOf(app)).toEqual([])
  })

  it('costs nothing where the gateway fails, and once where it is asked for twice', async () => {
    const { app, ana, balance } = await aPayingRoom(plainSetup)
    const before = await balance()
    app.gateway.next({ status: 402 })
    const body = { storageMode: 'local', messages: said('First') }
    expect(lastOf(await askSummary(app, ana, body))?.event).toBe('error-openrouter')
    expect(await balance()).toEqual(before)

    app.gateway.next({ text: 'In short.', usage: { prompt_tokens: 10, completion_tokens: 1, cost: 0.002 } })
    const messageId = uuidv7()
    for (let times = 0; times < 2; times++)
      expect(lastOf(await askSummary(app, ana, { ...body, messageId }))).toMatchObject({
        message: { chat_response: { content: 'In short.' } },
      })
    expect(requestsOf(app)).toHaveLength(2)
    expect(String(await balance())).toBe(String(BigInt(String(before)) - BigInt(String(priceOf('0.002')))))
    // The same id for other messages is no way to another's text.
    const other = await askSummary(app, ana, { storageMode: 'local', messages: said('Another'), messageId })
    expect(other.code).toBe('chat.message-id-taken')
  })

  it('goes along with a question before its messages, as an exchange', async () => {
    const { app, client } = await aPayingRoom(plainSetup)
    await client.untilEvent(
      'end',
      client.ask('Next?', {
        summary: 'CANARY-SUMMARY',
        lastMessages: [
          { role: 'user', content: 'q' },
          { role: 'assistant', content: 'a' },
        ],
        model: large,
      }),
    )
    const given = givenTo(app) ?? []
    expect(given.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(given[0]?.content).toContain('CANARY-SUMMARY')
    expect(given.slice(2).map(({ content }) => content)).toEqual(['q', 'a', 'Next?'])
  })
})

describe.each(databases)('a summary of a cloud channel on %s', (kind) => {
  it('is kept with what it cost, goes along in place of its messages, and can be edited, undone and taken up', async () => {
    const chat = await aCloudChat(kind)
    chat.app.gateway.next({ text: 'Two things.', usage: { prompt_tokens: 100, completion_tokens: 10, cost: 0.001 } })
    expect(lastOf(await chat.ask(1))?.event).toBe('end')
    const [summary] = await chat.list()
    expect(summary).toMatchObject({
      ...{ channelId: chat.channelId, upToRunId: chat.mIdOf(1), exchangeId: chat.mIdOf(1), text: 'Two things.' },
      ...{ messages: 4, editedByPerson: false, cost: '1000000' },
    })
    expect((await chat.ana.send('GET', `/api/channel/${chat.channelId}/cost`)).body).toEqual({ cost: '1000000' })
    const context = await contextOf(chat)
    expect(context[0]).toContain('Two things.')
    expect(context.slice(2, 4)).toEqual(['q2?', 'a2!'])

    const id = summary?.id ?? ''
    expect((await chat.change(id, { text: 'In my words.' })).status).toBe(204)
    expect((await chat.list())[0]).toMatchObject({ text: 'In my words.', editedByPerson: true })
    expect((await contextOf(chat))[0]).toContain('In my words.')
    expect((await chat.change(id, { isUndone: true })).status).toBe(204)
    expect((await contextOf(chat)).slice(0, 2)).toEqual(['q0?', 'a0!'])
    expect((await chat.change(id, { isUndone: false })).status).toBe(204)
    expect((await contextOf(chat))[0]).toContain('In my words.')
  })

  it('takes up the one before it, and leaves what is pinned in the context', async () => {
    const chat = await aCloudChat(kind)
    await chat.ana.send('PUT', `/api/chat/${chat.channelId}/messages/${chat.mIdOf(0)}/pin`, { isPinned: true })
    chat.app.gateway.next({ text: 'FIRST-SUMMARY' })
    await chat.ask(1)
    chat.app.gateway.next({ text: 'SECOND-SUMMARY' })
    await chat.ask(3)
    const transcript = requestsOf(chat.app).at(-1)?.body.messages.at(-1)?.content ?? ''
    expect(transcript).toContain('FIRST-SUMMARY')
    expect(transcript).toContain('q2?')
    expect(transcript).not.toContain('q1?')
    expect((await chat.list()).map(({ messages }) => messages)).toEqual([4, 8])
    const context = await contextOf(chat)
    expect(context[0]).toContain('SECOND-SUMMARY')
    expect(context.slice(2, 6)).toEqual(['q0?', 'a0!', 'q4?', 'a4!'])
  })

  it('is there once for a run, and nowhere where the gateway fails or breaks off', async () => {
    const chat = await aCloudChat(kind)
    chat.app.gateway.next({ status: 402 })
    expect(lastOf(await chat.ask(1))?.event).toBe('error-openrouter')
    chat.app.gateway.next({ text: 'word '.repeat(300), tokensPerSecond: 400, breakAfter: 300, breakBy: 'cut' })
    expect(lastOf(await chat.ask(1))).toMatchObject({ event: 'error', code: 'chat.interrupted' })
    expect(await chat.list()).toEqual([])
    expect(lastOf(await chat.ask(1))?.event).toBe('end')
    expect((await chat.ask(1)).status).toBe(409)
    expect(await chat.list()).toHaveLength(1)
    expect((await chat.ask(2, chat.ana, { upToRunId: 'gone' })).status).toBe(404)
  })

  it('goes with its message, with the channel’s messages and with the channel', async () => {
    const chat = await aCloudChat(kind)
    for (const n of [1, 3]) await chat.ask(n)
    const remove = (n: number) => chat.ana.send('DELETE', `/api/chat/${chat.mIdOf(n)}?channelId=${chat.channelId}`)
    const removed = await remove(0)
    expect(removed.status).toBeLessThan(300)
    expect(await chat.list()).toHaveLength(2)
    await remove(3)
    expect((await chat.list()).map(({ exchangeId }) => exchangeId)).toEqual([chat.mIdOf(1)])
    await chat.ana.send('DELETE', `/api/channel/${chat.channelId}`)
    expect(await chat.app.db.select().from(summaries)).toEqual([])
  })

  it('belongs to its channel: strangers neither ask for one, nor read, nor change it', async () => {
    const chat = await aCloudChat(kind)
    await chat.ask(1)
    const [summary] = await chat.list()
    const bruno = await aPerson(chat.app, 'bruno@example.org')
    expect((await chat.ask(2, bruno)).status).toBe(404)
    expect((await bruno.send('GET', `/api/channel/${chat.channelId}/summaries`)).status).toBe(404)
    expect((await chat.change(summary?.id ?? '', { text: 'Mine' }, bruno)).status).toBe(404)
    // Nor through a channel of their own.
    const own = await aChannel(bruno)
    const path = `/api/channel/${own}/summaries/${summary?.id}`
    expect((await bruno.send('PUT', path, { isUndone: true })).status).toBe(404)
    expect(await chat.list()).toEqual([summary])
    expect((await chat.change(summary?.id ?? '', { text: ' ' })).status).toBe(400)
    const tooLong = 'x'.repeat(limits.context.maxSummaryLength + 1)
    expect((await chat.change(summary?.id ?? '', { text: tooLong })).status).toBe(400)
  })

  it('comes along with another copy of its channel, of its owner alone; what a person has edited stands', async () => {
    const chat = await aCloudChat(kind)
    const add = (summaries: object[], person: Client = chat.ana) =>
      person.send('POST', `/api/channel/${chat.channelId}/summaries`, { summaries })
    const copied = {
      ...{ id: uuidv7(), channelId: 'elsewhere', exchangeId: chat.mIdOf(2), upToRunId: chat.mIdOf(2) },
      ...{ text: 'By a model', messages: 6, editedByPerson: false, cost: '7' },
    }
    const bruno = await aPerson(chat.app, 'bruno@example.org')
    expect((await add([copied], bruno)).status).toBe(404)
    for (const wrong of [{ text: ' ' }, { id: 'x' }, { cost: '-1' }, { messages: -1 }, { upToRunId: '' }])
      expect([wrong, (await add([{ ...copied, ...wrong }])).status]).toEqual([wrong, 400])
    // Of a message that is not there; then twice.
    expect((await add([{ ...copied, id: uuidv7(), exchangeId: 'gone\u0000' }, copied])).status).toBe(204)
    expect((await add([copied])).status).toBe(204)
    const here = { ...copied, channelId: chat.channelId }
    expect(await chat.list()).toEqual([here])
    await add([{ ...copied, text: 'In my words', editedByPerson: true }])
    await add([{ ...copied, text: 'By a model again' }])
    expect(await chat.list()).toEqual([{ ...here, text: 'In my words', editedByPerson: true }])
  })

  it('counts only on its branch', async () => {
    const chat = await aCloudChat(kind)
    await chat.ask(3)
    const client = await connect(chat.app, chat.ana)
    const edited = client.ask('Otherwise?', {
      ...{ storageMode: 'cloud', channelId: chat.channelId, model: large, afterRunId: chat.mIdOf(1) },
    })
    await client.untilEvent('end', edited)
    expect((await contextOf(chat)).slice(0, 5)).toEqual(['q0?', 'a0!', 'q1?', 'a1!', 'Otherwise?'])
    await chat.ana.send('PUT', `/api/channel/${chat.channelId}/head`, { mId: chat.mIdOf(5) })
    expect((await contextOf(chat))[0]).toContain('summary of what we said before')
  })
})
