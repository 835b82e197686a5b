import { webLimits } from '@parley/contract/limits/web'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aUser, tokens } from '../../testing/seed-session'
import { closeNoCredits, useNoCreditsDialog } from '../session/no-credits-dialog'
import { forgetSession, storeSession } from '../session/stored-session'
import { ensureCredits, storeShortage } from './shortage-state'

beforeEach(() => {
  storeSession(aUser(), tokens, 'web2')
  vi.useFakeTimers()
  closeNoCredits()
})
afterEach(() => {
  forgetSession()
  vi.useRealTimers()
  vi.restoreAllMocks()
  storeShortage(false)
})

it('a question waits until it is known whether credits are needed first', async () => {
  storeShortage(undefined)
  const both = [ensureCredits(), ensureCredits()]
  storeShortage(true)
  expect(await Promise.all(both)).toEqual([false, false])
  expect(useNoCreditsDialog.getState().isOpen).toBe(true)
})

it('what nobody can say in time is the server’s to judge: the balance first, then whether its model costs anything', async () => {
  storeShortage(undefined)
  let isOver = false
  const asked = ensureCredits().finally(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(webLimits.credits.balanceMs - 1)
  storeShortage(undefined, 'prices')
  await vi.advanceTimersByTimeAsync(webLimits.credits.shortageMs - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await asked).toBe(true)
  expect(useNoCreditsDialog.getState().isOpen).toBe(false)
})

it('a question of somebody who has just signed in waits for their own balance, whatever was known before', async () => {
  storeShortage(false)
  storeSession(aUser({ id: '0193f000-0000-7000-8000-000000000002' }), tokens, 'web2')
  const asked = ensureCredits()
  storeShortage(true)
  expect(await asked).toBe(false)
})

it('without a network nothing is waited for', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  for (const isShort of [undefined, true]) {
    storeShortage(isShort)
    expect(await ensureCredits()).toBe(true)
  }
})
