import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ChannelStore, MessagePage } from './channel-store'

let lastAt = 0

/**
 * Later than every time before: stores that are quicker than a millisecond have nothing else to order messages and
 * chats by.
 */
export function laterThanBefore(): Date {
  lastAt = Math.max(Date.now(), lastAt + 1)
  return new Date(lastAt)
}

export const aMessage = (channelId: string, fields: Partial<Message> = {}): Message => ({
  mId: uuidv7(),
  channelId,
  chat_request: 'What?',
  chat_response: { role: 'assistant', content: 'This.' },
  datetime: laterThanBefore().toISOString(),
  status: 'completed',
  ...fields,
})

/**
 * `isWriter`: the store writes answers itself and locks; in the cloud the server does both, and what is put there is
 * only added.
 */
type Home = { isWriter: boolean }

/** What every home of channels does alike. `makeStore` gives an empty one. */
export function describeChannelStore(
  home: string,
  makeStore: () => Promise<ChannelStore>,
  { isWriter }: Home = { isWriter: true },
): void {
  describe(`channels in ${home}`, () => {
    let store: ChannelStore
    beforeEach(async () => {
      store = await makeStore()
    })
    const make = (channelName?: string, assistantId: string | null = null): Promise<Channel> =>
      store.create({ assistantId, ...(channelName === undefined ? {} : { channelName }) })
    const fill = async (channelId: string, count: number): Promise<void> => {
      for (let n = 1; n <= count; n++) await store.put(aMessage(channelId, { chat_request: `q${n}` }))
    }

    it('gives a new channel its default name and all its fields [CH-079, CH-080, CH-082]', async () => {
      const channel = await make()
      expect(channel.channelName).toMatch(/^Chat \d\d-\d\d \d\d-\d\d-\d\d/)
      expect(channel).toMatchObject({
        userId: isWriter ? null : expect.any(String),
        assistantId: null,
        isDocument: false,
        isImage: false,
        isYoutube: false,
        isLocked: false,
      })
      expect(Date.parse(channel.created_at)).not.toBeNaN()
      expect(await store.list()).toEqual([channel])
      expect(await store.get(channel.id)).toEqual(channel)
    })

    it('numbers a default name that is taken', async () => {
      const names = [(await make()).channelName, (await make()).channelName, (await make()).channelName]
      expect(new Set(names).size).toBe(3)
    })

    it('refuses a name that is taken, ignoring case, and an empty one [CH-112, CH-114]', async () => {
      await make('Plans')
      await expect(make('PLANS')).rejects.toMatchObject({ code: 'channel.name-taken' })
      const other = await make('Other')
      await expect(store.rename(other.id, 'plans')).rejects.toMatchObject({ code: 'channel.name-taken' })
      await expect(store.rename(other.id, '  ')).rejects.toMatchObject({ code: 'validation' })
      expect((await store.get(other.id))?.channelName).toBe('Other')
      await expect(make('Plans', 'another-agent')).resolves.toMatchObject({ channelName: 'Plans' })
    })

    it('renames [CH-094, CH-113]', async () => {
      const channel = await make()
      expect(await store.rename(channel.id, '  Viagem à Lua 🌙 ')).toMatchObject({ channelName: 'Viagem à Lua 🌙' })
      await expect(store.rename('unknown', 'x')).rejects.toMatchObject({ code: 'channel.not-found' })
    })

    it('keeps how answers are asked for, from the beginning or changed one by one, and refuses what is no setting', async () => {
      const settings = { effort: 'high', temperature: 0.7, answerTokens: 500, instructions: 'Be brief.' } as const
      const { id } = await store.create({ assistantId: null, settings })
      expect((await store.get(id))?.settings).toEqual(settings)
      const { updated_at, ...before } = await make()
      expect(before).not.toHaveProperty('settings')
      const configured = await store.configure(before.id, { effort: 'low', instructions: ' Be \u202ebrief.\u0000 ' })
      expect(configured).toMatchObject({ updated_at, settings: { effort: 'low', instructions: 'Be brief.' } })
      await store.configure(before.id, { temperature: 0, effort: null })
      await store.rename(before.id, 'Renamed')
      expect((await store.get(before.id))?.settings).toEqual({ temperature: 0, instructions: 'Be brief.' })
      await expect(store.configure(before.id, { temperature: 2.5 })).rejects.toMatchObject({ code: 'validation' })
      await expect(store.configure('unknown', { effort: 'low' })).rejects.toMatchObject({ code: 'channel.not-found' })
      expect(await store.configure(before.id, { temperature: null, instructions: ' ' })).not.toHaveProperty('settings')
      expect((await store.list()).map((channel) => channel.settings)).toEqual([undefined, settings])
    })

    it('does not take back by a suggested name what was renamed meanwhile', async () => {
      const { id, channelName } = await make()
      await store.rename(id, 'Chosen')
      expect(await store.rename(id, 'Suggested', channelName)).toMatchObject({ id, channelName: 'Chosen' })
      expect(await store.rename(id, 'Suggested', 'Chosen')).toMatchObject({ id, channelName: 'Suggested' })
      expect((await store.get(id))?.channelName).toBe('Suggested')
    })

    it('never makes one name twice, however many ask at once', async () => {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => make('Same')))
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await store.list()).toHaveLength(1)
    })

    it('clears the messages and keeps the channel [CH-096]', async () => {
      const channel = await make()
      await fill(channel.id, 3)
      await store.clear(channel.id)
      expect(await store.messages(channel.id)).toEqual({ messages: [], cursor: undefined, total: 0 })
      expect(await store.get(channel.id)).toBeDefined()
      await fill(channel.id, 1)
      expect((await store.messages(channel.id)).messages).toHaveLength(1)
    })

    it('keeps a locked channel from being cleared and deleted, until it is unlocked [CH-087]', async () => {
      const channel = await store.create({ assistantId: null, isLocked: true })
      await fill(channel.id, 1)
      await expect(store.clear(channel.id)).rejects.toMatchObject({ code: 'channel.locked-clear' })
      await expect(store.remove(channel.id)).rejects.toMatchObject({ code: 'channel.locked-delete' })
      expect((await store.messages(channel.id)).total).toBe(1)
      if (!isWriter) return
      expect(await store.setLocked(channel.id, false)).toMatchObject({ id: channel.id, isLocked: false })
      await store.remove(channel.id)
      expect(await store.get(channel.id)).toBeUndefined()
    })

    it('deletes all but locked ones, and counts them [CH-118, CH-120]', async () => {
      await store.create({ assistantId: null, channelName: 'Kept', isLocked: true })
      for (let n = 0; n < 3; n++) await make()
      expect(await store.removeAll()).toEqual({ deleted: 3, skipped: 1, failed: 0 })
      expect((await store.list()).map(({ channelName }) => channelName)).toEqual(['Kept'])
    })

    it('gives pages of messages, newest page first, oldest first within it, without gap or repetition', async () => {
      const channel = await make()
      await fill(channel.id, 23)
      await store.removeMessage(channel.id, (await store.messages(channel.id, { limit: 1 })).messages[0]?.mId ?? '')
      const seen: string[] = []
      let pages = 0
      for (let before: string | undefined; ; pages++) {
        const page = await store.messages(channel.id, { limit: 10, ...(before === undefined ? {} : { before }) })
        expect(page.total).toBe(22)
        seen.unshift(...page.messages.map(({ chat_request }) => chat_request))
        before = page.cursor
        if (before === undefined) break
      }
      expect(seen).toEqual(Array.from({ length: 22 }, (_, n) => `q${n + 1}`))
      expect(pages).toBe(2)
    })

    it('gives the page around a message, and from there the others in both directions, without gap or repetition', async () => {
      const channel = await make()
      await fill(channel.id, 40)
      const { messages } = await store.messages(channel.id)
      await store.removeMessage(channel.id, messages[18]?.mId ?? '')
      const middle = await store.messages(channel.id, { around: messages[19]?.mId ?? '', limit: 10 })
      const asked = ({ messages }: MessagePage): string[] => messages.map(({ chat_request }) => chat_request)
      expect(asked(middle)).toEqual(['q14', 'q15', 'q16', 'q17', 'q18', 'q20', 'q21', 'q22', 'q23', 'q24'])
      expect(await store.messages(channel.id, { before: middle.newer ?? '', limit: 10 })).toEqual(middle)
      const [older, newer] = [[middle], [middle]]
      for (let before = middle.cursor; before !== undefined; before = older[0]?.cursor)
        older.unshift(await store.messages(channel.id, { before, limit: 10 }))
      for (let after = middle.newer; after !== undefined; after = newer.at(-1)?.newer)
        newer.push(await store.messages(channel.id, { after, limit: 10 }))
      const expected = Array.from({ length: 40 }, (_, n) => `q${n + 1}`).filter((question) => question !== 'q19')
      expect(older.slice(0, -1).flatMap(asked)).toEqual(expected.slice(0, 13))
      expect(newer.slice(1).flatMap(asked)).toEqual(expected.slice(23))
      expect(older[0]?.newer).toBe(older[1]?.cursor)
      expect(newer[1]?.cursor).toBe(middle.newer)
    })

    it('gives the pages around the first and the last message, and an empty one around none', async () => {
      const channel = await make()
      await fill(channel.id, 20)
      const { messages, newer } = await store.messages(channel.id)
      expect(newer).toBeUndefined()
      const first = await store.messages(channel.id, { around: messages[0]?.mId ?? '', limit: 10 })
      expect([first.messages.length, first.cursor, first.newer]).toEqual([5, undefined, expect.any(String)])
      const last = await store.messages(channel.id, { around: messages[19]?.mId ?? '', limit: 10 })
      expect([last.messages.length, last.cursor, last.newer]).toEqual([6, expect.any(String), undefined])
      expect((await store.messages(channel.id, { around: 'unknown' })).messages).toEqual([])
    })

    it.runIf(isWriter)('replaces a message in its place (in the cloud the server does) [CH-181]', async () => {
      const channel = await make()
      await fill(channel.id, 3)
      const second = (await store.messages(channel.id)).messages[1]
      if (!second) throw new Error('no message')
      await store.put({ ...second, chat_response: { role: 'assistant', content: 'Changed.' } })
      const { messages, total } = await store.messages(channel.id)
      expect(total).toBe(3)
      expect(messages.map(({ chat_response }) => chat_response.content)).toEqual(['This.', 'Changed.', 'This.'])
      expect(await store.message(channel.id, second.mId)).toMatchObject({ chat_response: { content: 'Changed.' } })
    })

    it('deletes one message and leaves the others [ST-043]', async () => {
      const channel = await make()
      await fill(channel.id, 3)
      const { messages } = await store.messages(channel.id)
      await store.removeMessage(channel.id, messages[1]?.mId ?? '')
      expect((await store.messages(channel.id)).messages.map(({ chat_request }) => chat_request)).toEqual(['q1', 'q3'])
      await store.removeMessage(channel.id, 'unknown')
      expect((await store.messages(channel.id)).total).toBe(2)
    })

    it('does not bring back a deleted message, nor its deleted answer, when that comes late', async () => {
      const channel = await make()
      const run = { messageId: uuidv7(), seq: 3, base: 0 }
      await fill(channel.id, 1)
      const asked = aMessage(channel.id, { run })
      await store.put(asked)
      await store.removeMessage(channel.id, asked.mId)
      for (const status of ['streaming', 'completed'] as const)
        await store.put({ ...asked, status }, undefined, { isAnswer: true })
      expect((await store.messages(channel.id)).messages.map(({ chat_request }) => chat_request)).toEqual(['q1'])
      expect(await store.message(channel.id, asked.mId)).toBeUndefined()

      const other = aMessage(channel.id, { run: { ...run, messageId: uuidv7() } })
      await store.put(other)
      const answered = store.put({ ...other, status: 'completed' }, undefined, { isAnswer: true })
      await Promise.all([answered, store.removeMessage(channel.id, other.mId)])
      expect(await store.message(channel.id, other.mId)).toBeUndefined()
    })

    it('does not bring back a deleted channel when an answer comes late', async () => {
      const channel = await make()
      const late = aMessage(channel.id)
      await store.remove(channel.id)
      await expect(store.put(late)).rejects.toMatchObject({ code: 'channel.not-found' })
      expect(await store.list()).toEqual([])
      expect((await store.messages(channel.id)).total).toBe(0)
    })

    it('keeps channels apart', async () => {
      const [one, two] = [await make(), await make()]
      await fill(one.id, 2)
      expect((await store.messages(two.id)).messages).toEqual([])
      await store.remove(two.id)
      expect((await store.messages(one.id)).total).toBe(2)
    })

    it.runIf(isWriter)(
      'moves a channel to the top when something is said in it (in the cloud the server does) [CH-089]',
      async () => {
        const first = await make('First')
        await make('Second')
        await store.put(aMessage(first.id))
        expect((await store.list()).map(({ channelName }) => channelName)).toEqual(['First', 'Second'])
      },
    )
  })
}
