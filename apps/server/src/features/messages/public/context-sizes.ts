import { contextSizeOf, exchangesOf } from '@parley/contract/context'
import type { ExchangeSize } from '@parley/contract/context-size'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { plus, storedNano } from '@parley/contract/money'
import type { Db } from '../../../db/client'
import { type AccessRequest, requireAccess } from '../../channels/public/channel-access'
import { contextPath } from '../context-path'
import { findMessage } from '../message-lookup-store'
import { costOfRuns } from '../run-store'
import { costOfSummaries } from '../summary-store'
import { shownRunOf } from './message-row'
import { readPath, shownMessages } from './shown-messages'
import { isStorable } from './stored-text'

/**
 * How long the exchanges are that stand before a message, oldest first: what a question could take along of them.
 * Throws channel.not-found, not-found.
 */
export async function contextSizesBefore(
  db: Db,
  { before, ...request }: AccessRequest & { before: string },
): Promise<ExchangeSize[]> {
  const access = await requireAccess(db, request)
  const row = isStorable(before) ? await findMessage(db, { ...access, mId: before }) : undefined
  if (!row) throw new AppError('not-found')
  const path = await readPath(db, access)
  const { maxBytes } = serverLimits.context
  const rows = await contextPath(db, access, { path, before: row.position, maxBytes })
  const runs = new Map(path?.map(({ mId, runId }) => [mId, runId]) ?? rows.map((row) => [row.mId, shownRunOf(row)]))
  const pinned = new Set(rows.filter(({ isPinned }) => isPinned).map(({ mId }) => mId))
  return exchangesOf(await shownMessages(db, access, rows, path)).map(({ mId, messages }) => ({
    ...{ mId, runId: runs.get(mId) ?? mId, tokens: contextSizeOf(messages).tokens },
    ...(pinned.has(mId) ? { isPinned: true as const } : {}),
  }))
}

/** What all answers and summaries of a channel have cost, in whole nano-dollars. Throws channel.not-found. */
export async function costOfChannel(db: Db, request: AccessRequest): Promise<string> {
  const access = await requireAccess(db, request)
  return String(plus(storedNano(await costOfRuns(db, access)), await costOfSummaries(db, access)))
}
