// Whole channels of the cloud, with every version, for copies.
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { webLimits } from '@parley/contract/limits/web'
import type { ExchangeWithRuns } from '@parley/contract/message-adapter'
import { textOf } from '@parley/contract/parts'
import type { ConversationCopy } from '@parley/contract/tree-copies'
import { utf8 } from '../local/bytes'
import { type CopyOptions, isRefusal, RefusedMessageError } from './fill-cloud'
import { cloudChannels } from './homes'
import { retryWhenRateLimited } from './rate-limit-retry'

type Options = Pick<CopyOptions, 'signal' | 'onProgress'>

/**
 * Reads all that a cloud channel holds, as it is stored: tombstones too. `onProgress` gets the number of exchanges read
 * so far. Throws AppError; channel.answering while an answer is being written.
 */
export async function readCloudTree(
  channelId: string,
  { signal, onProgress }: Options = {},
): Promise<ConversationCopy> {
  const exchanges: ExchangeWithRuns[] = []
  for (let after: string | undefined; ; ) {
    const page = await retryWhenRateLimited(() => cloudChannels.treePage(channelId, after), signal)
    exchanges.push(...page.exchanges)
    onProgress?.(exchanges.length)
    if (page.cursor === undefined) {
      assertNoRunWriting(exchanges)
      return { exchanges, head: page.head }
    }
    after = page.cursor
  }
}

/** A move would interrupt an answer that is being written. Throws channel.answering. */
export function assertNoRunWriting(exchanges: readonly ExchangeWithRuns[]): void {
  const isWriting = exchanges.some(({ runs }) =>
    runs.some(({ status }) => status === 'queued' || status === 'sent' || status === 'streaming'),
  )
  if (isWriting) throw new AppError('channel.answering')
}

/**
 * Adds exchanges and runs to a cloud channel, in their order, then moves its head. What is there already stays, so that
 * an interrupted call can be made again. Throws AppError, RefusedMessageError.
 */
export async function addToCloudTree(
  channelId: string,
  { exchanges, head }: ConversationCopy,
  { signal, onProgress }: Options = {},
): Promise<void> {
  const put = (some: readonly ExchangeWithRuns[], newHead?: string): Promise<void> =>
    retryWhenRateLimited(
      () =>
        cloudChannels.addTree(channelId, { exchanges: [...some], ...(newHead === undefined ? {} : { head: newHead }) }),
      signal,
    )
  let done = 0
  for (const batch of batchesOf(exchanges)) {
    try {
      await put(batch)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Sent one by one, to find the refused exchange.
      for (const each of batch)
        await put([each]).catch((cause: unknown) =>
          Promise.reject(isRefusal(cause) ? new RefusedMessageError(textOf(each.exchange.question), cause) : cause),
        )
    }
    done += batch.length
    onProgress?.(Math.min(done, exchanges.length))
  }
  if (head !== null) await put([], head)
}

/** Batches that one call accepts, by number and by the bytes of their JSON. A larger run is a batch alone. */
function* batchesOf(exchanges: readonly ExchangeWithRuns[]): Generator<ExchangeWithRuns[]> {
  let batch: ExchangeWithRuns[] = []
  let bytes = 0
  for (const each of exchanges.flatMap(slicesOf)) {
    const size = utf8(JSON.stringify(each)).length + 1
    const isFull = batch.length >= limits.cloud.maxImportBatch || bytes + size > webLimits.cloud.importCallBytes
    if (batch.length > 0 && isFull) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(each)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

/** An exchange with more runs than one call takes: the newest of them first, which its row shows. */
function slicesOf({ exchange, runs }: ExchangeWithRuns): ExchangeWithRuns[] {
  const slices: ExchangeWithRuns[] = []
  let slice: ExchangeWithRuns = { exchange, runs: [] }
  let bytes = 0
  for (const run of runs.toReversed()) {
    const size = utf8(JSON.stringify(run)).length + 1
    if (slice.runs.length > 0 && bytes + size > webLimits.cloud.importCallBytes) {
      slices.push(slice)
      slice = { exchange, runs: [] }
      bytes = 0
    }
    slice.runs.unshift(run)
    bytes += size
  }
  return [...slices, slice]
}
