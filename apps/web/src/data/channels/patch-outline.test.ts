import type { OutlineEntry } from '@parley/contract/branches'
import type { Message } from '@parley/contract/chat'
import { QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { channelKeys } from './channel-keys'
import { patchOutline, withMessage, withoutMessage } from './patch-outline'

const at = '2026-01-01T00:00:00.000Z'
const entry = (mId: string, afterMId: string | null, fields: Partial<OutlineEntry> = {}): OutlineEntry => ({
  ...{ mId, afterMId, text: mId, datetime: at, isShown: true },
  ...fields,
})
const said = (mId: string, fields: Partial<Message> = {}): Message => ({
  ...{ mId, channelId: 'c', chat_request: mId, datetime: at, status: 'streaming' },
  chat_response: { role: 'assistant', content: 'Yes.' },
  ...fields,
})
const line = [entry('a', null), entry('b', 'a')]

it('an answer that grows changes nothing in the outline', () => {
  expect(withMessage(line, said('b'))).toBe(line)
})

it('a question at the end of the path is added, cut to what the outline shows', () => {
  expect(withMessage(line, said('c', { author: { name: 'Bruno' } }))).toEqual([
    ...line,
    entry('c', 'b', { author: { name: 'Bruno' } }),
  ])
  expect(withMessage(line, said('c', { afterRunId: 'b', chat_request: '😀'.repeat(300) }))?.at(-1)?.text).toBe(
    '😀'.repeat(200),
  )
  expect(withMessage([], said('a', { afterRunId: null }))).toEqual([entry('a', null)])
})

it('one whose place the message does not tell is left to the store', () => {
  expect(withMessage(line, said('c', { afterRunId: 'a' }))).toBeUndefined()
  expect(withMessage(line, said('c', { afterRunId: null }))).toBeUndefined()
  expect(withMessage(line, said('c', { afterRunId: 'another-run-of-b' }))).toBeUndefined()
  // Something follows the end of the shown path already.
  expect(withMessage([...line, entry('hidden', 'b', { isShown: false })], said('c'))).toBeUndefined()
})

it('a pin is set and taken away', () => {
  const pinned = withMessage(line, said('a', { isPinned: true }))
  expect(pinned?.[0]).toEqual(entry('a', null, { isPinned: true }))
  expect(withMessage(pinned ?? [], said('a'))).toEqual(line)
})

it('what followed a removed question follows the one before it', () => {
  const forked = [entry('a', null), entry('b', 'a'), entry('c', 'b'), entry('d', 'b')]
  expect(withoutMessage(forked, 'b')).toEqual([entry('a', null), entry('c', 'a'), entry('d', 'a')])
  expect(withoutMessage(forked, 'gone')).toBe(forked)
})

it('reads the outline once more where a change meets a reading, and not at all where nobody looks', async () => {
  const client = new QueryClient()
  const read = vi.fn(async () => line)
  const options = { queryKey: channelKeys.outline('c'), queryFn: read }
  patchOutline(client, 'c', { mId: 'c', message: said('c') })
  expect(read).not.toHaveBeenCalled()
  await client.fetchQuery(options)
  patchOutline(client, 'c', { mId: 'c', message: said('c') })
  expect(client.getQueryData(options.queryKey)).toHaveLength(3)
  patchOutline(client, 'c', { mId: 'x', message: said('x', { afterRunId: 'a' }) })
  expect(client.getQueryState(options.queryKey)?.isInvalidated).toBe(true)
  expect(read).toHaveBeenCalledOnce()
})
