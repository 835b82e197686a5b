import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { branchesOf } from '../../testing/branch-calls'
import { databases } from '../../testing/build-test-app'
import type { ChatClient } from '../../testing/chat-client'
import { words } from '../../testing/gateway-scenarios'
import { aPerson, type Client } from '../../testing/person'
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
  const of = (person: Client, id = channelId) => branchesOf(person, id)
  const idOf = ({ body }: { body: unknown }): string => (body as { id: string }).id
  return { ...shared, answered, runs, of, idOf }
}

describe.each(databases)('a chat of its own on %s', (kind) => {
  it('has what somebody reads up to a version, under ids of its own, and goes on by itself', async () => {
    const { ana, bruno, of, idOf, runs } = await aConversation(kind)
    const made = await of(bruno).branch({ mId: runs[1] })
    expect(made).toMatchObject({ status: 201, body: { isLocalChannel: false } })
    const copy = of(bruno, idOf(made))
    expect(await copy.questions()).toEqual(['One?', 'Two?'])
    const read = await copy.messages()
    expect(read.map(({ author }) => author !== undefined)).toEqual([true, true])
    expect(read.some(({ mId }) => (runs as readonly string[]).includes(mId))).toBe(false)
    expect(read.map(({ usage, versions }) => [usage, versions])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
    // It is Bruno's alone.
    expect((await of(ana, idOf(made)).page()).content ?? []).toEqual([])
    expect(await of(ana).questions()).toEqual(['One?', 'Two?', 'Three?'])
  })

  it('is asked for its answers as the chat was', async () => {
    const { ana, bruno, channelId, of, runs } = await aConversation(kind)
    const settings = { effort: 'high', temperature: 0.7, answerTokens: 500, instructions: 'Be brief.' }
    await ana.send('PATCH', `/api/channel/${channelId}/settings`, settings)
    expect(await of(bruno).branch({ mId: runs[1] })).toMatchObject({ status: 201, body: { settings } })
  })

  it('ends with the answer that was meant, on whichever branch', async () => {
    const { app, ana, rita, sockets, of, idOf, runs, answered } = await aConversation(kind)
    app.gateway.next({ text: 'Second of two' })
    const second = await answered(sockets.ana, 'Two?', { mId: runs[1] })
    const edited = await answered(sockets.ana, 'One, edited?', { afterRunId: null })
    const answersOf = async (body: { mId: string; runId?: string }) =>
      of(ana, idOf(await of(ana).branch(body))).answers()
    expect(await answersOf({ mId: runs[1], runId: second })).toEqual(['You said: One?', 'Second of two'])
    expect(await answersOf({ mId: runs[1], runId: runs[1] })).toEqual(['You said: One?', 'You said: Two?'])
    expect(await answersOf({ mId: edited })).toEqual(['You said: One, edited?'])
    // Who only reads may have a copy, too.
    expect(await of(rita, idOf(await of(rita).branch({ mId: runs[2] }))).questions()).toEqual([
      'One?',
      'Two?',
      'Three?',
    ])
  })

  it('is an earlier answer of a channel without branches', async () => {
    const { app, ana, bruno, sockets, of, idOf, runs, answered } = await aConversation(kind)
    app.gateway.next({ text: 'Second of three' })
    await answered(sockets.bruno, 'Three?', { mId: runs[2] })
    const made = await of(bruno).branch({ mId: runs[2], runId: runs[2] })
    expect((await of(bruno, idOf(made)).answers()).at(-1)).toBe('You said: Three?')
    expect((await of(ana).answers()).at(-1)).toBe('Second of three')
  })

  it('is made once for each id, and named as a copy', async () => {
    const { ana, of, runs } = await aConversation(kind)
    const newId = uuidv7()
    const [first, again] = [
      await of(ana).branch({ mId: runs[0], newId }),
      await of(ana).branch({ mId: runs[0], newId }),
    ]
    expect(again.body).toEqual(first.body)
    expect(await of(ana, newId).questions()).toEqual(['One?'])
    expect((first.body as { channelName: string }).channelName).toMatch(/ \(2\)$/)
  })

  it('is not made of what is being written, is not there, or is not theirs', async () => {
    const { app, ana, sockets, ask, of, runs } = await aConversation(kind)
    for (const body of [
      { mId: 'nothing' },
      { mId: '\u0000' },
      { mId: runs[0], runId: runs[1] },
      { mId: runs[0], runId: '\u0000' },
    ])
      expect(await of(ana).branch(body)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    const stranger = await aPerson(app, 'eva@example.org')
    expect(await of(stranger).branch({ mId: runs[0] })).toMatchObject({ status: 404 })
    app.gateway.next({ text: words(500), tokensPerSecond: 50 })
    const running = ask(sockets.ana, 'Four?')
    await sockets.ana.untilEvent('content', running)
    expect(await of(ana).branch({ mId: running })).toMatchObject({ status: 409, body: { code: 'channel.answering' } })
  })
})
