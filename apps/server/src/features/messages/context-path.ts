import { serverLimits } from '@parley/contract/limits/server'
import type { Db } from '../../db/client'
import type { OwnedChannel } from '../channels/public/channel-row-store'
import { pinnedBefore } from './message-lookup-store'
import type { PathStep } from './path-store'
import type { MessageRow } from './public/message-row'
import { newestOfPath } from './public/shown-messages'

type PathQuery = { path: readonly PathStep[] | undefined; before?: number | undefined; maxBytes: number }

/**
 * Of a path, or of a channel without branches (undefined), the exchanges before a position, oldest first: from the
 * newest back until they are longer than `maxBytes`, and those before them that are pinned. A long channel is never
 * read whole.
 */
export async function contextPath(
  db: Db,
  which: OwnedChannel,
  { path, before, maxBytes }: PathQuery,
): Promise<MessageRow[]> {
  const { maxExchanges, pageLength, maxPinned } = serverLimits.context
  const rows: MessageRow[] = []
  let bytes = 0
  let oldest = before
  for (let limit = pageLength; rows.length < maxExchanges && bytes <= maxBytes; limit *= 2) {
    const page = await newestOfPath(db, which, path, {
      limit: Math.min(limit, maxExchanges - rows.length),
      before: oldest,
    })
    rows.push(...page)
    bytes += page.reduce((sum, row) => sum + bytesOf(row), 0)
    oldest = page.at(-1)?.position
    if (page.length < limit) break
  }
  const isWhole = bytes <= maxBytes && rows.length < maxExchanges
  const pinned =
    isWhole || oldest === undefined ? [] : await pinnedBefore(db, which, { before: oldest, limit: maxPinned })
  const isOnPath = ({ mId }: MessageRow): boolean => path?.some((step) => step.mId === mId) ?? true
  return [...rows, ...pinned.filter(isOnPath)].reverse()
}

const bytesOf = ({ question, answer }: MessageRow): number => Buffer.byteLength(question) + Buffer.byteLength(answer)
