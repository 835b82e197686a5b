import { answerOf } from '@parley/contract/answer-parts'
import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ChannelStore } from './channel-store'
import { aMessage } from './channel-store-suite'

const answer = (content: string): Message['chat_response'] => ({ role: 'assistant', content })

/** A question with its answer, as the chat stores them; `afterRunId` begins a branch. */
export function anAnswer(channelId: string, text: string, fields: Partial<Message> = {}): Message {
  const mId = uuidv7()
  return aMessage(channelId, {
    ...{ mId, chat_request: text, chat_response: answer(`${text}!`), run: { messageId: mId, seq: 3, base: 0 } },
    ...fields,
  })
}

/** As the chat asks for another answer. */
export function askedAgain({ usage: _usage, error: _error, versions: _versions, ...message }: Message): Message {
  const previous = answerOf(message as Message)
  const run = { messageId: uuidv7(), seq: 0, base: 0, ...(previous ? { previous } : {}) }
  return { ...message, chat_response: answer(''), status: 'queued', run }
}

/** The answer that came. */
export function answered(message: Message, text: string): Message {
  const { previous: _previous, ...run } = message.run ?? { messageId: message.mId, seq: 0, base: 0 }
  return { ...message, chat_response: answer(text), status: 'completed', run: { ...run, seq: 3 } }
}

/** The answer that never came: the one of before is shown again, as the chat stores it. */
export function restored(message: Message): Message {
  const { previous, ...run } = message.run ?? { messageId: message.mId, seq: 0, base: 0 }
  if (!previous) return { ...message, status: 'failed', error: { code: 'unavailable', content: '' } }
  return { ...message, ...previous, run: { ...run, seq: 3, base: previous.chat_response.content.length } }
}

const runIdOf = ({ run, mId }: Message): string => run?.messageId ?? mId

