import type { DaySpending } from '@parley/contract/credits'
import { type Nano, noMoney, parseDollars, plus, toNumber } from '@parley/contract/money'

export type Spent = { amount: Nano; answers: number }
export type DaySpent = Spent & { day: string }
export type ModelSpent = Spent & { model: string }

type Spending = { from: string; to: string; data: readonly DaySpending[] }

const dayMs = 86_400_000
const nothing: Spent = { amount: noMoney, answers: 0 }

/** Every day of the period, also days without spending. */
export function spentByDay({ from, to, data }: Spending): DaySpent[] {
  const sums = sumsBy(data, ({ day }) => day)
  const days: DaySpent[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10)
    days.push({ day, ...(sums.get(day) ?? nothing) })
  }
  return days
}

/** The sums by model, the most expensive first. */
export function spentByModel(data: readonly DaySpending[]): ModelSpent[] {
  return dearestFirst([...sumsBy(data, ({ model }) => model)].map(([model, sum]) => ({ model, ...sum })))
}

export function sumOf(parts: readonly Spent[]): Spent {
  return parts.reduce<Spent>(
    (sum, { amount, answers }) => ({ amount: plus(sum.amount, amount), answers: sum.answers + answers }),
    nothing,
  )
}

/** The length of an amount's bar, from 0 to 1. Only for drawing: no amount is computed from it. */
export function barLength(amount: Nano, longest: Nano): number {
  return longest === noMoney ? 0 : toNumber(amount) / toNumber(longest)
}

export function mostOf(parts: readonly Spent[]): Nano {
  return dearestFirst(parts)[0]?.amount ?? noMoney
}

function dearestFirst<T extends Spent>(parts: readonly T[]): T[] {
  return parts.toSorted((a, b) => (a.amount < b.amount ? 1 : -1))
}

function sumsBy(data: readonly DaySpending[], keyOf: (part: DaySpending) => string): Map<string, Spent> {
  const sums = new Map<string, Spent>()
  for (const part of data) {
    const spent = { amount: parseDollars(part.amount) ?? noMoney, answers: part.answers }
    sums.set(keyOf(part), sumOf([sums.get(keyOf(part)) ?? nothing, spent]))
  }
  return sums
}
