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
  const flags = { isDocument: false, isImage: false, isYoutube: false, isLocked: false, isLocalChannel: source === 'indexeddb' }
  return { id, userId: null, channelName: `Name of ${id}`, assistantId: null, created_at: '', updated_at: '', source, ...flags }
}

const shape = (...args: Parameters<typeof mergeHits>): string[] =>
  mergeHits(...args).map(({ source, mId }) => `${source === 'indexeddb' ? 'device' : 'cloud'} ${mId}`)

describe('the hits of both homes', () => {
  it('are one list, the newest message first, each under its channel’s name of now', () => {
    const channels = [channel('a', 'indexeddb'), channel('c', 'postgresql')]
    const merged = mergeHits({ hits: [hit('a', 3), hit('a', 1)], hasMore: false }, [hit('c', 2), hit('new', 4)], channels)
    expect(merged.map(({ mId, channelName }) => [mId, channelName])).toEqual([
      ['m4', 'Cloud name of new'],
      ['m3', 'Name of a'],
      ['m2', 'Name of c'],
      ['m1', 'Name of a'],
    ])
  })

  it('show a channel that is in both once: the copy on this device', () => {
    expect(shape({ hits: [hit('a', 1)], hasMore: false }, [hit('a', 1), hit('a', 9)], [channel('a', 'indexeddb')])).toEqual(['device m1'])
  })

  it('show nothing of a channel that was deleted on this device meanwhile', () => {
    expect(shape({ hits: [hit('gone', 1)], hasMore: false }, [], [])).toEqual([])
  })

  it('keep the cloud’s older ones back until the device’s older ones are shown', () => {
    const found = { hits: [hit('a', 9), hit('a', 8)], hasMore: true }
    expect(shape(found, [hit('c', 10), hit('c', 7)], [channel('a', 'indexeddb')])).toEqual(['cloud m10', 'device m9', 'device m8'])
  })
})
