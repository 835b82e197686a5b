import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import type { ReadDocument } from '@parley/contract/read-document'
import { type Source, sourceOfJob, sourceRoutes } from '@parley/contract/sources'
import { api, apiFile } from '../api/api'
import { announce } from '../local/changes'
import { currentScope, scoped } from '../scope/scope'
import { passed } from './fetch-page'
import { assertAcceptable } from './file-rules'
import { linkOf } from './link-rules'
import { ReaderWorkerPort } from './reader-worker-port'
import { isUnread } from './source-state'
import type { Added, SourceRef, SourceStore, SourceSwitch } from './source-store'
import { UploadQueue } from './upload-queue'
import { whenAllRead } from './when-read'

type Options = { startReader?: () => Worker }

const uploads = scoped((scope) => {
  const queue = new UploadQueue()
  scope.onDispose(() => queue.end())
  return queue
})

/** Files that this page is sending to a cloud channel, or could not send: nobody else has them. */
export const sourcesBeingSent = (channelId: string): Source[] => uploads().of(channelId)

/**
 * The sources of cloud channels: the server stores and reads them. Files that this page is sending are sources that
 * wait, until the server has them whole.
 */
export class CloudSourceStore implements SourceStore {
  private readonly digester: ReaderWorkerPort

  constructor({ startReader }: Options = {}) {
    this.digester = new ReaderWorkerPort({ start: startReader })
  }

  async list(channelId: string): Promise<Source[]> {
    const jobs = await api(sourceRoutes.ofChannel, { params: { channelId } })
    const stored = jobs.map(sourceOfJob)
    return [
      ...stored,
      ...uploads()
        .of(channelId)
        .filter(({ sha256 }) => !stored.some((each) => each.sha256 === sha256)),
    ]
  }

  /** One of them, as it is now; undefined where it is gone. */
  async read({ id }: SourceRef): Promise<Source | undefined> {
    try {
      return sourceOfJob(await api(sourceRoutes.read, { params: { id } }))
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return undefined
      throw error
    }
  }

  async addFile(channelId: string, file: File): Promise<Added> {
    assertAcceptable(file)
    const sha256 = await this.digester.call({ kind: 'digest', file })
    const { job, isKnown } = await uploads().add(channelId, file, sha256)
    const source = sourceOfJob(job)
    this.changed(channelId)
    return { source: (await this.read(source).catch(() => undefined)) ?? source, isKnown }
  }

  async addLink(channelId: string, given: string): Promise<Added> {
    const { url, type } = linkOf(given)
    const before = await this.list(channelId)
    const body = { url, channelId }
    const job = await (type === 'video' ? api(sourceRoutes.video, { body }) : api(sourceRoutes.website, { body }))
    const source = sourceOfJob(job)
    const isKnown = before.some(({ id }) => id === source.id)
    if (!isKnown) void this.followLink(source, currentScope().signal)
    this.changed(channelId)
    return { source, isKnown }
  }

  async remove(ref: SourceRef): Promise<void> {
    if (uploads().has(ref.id)) return uploads().remove(ref.id)
    await api(sourceRoutes.remove, { params: { id: ref.id } }).catch((error: unknown) => {
      // Somebody else was faster.
      if (!(error instanceof AppError) || error.code !== 'source.not-found') throw error
    })
    this.changed(ref.channelId)
  }

  async cancel(ref: SourceRef): Promise<void> {
    if (uploads().has(ref.id)) return uploads().cancel(ref.id)
    await api(sourceRoutes.cancel, { params: { id: ref.id } })
    this.changed(ref.channelId)
  }

  async retry(ref: SourceRef): Promise<void> {
    if (uploads().has(ref.id)) return uploads().retry(ref.id)
    await api(sourceRoutes.retry, { params: { id: ref.id } })
    this.changed(ref.channelId)
  }

  async saveSwitches(channelId: string, switches: readonly SourceSwitch[]): Promise<void> {
    if (switches.length === 0) return
    const body = switches.map(({ id, isActive }) => ({ id, active: isActive }))
    await api(sourceRoutes.switch, { body })
    this.changed(channelId)
  }

  document({ id }: SourceRef): Promise<ReadDocument> {
    if (uploads().has(id)) return Promise.reject(new AppError('source.busy'))
    return api(sourceRoutes.document, { params: { id } })
  }

  async file({ id }: SourceRef): Promise<Blob> {
    if (uploads().has(id)) throw new AppError('source.busy')
    const { mediaType } = await api(sourceRoutes.read, { params: { id } })
    const blob = await apiFile(sourceRoutes.file, { params: { id } }, 'application/octet-stream')
    return new Blob([blob], { type: mediaType })
  }

  /**
   * Resolves when no source of a channel is sent or read any more. Throws source.cancelled when the signal is aborted.
   */
  whenRead(channelId: string, signal?: AbortSignal): Promise<void> {
    return whenAllRead(channelId, (id) => this.list(id), { signal, pollMs: limits.sources.pollMs })
  }

  /** Beside what the socket tells: the channel is asked for its addresses until this one is read (ST-142). */
  private async followLink({ id, channelId, url = '' }: Source, signal: AbortSignal): Promise<void> {
    const { urlPolls, urlPollMs } = limits.sources
    for (let round = 0; round < urlPolls && !signal.aborted; round++) {
      await passed(urlPollMs * 2 ** round, signal)
      const urls = await api(sourceRoutes.urlsOfChannel, { params: { id: channelId }, signal }).catch(() => undefined)
      const source = urls?.includes(url)
        ? undefined
        : await this.read({ id, channelId }).catch(() => ({ status: 'queued' as const }))
      // It is read, could not be, or is gone.
      if (!source || !isUnread(source)) return this.changed(channelId)
    }
    // biome-ignore lint/suspicious/noConsole: the specification wants this and nothing more (ST-143)
    if (!signal.aborted) console.warn('a website or video takes long to be read')
  }

  private changed(channelId: string): void {
    announce({ kind: 'sources', channelId })
  }
}
