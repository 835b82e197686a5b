import { limits } from '@parley/contract/limits'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeNoCredits, mayAsk, noteShortage, useNoCredits } from './no-credits-state'

beforeEach(() => {
  vi.useFakeTimers()
  closeNoCredits()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  noteShortage(false)
})

it('a question waits until it is known whether credits are needed first', async () => {
  noteShortage(undefined)
  const both = [mayAsk(), mayAsk()]
  noteShortage(true)
  expect(await Promise.all(both)).toEqual([false, false])
  expect(useNoCredits.getState().isOpen).toBe(true)
})

it('what nobody can say in time is the server’s to judge', async () => {
  noteShortage(undefined)
  const asked = mayAsk()
  await vi.advanceTimersByTimeAsync(limits.credits.shortageMs)
  expect(await asked).toBe(true)
  expect(useNoCredits.getState().isOpen).toBe(false)
})

it('without a network nothing is waited for', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  for (const isShort of [undefined, true]) {
    noteShortage(isShort)
    expect(await mayAsk()).toBe(true)
  }
})
