import { randomUUID } from 'node:crypto'
import type { BroughtSource } from '@parley/contract/brought-sources'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { SourceJob, Upload } from '@parley/contract/sources'
import { uuidv7 } from '@parley/contract/uuid'
import type { Db } from '../../db/client'
import type { Scheduler } from '../../db/scheduler'
import { freed } from '../../providers/files/owned-memory'
import { type AccessRequest, requireOwner } from '../channels/public/channel-access'
import type { ChannelEvents } from '../channels/public/channel-events'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { fromStored, toStored } from '../messages/public/stored-text'
import type { AccountFiles, FilePlace } from './account-files'
import { admitSource, requireRoom } from './admission'
import { CountedBytes, HashedBytes } from './counted-bytes'
import { lockFilesOf } from './file-key-store'
import type { FileRemoval } from './file-removal'
import { contentOfLink } from './link'
import { broughtColumns, type Promised, promisedOf } from './promised-source'
import { jobOf } from './source-json'
import { findByContent, type SourceRow } from './source-store'
import {
  addPart,
  deleteUpload,
  findUpload,
  findUploadOf,
  insertUpload,
  isFreeId,
  isPromisedId,
  type OwnedUpload,
  type UploadRow,
} from './upload-store'

type Deps = {
  db: Db
  files: AccountFiles
  removal: FileRemoval
  scheduler: Scheduler
  events: ChannelEvents
  now: () => number
}

type NewUpload = {
  channelId: string
  name: string
  bytes: number
  sha256: string
  source?: BroughtSource | undefined
}
type UploadRequest = { actorId: string; uploadId: string }
type Digest = Pick<HashedBytes, 'bytes' | 'sha256'>

/**
 * Brings files into cloud channels as streams: none is ever whole in memory. Every method throws channel.not-found or
 * source.not-found for a person who is not in the channel, channel.owner-only for its members, source.store while the
 * store is away.
 */
export class UploadService {
  private lastTurn: Promise<unknown> = Promise.resolve()

  constructor(private readonly deps: Deps) {}

  /** Throws source.type, source.empty, source.too-large, source.too-many, source.quota. */
  async store(request: AccessRequest, given: string, content: AsyncIterable<Buffer>): Promise<SourceJob> {
    const channel = await requireOwner(this.deps.db, request)
    const promised = promisedOf(given)
    await requireRoom(this.deps.db, channel, 0)
    const put = async (to: FilePlace): Promise<Digest> => {
      const hashed = new HashedBytes(maxBytes, 'source.too-large')
      await this.deps.files.write(to, hashed.of(content))
      return hashed
    }
    return jobOf(await this.write(channel, promised, put))
  }

  /** Finds the one that was begun before, or the source that the channel has already. Throws as `store`. */
  async begin(actorId: string, { channelId, name, bytes, sha256, source: brought }: NewUpload): Promise<Upload> {
    const { db, now } = this.deps
    const channel = await requireOwner(db, { actorId, channelId })
    const promised = promisedOf(name, brought)
    if (bytes === 0) throw new AppError('source.empty')
    if (bytes > (promised.url === undefined ? maxBytes : maxTextBytes)) throw new AppError('source.too-large')
    const content = promised.url === undefined ? sha256 : contentOfLink(promised.url)
    const source = await findByContent(db, channel, content)
    if (source) return { id: source.id, offset: source.bytes, job: jobOf(source) }
    // Makes the account's key, whose row is the lock.
    await this.deps.files.prepare(actorId)
    return db.transaction(async (tx) => {
      await lockFilesOf(tx, actorId)
      const begun = await findUploadOf(tx, channel, sha256)
      if (begun?.bytes === bytes) return uploadOf(begun)
      if (begun) await deleteUpload(tx, { ownerId: actorId, uploadId: begun.id })
      await requireRoom(tx, channel, bytes)
      const at = new Date(now())
      const upload = { id: uuidv7(), channelId, ownerId: actorId, bytes, sha256, createdAt: at, updatedAt: at }
      const source = brought && (await this.withFreeId(tx, actorId, brought))
      await insertUpload(tx, { ...upload, name: toStored(promised.name), ...(source ? { source } : {}) })
      return { id: upload.id, offset: 0 }
    })
  }

  async read({ actorId, uploadId }: UploadRequest): Promise<Upload> {
    return uploadOf(await this.require({ ownerId: actorId, uploadId }))
  }

  /** With what is there of it. */
  async cancel({ actorId, uploadId }: UploadRequest): Promise<void> {
    const { id, ownerId } = await this.require({ ownerId: actorId, uploadId })
    await deleteUpload(this.deps.db, { ownerId, uploadId: id })
    await this.deps.removal.removeSoon()
  }

  /**
   * No bytes where all are there already try again to make the file whole, which the store or a restart may have
   * prevented. Throws source.upload-offset where other bytes are next, source.upload-damaged for another file than was
   * begun.
   */
  async continue(
    { actorId, uploadId }: UploadRequest,
    { offset, content }: { offset: number; content: AsyncIterable<Buffer> },
  ): Promise<Upload> {
    const which = { ownerId: actorId, uploadId }
    const upload = await this.require(which)
    if (offset !== upload.received) throw new AppError('source.upload-offset')
    const counted = new CountedBytes(upload.bytes - offset, 'source.upload-damaged')
    const isWhole = offset === upload.bytes
    if (isWhole) await readToEnd(counted.of(content))
    const continued = isWhole ? await this.require(which) : await this.addPart(upload, counted, content)
    if (continued.received < continued.bytes) return uploadOf(continued)
    // Another call that continued from the same place may have finished it meanwhile: then it is there no more.
    return this.inTurn(async () => this.finish(await this.require(which)))
  }

