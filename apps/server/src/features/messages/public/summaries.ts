import type { ContextExchange } from '@parley/contract/context'
import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import { limits } from '@parley/contract/limits/shared'
import type { Nano } from '@parley/contract/money'
import type { Db } from '../../../db/client'
import { type AccessRequest, requireWriter } from '../../channels/public/channel-access'
import { lockChannel, type OwnedChannel } from '../../channels/public/channel-row-store'
import { insertSummary, summariesIn, updateSummaryCost } from '../summary-store'
import { findRun } from '../version-store'
import { pathUpTo } from './exchange-context'
import { isStorable, toStored } from './stored-text'

/** The run of a cloud channel that a summary ends with, and how many messages it stands for. */
export type SummaryPlace = OwnedChannel & { mId: string; upToRunId: string; messages: number }

/** What a summary is made of: the summary before it, and what was said since. */
export type Summarised = { before: string | undefined; exchanges: readonly ContextExchange[] }

/** A question and its answer. */
const messagesOfExchange = 2

/**
 * What there is to be summarised of a cloud channel, up to a run. Throws channel.not-found, channel.read-only;
 * not-found for a run that does not stand, or with nothing before it; conflict where it has a summary.
 */
export async function readSummarised(
  db: Db,
  { upToRunId, ...request }: AccessRequest & { upToRunId: string },
): Promise<Summarised & { place: SummaryPlace }> {
  const access = await requireWriter(db, request)
  const run = isStorable(upToRunId) ? await findRun(db, access, upToRunId) : undefined
  if (!run?.isStanding) throw new AppError('not-found')
  const known = await summariesIn(db, access)
  if (known.some((summary) => summary.upToRunId === upToRunId)) throw new AppError('conflict')
  const { path, summary } = await pathUpTo(db, access, upToRunId, serverLimits.context.maxBytes)
  const exchanges = path.filter(({ isCovered }) => !isCovered)
  if (exchanges.length === 0) throw new AppError('not-found')
  const messages = exchanges.length * messagesOfExchange + (summary?.messages ?? 0)
  const { userId, channelId } = access
  return { before: summary?.text, exchanges, place: { userId, channelId, mId: run.mId, upToRunId, messages } }
}

type NewSummary = { id: string; authorUserId: string | null; text: string; cost: Nano | undefined; at: Date }

/** Stores a summary, in the transaction that ends its run; nothing where what it ends with was deleted meanwhile. */
export async function storeSummary(
  tx: Db,
  { userId, channelId, ...place }: SummaryPlace,
  { text, cost, at, ...summary }: NewSummary,
): Promise<void> {
  if (!(await lockChannel(tx, { userId, channelId }))) return
  await insertSummary(tx, {
    ...{ ...place, ...summary, channelId, ownerId: userId, isEdited: false, isUndone: false },
    ...{ text: toStored(text.slice(0, limits.context.maxSummaryLength)), cost: cost ?? null, createdAt: at },
  })
}

export { updateSummaryCost }
