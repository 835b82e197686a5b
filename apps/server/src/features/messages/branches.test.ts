import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { channelMembers, channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import { runs as runsTable } from '../../db/schema/runs'
import { branchesOf } from '../../testing/branch-calls'
import { databases, type TestApp } from '../../testing/build-test-app'
import type { ChatClient } from '../../testing/chat-client'
import { words } from '../../testing/gateway-scenarios'
import type { Client } from '../../testing/person'
import { aSharedChat } from '../../testing/shared-chat'

/** Ana asks One and Two, Bruno Three; Rita reads. */
async function aConversation(kind: (typeof databases)[number]) {
  const shared = await aSharedChat({ kind, bus: 'memory' })
  const { ask, sockets, channelId } = shared
  const answered = async (on: ChatClient, question: string, more: object = {}): Promise<string> => {
    const id = ask(on, question, more)
    await on.untilEvent('end', id)
    return id
  }
  const runs = [
    await answered(sockets.ana, 'One?'),
    await answered(sockets.ana, 'Two?'),
    await answered(sockets.bruno, 'Three?'),
  ] as const
  const of = (person: Client) => branchesOf(person, channelId)
  const readers = { ana: of(shared.ana), bruno: of(shared.bruno), rita: of(shared.rita) }
  const questionsOfAll = async () => ({
    ana: await readers.ana.questions(),
    bruno: await readers.bruno.questions(),
    rita: await readers.rita.questions(),
  })
  return { ...shared, answered, runs, readers, questionsOfAll }
}

/** All that is stored of what people and models wrote. */
async function textsIn({ db }: TestApp): Promise<string> {
  const { question, answer, folded, previous } = messages
  return JSON.stringify([
    await db.select({ question, answer, folded, previous }).from(messages),
    await db.select({ answer: runsTable.answer, prompt: runsTable.prompt }).from(runsTable),
  ])
}

const all = (questions: string[]) => ({ ana: questions, bruno: questions, rita: questions })
const main = ['One?', 'Two?', 'Three?']

describe.each(databases)('branches of a shared channel on %s', (kind) => {
  it('move whoever asks, whoever stood there, and nobody else', async () => {
    const { sockets, answered, runs, readers, questionsOfAll } = await aConversation(kind)
    const edited = await answered(sockets.bruno, 'Three, edited?', { afterRunId: runs[1] })
    expect(await questionsOfAll()).toEqual({ ...all(main), bruno: ['One?', 'Two?', 'Three, edited?'] })
    // They see that there is another version, and may look at it.
    expect((await readers.rita.messages())[2]?.versions).toEqual({ questions: [runs[2], edited] })
    expect(await readers.rita.show(edited)).toBe(204)
    await answered(sockets.bruno, 'Four?')
    const branch = ['One?', 'Two?', 'Three, edited?', 'Four?']
    expect(await questionsOfAll()).toEqual({ ana: main, bruno: branch, rita: branch })
    await answered(sockets.ana, 'Main four?')
    expect(await questionsOfAll()).toEqual({ ana: [...main, 'Main four?'], bruno: branch, rita: branch })
    expect((await readers.rita.messages())[2]?.author?.name).toBe('bruno')
  })

  it('are told of: an answer to those who read it, a change to the others', async () => {
    const { sockets, answered, runs } = await aConversation(kind)
    const edited = await answered(sockets.bruno, 'Three, edited?', { afterRunId: runs[1] })
    const begun = (client: ChatClient) =>
      client.frames.flatMap((frame) => (frame.event === 'answer-begun' ? [frame.messageId] : []))
    await expect.poll(() => begun(sockets.bruno)).toContain(edited)
    expect(begun(sockets.rita)).toEqual([...runs])
    expect((await sockets.rita.untilEvent('channel-changed')).event).toBe('channel-changed')
  })

  it('are shown to a new member as the owner reads them, then as they choose', async () => {
    const { app, ana, rita, channelId, sockets, answered, runs, readers } = await aConversation(kind)
    await answered(sockets.ana, 'Two, edited?', { afterRunId: runs[0] })
    await ana.send('DELETE', `/api/channel/${channelId}/members/${rita.answer.user.id}`)
    const link = (await ana.post(`/api/channel/${channelId}/invitations`, { role: 'read' })).body as { url: string }
    expect((await rita.post(`/api/invitations/${link.url.split('/').at(-1)}/accept`, undefined)).status).toBe(200)
    expect(await readers.rita.questions()).toEqual(['One?', 'Two, edited?'])
    await answered(sockets.ana, 'And on?')
    expect(await readers.rita.questions()).toEqual(['One?', 'Two, edited?', 'And on?'])
    // A node of the version before lets members in without a head.
    await app.db.update(channelMembers).set({ headRunId: null })
    expect(await readers.rita.questions()).toEqual(['One?', 'Two, edited?', 'And on?'])
    await readers.rita.show(runs[2])
    expect(await readers.rita.questions()).toEqual(main)
    expect(await readers.ana.questions()).toEqual(['One?', 'Two, edited?', 'And on?'])
  })

  it('are chosen only by whoever is in the channel, and only where they stand', async () => {
    const { runs, readers, questionsOfAll } = await aConversation(kind)
    for (const [mId, runId] of [['nothing'], [runs[0], 'nothing'], [runs[0], runs[1]], ['\u0000']] as const)
      expect(await readers.rita.show(mId, runId)).toBe(404)
    expect(await questionsOfAll()).toEqual(all(main))
  })

  it('are deleted by their authors and the owner, with all that is below, and heads go to what stands', async () => {
    const { app, sockets, answered, runs, readers, questionsOfAll } = await aConversation(kind)
    const edited = await answered(sockets.bruno, 'Three, edited?', { afterRunId: runs[1] })
    const below = await answered(sockets.bruno, 'Four?')
    await readers.rita.show(edited)
    expect(await readers.rita.remove(edited)).toMatchObject({ status: 403, body: { code: 'channel.not-author' } })
    expect(await readers.bruno.remove(runs[1])).toMatchObject({ status: 403, body: { code: 'channel.not-author' } })
    expect((await readers.bruno.remove(edited)).status).toBe(204)
    expect(await questionsOfAll()).toEqual(all(main))
    expect((await readers.ana.messages())[2]?.versions).toBeUndefined()
    for (const gone of [edited, below]) expect((await readers.bruno.remove(gone)).status).toBe(404)
    expect(await readers.bruno.show(edited)).toBe(404)
    const removed = (await app.db.select().from(messages)).filter(({ removedAt }) => removedAt !== null)
    expect(removed.map(({ mId }) => mId).sort()).toEqual([edited, below])
    expect(await textsIn(app)).not.toContain('edited')
    // The owner deletes the rest, and the channel is as at first.
    expect((await readers.ana.remove(runs[0])).status).toBe(204)
    expect(await questionsOfAll()).toEqual(all([]))
    expect(await app.db.$count(messages)).toBe(0)
    expect((await app.db.select().from(channels))[0]?.headRunId).toBeNull()
    await answered(sockets.bruno, 'Anew?')
    expect(await questionsOfAll()).toEqual(all(['Anew?']))
  })

  it('are deleted in a channel without others from a question to the end, except in a locked one', async () => {
    const { app, runs, readers, questionsOfAll } = await aConversation(kind)
    await app.db.update(channels).set({ isLocked: true })
    expect(await readers.ana.remove(runs[1])).toMatchObject({ status: 423, body: { code: 'channel.locked-clear' } })
    await app.db.update(channels).set({ isLocked: false })
    expect((await readers.ana.remove(runs[1])).status).toBe(204)
    expect(await questionsOfAll()).toEqual(all(['One?']))
    expect((await app.db.select().from(channels))[0]?.headRunId).toBeNull()
  })

  it('take the answer with them that is being written there', async () => {
    const { app, sockets, ask, answered, runs, readers } = await aConversation(kind)
    const edited = await answered(sockets.ana, 'Two, edited?', { afterRunId: runs[0] })
    app.gateway.next({ text: words(2_000), tokensPerSecond: 50 })
    const running = ask(sockets.ana, 'Long?')
    await sockets.ana.untilEvent('content', running)
    expect((await readers.ana.remove(edited)).status).toBe(204)
    await sockets.ana.untilEvent('stopped', running)
    expect(await readers.ana.questions()).toEqual(main)
    expect(await textsIn(app)).not.toContain('word0')
  })

  it('keep what followed a message that is deleted alone, which can be edited on', async () => {
    const { ana, channelId, sockets, answered, runs, readers, questionsOfAll } = await aConversation(kind)
    await answered(sockets.ana, 'Two, edited?', { afterRunId: runs[0] })
    await readers.ana.show(runs[1])
    expect((await ana.send('DELETE', `/api/chat/${runs[1]}?channelId=${channelId}`)).status).toBe(204)
    expect((await ana.send('DELETE', `/api/chat/${runs[1]}?channelId=${channelId}`)).status).toBe(404)
    expect(await questionsOfAll()).toEqual(all(['One?', 'Three?']))
    expect((await readers.ana.page()).total).toBe(2)
    const edited = await answered(sockets.bruno, 'Three, edited?', { afterRunId: runs[1] })
    expect(await readers.bruno.questions()).toEqual(['One?', 'Three, edited?'])
    expect((await readers.bruno.messages())[1]?.versions).toEqual({ questions: [runs[2], edited] })
    expect((await ana.send('GET', '/api/channel/search?q=two&order=newest')).body).toMatchObject({
      results: [{ passage: expect.stringContaining('Two, edited?') }],
    })
    expect((await ana.send('DELETE', `/api/chat/delete-user-messages/${ana.answer.user.id}`)).body).toEqual({
      deleted: 2,
    })
    expect(await readers.bruno.questions()).toEqual(['Three, edited?'])
    expect(await readers.ana.questions()).toEqual(['Three?'])
  })

  it('are in the outline with what they follow, and read around a message that is on another one', async () => {
    const { sockets, answered, runs, readers } = await aConversation(kind)
    expect((await readers.rita.outline()).map(({ afterMId, isShown }) => [afterMId, isShown])).toEqual([
      [null, true],
      [runs[0], true],
      [runs[1], true],
    ])
    const edited = await answered(sockets.ana, `Two ${'👩‍👩‍👧'.repeat(300)}`, { afterRunId: runs[0] })
    expect(await readers.bruno.pin(edited, true)).toBe(204)
    expect(await readers.rita.pin(edited, false)).toBe(403)
    expect(await readers.bruno.pin('nothing', true)).toBe(404)
    const outline = await readers.bruno.outline()
    expect(outline.map(({ mId, afterMId, isShown }) => [mId, afterMId, isShown])).toEqual([
      [runs[0], null, true],
      [runs[1], runs[0], true],
      [runs[2], runs[1], true],
      [edited, runs[0], false],
    ])
    expect(outline[3]).toMatchObject({ isPinned: true, author: { name: 'ana' } })
    expect(Array.from(outline[3]?.text ?? '')).toHaveLength(200)
    expect(outline[2]).not.toHaveProperty('author')
    expect((await readers.ana.messages())[1]).toMatchObject({ isPinned: true })

    const around = await readers.bruno.page(`?around=${edited}`)
    expect(around.content.map(({ mId }) => mId)).toEqual([runs[0], edited])
    expect(await readers.bruno.questions()).toEqual(main)
    expect((await readers.bruno.page(`?around=${uuidv7()}`)) as object).toMatchObject({ code: 'not-found' })
  })

  it('are read page by page, by number and from both ends', async () => {
    const { ana, channelId, sockets, answered, runs, readers } = await aConversation(kind)
    await answered(sockets.ana, 'Three, edited?', { afterRunId: runs[1] })
    for (const question of ['Four?', 'Five?', 'Six?']) await answered(sockets.ana, question)
    const path = ['One?', 'Two?', 'Three, edited?', 'Four?', 'Five?', 'Six?']
    expect(await readers.ana.questions()).toEqual(path)
    const paged = async (page: number, query = '') => {
      const answer = await ana.send('GET', `/api/chat/documents/${page}/2/${channelId}${query}`)
      return answer.body as { content: { chat_request: string }[]; cursor?: string; newer?: string; total: number }
    }
    const asked = ({ content }: Awaited<ReturnType<typeof paged>>) => content.map((each) => each.chat_request)
    expect([asked(await paged(0)), asked(await paged(1)), asked(await paged(3))]).toEqual([
      path.slice(4),
      path.slice(2, 4),
      [],
    ])
    const up: string[] = []
    for (let page = await paged(0); ; page = await paged(0, `?before=${page.cursor}`)) {
      expect(page.total).toBe(6)
      up.unshift(...asked(page))
      if (page.cursor === undefined) break
    }
    expect(up).toEqual(path)
    const down: string[] = []
    for (let page = await paged(0, '?after=0'); ; page = await paged(0, `?after=${page.newer}`)) {
      down.push(...asked(page))
      if (page.newer === undefined) break
    }
    expect(down).toEqual(path)
  })

  it('are read where a head is of a run that is gone', async () => {
    const { app, sockets, answered, runs, readers } = await aConversation(kind)
    const edited = await answered(sockets.ana, 'Two, edited?', { afterRunId: runs[0] })
    await app.db.update(channels).set({ headRunId: 'gone' })
    expect(await readers.ana.questions()).toEqual(['One?', 'Two, edited?'])
    await answered(sockets.ana, 'And on?')
    expect((await readers.ana.messages()).map(({ afterRunId }) => afterRunId)).toEqual([null, runs[0], edited])
  })
})
