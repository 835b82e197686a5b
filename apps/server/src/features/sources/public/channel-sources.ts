import { addAbortSignal } from 'node:stream'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { SentPicture } from '@parley/contract/sent-pictures'
import type { SentSource } from '@parley/contract/sent-sources'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../../db/client'
import { scaledPicture } from '../../../providers/pictures'
import type { OwnedChannel } from '../../channels/public/channel-row-store'
import { fromStored } from '../../messages/public/stored-text'
import type { AccountFiles } from '../account-files'
import { type ActiveSource, areActive, isReadingAny, listActive } from '../passage-store'
import type { VectorSearch } from '../vector-search'
import { SourcePassages } from './source-passages'

/** `vectors`: searches by meaning too. */
type Deps = {
  db: Db
  files: Pick<AccountFiles, 'read'>
  vectors?: Pick<VectorSearch, 'nearest'> | undefined
  log: FastifyBaseLogger
}

type Question = {
  /** With the channel's owner: whoever of its members asks, its sources are the owner's. */
  channel: OwnedChannel | undefined
  /** Empty where files alone are asked about. */
  question: string
  /** What was added with the question. */
  fileIds: readonly string[]
  roomTokens: number
  seesPictures: boolean
}

type Found = {
  sources: SentSource[]
  pictures: SentPicture[]
  holds?: (tx: Db) => Promise<boolean>
  isReading?: boolean
}

/** Formats that are drawn here; others go along as the text that was read in them. */
const drawn: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])

/** What questions in cloud channels are answered from: the active sources of the channel that are read. */
export class ChannelSources {
  private readonly passages: SourcePassages
  /** One picture of this node is in memory at a time: a decoded one may be 160 MB. */
  private lastDrawn: Promise<unknown> = Promise.resolve()

  constructor(private readonly deps: Deps) {
    this.passages = new SourcePassages(deps)
  }

  /**
   * All of the sources where they have room, else their best passages; pictures as such for a model that sees them. A
   * question of files alone is answered from those. Pictures of which nothing can go along are among the sources,
   * without passages. Nothing in a chat of a device.
   */
  async find({ channel, question, fileIds, roomTokens, seesPictures }: Question): Promise<Found> {
    if (!channel) return { sources: [], pictures: [] }
    const { db } = this.deps
    const all = await listActive(db, channel)
    const added = all.filter(({ id }) => fileIds.includes(id))
    const active = question === '' && added.length > 0 ? added : all
    const pictures = seesPictures ? await this.picturesOf(channel, active, { fileIds, roomTokens }) : []
    const isDrawn = new Set(pictures.map(({ fileId }) => fileId))
    const left = roomTokens - pictures.length * limits.sources.pictureTokens.likely
    const sent = await this.passages.passagesOf(
      active.filter(({ id }) => !isDrawn.has(id)),
      { ownerId: channel.userId, channelId: channel.channelId, question, roomTokens: left },
    )
    const told = [...active.filter(({ id }) => isDrawn.has(id)).map(asPicture), ...sent]
    const unread = active.filter((source) => isWithoutText(source) && !isDrawn.has(source.id)).map(asPicture)
    const sources = [...told, ...unread]
    if (told.length === 0) return { sources, pictures, isReading: await isReadingAny(db, channel) }
    const ids = told.map(({ fileId }) => fileId)
    return { sources, pictures, holds: (tx) => areActive(tx, channel, ids) }
  }

  /** Those that were added with the question first, then the newest. One that cannot be drawn is read as text. */
  private async picturesOf(
    { userId: ownerId }: OwnedChannel,
    active: readonly ActiveSource[],
    { fileIds, roomTokens }: Pick<Question, 'fileIds' | 'roomTokens'>,
  ): Promise<SentPicture[]> {
    const { maxSentPictures, pictureTokens } = limits.sources
    const { maxPictureBytes } = serverLimits.sources
    // Half of the room is for texts; one picture goes along in any case, because it may be all that is asked about.
    const most = Math.min(maxSentPictures, Math.max(1, Math.floor(roomTokens / 2 / pictureTokens.likely)))
    const candidates = active
      .filter(({ mediaType, bytes }) => drawn.has(mediaType) && bytes <= maxPictureBytes)
      .toReversed()
      .toSorted((one, other) => Number(fileIds.includes(other.id)) - Number(fileIds.includes(one.id)))
    const pictures: SentPicture[] = []
    for (const { id } of candidates.slice(0, most)) {
      const turn = this.lastDrawn.then(() => this.pictureOf(ownerId, id))
      this.lastDrawn = turn
      const data = await turn
      if (data !== undefined) pictures.push({ fileId: id, mediaType: 'image/jpeg', data })
    }
    return pictures
  }

  /** Never rejects. */
  private async pictureOf(ownerId: string, sourceId: string): Promise<string | undefined> {
    const { files, log } = this.deps
    try {
      const content = await files.read({ ownerId, folder: sourceId, name: 'file' })
      addAbortSignal(AbortSignal.timeout(serverLimits.sources.pictureSeconds * 1_000), content)
      const parts: Buffer[] = []
      for await (const part of content) parts.push(Buffer.from(part))
      const scaled = await scaledPicture(Buffer.concat(parts), limits.sources.maxPicturePixels)
      return scaled.toString('base64')
    } catch (error) {
      log.info({ err: error }, 'a picture goes to a model as text')
      return undefined
    }
  }
}

const isWithoutText = ({ mediaType, passages }: ActiveSource): boolean =>
  mediaType.startsWith('image/') && (passages ?? 0) === 0

function asPicture({ id, name, mediaType, bytes, pages, passages }: ActiveSource): SentSource {
  return {
    ...{ fileId: id, name: fromStored(name), mediaType, bytes, of: passages ?? 0, passages: [] },
    ...(pages === null ? {} : { pages }),
    reading: 'whole',
  }
}
