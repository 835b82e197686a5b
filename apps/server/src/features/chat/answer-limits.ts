import { AppError } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Db } from '../../db/client'
import { userIdOf } from '../../plugins/people'
import type { Bus } from '../../providers/bus/bus'
import type { Tariffs } from '../credits/public/tariffs'
import type { SearchOffer } from '../search/public/web-search'
import { type FairUse, fairUseRefusal } from './fair-use'
import { findGeneration } from './generation-store'
import type { Visitor } from './visitor'

export type AnswerLimitDeps = {
  db: Db
  bus: Bus
  tariffs: Tariffs
  fairUse: FairUse
  /** Answers a day of an anonymous visitor; null for no limit. */
  anonymousDailyMessages: number | null
  rateLimitScale: number
  now: () => number
}

type Asked = { visitor: Visitor; messageId: string; model: string; search: SearchOffer | undefined }

/**
 * Counts one answer of a wallet account that the operator pays for, or whose search they pay for; a repeated question
 * is not counted again. Throws chat.fair-use.
 */
export async function countFairUse(
  { db, bus, tariffs, fairUse, rateLimitScale: scale }: AnswerLimitDeps,
  { visitor, messageId, model, search }: Asked,
): Promise<void> {
  const userId = userIdOf(visitor.subject)
  const isSearchPaid = search?.isPaidByOperator ?? false
  if (userId === undefined || !(await tariffs.isPaidByOperator(userId, model, isSearchPaid))) return
  if (await findGeneration(db, visitor.subject, messageId)) return
  const refusal = await fairUseRefusal(visitor, { bus, fairUse, scale })
  if (refusal) throw refusal
}

/** Counts one answer of the day of an anonymous visitor. Throws chat.daily-limit. */
export async function countOfDay(
  { bus, anonymousDailyMessages: daily, now }: AnswerLimitDeps,
  { subject, address }: Visitor,
): Promise<void> {
  if (daily === null || userIdOf(subject) !== undefined) return
  const day = new Date(now()).toISOString().slice(0, 10)
  const isUsedUp = async (key: string, most: number): Promise<boolean> =>
    (await bus.count(`chat:day:${day}:${key}`, 86_400_000)).count > most
  // A refused visitor is not counted for the address, which other visitors may share.
  const isOver =
    (await isUsedUp(subject, daily)) || (await isUsedUp(address, daily * serverLimits.anonymous.addressFactor))
  if (isOver) throw new AppError('chat.daily-limit')
}
