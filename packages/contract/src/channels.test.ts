import { describe, expect, it } from 'vitest'
import {
  assertCanClear,
  assertCanDelete,
  assertNameFree,
  byActivity,
  type Channel,
  cleanChannelName,
  dateGroup,
  defaultChannelName,
  freeName,
  isDefaultChannelName,
  searchChannels,
} from './channels'

const channel = (fields: Partial<Channel> = {}): Channel => ({
  id: 'a',
  userId: null,
  channelName: 'A',
  assistantId: null,
  isDocument: false,
  isImage: false,
  isYoutube: false,
  isLocked: false,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  isLocalChannel: true,
  source: 'indexeddb',
  ...fields,
})

describe('the name of a new channel', () => {
  it('is Chat DD-MM HH-MM-SS of the local time [CH-082]', () => {
    expect(defaultChannelName(new Date(2026, 0, 5, 7, 8, 9))).toBe('Chat 05-01 07-08-09')
    expect(defaultChannelName(new Date(2026, 11, 31, 23, 59, 59))).toBe('Chat 31-12 23-59-59')
  })

  it('gets a number when it is taken, whatever the case', () => {
    const name = 'Chat 05-01 07-08-09'
    expect(freeName(name, [name.toUpperCase()])).toBe(`${name} (2)`)
    expect(freeName(name, [name, `${name} (2)`])).toBe(`${name} (3)`)
  })

  it('is known again as a default one, so that only it gives way to a suggestion [ST-096]', () => {
    expect(isDefaultChannelName('Chat 05-01 07-08-09')).toBe(true)
    expect(isDefaultChannelName('Chat 05-01 07-08-09 (2)')).toBe(true)
    expect(isDefaultChannelName('Chat about 05-01')).toBe(false)
  })

  it('is kept without control characters and within its length, never cutting a character in two', () => {
    expect(cleanChannelName('  a\u0000b\nc  ')).toBe('a b c')
    expect(cleanChannelName('🙂'.repeat(500))).toBe('🙂'.repeat(120))
  })
})

describe('rules of channels', () => {
  it('refuses a name that another channel of the same assistant has, ignoring case [CH-114]', () => {
    const other = channel({ id: 'b', channelName: 'Plans' })
    expect(() => assertNameFree(channel(), 'PLANS', [other])).toThrow('Channel with this name already exists')
    expect(() => assertNameFree(channel({ assistantId: 'x' }), 'Plans', [other])).not.toThrow()
    expect(() => assertNameFree(channel({ id: 'b' }), 'plans', [other])).not.toThrow()
  })

  it('keeps a locked channel from being deleted or cleared [CH-087]', () => {
    expect(() => assertCanDelete(channel({ isLocked: true }))).toThrow('This channel is locked and cannot be deleted')
    expect(() => assertCanClear(channel({ isLocked: true }))).toThrow('This channel is locked and cannot be cleared')
    expect(() => assertCanDelete(channel())).not.toThrow()
  })

  it('finds names by a part of them, ignoring case, and everything by a blank search [CH-029]', () => {
    const channels = [channel({ channelName: 'Lisbon trip' }), channel({ id: 'b', channelName: 'Imposto de renda' })]
    expect(searchChannels(channels, 'LISB').map(({ channelName }) => channelName)).toEqual(['Lisbon trip'])
    expect(searchChannels(channels, '   ')).toHaveLength(2)
  })

  it('sorts by the last activity, newest first, then by name descending [CH-089]', () => {
    const sorted = [
      channel({ channelName: 'A' }),
      channel({ channelName: 'B' }),
      channel({ channelName: 'C', updated_at: '2026-02-01T00:00:00.000Z' }),
    ].sort(byActivity)
    expect(sorted.map(({ channelName }) => channelName)).toEqual(['C', 'B', 'A'])
  })
})

describe('date groups [CH-026, CH-027]', () => {
  const now = new Date(2026, 2, 10, 12)
  const daysAgo = (days: number, hour = 12): string => new Date(2026, 2, 10 - days, hour).toISOString()

  it.each([
    [0, 'today'],
    [1, 'yesterday'],
    [2, 'last7days'],
    [7, 'last7days'],
    [8, 'last30days'],
    [30, 'last30days'],
    [31, 'previous'],
    [400, 'previous'],
  ] as const)('%i days ago is %s', (days, group) => {
    expect(dateGroup(daysAgo(days), now)).toBe(group)
  })

  it('counts calendar days, not hours', () => {
    expect(dateGroup(new Date(2026, 2, 9, 23, 59).toISOString(), new Date(2026, 2, 10, 0, 1))).toBe('yesterday')
    expect(dateGroup(new Date(2026, 2, 10, 0, 1).toISOString(), new Date(2026, 2, 10, 23, 59))).toBe('today')
  })

  it('crosses the end of a year, and takes a clock that went back as today', () => {
    expect(dateGroup(new Date(2025, 11, 31, 22).toISOString(), new Date(2026, 0, 1, 1))).toBe('yesterday')
    expect(dateGroup(new Date(2026, 0, 2).toISOString(), new Date(2026, 0, 1))).toBe('today')
  })
})
