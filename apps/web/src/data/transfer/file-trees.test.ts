import type { Run } from '@parley/contract/conversations'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { type ConversationCopy, headOf } from '@parley/contract/tree-copies'
import { describe, expect, it } from 'vitest'
import { copyOfFile, type FileMessage, fileMessagesOf, messageTreeOf } from './file-trees'

const at = '2026-01-01T00:00:00.000Z'
const run = (id: string, exchangeId: string, text: string, n = 0): Run => ({
  ...{ id, channelId: 'c1', exchangeId, status: 'completed', startedAt: `2026-01-01T00:00:0${n}.000Z` },
  answer: [{ type: 'text', text }],
})
const item = (id: string, afterRunId: string | null, ...runs: Run[]): ExchangeWithRuns => ({
  exchange: { id, channelId: 'c1', afterRunId, question: [{ type: 'text', text: `${id}?` }], askedAt: at },
  runs: runs.length > 0 ? runs : [run(id, id, `${id}!`)],
})
/** Through a file, as text. */
const throughFile = (copy: ConversationCopy, change: (items: FileMessage[]) => unknown[] = (items) => items) => {
  const items = JSON.parse(JSON.stringify(change(fileMessagesOf(copy)))) as FileMessage[]
  return copyOfFile(
    items.map(({ message, tree }) => {
      const read = messageTreeOf({ ...message, tree }, message.mId)
      return { message, ...(read ? { tree: read } : {}) }
    }),
    'c1',
  )
}
const branched: ConversationCopy = {
  exchanges: [
    item('other', null),
    item('one', null, run('one', 'one', 'First'), run('one-2', 'one', 'Second', 1)),
    item('two', 'one'),
    item('three', 'one-2'),
  ],
  head: 'three',
}
const spoiled = (change: (tree: NonNullable<FileMessage['tree']>) => void) => (items: FileMessage[]) =>
  items.map(({ message, tree }) => {
    const copy = structuredClone(tree)
    if (copy) change(copy)
    return { message, tree: copy }
  })
const idsIn = ({ exchanges }: ConversationCopy): string[] => exchanges.map(({ exchange }) => exchange.id).toSorted()

describe('a chat in a file', () => {
  it('is its messages alone where these tell all of it, and those that are shown with the rest beside them elsewhere', () => {
    const line: ConversationCopy = { exchanges: [item('one', null), item('two', 'one')], head: null }
    expect(
      fileMessagesOf(line).map(({ message, tree }) => [message.chat_request, message.chat_response.content, tree]),
    ).toEqual([
      ['one?', 'one!', undefined],
      ['two?', 'two!', undefined],
    ])
    const items = fileMessagesOf(branched)
    expect(items.map(({ message }) => [message.chat_request, message.chat_response.content])).toEqual([
      ['one?', 'Second'],
      ['three?', 'three!'],
    ])
    expect(throughFile(branched)).toEqual(branched)
    expect(throughFile(line)).toEqual(line)
  })

  it('keeps a part of a kind that only a later version knows', () => {
    const part = { type: 'hologram', more: { deep: [1.5] } } as never
    const copy = {
      ...branched,
      exchanges: [item('one', null, { ...run('one', 'one', ''), answer: [part] })],
      head: null,
    }
    expect(throughFile(copy).exchanges[0]?.runs[0]?.answer).toEqual([part])
  })

  it.each([
    [
      'a circle',
      spoiled(({ exchange }) => Object.assign(exchange, { afterRunId: exchange.id === 'one' ? 'three' : 'one' })),
    ],
    [
      'a message that follows nothing that is there',
      spoiled(({ exchange }) => Object.assign(exchange, { afterRunId: 'gone' })),
    ],
    ['a head that is not there', spoiled((tree) => Object.assign(tree, tree.head ? { head: 'gone' } : {}))],
    ['no head', spoiled((tree) => Object.assign(tree, { head: undefined }))],
    ['one message twice', (items: FileMessage[]) => [...items, ...items]],
  ])('of which somebody made one with %s loses no message, and is read up to one that is there', (_, change) => {
    const copy = throughFile(branched, change)
    expect(idsIn(copy)).toEqual(['one', 'other', 'three', 'two'])
    expect(copy.exchanges.flatMap(({ runs }) => runs).map(({ id }) => id)).toContain(headOf(copy))
    // What stands is whole now: it can be copied on.
    expect(throughFile(copy)).toEqual(copy)
  })

  it.each([
    ['of another message', { exchange: { ...item('two', null).exchange }, runs: [run('two', 'two', 'x')] }],
    ['without an answer', { exchange: item('one', null).exchange, runs: [] }],
    [
      'with a part that is not whole',
      item('one', null, { ...run('one', 'one', ''), answer: [{ type: 'text' } as never] }),
    ],
    ['with an id that reaches a prototype', item('one', null, run('__proto__', 'one', 'x'))],
    ['that is none', 'nonsense'],
  ])('has a rest %s told as one that cannot be read', (_, tree) => {
    expect(messageTreeOf({ mId: 'one', tree }, 'one')).toBeNull()
    expect(messageTreeOf({ mId: 'one' }, 'one')).toBeUndefined()
  })
})
