import { randomUUID } from 'node:crypto'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../../db/client'
import { flagChannel } from '../../channels/public/channel-flags-store'
import type { OwnedChannel } from '../../channels/public/channel-row-store'
import type { AccountFiles, FilePlace } from '../account-files'
import { flagOf, requireRoom } from '../admission'
import { lockFilesOf } from '../file-key-store'
import { copyPassages } from '../passage-store'
import { insertSource, listSources, lockSources, type SourceRow } from '../source-store'

type Deps = { db: Db; files: AccountFiles; now: () => number }

/** A copy whose files are in the store, and which is no source of anything yet. */
export type PreparedSource = { from: SourceRow; id: string; readingId: string }

/** Gives a channel that is made from another one copies of its sources. Throws source.store while the store is away. */
export class SourceCopies {
  constructor(private readonly deps: Deps) {}

  /** Copies the files of the active sources that are read, for somebody. */
  async prepare(channel: OwnedChannel, ownerId: string): Promise<PreparedSource[]> {
    const rows = await listSources(this.deps.db, channel)
    const prepared: PreparedSource[] = []
    try {
      for (const from of rows.filter(({ status, isActive }) => isActive && status === 'processed')) {
        const copy = { from, id: uuidv7(), readingId: randomUUID() }
        prepared.push(copy)
        await this.copyFile(copy, ownerId, [`document.${from.readingId}`, `document.${copy.readingId}`])
        if (from.type === 'document') await this.copyFile(copy, ownerId, ['file', 'file'])
      }
      return prepared
    } catch (error) {
      await this.discard(ownerId, prepared)
      throw error
    }
  }

  /**
   * Makes them sources of a channel: all of them, but one that was removed meanwhile. Answers those that it made.
   * Throws source.quota, source.too-many.
   */
  async admit(tx: Db, channel: OwnedChannel, prepared: readonly PreparedSource[]): Promise<PreparedSource[]> {
    if (prepared.length === 0) return []
    const at = new Date(this.deps.now())
    await lockFilesOf(tx, channel.userId)
    const admitted: PreparedSource[] = []
    for (const copy of prepared) {
      const { from, id, readingId } = copy
      const [now] = await lockSources(tx, from.ownerId, [from.id])
      if (now?.readingId !== from.readingId) continue
      await requireRoom(tx, channel, from.bytes)
      const place = { channelId: channel.channelId, ownerId: channel.userId }
      await insertSource(tx, { ...from, ...place, id, readingId, updatedAt: at })
      await copyPassages(
        tx,
        { ...from, sourceId: from.id },
        { ownerId: channel.userId, scope: channel.channelId, sourceId: id, readingId },
      )
      await flagChannel(tx, channel, flagOf(from))
      admitted.push(copy)
    }
    return admitted
  }

  /** Takes the files of copies out of the store that became no sources. Never rejects: what stays is swept. */
  async discard(ownerId: string, prepared: readonly PreparedSource[]): Promise<void> {
    for (const { id: folder, readingId } of prepared)
      for (const name of ['file', `document.${readingId}`])
        await this.deps.files.remove({ ownerId, folder, name }).catch(() => undefined)
  }

  private async copyFile({ from, id }: PreparedSource, ownerId: string, [name, to]: [string, string]): Promise<void> {
    const { files } = this.deps
    const place: FilePlace = { ownerId: from.ownerId, folder: from.id, name }
    const content = await files.read(place)
    try {
      await files.write({ ownerId, folder: id, name: to }, content)
    } finally {
      content.destroy()
    }
  }
}
