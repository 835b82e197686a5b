import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hideAnswer, type LiveAnswer, markStored, onAnswerEnd, showAnswer, useIsAnsweringElse } from './live-chat'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const painted = () => act(() => vi.advanceTimersByTimeAsync(300))
const writing: LiveAnswer = {
  ...{ mId: 'm1', channelId: 'c1', messageId: 'r1', phase: 'writing', content: 'A right', isSaving: false },
}

it('an answer that is stored keeps nobody from the next question, while it is shown until it has been read', async () => {
  const ended = vi.fn()
  const stop = onAnswerEnd(ended)
  const { result } = renderHook(() => useIsAnsweringElse('c1', 'm2'))
  showAnswer(writing)
  await painted()
  expect(result.current).toBe(true)
  markStored('m1', 'another run')
  await painted()
  expect([result.current, ended.mock.calls]).toEqual([true, []])
  markStored('m1', 'r1')
  await painted()
  expect([result.current, ended.mock.calls]).toEqual([false, [['c1']]])
  hideAnswer('m1', 'r1')
  await painted()
  expect(ended).toHaveBeenCalledTimes(1)
  stop()
})
