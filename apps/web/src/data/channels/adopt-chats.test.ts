import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import type { Channel } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { textOf } from '@parley/contract/parts'
import { uuidv7 } from '@parley/contract/uuid'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { openAnonymousDevice } from '../local/device'
import { forgetSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'
import { adoptChats } from './adopt-chats'
import { aMessage } from './channel-store-suite'
import { queuedId } from './chat-keys'
import { shownMessage } from './chat-records'
import { LocalChannelStore } from './local-channel-store'
import { localChannels } from './local-channels'

const at = '2026-01-01T00:00:00.000Z'
const aChannel = (id: string): Channel => ({
  id,
  userId: null,
  channelName: `Chat ${id}`,
  assistantId: null,
  isDocument: false,
  isImage: false,
  isYoutube: false,
  isLocked: false,
  created_at: at,
  updated_at: at,
  isLocalChannel: true,
  source: 'indexeddb',
})
const said = (channelId: string, mId: string, text: string, fields: Partial<Message> = {}): Message =>
  aMessage(channelId, { mId, chat_response: { role: 'assistant', content: text }, datetime: at, ...fields })

/** The chats of before the sign-in, as the anonymous person's own pages write them. */
const anonymous = new LocalChannelStore({ open: openAnonymousDevice })

/** What each exchange was last answered with, on whichever branch. */
const textsIn = async (store: LocalChannelStore, channelId: string): Promise<string[]> =>
  ((await store.readWhole(channelId))?.exchanges ?? []).map((each) => shownMessage(each).chat_response.content)
/** Every answer that a chat has, also those of earlier runs. */
const answersIn = async (store: LocalChannelStore, channelId: string): Promise<string[]> =>
  ((await store.readWhole(channelId))?.exchanges ?? []).flatMap(({ runs }) => runs.map(({ answer }) => textOf(answer)))

async function empty(open: typeof openDevice): Promise<void> {
  const { db } = await open()
  for (const name of ['channels', 'chats', 'exchanges', 'runs', 'drafts'] as const) await db.clear(name)
}

beforeEach(async () => {
  localStorage.clear()
  await seedSession()
  await empty(openDevice)
  await empty(openAnonymousDevice)
})
afterEach(() => {
  vi.restoreAllMocks()
  forgetSession()
})

/**
 * From here on nothing is written any more, as when the browser is killed, after so many more transactions that write.
 */
function cutOffAfter(count: number): () => void {
  const { transaction } = IDBDatabase.prototype
  let left = count
  IDBDatabase.prototype.transaction = function cut(this: IDBDatabase, ...args: Parameters<typeof transaction>) {
    if (args[1] === 'readwrite' && left-- <= 0) throw new DOMException('killed', 'AbortError')
    return transaction.apply(this, args)
  }
  return () => {
    IDBDatabase.prototype.transaction = transaction
  }
}

describe('chats of before the sign-in', () => {
  it('that both sides went on with after a move that was cut off lose no exchange', async () => {
    await anonymous.importChannel(aChannel('c1'), [said('c1', 'a', 'one'), said('c1', 'b', 'two')])
    const removeCopied = vi
      .spyOn(LocalChannelStore.prototype, 'removeCopied')
      .mockRejectedValueOnce(new Error('killed'))
    await expect(adoptChats()).rejects.toThrow('killed')
    removeCopied.mockRestore()
    // As many on both sides: who compares numbers alone takes them for copied.
    await anonymous.put(said('c1', 'c', 'asked before signing in again'))
    await localChannels.put(said('c1', 'd', 'asked in the account'))
    expect(await adoptChats()).toEqual({ moved: 1, left: 0 })
    expect((await textsIn(localChannels, 'c1')).sort()).toEqual([
      'asked before signing in again',
      'asked in the account',
      'one',
      'two',
    ])
    expect(await anonymous.list()).toEqual([])
  })

  it('keep both states of an exchange that was written anew on both sides, and each once', async () => {
    await anonymous.importChannel(aChannel('c1'), [said('c1', 'a', 'the anonymous one')])
    await localChannels.importChannel(aChannel('c1'), [said('c1', 'a', 'the one of the account')])
    const removeCopied = vi
      .spyOn(LocalChannelStore.prototype, 'removeCopied')
      .mockRejectedValueOnce(new Error('killed'))
    await expect(adoptChats()).rejects.toThrow('killed')
    removeCopied.mockRestore()
    await adoptChats()
    expect(await textsIn(localChannels, 'c1')).toEqual(['the one of the account', 'the anonymous one'])
  })

  it('come with every earlier answer, in the same tree', async () => {
    await anonymous.importChannel(aChannel('c1'), [])
    for (const mId of ['a', 'b', 'c'])
      for (const text of ['one', 'two']) {
        const run = { messageId: uuidv7(), seq: 1, base: 0 }
        await anonymous.put(said('c1', mId, `${mId} ${text}`, { run }))
      }
    await anonymous.removeMessage('c1', 'b')
    const before = (await anonymous.readWhole('c1'))?.exchanges
    expect(await adoptChats()).toEqual({ moved: 1, left: 0 })
    expect((await localChannels.readWhole('c1'))?.exchanges).toEqual(before)
    expect(await answersIn(localChannels, 'c1')).toEqual(['a one', 'a two', 'c one', 'c two'])
    expect(await (await openAnonymousDevice()).db.count('runs')).toBe(0)
  })

  it('come with what was written into them while they moved', async () => {
    await anonymous.importChannel(aChannel('c1'), [said('c1', 'a', 'one')])
    const importChannel = localChannels.importChannel
    vi.spyOn(LocalChannelStore.prototype, 'importChannel').mockImplementationOnce(async function late(
      this: LocalChannelStore,
      ...args
    ) {
      await importChannel.apply(this, args)
      await anonymous.put(said('c1', 'b', 'late'))
    })
    expect(await adoptChats()).toEqual({ moved: 1, left: 0 })
    expect(await textsIn(localChannels, 'c1')).toEqual(['one', 'late'])
  })

  it('come with their unsent text, the questions that wait and their lock', async () => {
    await anonymous.importChannel({ ...aChannel('c1'), isLocked: true }, [said('c1', 'a', 'one')])
    const device = await openAnonymousDevice()
    await device.db.put('drafts', {
      id: 'c1',
      ...(await device.vault.seal({ table: 'drafts', id: 'c1', channelId: 'c1' }, 'half a thought')),
    })
    const id = queuedId('c1', 'q1')
    const queued = await device.vault.seal({ table: 'drafts', id, channelId: id }, { text: 'the next question' })
    await device.db.put('drafts', { id, ...queued })
    expect(await adoptChats()).toEqual({ moved: 1, left: 0 })
    const { readDraft } = await import('./drafts')
    const { readQueue } = await import('./queued-questions')
    expect(await readQueue('c1')).toEqual([{ mId: 'q1', text: 'the next question' }])
    expect(await readDraft('c1')).toBe('half a thought')
    expect(await localChannels.get('c1')).toMatchObject({ isLocked: true, channelName: 'Chat c1' })
    expect(await device.db.count('drafts')).toBe(0)
  })

  it('lose nothing in any order of writing, deleting, moving and being cut off', async () => {
    const side = fc.constantFrom('anonymous', 'account')
    const channelId = fc.constantFrom('c1', 'c2')
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('say' as const),
          side,
          channelId,
          mId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
          isAnotherRun: fc.boolean(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('delete' as const),
          side,
          channelId,
          mId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('move' as const), cutAfter: fc.integer({ min: 0, max: 4 }) }),
      },
    )
    let count = 0
    const run = async (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): Promise<void> => {
      await empty(openDevice)
      await empty(openAnonymousDevice)
      const stores = { anonymous, account: localChannels }
      for (const [name, store] of Object.entries(stores))
        for (const id of ['c1', 'c2']) if (name === 'anonymous') await store.importChannel(aChannel(id), [])
      /** The answers of runs that were followed by others, and whose question stands. */
      const earlier = { anonymous: new Map<string, string[]>(), account: new Map<string, string[]>() }
      /** What somebody said last under an id, on each side, and has not deleted or written anew there. */
      const standing = { anonymous: new Map<string, string>(), account: new Map<string, string>() }
      for (const each of steps) {
        if (each.kind === 'move') {
          const end = cutOffAfter(each.cutAfter)
          await adoptChats().catch(() => undefined)
          end()
          // What was copied and removed is the account's now; what was copied alone stands on both sides.
          for (const id of ['c1', 'c2'])
            for (const message of (await localChannels.messages(id, { limit: 1_000 })).messages)
              standing.account.set(`${id} ${message.mId}`, message.chat_response.content)
          for (const key of standing.anonymous.keys()) {
            const [id = '', mId = ''] = key.split(' ')
            if (await anonymous.message(id, mId)) continue
            expect(await textsIn(localChannels, id)).toContain(standing.anonymous.get(key))
            expect(await answersIn(localChannels, id)).toEqual(expect.arrayContaining(earlier.anonymous.get(key) ?? []))
            for (const each of [standing, earlier]) each.anonymous.delete(key)
          }
          continue
        }
        const store = stores[each.side]
        if (!(await store.get(each.channelId))) continue
        const key = `${each.channelId} ${each.mId}`
        if (each.kind === 'say') {
          const text = `text ${++count}`
          const before = await store.message(each.channelId, each.mId)
          const run = each.isAnotherRun ? { messageId: uuidv7(), seq: 1, base: 0 } : before?.run
          await store.put(said(each.channelId, each.mId, text, run ? { run } : {}))
          if (before && each.isAnotherRun)
            earlier[each.side].set(key, [...(earlier[each.side].get(key) ?? []), before.chat_response.content])
          standing[each.side].set(key, text)
        } else {
          await store.removeMessage(each.channelId, each.mId)
          for (const known of [standing, earlier]) known[each.side].delete(key)
        }
      }
      await adoptChats()
      expect(await anonymous.list()).toEqual([])
      const found = [...(await textsIn(localChannels, 'c1')), ...(await textsIn(localChannels, 'c2'))]
      for (const texts of [standing.anonymous, standing.account])
        for (const text of texts.values()) expect(found).toContain(text)
      expect(new Set(found).size).toBe(found.length)
      const answers = [...(await answersIn(localChannels, 'c1')), ...(await answersIn(localChannels, 'c2'))]
      for (const texts of [...earlier.anonymous.values(), ...earlier.account.values()])
        expect(answers).toEqual(expect.arrayContaining(texts))
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), run), { numRuns: 30 })
  })
})