  private async addPart(upload: UploadRow, counted: CountedBytes, content: AsyncIterable<Buffer>): Promise<UploadRow> {
    const { db, files, now } = this.deps
    const { id: uploadId, ownerId, received: offset } = upload
    // A name of its own: two that continue from the same place do not write over each other, and one of them counts.
    const place = { ownerId, folder: uploadId, name: `part.${randomUUID()}` }
    await files.write(place, freed(counted.of(content)))
    const part = { key: place.name, bytes: counted.bytes }
    // Where the database does not tell, the part may count: it stays, and goes with its upload.
    const continued = await addPart(db, { ownerId, uploadId }, { part, offset, at: new Date(now()) })
    if (continued) return continued
    await files.remove(place)
    throw new AppError('source.upload-offset')
  }

  /**
   * Files become whole one after the other: the thread that joins them has one processor, and the first of ten is there
   * after a tenth of the time. Of two calls that continued the same upload, the later one finds it finished.
   */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.lastTurn.then(work)
    this.lastTurn = done.catch(() => undefined)
    return done
  }

  /** All parts are there: they become one file. */
  private async finish(upload: UploadRow): Promise<Upload> {
    const { db, files, removal } = this.deps
    const which = { ownerId: upload.ownerId, uploadId: upload.id }
    const channel = { userId: upload.ownerId, channelId: upload.channelId }
    const parts = upload.parts.map(({ key: name }) => ({ ownerId: upload.ownerId, folder: upload.id, name }))
    try {
      const promised = promisedOf(fromStored(upload.name), upload.source ?? undefined)
      const row = await this.write(channel, promised, (to) => files.join({ parts, to, maxBytes }), upload)
      return { id: upload.id, offset: upload.bytes, job: jobOf(row) }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'source.upload-damaged') throw error
      // Finished by another node or cancelled meanwhile, it has taken its parts along: they are not lost.
      await this.require(which)
      // Nothing that is sent could make it good.
      await deleteUpload(db, which)
      throw error
    } finally {
      await removal.removeSoon()
    }
  }

  /** Puts the file into the store, then its source into the database; without the second the first goes again. */
  private async write(
    channel: OwnedChannel,
    promised: Promised,
    put: (to: FilePlace) => Promise<Digest>,
    upload?: UploadRow,
  ): Promise<SourceRow> {
    const { db, files, scheduler, events, now } = this.deps
    const own = uuidv7()
    const id = (await this.idFor(upload)) ?? own
    const place = { ownerId: channel.userId, folder: id, name: 'file' }
    // One that was promised may be written by another call at the same time: its file goes with the sweep.
    const giveUp = async (): Promise<void> => {
      if (id === own) await files.removeFolder(place)
    }
    try {
      const { bytes, sha256 } = await put(place)
      if (upload && upload.sha256 !== sha256) throw new AppError('source.upload-damaged')
      if (bytes === 0) throw new AppError('source.empty')
      const at = new Date(now())
      const given = upload?.source ? broughtColumns(upload.source, at) : {}
      const key = promised.url === undefined ? sha256 : contentOfLink(promised.url)
      const source = { id, ...promised, bytes, sha256: key, ...given }
      const row = await db.transaction(async (tx) => {
        await lockFilesOf(tx, channel.userId)
        if (upload) await deleteUpload(tx, { ownerId: upload.ownerId, uploadId: upload.id })
        return admitSource(tx, { channel, source, scheduler, at })
      })
      if (row.id !== source.id) await giveUp()
      scheduler.wake()
      await events.sourcesChanged(channel, { sourceId: row.id })
      return row
    } catch (error) {
      // Where the database does not tell, the source may be there: its file stays, or is swept.
      if (error instanceof AppError) await giveUp().catch(() => undefined)
      throw error
    }
  }

  /** Without the id that it cannot have. The account's files are locked. */
  private async withFreeId(tx: Db, ownerId: string, { id, ...source }: BroughtSource): Promise<BroughtSource> {
    if (id === undefined) return source
    const which = { ownerId, sourceId: id.toLowerCase() }
    const isFree = (await isFreeId(tx, which)) && !(await isPromisedId(tx, which))
    return isFree ? { ...source, id: which.sourceId } : source
  }

  /**
   * The id that an upload was promised, if it is still free: what waits to be removed would take the new file along.
   */
  private async idFor(upload: UploadRow | undefined): Promise<string | undefined> {
    const sourceId = upload?.source?.id
    if (!upload || sourceId === undefined) return undefined
    return (await isFreeId(this.deps.db, { ownerId: upload.ownerId, sourceId })) ? sourceId : undefined
  }

  private async require(which: OwnedUpload): Promise<UploadRow> {
    const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(which.uploadId)
    const upload = isId ? await findUpload(this.deps.db, which) : undefined
    if (!upload) throw new AppError('source.not-found')
    return upload
  }
}

const maxBytes = limits.sources.maxFileBytes
const maxTextBytes = serverLimits.sources.maxFetchedDocumentBytes

async function readToEnd(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

const uploadOf = ({ id, received }: UploadRow): Upload => ({ id, offset: received })
