import type { CreateChatMessage } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { describe, expect, it } from 'vitest'
import { channels } from '../../db/schema/channels'
import { messages } from '../../db/schema/messages'
import { branchesOf } from '../../testing/branch-calls'
import { databases } from '../../testing/build-test-app'
import { buildChatApp } from '../../testing/chat-setups'
import { aTalker, exchange, givenTo } from '../../testing/cloud-talker'
import { words } from '../../testing/gateway-scenarios'

/** A person who asks three questions: `#1`, `#2` and `#3` are their runs. */
async function aConversation(kind: (typeof databases)[number]) {
  const app = await buildChatApp({ kind, bus: 'memory' })
  const talker = await aTalker(app)
  const { ask, client, person, channelId } = talker
  const answered = async (question: string, more: Partial<CreateChatMessage> = {}): Promise<string> => {
    const id = ask(question, more)
    await client.untilEvent('end', id)
    return id
  }
  const runs = [await answered('One?'), await answered('Two?'), await answered('Three?')] as const
  const headsIn = async () => (await app.db.select({ head: channels.headRunId }).from(channels)).map(({ head }) => head)
  return { app, ...talker, answered, runs, headsIn, branches: branchesOf(person, channelId) }
}

describe.each(databases)('versions in a cloud channel on %s', (kind) => {
  it('cost a channel nothing in which there are none, even where its last answer is written anew', async () => {
    const { answered, runs, headsIn, branches } = await aConversation(kind)
    const again = await answered('Three?', { mId: runs[2] })
    await answered('Four?')
    await answered('Five?', { afterRunId: (await branches.messages()).at(-1)?.run?.messageId ?? '' })
    expect(await headsIn()).toEqual([null])
    const read = await branches.messages()
    expect(read.map(({ afterRunId }) => afterRunId)).toEqual([null, runs[0], runs[1], again, read[3]?.run?.messageId])
    expect(read.map(({ versions }) => versions)).toEqual([
      undefined,
      undefined,
      { answers: [runs[2], again], answer: again },
      undefined,
      undefined,
    ])
  })

  it('of a question stand side by side, each with what followed it, and the model is given the path alone', async () => {
    const { app, answered, runs, branches } = await aConversation(kind)
    const [one, two, three] = runs
    const edited = await answered('Two, edited?', { afterRunId: one })
    expect(givenTo(app)).toEqual([...exchange('One?', 'You said: One?'), { role: 'user', content: 'Two, edited?' }])
    expect(await branches.questions()).toEqual(['One?', 'Two, edited?'])
    expect((await branches.page()).total).toBe(2)
    const questions = [two, edited]
    expect((await branches.messages())[1]).toMatchObject({ mId: edited, afterRunId: one, versions: { questions } })

    expect(await branches.show(two)).toBe(204)
    expect(await branches.questions()).toEqual(['One?', 'Two?', 'Three?'])
    expect((await branches.messages())[1]?.versions).toEqual({ questions })
    await answered('Four?')
    expect(givenTo(app)?.map(({ content }) => content)).toEqual([
      ...['One?', 'You said: One?', 'Two?', 'You said: Two?', 'Three?', 'You said: Three?', 'Four?'],
    ])
    await branches.show(edited)
    await answered('And on?')
    expect(await branches.questions()).toEqual(['One?', 'Two, edited?', 'And on?'])
    await branches.show(three)
    expect(await branches.questions()).toEqual(['One?', 'Two?', 'Three?', 'Four?'])
  })

  it('of the first question begin the conversation anew', async () => {
    const { app, answered, runs, branches } = await aConversation(kind)
    const edited = await answered('One, edited?', { afterRunId: null })
    expect(givenTo(app)).toEqual([{ role: 'user', content: 'One, edited?' }])
    expect(await branches.messages()).toMatchObject([
      { mId: edited, afterRunId: null, versions: { questions: [runs[0], edited] } },
    ])
    expect(await branches.show(runs[0])).toBe(204)
    expect(await branches.questions()).toEqual(['One?', 'Two?', 'Three?'])
  })

  it('of an answer in the middle end the path, and the one before brings back what followed it', async () => {
    const { app, answered, runs, branches } = await aConversation(kind)
    const [one, two] = runs
    app.gateway.next({ text: 'Second version' })
    const second = await answered('Two?', { mId: two })
    expect(await branches.answers()).toEqual(['You said: One?', 'Second version'])
    app.gateway.next({ text: 'Third version' })
    const third = await answered('Two?', { mId: two })
    const answers = [two, second, third]
    expect((await branches.messages())[1]?.versions).toEqual({ answers, answer: third })

    await branches.show(two, two)
    expect(await branches.answers()).toEqual(['You said: One?', 'You said: Two?', 'You said: Three?'])
    expect((await branches.messages())[1]).toMatchObject({
      run: { messageId: two },
      versions: { answers, answer: two },
    })
    await branches.show(two, second)
    expect(await branches.answers()).toEqual(['You said: One?', 'Second version'])
    expect((await branches.messages())[1]?.versions).toEqual({ answers, answer: second })
    app.gateway.next({ text: 'On the second' })
    await answered('And then?')
    expect(givenTo(app)).toEqual([
      ...exchange('One?', 'You said: One?'),
      ...exchange('Two?', 'Second version'),
      { role: 'user', content: 'And then?' },
    ])
    // Another version of the first answer, below which all of this stays.
    await answered('One?', { mId: one })
    expect(await branches.questions()).toEqual(['One?'])
    await branches.show(one, one)
    expect(await branches.answers()).toEqual(['You said: One?', 'Second version', 'On the second'])
  })

  it('of an answer are kept where the one that is being written gives way to another', async () => {
    const { app, ask, client, answered, runs, branches } = await aConversation(kind)
    app.gateway.next({ text: words(2_000), tokensPerSecond: 50 })
    const broken = ask('Two?', { mId: runs[1] })
    await client.untilText('word10 ')
    app.gateway.next({ text: 'Whole' })
    const run = await answered('Two?', { mId: runs[1] })
    await client.untilEvent('stopped', broken)
    expect(await branches.answers()).toEqual(['You said: One?', 'Whole'])
    expect((await branches.messages())[1]?.versions).toEqual({ answers: [runs[1], broken, run], answer: run })
    await branches.show(runs[1], broken)
    await expect.poll(async () => (await branches.answers())[1]).toMatch(/^word0 word1 /)
    await branches.show(runs[1], runs[1])
    expect(await branches.questions()).toEqual(['One?', 'Two?', 'Three?'])
  })

  it('are as they were where a new answer brings nothing', async () => {
    const { app, ask, client, answered, runs, branches } = await aConversation(kind)
    app.gateway.next({ status: 401 })
    await client.untilEvent('error-openrouter', ask('Two?', { mId: runs[1] }))
    expect(await branches.answers()).toEqual(['You said: One?', 'You said: Two?', 'You said: Three?'])
    expect((await branches.messages())[1]?.versions).toBeUndefined()
    // The older of two.
    app.gateway.next({ text: 'Second version' })
    const second = await answered('Two?', { mId: runs[1] })
    await branches.show(runs[2])
    app.gateway.next({ text: '' })
    await client.untilEvent('end', ask('Two?', { mId: runs[1] }))
    expect(await branches.answers()).toEqual(['You said: One?', 'You said: Two?', 'You said: Three?'])
    await branches.show(runs[1], second)
    expect(await branches.answers()).toEqual(['You said: One?', 'Second version'])
    await branches.show(runs[2])
    expect(await branches.answers()).toEqual(['You said: One?', 'You said: Two?', 'You said: Three?'])
  })

  it('leave whoever asked for another answer where they were, when it brings nothing', async () => {
    const { app, ask, client, answered, runs, branches } = await aConversation(kind)
    app.gateway.next({ text: 'Second version' })
    const second = await answered('Two?', { mId: runs[1] })
    // The branch that is not the newest one.
    await branches.show(runs[1], runs[1])
    for (const mId of runs) {
      app.gateway.next({ status: 401 })
      await client.untilEvent('error-openrouter', ask('Again?', { mId }))
      expect(await branches.answers()).toEqual(['You said: One?', 'You said: Two?', 'You said: Three?'])
    }
    app.gateway.next({ text: '', holdAfter: 0 })
    const empty = ask('One?', { mId: runs[0] })
    await client.untilEvent('accepted', empty)
    // They went elsewhere meanwhile, and stay there.
    await branches.show(runs[1], second)
    const elsewhere = await branches.answers()
    expect(elsewhere).toEqual(['You said: One?', 'Second version'])
    app.gateway.release()
    await client.untilEvent('end', empty)
    expect(await branches.answers()).toEqual(elsewhere)
  })

  it('go on where they were cut off, with what followed them', async () => {
    const { app, answered, client, ask, branches } = await aConversation(kind)
    const cut = ask('#cut')
    await client.untilEvent('error', cut)
    await answered('After?')
    const kept = (await branches.answers())[3] ?? ''
    app.gateway.next({ text: 'Beside it' })
    const beside = await answered('#cut', { mId: cut })
    await branches.show(cut, cut)
    app.gateway.next({ text: ' and the rest' })
    const rest = await answered('Go on.', { mId: cut, isContinuation: true })
    expect(await branches.questions()).toEqual(['One?', 'Two?', 'Three?', '#cut', 'After?'])
    expect((await branches.messages())[3]).toMatchObject({
      chat_response: { content: `${kept} and the rest` },
      versions: { answers: [beside, rest], answer: rest },
    })
    await branches.show(cut, beside)
    expect((await branches.answers()).slice(3)).toEqual(['Beside it'])
  })

  it('begin once for each id, and not after a run that is not there', async () => {
    const { app, ask, client, answered, runs, branches } = await aConversation(kind)
    const messageId = uuidv7()
    await answered('Edited?', { afterRunId: runs[0], messageId })
    ask('Edited?', { afterRunId: runs[0], messageId })
    const other = ask('Edited?', { afterRunId: runs[1], messageId })
    expect(await client.untilEvent('error', other)).toMatchObject({ code: 'chat.message-id-taken' })
    for (const afterRunId of ['nothing', '\u0000'])
      expect(await client.untilEvent('error', ask('Where?', { afterRunId }))).toMatchObject({
        code: 'chat.version-gone',
      })
    expect(await branches.questions()).toEqual(['One?', 'Edited?'])
    expect(await app.db.$count(messages)).toBe(4)
  })

  it('are whole where the node of before has written the rows, and what it adds follows what is read', async () => {
    const { app, answered, runs, channelId, userId, branches } = await aConversation(kind)
    await app.db.execute(`delete from runs`)
    await app.db.execute(`update messages set after_run_id = ''`)
    expect((await branches.messages()).map(({ afterRunId }) => afterRunId)).toEqual([null, runs[0], runs[1]])
    const edited = await answered('Two, edited?', { afterRunId: runs[0] })
    await branches.show(runs[1])
    expect(await branches.answers()).toEqual(['You said: One?', 'You said: Two?', 'You said: Three?'])
    await app.db.insert(messages).values({
      ...{ channelId, mId: 'of before', ownerId: userId, position: 9, question: 'Of before?', answer: 'Yes.' },
      ...{ status: 'completed', authorUserId: userId, askedAt: new Date().toISOString(), updatedAt: new Date() },
      folded: '',
    })
    expect(await branches.questions()).toEqual(['One?', 'Two?', 'Three?', 'Of before?'])
    await branches.show(edited)
    expect(await branches.questions()).toEqual(['One?', 'Two, edited?'])
  })
})