/** What every home does alike with versions. `makeStore` gives an empty one, whose answers are written by `put`. */
export function describeVersions(home: string, makeStore: () => Promise<ChannelStore>): void {
  describe(`versions in ${home}`, () => {
    let store: ChannelStore
    let channelId = ''
    beforeEach(async () => {
      store = await makeStore()
      channelId = (await store.create({ assistantId: null, channelName: 'Plans' })).id
    })
    const shown = async (id = channelId): Promise<Message[]> => (await store.messages(id, { limit: 200 })).messages
    const said = async (id = channelId): Promise<string[]> =>
      (await shown(id)).map(({ chat_request, chat_response }) => `${chat_request} ${chat_response.content}`)
    const ask = async (text: string, fields: Partial<Message> = {}): Promise<Message> => {
      const message = anAnswer(channelId, text, fields)
      await store.put(message)
      return message
    }
    const find = async (mId: string): Promise<Message> => {
      const message = await store.message(channelId, mId)
      if (!message) throw new Error('no message')
      return message
    }
    /** As the chat edits a question. */
    const edit = async (of: Message, text: string): Promise<Message> =>
      ask(text, { afterRunId: (await find(of.mId)).afterRunId ?? null })
    const regenerate = async (of: Message, text: string): Promise<Message> => {
      const again = askedAgain(await find(of.mId))
      await store.put(again)
      const message = answered(again, text)
      await store.put(message)
      return message
    }

    it('has no versions where nobody has made any, and tells what each message follows', async () => {
      const [one, two] = [await ask('one'), await ask('two')]
      const messages = await shown()
      expect(messages.map(({ versions }) => versions)).toEqual([undefined, undefined])
      expect(messages.map(({ afterRunId }) => afterRunId)).toEqual([null, runIdOf(one)])
      expect((await find(two.mId)).afterRunId).toBe(runIdOf(one))
    })

    it('shows an edited question in place of the old one and what followed it, which stay', async () => {
      const [_one, two, three] = [await ask('one'), await ask('two'), await ask('three')]
      const other = await edit(two, 'two, edited')
      expect(await said()).toEqual(['one one!', 'two, edited two, edited!'])
      const questions = [two.mId, other.mId]
      expect((await shown()).map(({ versions }) => versions)).toEqual([undefined, { questions }])
      await store.show(channelId, { mId: two.mId })
      expect(await said()).toEqual(['one one!', 'two two!', 'three three!'])
      expect((await find(three.mId)).afterRunId).toBe(runIdOf(two))
    })

    it('edits the first question too, and a version of an edited one', async () => {
      const one = await ask('one')
      await ask('two')
      const other = await edit(one, 'one, edited')
      const third = await edit(other, 'one, edited again')
      expect(await said()).toEqual(['one, edited again one, edited again!'])
      expect((await shown())[0]?.versions).toEqual({ questions: [one.mId, other.mId, third.mId] })
    })

    it('asks on at the end of what is shown', async () => {
      const [, two] = [await ask('one'), await ask('two')]
      const other = await edit(two, 'two, edited')
      const four = await ask('four')
      expect((await find(four.mId)).afterRunId).toBe(runIdOf(other))
      await store.show(channelId, { mId: two.mId })
      await ask('five')
      expect(await said()).toEqual(['one one!', 'two two!', 'five five!'])
    })

    it('ends the path at an answer that was asked for anew in the middle, and keeps what followed', async () => {
      const [one, two] = [await ask('one'), await ask('two')]
      await ask('three')
      const other = await regenerate(two, 'Better')
      expect(await said()).toEqual(['one one!', 'two Better'])
      expect((await shown())[1]?.versions).toEqual({
        ...{ answers: [runIdOf(two), runIdOf(other)], answer: runIdOf(other) },
      })
      await store.show(channelId, { mId: two.mId, runId: runIdOf(two) })
      expect(await said()).toEqual(['one one!', 'two two!', 'three three!'])
      expect((await shown())[0]?.mId).toBe(one.mId)
      await store.show(channelId, { mId: two.mId, runId: runIdOf(other) })
      await ask('four')
      expect(await said()).toEqual(['one one!', 'two Better', 'four four!'])
    })

    it('shows an older answer of the last question, and asks on after it', async () => {
      const one = await ask('one')
      const other = await regenerate(one, 'Better')
      expect((await shown())[0]?.versions).toEqual({
        ...{ answers: [runIdOf(one), runIdOf(other)], answer: runIdOf(other) },
      })
      await store.show(channelId, { mId: one.mId, runId: runIdOf(one) })
      const two = await ask('two')
      expect(await said()).toEqual(['one one!', 'two two!'])
      expect((await find(two.mId)).afterRunId).toBe(runIdOf(one))
      await store.show(channelId, { mId: one.mId, runId: runIdOf(other) })
      expect(await said()).toEqual(['one Better'])
    })

    it('refuses to show, to copy, to delete and to pin what is not there', async () => {
      const one = await ask('one')
      const gone = { code: 'not-found' }
      await expect(store.show(channelId, { mId: 'unknown' })).rejects.toMatchObject(gone)
      await expect(store.show(channelId, { mId: one.mId, runId: 'unknown' })).rejects.toMatchObject(gone)
      await expect(store.branch(channelId, { mId: 'unknown' })).rejects.toMatchObject(gone)
      await expect(store.removeBranch(channelId, 'unknown')).rejects.toMatchObject(gone)
      await expect(store.setPinned(channelId, 'unknown', true)).rejects.toMatchObject(gone)
      await expect(store.put(anAnswer(channelId, 'two', { afterRunId: 'unknown' }))).rejects.toMatchObject(gone)
      expect(await said()).toEqual(['one one!'])
    })

    it('copies the path up to a message into a channel of its own, whose name tells it apart', async () => {
      const [one, two] = [await ask('one'), await ask('two')]
      await ask('three')
      const other = await regenerate(one, 'Better')
      const copy = await store.branch(channelId, { mId: one.mId })
      expect(copy).toMatchObject({ channelName: 'Plans (2)', isLocked: false })
      expect(await said(copy.id)).toEqual(['one Better'])
      const longer = await store.branch(channelId, { mId: two.mId })
      expect(await said(longer.id)).toEqual(['one one!', 'two two!'])
      const first = await store.branch(channelId, { mId: one.mId, runId: runIdOf(one) })
      expect(await said(first.id)).toEqual(['one one!'])
      expect((await shown(longer.id)).map(({ versions }) => versions)).toEqual([undefined, undefined])
      await store.remove(copy.id)
      expect(await said()).toEqual(['one Better'])
      expect(runIdOf((await shown())[0] ?? one)).toBe(runIdOf(other))
    })

    it('asks for the answers of a copy as for those of its chat, until either is set otherwise', async () => {
      const one = await ask('one')
      await store.configure(channelId, { temperature: 0.7, instructions: 'Be brief.' })
      const copy = await store.branch(channelId, { mId: one.mId })
      expect(copy.settings).toEqual({ temperature: 0.7, instructions: 'Be brief.' })
      await store.configure(copy.id, { temperature: null })
      expect((await store.get(copy.id))?.settings).toEqual({ instructions: 'Be brief.' })
      expect((await store.get(channelId))?.settings).toEqual(copy.settings)
    })

    it('deletes a version of a question with all that follows it, and shows what stands', async () => {
      const [one, two] = [await ask('one'), await ask('two')]
      await ask('three')
      const other = await edit(two, 'two, edited')
      await ask('four')
      await store.removeBranch(channelId, other.mId)
      expect(await said()).toEqual(['one one!', 'two two!', 'three three!'])
      expect((await store.messages(channelId)).total).toBe(3)
      expect(await store.message(channelId, other.mId)).toBeUndefined()
      await store.removeBranch(channelId, two.mId)
      expect(await said()).toEqual(['one one!'])
      await store.removeBranch(channelId, one.mId)
      expect(await shown()).toEqual([])
      await ask('again')
      expect(await said()).toEqual(['again again!'])
    })

    it('keeps what followed a deleted message in its place on each branch', async () => {
      const [one, two] = [await ask('one'), await ask('two')]
      await ask('three')
      const other = await edit(two, 'two, edited')
      await ask('four')
      await store.removeMessage(channelId, one.mId)
      expect(await said()).toEqual(['two, edited two, edited!', 'four four!'])
      await store.removeMessage(channelId, other.mId)
      expect(await said()).toEqual(['four four!'])
      await store.show(channelId, { mId: two.mId })
      expect(await said()).toEqual(['two two!', 'three three!'])
    })

    it('lists every question with what it follows, in the order of asking', async () => {
      const [one, two] = [await ask('one'), await ask('two')]
      const other = await edit(two, 'x'.repeat(300))
      expect(await store.outline(channelId)).toEqual([
        { mId: one.mId, afterMId: null, text: 'one', datetime: one.datetime, isShown: true },
        { mId: two.mId, afterMId: one.mId, text: 'two', datetime: two.datetime, isShown: false },
        { mId: other.mId, afterMId: one.mId, text: 'x'.repeat(200), datetime: other.datetime, isShown: true },
      ])
    })

    it('pins a message and takes the pin away', async () => {
      const [one, two] = [await ask('one'), await ask('two')]
      await store.setPinned(channelId, one.mId, true)
      await store.setPinned(channelId, one.mId, true)
      expect((await shown()).map(({ isPinned }) => isPinned)).toEqual([true, undefined])
      expect((await store.outline(channelId)).map(({ isPinned }) => isPinned)).toEqual([true, undefined])
      await store.setPinned(channelId, one.mId, false)
      await store.setPinned(channelId, two.mId, false)
      expect((await shown()).map(({ isPinned }) => isPinned)).toEqual([undefined, undefined])
      expect(await said()).toEqual(['one one!', 'two two!'])
    })

    it('gives the path in pages, and around a message beside it the newest path through that one', async () => {
      const messages: Message[] = []
      for (let n = 1; n <= 30; n++) messages.push(await ask(`q${n}`))
      const tenth = messages[9]
      if (!tenth) throw new Error('no message')
      const other = await edit(tenth, 'other')
      for (let n = 1; n <= 15; n++) await ask(`o${n}`)
      const expected = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8', 'q9', 'other']
      const path = [...expected, ...Array.from({ length: 15 }, (_, n) => `o${n + 1}`)]
      const questions = ({ messages: page }: { messages: Message[] }) => page.map((each) => each.chat_request)
      const seen: string[] = []
      for (let before: string | undefined; ; ) {
        const page = await store.messages(channelId, { limit: 10, ...(before === undefined ? {} : { before }) })
        expect(page.total).toBe(25)
        seen.unshift(...questions(page))
        before = page.cursor
        if (before === undefined) break
      }
      expect(seen).toEqual(path)
      const here = await store.messages(channelId, { around: other.mId, limit: 6 })
      expect(questions(here)).toEqual(['q7', 'q8', 'q9', 'other', 'o1', 'o2'])
      expect(await store.messages(channelId, { before: here.newer ?? '', limit: 6 })).toEqual(here)
      const beside = await store.messages(channelId, { around: messages[14]?.mId ?? '', limit: 6 })
      expect(questions(beside)).toEqual(['q12', 'q13', 'q14', 'q15', 'q16', 'q17'])
      const after = await store.messages(channelId, { after: beside.newer ?? '', limit: 100 })
      expect(questions(after)).toEqual(Array.from({ length: 13 }, (_, n) => `q${n + 18}`))
      const before = await store.messages(channelId, { before: beside.cursor ?? '', limit: 100 })
      expect(questions(before)).toEqual(Array.from({ length: 11 }, (_, n) => `q${n + 1}`))
      expect(questions(await store.messages(channelId, { limit: 100 }))).toEqual(path)
    })
  })
}
