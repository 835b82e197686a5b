import type { Channel } from '@parley/contract/channels'
import type { MessageHit } from '@parley/contract/cloud'
import { describe, expect, it } from 'vitest'
import { mergeHits } from './merge-hits'

const hit = (channelId: string, day: number, mId = `m${day}`): MessageHit => ({
  channelId,
  channelName: `Cloud name of ${channelId}`,
  mId,
  datetime: new Date(Date.UTC(2026, 0, day)).toISOString(),
  passage: 'needle',
  marks: [[0, 6]],
})

function channel(id: string, source: Channel['source']): Channel {
  const flags = {
    isDocument: false,
    isImage: false,
    isYoutube: false,
    isLocked: false,
    isLocalChannel: source === 'indexeddb',
  }
  return {
    id,
    userId: null,
    channelName: `Name of ${id}`,
    assistantId: null,
    created_at: '',
    updated_at: '',
    source,
    ...flags,
  }
}

const all = (...hits: MessageHit[]) => ({ hits, hasMore: false })
const shape = (...args: Parameters<typeof mergeHits>): string[] =>
  mergeHits(...args).map(({ source, mId }) => `${source === 'indexeddb' ? 'device' : 'cloud'} ${mId}`)

describe('the hits of both homes', () => {
  it('are one list, the newest message first, each under its channel’s name of now', () => {
    const channels = [channel('a', 'indexeddb'), channel('c', 'postgresql')]
    const merged = mergeHits(all(hit('a', 3), hit('a', 1)), all(hit('c', 2), hit('new', 4)), channels)
    expect(merged.map(({ mId, channelName }) => [mId, channelName])).toEqual([
      ['m4', 'Cloud name of new'],
      ['m3', 'Name of a'],
      ['m2', 'Name of c'],
      ['m1', 'Name of a'],
    ])
  })

  it('show a channel that is in both once: the copy on this device', () => {
    expect(shape(all(hit('a', 1)), all(hit('a', 1), hit('a', 9)), [channel('a', 'indexeddb')])).toEqual(['device m1'])
  })

  it('show nothing of a channel that was deleted on this device meanwhile', () => {
    expect(shape(all(hit('gone', 1)), all(), [])).toEqual([])
  })

  it('keep the older ones of one home back until the other has shown its own', () => {
    const channels = [channel('a', 'indexeddb')]
    expect(
      shape({ hits: [hit('a', 9), hit('a', 8)], hasMore: true }, all(hit('c', 10), hit('c', 7)), channels),
    ).toEqual(['cloud m10', 'device m9', 'device m8'])
    expect(
      shape(all(hit('a', 9), hit('a', 6)), { hits: [hit('c', 10), hit('c', 7)], hasMore: true }, channels),
    ).toEqual(['cloud m10', 'device m9', 'cloud m7'])
  })
})
