import { limits } from '@parley/contract/limits'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aUser, tokens } from '../../testing/seed-session'
import { forgetSession, storeSession } from '../session/stored-session'
import { closeNoCredits, mayAsk, noteShortage, useNoCredits } from './no-credits-state'

beforeEach(() => {
  storeSession(aUser(), tokens, 'web2')
  vi.useFakeTimers()
  closeNoCredits()
})
afterEach(() => {
  forgetSession()
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

it('what nobody can say in time is the server’s to judge: the balance first, then whether its model costs anything', async () => {
  noteShortage(undefined)
  let isOver = false
  const asked = mayAsk().finally(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(limits.credits.balanceMs - 1)
  noteShortage(undefined, 'prices')
  await vi.advanceTimersByTimeAsync(limits.credits.shortageMs - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await asked).toBe(true)
  expect(useNoCredits.getState().isOpen).toBe(false)
})

it('a question of somebody who has just signed in waits for their own balance, whatever was known before', async () => {
  noteShortage(false)
  storeSession(aUser({ id: '0193f000-0000-7000-8000-000000000002' }), tokens, 'web2')
  const asked = mayAsk()
  noteShortage(true)
  expect(await asked).toBe(false)
})

it('without a network nothing is waited for', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  for (const isShort of [undefined, true]) {
    noteShortage(isShort)
    expect(await mayAsk()).toBe(true)
  }
})
