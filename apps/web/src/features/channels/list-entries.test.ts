import type { Channel } from '@parley/contract/channels'
import { describe, expect, it } from 'vitest'
import { listEntries } from './list-entries'

const now = new Date(2026, 10, 21, 9, 0)
const daysAgo = (days: number): string => new Date(2026, 10, 21 - days, 12, 0).toISOString()

function channel(id: string, days: number, channelName = id): Channel {
  return {
    id,
    userId: null,
    channelName,
    assistantId: null,
    isDocument: false,
    isImage: false,
    isYoutube: false,
    isLocked: false,
    created_at: daysAgo(days),
    updated_at: daysAgo(days),
    isLocalChannel: true,
    source: 'indexeddb',
  }
}

const shape = (channels: Channel[], query = ''): string[] =>
  listEntries(channels, query, now).map((entry) => (entry.kind === 'heading' ? `# ${entry.heading}` : entry.id))

describe('the entries of the sidebar', () => {
  it('stand under their dates, newest group first, and empty groups have no heading [CH-026, CH-027]', () => {
    const channels = [
      channel('a', 0),
      channel('b', 1),
      channel('c', 2),
      channel('d', 7),
      channel('e', 8),
      channel('f', 30),
      channel('g', 31),
    ]
    expect(shape(channels)).toEqual([
      '# today',
      'a',
      '# yesterday',
      'b',
      '# last7days',
      'c',
      'd',
      '# last30days',
      'e',
      'f',
      '# previous',
      'g',
    ])
    expect(shape([channel('g', 400)])).toEqual(['# previous', 'g'])
  })

  it('are one list of results while searching, by substring whatever the case [CH-028, CH-029]', () => {
    const channels = [channel('a', 0, 'Lease CLAUSES'), channel('b', 1, 'Sourdough'), channel('c', 40, 'more clauses')]
    expect(shape(channels, 'clauses')).toEqual(['# searchResults', 'a', 'c'])
    expect(shape(channels, 'nothing like it')).toEqual([])
  })

  it('ignore a blank search [CH-029]', () => {
    expect(shape([channel('a', 0)], '   ')).toEqual(['# today', 'a'])
  })
})
