import type { Device } from '../local/device'
import { withTabLock } from '../local/tab-lock'
import { type SourceIds, withId } from '../sources/source-ids'
import { queuedId } from './chat-keys'
import { openDeviceOf } from './device-of'
import { putQueued, queueLock, queueOf, tellOfQueue } from './queued-questions'

type MoveOptions = { to?: string; ids?: SourceIds }

/**
 * Moves a queue from another vault of this browser, or from another channel, to a channel of the open vault, whose
 * sources may have other ids. A question is removed there only when it is stored here.
 */
export async function moveQueue(
  from: Device,
  channelId: string,
  { to = channelId, ids = new Map() }: MoveOptions = {},
): Promise<void> {
  await withTabLock(queueLock(channelId), async () => {
    const isInPlace = to === channelId && from.db === (await openDeviceOf(channelId)).db
    if (isInPlace && ids.size === 0) return
    for (const question of await queueOf(from, channelId)) {
      const { files } = question
      await putQueued(to, { ...question, ...(files ? { files: files.map((file) => withId(file, ids)) } : {}) })
      if (!isInPlace) await from.db.delete('drafts', queuedId(channelId, question.mId))
    }
  })
  tellOfQueue(channelId)
}
