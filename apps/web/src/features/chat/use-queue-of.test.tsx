import { act, renderHook, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { useQueueOf } from './use-queue-of'

/** What takes a question out of the queue, step by step. */
const pump = vi.hoisted(() => ({
  ends: vi.fn(),
  keep: (_text: string): void => undefined,
  finish: (_end: (() => void) | undefined): void => undefined,
}))
vi.mock('../../data/chat/queue', () => ({
  useQueue: () => ({ queued: [], wait: undefined }),
  mustWait: async () => false,
  loadQueuePump: async () => ({
    takeQueued: (_channelId: string, _mId: string, keep: (text: string) => void) => {
      pump.keep = keep
      return new Promise((resolve) => {
        pump.finish = resolve
      })
    },
  }),
}))
beforeEach(() => void pump.ends.mockReset())

function aComposer() {
  const setText = vi.fn()
  const box = { current: null }
  const { result, unmount } = renderHook(() => useQueueOf('a-channel', { text: '', setText, box }))
  const begin = async (mId: string): Promise<void> => {
    const before = pump.keep
    act(() => result.current.edit(mId))
    await waitFor(() => expect(pump.keep).not.toBe(before))
    pump.keep(`text of ${mId}`)
    expect(setText).toHaveBeenLastCalledWith(`text of ${mId}`)
  }
  const finish = (): Promise<void> => act(async () => pump.finish(pump.ends))
  return { result, unmount, begin, finish }
}

it('holds the queue from the edit to its end', async () => {
  const { result, begin, finish } = aComposer()
  await begin('first')
  await finish()
  expect(pump.ends).not.toHaveBeenCalled()
  act(() => result.current.endEdit())
  expect(pump.ends).toHaveBeenCalledOnce()
})

it('lets the queue go on where the box is emptied before the question is out of it', async () => {
  const { result, begin, finish } = aComposer()
  await begin('first')
  act(() => result.current.endEdit())
  expect(pump.ends).not.toHaveBeenCalled()
  await finish()
  expect(pump.ends).toHaveBeenCalledOnce()
})

it('lets the queue go on where the chat is left before the question is out of it', async () => {
  const { unmount, begin, finish } = aComposer()
  await begin('first')
  unmount()
  await finish()
  expect(pump.ends).toHaveBeenCalledOnce()
})

it('holds the queue for the second of two edits whose first one is not out of it yet, and for nobody once the box is empty', async () => {
  const { result, begin, finish } = aComposer()
  await begin('first')
  const finishFirst = pump.finish
  await begin('second')
  await act(async () => finishFirst(pump.ends))
  await finish()
  expect(pump.ends).toHaveBeenCalledOnce()
  act(() => result.current.endEdit())
  expect(pump.ends).toHaveBeenCalledTimes(2)
})

it('holds the queue for the second of two edits, also where the first one was ended early', async () => {
  const { result, begin, finish } = aComposer()
  await begin('first')
  act(() => result.current.endEdit())
  await finish()
  await begin('second')
  await finish()
  expect(pump.ends).toHaveBeenCalledOnce()
  act(() => result.current.endEdit())
  expect(pump.ends).toHaveBeenCalledTimes(2)
})
