import { announceHere } from '../local/changes'
import { currentScope, scoped } from '../scope/scope'

const gatherMs = 150
const reloads = scoped(() => new Set<string>())

/** Batches the events of one channel into one refetch of that channel. */
export function scheduleReload(channelId: string): void {
  const scope = currentScope()
  const scheduled = reloads(scope)
  if (scheduled.has(channelId)) return
  scheduled.add(channelId)
  scope.later(() => {
    scheduled.delete(channelId)
    announceHere({ kind: 'messages', channelId })
    announceHere({ kind: 'channel', channelId, home: 'cloud' })
  }, gatherMs)
}
