import type { DaySpending } from '@parley/contract/credits'
import { formatDollars, type Nano, noMoney, plus } from '@parley/contract/money'
import type { Db } from '../../db/client'
import { sumSettlements } from './spending-store'

type SpendingQuery = { days: number; timeZone: string; now: Date }
type Spending = { from: string; to: string; data: DaySpending[] }

const dayMs = 86_400_000

/** What a person's answers cost on each of the last days, today included, in the person's time zone. */
export async function spendingOf(db: Db, userId: string, { days, timeZone, now }: SpendingQuery): Promise<Spending> {
  const dayOf = localDays(timeZone)
  const to = dayOf(now)
  const from = daysBefore(to, days - 1)
  // A day can have 25 hours and starts at local midnight, so the query covers one more day; earlier sums are dropped.
  const quarters = await sumSettlements(db, userId, new Date(now.getTime() - (days + 1) * dayMs))
  const sums = new Map<string, { day: string; model: string; amount: Nano; answers: number }>()
  for (const { at, model, amount, answers } of quarters) {
    const day = dayOf(at)
    if (day < from || day > to) continue
    const sum = sums.get(`${day} ${model}`) ?? { day, model, amount: noMoney, answers: 0 }
    sums.set(`${day} ${model}`, { ...sum, amount: plus(sum.amount, amount), answers: sum.answers + answers })
  }
  return { from, to, data: [...sums.values()].map((sum) => ({ ...sum, amount: formatDollars(sum.amount) })) }
}

/** Returns a function from a moment to its day in a time zone, such as `2026-11-22`. */
function localDays(timeZone: string): (moment: Date) => string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]))
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
  }
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10)
}
