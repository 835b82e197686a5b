import type { Channel } from '@parley/contract/channels'
import { expect, it } from 'vitest'
import { migrationStats } from './migration-stats'

const at = '2026-01-01T00:00:00.000Z'
const aChannel = (id: string, fields: Partial<Channel>): Channel => ({
  id,
  userId: null,
  channelName: id,
  assistantId: null,
  isDocument: false,
  isImage: false,
  isYoutube: false,
  isLocked: false,
  created_at: at,
  updated_at: at,
  isLocalChannel: false,
  source: 'postgresql',
  ...fields,
})

it('counts how many chats need migration: those of the cloud that are neither locked nor shared [CH-063]', () => {
  const channels = [
    aChannel('here', { isLocalChannel: true, source: 'indexeddb' }),
    aChannel('there', {}),
    aChannel('there too', {}),
    aChannel('locked', { isLocked: true }),
    aChannel('with members', { memberCount: 1 }),
    aChannel('of somebody else', { role: 'write' }),
  ]
  expect(migrationStats(channels)).toEqual({ total: 6, local: 1, cloud: 5, needsMigration: 2 })
  expect(migrationStats([])).toEqual({ total: 0, local: 0, cloud: 0, needsMigration: 0 })
})

it('counts a chat that stands in both homes once, and offers the rest of its move', () => {
  const here = aChannel('both', { source: 'indexeddb', isLocalChannel: true })
  const there = aChannel('both', {})
  expect(migrationStats([here], [there])).toEqual({ total: 1, local: 1, cloud: 1, needsMigration: 1 })
})
