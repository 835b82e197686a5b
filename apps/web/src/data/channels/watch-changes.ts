import type { QueryClient } from '@tanstack/react-query'
import { type Change, onChange } from '../local/changes'
import { channelKeys } from './channel-keys'
import { findHome } from './homes'
import { patchChannel } from './patch-channels'
import { patchMessages } from './patch-messages'

const watched = new WeakSet<QueryClient>()

/** The last change of each message that is being read. */
const latest = new Map<string, Change>()

/** Keeps the queries of a tab up to date with what this tab and the others write. */
export function watchChanges(client: QueryClient): void {
  if (watched.has(client)) return
  watched.add(client)
  onChange((change) => void apply(client, change))
}

async function apply(client: QueryClient, change: Change): Promise<void> {
  switch (change.kind) {
    case 'vault':
    case 'keys':
      return client.invalidateQueries()
    case 'receipts':
      return client.invalidateQueries({ queryKey: channelKeys.readersIn(change.channelId) })
    case 'messages':
      void client.invalidateQueries({ queryKey: channelKeys.cloudCopy(change.channelId) })
      return readAgain(client, channelKeys.messages(change.channelId))
    case 'message':
      if (change.isRemoved) void client.invalidateQueries({ queryKey: channelKeys.cloudCopy(change.channelId) })
      return applyMessage(client, change)
    case 'channel':
      patchChannel(client, change.channelId, change.home)
      if (change.home === 'local') return
      void client.invalidateQueries({ queryKey: channelKeys.cloudCopy(change.channelId) })
      void client.invalidateQueries({ queryKey: channelKeys.membersOf(change.channelId) })
      void client.invalidateQueries({ queryKey: channelKeys.invitationsOf(change.channelId) })
      // Who comes or goes has read, or is asked no longer.
      return client.invalidateQueries({ queryKey: channelKeys.readersIn(change.channelId) })
    case 'channels': {
      void readAgain(client, channelKeys.list)
      if (change.home === 'local') return
      void readAgain(client, channelKeys.cloud)
      void readAgain(client, channelKeys.members)
      // Who comes or goes has read, or is asked no longer.
      return client.invalidateQueries({ queryKey: ['readers'] })
    }
    case 'vault-locked':
    case 'leaving':
  }
}

/** One message is read and put in its place: a long chat that is on screen is not read again for each second of an answer. */
async function applyMessage(client: QueryClient, change: Extract<Change, { kind: 'message' }>): Promise<void> {
  const { channelId, mId } = change
  const isLoaded = client.getQueryCache().findAll({ queryKey: channelKeys.messages(channelId) }).length > 0
  if (!isLoaded) return
  latest.set(mId, change)
  try {
    const message = change.isRemoved ? undefined : (change.message ?? (await (await findHome(channelId)).message(channelId, mId)))
    // What was read for an earlier change may be older than what a later one has put there.
    if (latest.get(mId) !== change) return
    latest.delete(mId)
    if (patchMessages(client, channelId, { mId, message }) || !message) return
  } catch {
    // Reading all of it tells what is wrong.
  }
  await readAgain(client, channelKeys.messages(channelId))
}

/** A first reading that is under way is not begun again by an invalidation: what was written meanwhile would be missing from it. */
async function readAgain(client: QueryClient, queryKey: readonly string[]): Promise<void> {
  const state = client.getQueryState(queryKey)
  if (state?.fetchStatus === 'fetching' && state.data === undefined) await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}
