import { type Channel, type DateGroup, dateGroup, searchChannels } from '@parley/contract/channels'
import type { ListedHit } from '../../data/search/merge-hits'
import type { MessageSearch } from '../../data/search/use-message-search'

export type Note = 'noResults' | 'noMessages' | 'searchFailed'

export type ListEntry =
  | { kind: 'heading'; id: string; heading: DateGroup | 'searchResults' | 'messages' }
  | { kind: 'channel'; id: string; channel: Channel }
  | { kind: 'message'; id: string; hit: ListedHit }
  | { kind: 'note'; id: string; note: Note }
  | { kind: 'more'; id: string }

const order: readonly DateGroup[] = ['today', 'yesterday', 'last7days', 'last30days', 'previous']

/**
 * The entries of the sidebar's list, flat for the virtualiser: channels by date, or one list of search results. A blank
 * search is ignored.
 */
export function listEntries(channels: readonly Channel[], query: string, now: Date): ListEntry[] {
  if (query.trim() !== '') {
    const found = searchChannels(channels, query)
    return found.length === 0 ? [] : [heading('searchResults'), ...found.map(row)]
  }
  const groups = new Map<DateGroup, Channel[]>()
  for (const channel of channels) {
    const group = dateGroup(channel.updated_at, now)
    const members = groups.get(group)
    if (members) members.push(channel)
    else groups.set(group, [channel])
  }
  return order.flatMap((group) => {
    const members = groups.get(group)
    return members ? [heading(group), ...members.map(row)] : []
  })
}

/** The channels whose name matches and, below them, the matching messages. */
export function withMessages(names: ListEntry[], { hits, isSearching, hasMore, error }: MessageSearch): ListEntry[] {
  const entries = hits.map((hit): ListEntry => ({ kind: 'message', id: `message:${hit.channelId}/${hit.mId}`, hit }))
  if (hasMore) entries.push({ kind: 'more', id: 'more' })
  if (error) entries.push(note('searchFailed'))
  else if (hits.length === 0 && !isSearching) entries.push(note('noMessages'))
  return [
    ...(names.length === 0 ? [heading('searchResults'), note('noResults')] : names),
    heading('messages'),
    ...entries,
  ]
}

/** Whether arrow keys stop at this entry. */
export const isStop = ({ kind }: ListEntry): boolean => kind === 'channel' || kind === 'message' || kind === 'more'

const heading = (of: DateGroup | 'searchResults' | 'messages'): ListEntry => ({
  kind: 'heading',
  id: `heading:${of}`,
  heading: of,
})
const row = (channel: Channel): ListEntry => ({ kind: 'channel', id: channel.id, channel })
const note = (of: Note): ListEntry => ({ kind: 'note', id: `note:${of}`, note: of })
