import { type Channel, type DateGroup, dateGroup, searchChannels } from '@parley/contract/channels'

export type ListEntry = { kind: 'heading'; id: string; heading: DateGroup | 'searchResults' } | { kind: 'channel'; id: string; channel: Channel }

const order: readonly DateGroup[] = ['today', 'yesterday', 'last7days', 'last30days', 'previous']

/** The sidebar's list, flat for the virtualiser: channels under their date, or one list of results. A blank search is ignored. */
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

const heading = (of: DateGroup | 'searchResults'): ListEntry => ({ kind: 'heading', id: `heading:${of}`, heading: of })
const row = (channel: Channel): ListEntry => ({ kind: 'channel', id: channel.id, channel })
