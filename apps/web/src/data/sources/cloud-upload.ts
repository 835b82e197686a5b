import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { type SourceJob, sourceRoutes, type Upload } from '@parley/contract/sources'
import { api } from '../api/api'
import { passed } from './fetch-page'

type Given = { channelId: string; name: string; sha256: string; content: Blob }
type Options = {
  signal: AbortSignal
  /** How many bytes of it the server has. */
  onProgress: (bytes: number) => void
  /** Of the upload, as soon as the server has begun it. */
  onBegun: (uploadId: string) => void
}
/** `isKnown`: the channel had this file already. */
export type Uploaded = { job: SourceJob; isKnown: boolean }

const limits = webLimits.sources

/**
 * Brings a file into a cloud channel, piece by piece, from wherever the server has it to: after a lost connection it
 * goes on there, and so does whoever adds the same file again. Throws source.cancelled when the signal is aborted.
 */
export async function uploadFile(given: Given, { signal, onProgress, onBegun }: Options): Promise<Uploaded> {
  let piece = limits.firstPieceBytes
  let failures = 0
  let hasSent = false
  let upload: Upload | undefined
  while (!signal.aborted) {
    try {
      upload ??= await begin(given, signal)
      if (upload.job) return { job: upload.job, isKnown: !hasSent }
      const { id, offset } = upload
      onBegun(id)
      onProgress(offset)
      const startedAt = performance.now()
      hasSent = true
      upload = await send(given, { id, offset, piece, signal })
      piece = pieceAfter(piece, performance.now() - startedAt)
      failures = 0
    } catch (error) {
      if (signal.aborted) break
      if (!isPassing(error) || failures === limits.uploadRetries) throw error
      // The server is asked how much of it is there.
      upload = undefined
      piece = limits.firstPieceBytes
      await untilRetry(failures++, error, signal)
    }
  }
  throw new AppError('source.cancelled')
}

/** Finds the one that was begun before. */
const begin = ({ channelId, name, sha256, content }: Given, signal: AbortSignal): Promise<Upload> =>
  api(sourceRoutes.beginUpload, { body: { channelId, name, bytes: content.size, sha256 }, signal })

function send(
  { content }: Given,
  { id, offset, piece, signal }: { id: string; offset: number; piece: number; signal: AbortSignal },
): Promise<Upload> {
  return api(sourceRoutes.continueUpload, {
    ...{ params: { id }, query: { offset }, signal },
    bytes: content.slice(offset, offset + piece),
    // With the last piece the server puts the whole file together.
    answerMs: webLimits.calls.slowAnswerMs,
  })
}

const pieceAfter = (piece: number, ms: number): number =>
  Math.round(
    Math.min(
      limits.maxPieceBytes,
      Math.max(limits.firstPieceBytes, (piece * limits.pieceMs) / Math.max(ms, 1), piece / 2),
      piece * 4,
    ),
  )

/**
 * The network or the server was away, somebody else has gone on with the same upload, or has ended it. Everything else
 * would be refused again.
 */
export const isPassing = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'network' ||
    error.status >= 500 ||
    error.status === 429 ||
    error.code === 'source.upload-offset' ||
    error.code === 'source.not-found')

/** The time doubles with each failure; a network that is back ends it. */
async function untilRetry(failures: number, error: unknown, signal: AbortSignal): Promise<void> {
  const { retryAfter = 0 } = error instanceof AppError ? error : {}
  const ms = Math.max(retryAfter * 1_000, Math.min(limits.maxUploadRetryMs, limits.uploadRetryMs * 2 ** failures))
  const back = new AbortController()
  const wake = (): void => back.abort()
  globalThis.addEventListener('online', wake, { once: true, signal: back.signal })
  await passed(ms, AbortSignal.any([signal, back.signal]))
  wake()
}
