import type { ChannelChange } from '@parley/contract/channel-change'
import { announceHere } from '../local/changes'
import { currentScope, scoped } from '../scope/scope'

const gatherMs = 150
/** More exchanges than these are read as a page sooner than one by one. */
const maxExchanges = 10

/** What events within a moment have told of a channel. */
type Gathered = { mIds: Set<string>; isWhole: boolean; hasFields: boolean; hasSummaries: boolean }
const gathered = scoped(() => new Map<string, Gathered>())

/**
 * Batches the events of one cloud channel, and has what they name read again: single exchanges, the summaries, the
 * channel's own fields; all of it where an event does not tell what changed.
 */
export function scheduleReload(channelId: string, change?: ChannelChange): void {
  const scope = currentScope()
  const waiting = gathered(scope)
  const known = waiting.get(channelId)
  const all = known ?? { mIds: new Set<string>(), isWhole: false, hasFields: false, hasSummaries: false }
  if (change?.kind === 'exchanges') for (const mId of change.mIds) all.mIds.add(mId)
  else if (change?.kind === 'summaries') all.hasSummaries = true
  else if (change?.kind === 'channel') all.hasFields = true
  else all.isWhole = true
  if (known) return
  waiting.set(channelId, all)
  scope.later(() => {
    waiting.delete(channelId)
    announceGathered(channelId, all)
  }, gatherMs)
}

function announceGathered(channelId: string, { mIds, isWhole, hasFields, hasSummaries }: Gathered): void {
  if (isWhole || mIds.size > maxExchanges) announceHere({ kind: 'messages', channelId })
  else {
    for (const mId of mIds) announceHere({ kind: 'message', channelId, mId })
    if (hasSummaries) announceHere({ kind: 'summaries', channelId })
  }
  const isActivity = !isWhole && !hasFields
  announceHere({ kind: 'channel', channelId, home: 'cloud', ...(isActivity ? { isActivity } : {}) })
}
