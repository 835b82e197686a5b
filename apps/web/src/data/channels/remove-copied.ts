import type { Source } from '@parley/contract/sources'
import type { Device } from '../local/device'
import { writeSealed } from '../local/write-sealed'
import { copiedRecords } from '../sources/device-copies'
import { chatTables } from './chat-keys'
import { noteWhole, removeCopied, type WholeChannel } from './chat-records'

/** What was copied of a chat beside what is shown: the earlier runs of its exchanges too, and these sources. */
export type CopiedParts = { hasEveryRun: boolean; sources: readonly Source[] }

/** Removes a chat that was copied elsewhere. Throws channel.copy-differs where anything was written since. */
export function removeCopiedChat(
  openDevice: () => Promise<Device>,
  whole: WholeChannel,
  { hasEveryRun, sources }: CopiedParts,
): Promise<void> {
  return writeSealed(openDevice, chatTables, async (device, noteRead) => {
    noteWhole(whole, noteRead)
    const documents = await copiedRecords(device, noteRead, { channelId: whole.channel.id, copied: sources })
    return (records) => removeCopied(records, whole, { userId: device.userId, hasEveryRun, documents })
  })
}
