// Copies of sources out of the cloud and into it.

import type { BroughtSource } from '@parley/contract/brought-sources'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { type Source, type SourceJob, sourceOfJob, sourceRoutes } from '@parley/contract/sources'
import { api, apiFile } from '../api/api'
import { utf8 } from '../local/bytes'
import { assertWhole, RefusedSourceError, type SourceCopy } from '../sources/source-copies'
import { isUnread } from '../sources/source-state'
import { retryWhenRateLimited } from './rate-limit-retry'

/**
 * Bytes that are sent at a time: a move or an import that fails ends at once, and goes on here when it is made again.
 */
const pieceBytes = 4 * 1024 * 1024

export async function sourcesInCloud(channelId: string, signal?: AbortSignal): Promise<Source[]> {
  const list = () => api(sourceRoutes.ofChannel, { params: { channelId } })
  return (await retryWhenRateLimited(list, signal)).map(sourceOfJob)
}

/**
 * All sources of a cloud channel for a copy, oldest first. Throws RefusedSourceError for a website or video whose text
 * is there, and not to be had yet.
 */
export async function copiesInCloud(channelId: string, signal?: AbortSignal): Promise<SourceCopy[]> {
  return (await sourcesInCloud(channelId, signal)).map((source) => copyInCloud(source, signal))
}

function copyInCloud(source: Source, signal?: AbortSignal): SourceCopy {
  const isOnItsWay = source.url !== undefined && source.fetchedAt !== undefined && isUnread(source)
  if (isOnItsWay) throw new RefusedSourceError(source.name, new AppError('source.busy'))
  const params = { id: source.id }
  const download = () => apiFile(sourceRoutes.file, { params }, 'application/octet-stream')
  const read = () => api(sourceRoutes.document, { params, answerMs: webLimits.calls.slowAnswerMs })
  return {
    source,
    ...(source.type === 'document' ? { file: () => retryWhenRateLimited(download, signal) } : {}),
    ...(source.status === 'processed' ? { text: () => retryWhenRateLimited(read, signal) } : {}),
  }
}

/**
 * Adds a copy of a source to a cloud channel, which reads it; one that the channel has already stays, with its switch.
 * Answers the source with the id that it has there. Throws RefusedSourceError for one that the cloud does not take.
 */
export async function putInCloud(channelId: string, copy: SourceCopy, signal?: AbortSignal): Promise<Source> {
  assertWhole(copy)
  const { source } = copy
  try {
    return sourceOfJob(await added(channelId, copy, signal))
  } catch (error) {
    const isOfSource = error instanceof AppError && error.code.startsWith('source.') && error.status !== 503
    throw isOfSource ? new RefusedSourceError(source.name, error) : error
  }
}

async function added(channelId: string, copy: SourceCopy, signal?: AbortSignal): Promise<SourceJob> {
  const { source } = copy
  const url = source.type === 'document' ? undefined : source.url
  if (url === undefined) {
    const content = await copy.file?.()
    if (!content) throw new AppError('source.upload-damaged')
    return send({ channelId, source, content, sha256: source.sha256 }, signal)
  }
  // One that was not fetched is fetched there.
  if (!copy.text) {
    const route = source.type === 'video' ? sourceRoutes.video : sourceRoutes.website
    return retryWhenRateLimited(() => api(route, { body: { url, channelId } }), signal)
  }
  const content = new Blob([utf8(JSON.stringify(await copy.text()))])
  const { type, mediaType, fetchedAt = source.addedAt } = source
  return send(
    {
      channelId,
      source,
      content,
      sha256: await sha256Of(content),
      link: { type: kindOf(type), url, mediaType, fetchedAt },
    },
    signal,
  )
}

const kindOf = (type: Source['type']): 'website' | 'video' => (type === 'video' ? 'video' : 'website')

type Sent = {
  channelId: string
  source: Source
  content: Blob
  sha256: string
  link?: BroughtSource['link']
}

async function send({ channelId, source, content, sha256, link }: Sent, signal?: AbortSignal): Promise<SourceJob> {
  const { id, name, isActive, addedAt } = source
  const brought: BroughtSource = {
    isActive,
    ...(isUuid(id) ? { id } : {}),
    ...(isTime(addedAt) ? { addedAt } : {}),
    ...(link === undefined ? {} : { link }),
  }
  const body = { channelId, name: name || 'source', bytes: content.size, sha256, source: brought }
  let upload = await retryWhenRateLimited(() => api(sourceRoutes.beginUpload, { body }), signal)
  while (!upload.job) {
    const { id: uploadId, offset } = upload
    const next = () =>
      api(sourceRoutes.continueUpload, {
        ...{ params: { id: uploadId }, query: { offset }, bytes: content.slice(offset, offset + pieceBytes) },
        answerMs: webLimits.calls.slowAnswerMs,
      })
    signal?.throwIfAborted()
    upload = await retryWhenRateLimited(next, signal)
  }
  return upload.job
}

const isUuid = (id: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)
const isTime = (time: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time) && Number.isFinite(Date.parse(time))

async function sha256Of(content: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
