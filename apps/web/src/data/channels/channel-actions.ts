import { type Channel, isShared, type StorageMode } from '@parley/contract/channels'
import type { ChatSettings } from '@parley/contract/chat-settings'
import { removeSources } from '../local/source-keys'
import { sourceTables } from '../local/source-tables'
import { orStorageError } from '../local/storage-error'
import { writeSealed } from '../local/write-sealed'
import { openDevice } from '../vault/open-device'
import { cloudChannels, findHome, homeOf, homes } from './homes'
import { localChannels } from './local-channels'
import { moveToDevice } from './moves'
import { forgetQueue, queuedChannels } from './queued-questions'
import { forgetRuns, forgetRunsExcept } from './runs-left-behind'
import { isTemporary, openTemporary, removeTemporary } from './temporary-chats'

/** Creates a channel in a home, with its agent; without a name it gets the default one. */
export async function createChannel({
  name,
  mode,
  isTemporary = false,
  assistantId = null,
  settings = {},
}: {
  name?: string
  mode: StorageMode
  isTemporary?: boolean
  assistantId?: string | null
  settings?: ChatSettings
}): Promise<Channel> {
  const home = isTemporary ? (await openTemporary()).store : homes[mode]
  return home.create({ assistantId, settings, ...(name === undefined ? {} : { channelName: name }) })
}

/**
 * The home of a change: where the person's storage mode is local, a cloud channel is moved to this device first, unless
 * it is locked or shared. Throws AppError; then nothing was changed.
 */
async function homeForChange(channel: Channel, mode: StorageMode): Promise<ChannelHome> {
  if (channel.isLocalChannel || channel.isLocked || isShared(channel) || mode === 'cloud')
    return { home: homeOf(channel), changed: channel }
  const changed = await moveToDevice(channel)
  return { home: localChannels, changed }
}
type ChannelHome = { home: ReturnType<typeof homeOf>; changed: Channel }

export async function renameChannel(channel: Channel, name: string, mode: StorageMode): Promise<Channel> {
  const { home, changed } = await homeForChange(channel, mode)
  return home.rename(changed.id, name)
}

export async function clearChannel(channel: Channel, mode: StorageMode): Promise<void> {
  const { home, changed } = await homeForChange(channel, mode)
  await home.clear(changed.id)
  if (isTemporary(channel.id)) return
  await forgetRuns(changed.id)
  await forgetQueue(changed.id)
}

/** Deletes a channel where it is: moving it to this device first would make no difference. */
export async function deleteChannel(channelId: string): Promise<void> {
  const wasTemporary = isTemporary(channelId)
  const home = await findHome(channelId)
  await home.remove(channelId)
  // What a move to this device has left that was cut off before its chat was here.
  if (home === cloudChannels) await forgetSources(channelId)
  // Its queue went with it.
  if (wasTemporary) return
  await forgetRuns(channelId)
  await forgetQueue(channelId)
}

export async function deleteAllChannels(
  mode: StorageMode,
): Promise<{ deleted: number; skipped: number; failed: number }> {
  const result = await homes[mode].removeAll()
  if (mode === 'local') result.deleted += (await removeTemporary()).deleted
  // Nothing in the cloud is left to delete: what stays here where this fails goes with the next deletion.
  if (mode === 'cloud') await forgetDeletedRuns().catch(() => undefined)
  return result
}

const forgetSources = (channelId: string): Promise<void> =>
  orStorageError(() =>
    writeSealed(openDevice, sourceTables, async () => (records) => removeSources(records, channelId)),
  )

async function forgetDeletedRuns(): Promise<void> {
  const inCloud = new Set((await cloudChannels.list()).map(({ id }) => id))
  await forgetRunsExcept(inCloud)
  for (const channelId of await queuedChannels())
    if (!inCloud.has(channelId) && !(await localChannels.get(channelId))) await forgetQueue(channelId)
}

export const setChannelLocked = (channelId: string, isLocked: boolean): Promise<Channel> =>
  localChannels.setLocked(channelId, isLocked)
