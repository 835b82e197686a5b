import type { Message } from '@parley/contract/chat'
import type { QueryClient } from '@tanstack/react-query'
import { type Change, onChange } from '../local/changes'
import { type Scope, scoped } from '../scope/scope'
import { channelKeys } from './channel-keys'
import { findHome } from './homes'
import { patchChannel } from './patch-channels'
import { readAgain } from './read-again'

type MessageChange = Extract<Change, { kind: 'message' }>

/** The last change of each message that is being read. */
const latestChanges = scoped(() => new Map<string, MessageChange>())

/** Updates the queries of a scope with changes of this and other tabs, until its end. */
export function watchChanges(scope: Scope): void {
  const { queryClient } = scope.environment
  if (queryClient) scope.onDispose(onChange((change) => void apply(queryClient, change)))
}

async function apply(client: QueryClient, change: Change): Promise<void> {
  switch (change.kind) {
    case 'vault':
    case 'keys':
      return client.invalidateQueries()
    case 'receipts':
      return client.invalidateQueries({ queryKey: channelKeys.readersIn(change.channelId) })
    case 'summaries':
      return client.invalidateQueries({ queryKey: channelKeys.summaries(change.channelId) })
    case 'sources':
      return applySources(client, change)
    case 'queue':
      return client.invalidateQueries({ queryKey: channelKeys.queue(change.channelId) })
    case 'messages':
      // A channel that was cleared or deleted has no queue any more.
      void client.invalidateQueries({ queryKey: channelKeys.queue(change.channelId) })
      void client.invalidateQueries({ queryKey: channelKeys.cloudCopy(change.channelId) })
      void client.invalidateQueries({ queryKey: channelKeys.sizesOf(change.channelId) })
      void client.invalidateQueries({ queryKey: channelKeys.outline(change.channelId) })
      void client.invalidateQueries({ queryKey: channelKeys.summaries(change.channelId) })
      // It was moved, cleared or deleted, or what was told of it meanwhile was lost.
      void readAgain(client, channelKeys.sources(change.channelId))
      return readAgain(client, channelKeys.messages(change.channelId))
    case 'message':
      if (change.isRemoved) {
        void client.invalidateQueries({ queryKey: channelKeys.cloudCopy(change.channelId) })
        void client.invalidateQueries({ queryKey: channelKeys.summaries(change.channelId) })
      }
      return applyMessage(client, change)
    case 'channel':
      patchChannel(client, change.channelId, change.home)
      if (change.home === 'local') return
      void client.invalidateQueries({ queryKey: channelKeys.cloudCopy(change.channelId) })
      if (change.isActivity) return
      void client.invalidateQueries({ queryKey: channelKeys.membersOf(change.channelId) })
      void client.invalidateQueries({ queryKey: channelKeys.invitationsOf(change.channelId) })
      // Members who join or leave change the read receipts.
      return client.invalidateQueries({ queryKey: channelKeys.readersIn(change.channelId) })
    case 'channels': {
      void readAgain(client, channelKeys.list)
      if (change.home === 'local') return
      void readAgain(client, channelKeys.cloud)
      void readAgain(client, channelKeys.members)
      // Members who join or leave change the read receipts.
      return client.invalidateQueries({ queryKey: ['readers'] })
    }
    case 'meaning':
    case 'vault-locked':
    case 'leaving':
  }
}

/** Reads and patches one message: refetching a long chat for each second of a streamed answer would be too slow. */
async function applyMessage(client: QueryClient, change: MessageChange): Promise<void> {
  const { channelId, mId } = change
  const queryKey = channelKeys.messages(channelId)
  const outlineKey = channelKeys.outline(channelId)
  const isLoaded = client.getQueryCache().findAll({ queryKey }).length > 0
  // An open outline may be there before the messages.
  const isOutlineShown = isShown(client, outlineKey)
  if (!isLoaded && !isOutlineShown) return
  // What nobody looks at is read when it is shown again.
  if (!change.isRemoved && !change.message && !isOutlineShown && !isShown(client, queryKey))
    return client.invalidateQueries({ queryKey })
  const latest = latestChanges()
  latest.set(mId, change)
  try {
    // It came with the messages.
    const { patchMessages } = await import('./patch-messages')
    const message = change.isRemoved
      ? undefined
      : (change.message ?? (await (await findHome(channelId)).message(channelId, mId)))
    // The read of an earlier change may have returned an older state than a later one has patched. What came with a
    // change is shown also while a later one still reads.
    const newest = latest.get(mId)
    if (newest === change) latest.delete(mId)
    else if (!change.message || !newest || newest.message || newest.isRemoved) return
    void patchOutline(client, channelId, { mId, message })
    if (patchMessages(client, channelId, { mId, message }) || !message) return
  } catch {
    // Refetching the messages and the outline reports the error.
    void client.invalidateQueries({ queryKey: outlineKey })
  }
  await readAgain(client, queryKey)
}

const isShown = (client: QueryClient, queryKey: readonly string[]): boolean =>
  client.getQueryCache().findAll({ queryKey, type: 'active' }).length > 0

/** Few visits have sources. */
async function applySources(client: QueryClient, change: Extract<Change, { kind: 'sources' }>): Promise<void> {
  try {
    const { patchSources } = await import('./patch-sources')
    await patchSources(client, change)
  } catch {
    await readAgain(client, channelKeys.sources(change.channelId))
  }
}

/** Few visits open an outline. */
async function patchOutline(client: QueryClient, channelId: string, patch: MessagePatch): Promise<void> {
  const queryKey = channelKeys.outline(channelId)
  if (!client.getQueryState(queryKey)) return
  try {
    const outlines = await import('./patch-outline')
    outlines.patchOutline(client, channelId, patch)
  } catch {
    await client.invalidateQueries({ queryKey })
  }
}
type MessagePatch = { mId: string; message: Message | undefined }
