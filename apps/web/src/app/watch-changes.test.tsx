import 'fake-indexeddb/auto'
import '../testing/browser-gaps'
import type { Message } from '@parley/contract/chat'
import { webLimits } from '@parley/contract/limits/web'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../data/channels/local-channels'
import { useChannels } from '../data/channels/use-channels'
import { useMessages } from '../data/channels/use-messages'
import { useOutline } from '../data/channels/use-outline'
import { announceHere } from '../data/local/changes'
import { createWorkspace } from '../data/workspace'
import { cleanUp, seedChannels } from '../testing/seed-channels'
import { createQueryClient } from './query-client'

let channelId = ''
beforeEach(async () => {
  const [channel] = await seedChannels('Lease clauses', 'Sourdough')
  channelId = channel?.id ?? ''
})
afterEach(async () => {
  vi.restoreAllMocks()
  cleanup()
  await cleanUp()
})

function aMessage(n: number, change: Partial<Message> = {}): Message {
  const mId = `m${String(n).padStart(3, '0')}`
  return {
    ...{ mId, channelId, chat_request: `Question ${n}`, chat_response: { role: 'assistant', content: `Answer ${n}` } },
    ...{ datetime: new Date().toISOString(), status: 'completed' },
    ...change,
  }
}
const writing = (n: number, content: string): Message =>
  aMessage(n, { status: 'streaming', chat_response: { role: 'assistant', content } })

function aPage() {
  const client = createQueryClient()
  createWorkspace({ queryClient: client })
  const wrapper = ({ children }: { children: React.ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return { client, wrapper }
}

/** A chat of three pages, all of them loaded, and its list of chats. */
async function aLongChat() {
  const count = webLimits.channels.messagePageSize * 3
  for (let n = 0; n < count; n++) await localChannels.put(aMessage(n))
  const { client, wrapper } = aPage()
  const list = renderHook(() => useChannels(), { wrapper })
  const { result } = renderHook(() => useMessages(channelId), { wrapper })
  await waitFor(() => expect(result.current.messages.length).toBeGreaterThan(0))
  act(() => result.current.loadOlder())
  await waitFor(() => expect(result.current.messages).toHaveLength(count))
  await waitFor(() => expect(client.isFetching()).toBe(0))
  const pages = vi.spyOn(localChannels, 'messages')
  const one = vi.spyOn(localChannels, 'message')
  const lists = vi.spyOn(localChannels, 'list')
  const answer = (n: number) =>
    result.current.messages.find(({ mId }) => mId === aMessage(n).mId)?.chat_response.content
  return { client, list, result, answer, pages, one, lists, count }
}

it('a long chat is not read again from the disk while an answer in it is written', async () => {
  const { answer, pages, one, lists, count } = await aLongChat()
  for (const text of ['A', 'A new', 'A new answer']) await act(() => localChannels.put(writing(count - 1, text)))
  await waitFor(() => expect(answer(count - 1)).toBe('A new answer'))
  expect([pages, one, lists].map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0])
})

it('what another tab writes is read by its id alone', async () => {
  const { answer, pages, one, count } = await aLongChat()
  one.mockResolvedValue(writing(count - 1, 'From the other tab'))
  act(() => announceHere({ kind: 'message', channelId, mId: aMessage(count - 1).mId }))
  await waitFor(() => expect(answer(count - 1)).toBe('From the other tab'))
  expect([one.mock.calls.length, pages.mock.calls.length]).toEqual([1, 0])
})

it('an end that is written while the chat is being read is not lost to what was read before it', async () => {
  const { client, answer, pages, count } = await aLongChat()
  let finish = (): void => undefined
  const reading = new Promise<void>((resolve) => {
    finish = resolve
  })
  pages.mockImplementation(async () => {
    await reading
    return { messages: [writing(count - 1, 'Hal')], cursor: undefined, newer: undefined, total: 1 }
  })
  act(() => announceHere({ kind: 'messages', channelId }))
  await waitFor(() => expect(client.isFetching()).toBe(1))
  const end = aMessage(count - 1, { chat_response: { role: 'assistant', content: 'Half and the rest' } })
  act(() => announceHere({ kind: 'message', channelId, mId: end.mId, message: end }))
  await act(async () => finish())
  await waitFor(() => expect(client.isFetching()).toBe(0))
  await waitFor(() => expect(answer(count - 1)).toBe('Half and the rest'))
})

it('a message that is new, or was removed, is seen; for one that was removed nobody asks', async () => {
  const { result, pages, one, count } = await aLongChat()
  await act(() => localChannels.put(aMessage(count)))
  await waitFor(() => expect(result.current.messages.at(-1)?.mId).toBe(aMessage(count).mId))
  const loaded = result.current.messages.length
  for (const spy of [pages, one]) spy.mockClear()
  await act(() => localChannels.removeMessage(channelId, aMessage(30).mId))
  await waitFor(() => expect(result.current.messages).toHaveLength(loaded - 1))
  expect([pages, one].map((spy) => spy.mock.calls.length)).toEqual([0, 0])
})

it('a chat that was answered in moves to the top of the list without all of that being read', async () => {
  const { list, lists, count } = await aLongChat()
  const other = list.result.current.channels.find(({ id }) => id !== channelId)?.id ?? ''
  await act(() => localChannels.put({ ...aMessage(count), channelId: other }))
  await waitFor(() => expect(list.result.current.channels[0]?.id).toBe(other))
  expect(lists).not.toHaveBeenCalled()
})

it.each(['have not been loaded yet', 'are loaded and nobody looks at them'])(
  'an open outline has each question that comes and goes in another tab, though the messages %s',
  async (state) => {
    await localChannels.put(aMessage(1))
    const { client, wrapper } = aPage()
    if (state !== 'have not been loaded yet') {
      const chat = renderHook(() => useMessages(channelId), { wrapper })
      await waitFor(() => expect(chat.result.current.messages).toHaveLength(1))
      chat.unmount()
    }
    const { result } = renderHook(() => useOutline(channelId), { wrapper })
    const questions = () => result.current.data?.map(({ text }) => text)
    await waitFor(() => expect(questions()).toEqual(['Question 1']))
    await waitFor(() => expect(client.isFetching()).toBe(0))
    const read = vi.spyOn(localChannels, 'outline')
    vi.spyOn(localChannels, 'message').mockResolvedValue(aMessage(2))
    act(() => announceHere({ kind: 'message', channelId, mId: aMessage(2).mId }))
    await waitFor(() => expect(questions()).toEqual(['Question 1', 'Question 2']))
    act(() => announceHere({ kind: 'message', channelId, mId: aMessage(1).mId, isRemoved: true }))
    await waitFor(() => expect(questions()).toEqual(['Question 2']))
    expect(read).not.toHaveBeenCalled()
  },
)

it('an open outline is read again where the message that changed cannot be read by itself', async () => {
  await localChannels.put(aMessage(1))
  const { client, wrapper } = aPage()
  const { result } = renderHook(() => useOutline(channelId), { wrapper })
  await waitFor(() => expect(result.current.data).toHaveLength(1))
  await waitFor(() => expect(client.isFetching()).toBe(0))
  const entries = await localChannels.outline(channelId)
  const read = vi.spyOn(localChannels, 'outline').mockResolvedValue([...entries, ...entries])
  vi.spyOn(localChannels, 'message').mockRejectedValue(new Error('damaged'))
  act(() => announceHere({ kind: 'message', channelId, mId: aMessage(2).mId }))
  await waitFor(() => expect(result.current.data).toHaveLength(2))
  expect(read).toHaveBeenCalledOnce()
})
