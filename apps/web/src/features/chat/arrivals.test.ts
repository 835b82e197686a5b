import type { Message } from '@parley/contract/chat'
import { describe, expect, it } from 'vitest'
import { arrivalsOf, firstNewOf, withArrivals } from './arrivals'

const said = (mId: string, fields: Partial<Message> = {}): Message => ({
  ...{ mId, channelId: 'c', chat_request: mId, datetime: '2026-01-01T00:00:00.000Z', status: 'completed' },
  chat_response: { role: 'assistant', content: 'Yes.' },
  ...fields,
})
const silent = (mId: string): Message =>
  said(mId, { status: 'streaming', chat_response: { role: 'assistant', content: '' } })
const begun = (mId: string): Message => said(mId, { status: 'streaming' })
const theirs = (mId: string): Message => said(mId, { author: { id: 'b', name: 'Bruno' } })
const ids = (...messages: Message[]): string[] => arrivalsOf(lists.before, messages).map(({ mId }) => mId)
const lists = { before: [said('a'), said('b')] }

describe('what comes below', () => {
  it('is what stands after the last message, in its order', () => {
    expect(ids(said('a'), said('b'), theirs('c'), said('d'))).toEqual(['c', 'd'])
  })

  it('is no message that is loaded above, nor one that is read again', () => {
    expect(ids(said('0'), said('a'), said('b'))).toEqual([])
    expect(ids(said('a'), said('b', { isPinned: true }))).toEqual([])
  })

  it('is an answer that begins, or fails without a word, and not one that goes on', () => {
    expect(arrivalsOf([silent('a')], [begun('a')])).toEqual([{ mId: 'a', part: 'answer' }])
    const failed = said('a', { status: 'failed', chat_response: { role: 'assistant', content: '' } })
    expect(arrivalsOf([silent('a')], [failed])).toEqual([{ mId: 'a', part: 'answer' }])
    expect(arrivalsOf([begun('a')], [said('a')])).toEqual([])
  })

  it('is nothing where the reader goes to another branch, or the chat was cleared', () => {
    expect(ids(said('a'), said('other'), said('leaf'))).toEqual([])
    const shows = (answer: string) => said('a', { versions: { answers: ['r1', 'r2'], answer } })
    expect(arrivalsOf([shows('r1')], [shows('r2'), said('b')])).toEqual([])
    expect(ids()).toEqual([])
    expect(arrivalsOf([], [said('a')])).toEqual([])
  })

  it('is counted once, in the order of the messages, and no longer once it is removed', () => {
    const [b, c] = [{ mId: 'b', part: 'answer' } as const, { mId: 'c', part: 'question' } as const]
    const now = [said('a'), said('b'), said('c')]
    const known = withArrivals([c], [b], now)
    expect(known).toEqual([b, c])
    expect(withArrivals(known, [{ mId: 'c', part: 'answer' }], now)).toBe(known)
    expect(withArrivals(known, [], [said('a'), said('c')])).toEqual([c])
  })
})

describe('what is new since the last visit', () => {
  it('begins with the first message after the mark: the question of another person, the answer to an own one', () => {
    const messages = [said('a'), theirs('b'), said('c')]
    expect(firstNewOf({ mId: 'a', isOver: true }, messages)).toEqual({ mId: 'b', part: 'question' })
    expect(firstNewOf({ mId: 'b', isOver: true }, messages)).toEqual({ mId: 'c', part: 'answer' })
  })

  it('is the answer that was being written then, and has ended', () => {
    expect(firstNewOf({ mId: 'a', isOver: false }, [said('a'), theirs('b')])).toEqual({ mId: 'a', part: 'answer' })
    expect(firstNewOf({ mId: 'a', isOver: false }, [begun('a')])).toBeUndefined()
  })

  it('is nothing where all was read, and where the mark is on another branch or removed', () => {
    expect(firstNewOf({ mId: 'b', isOver: true }, [said('a'), said('b')])).toBeUndefined()
    expect(firstNewOf({ mId: 'gone', isOver: true }, [said('a'), said('b')])).toBeUndefined()
  })
})
