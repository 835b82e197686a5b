import { dollars, type Nano, storedNano } from '@parley/contract/money'
import type { PaymentProviders } from './payment-providers'

type Session = PaymentProviders['stripe']['sessions'][number]
type PixPayment = PaymentProviders['mercadoPago']['payments'][number]

/** A purchase as its provider's stand-in has it. */
export type Order = {
  id: string
  dollars: number
  expiresAt: number
  /** Paid before it expired. */
  isInTime: boolean
  /** Paid with another amount, currency or reference than the order's. */
  isMismatch: boolean
  /** The ids of the webhooks that were sent about it. */
  events: string[]
} & ({ method: 'card'; at: Session } | { method: 'pix'; at: PixPayment })

export const refunds = ['whole', 'part', 'failed', 'dispute', 'warning', 'won', 'lost'] as const
/** How money goes back: by a refund or a dispute. A failed refund and a won dispute bring it back. */
export type Refund = { how: (typeof refunds)[number]; tenths: number }

/** In these states of a Stripe dispute the money is not ours. */
const lostStates = ['needs_response', 'lost']
const nanoPerDollar = 10n ** 9n

export function isOpen({ at }: Order): boolean {
  return at.status === 'open' || at.status === 'pending'
}

export function isPaid({ method, at }: Order): boolean {
  return method === 'card' ? at.isPaid : ['approved', 'refunded', 'charged_back'].includes(at.status)
}

/** True if some of its money is not ours now. */
export function isRefunded(order: Order): boolean {
  return refundedOf(order).part > 0n
}

export function isFullyRefunded(order: Order): boolean {
  const { part, whole } = refundedOf(order)
  return part >= whole
}

/** The credits that remain of its money; the refunded part is rounded down. */
export function keptAmount(order: Order): Nano {
  if (!isPaid(order) || order.isMismatch) return dollars(0)
  const { part, whole } = refundedOf(order)
  const amount = BigInt(order.dollars) * nanoPerDollar
  return storedNano(part >= whole ? 0n : amount - (amount * part) / whole)
}

/** The possible statuses of the payment after its provider was asked. */
export function expectedStatus(order: Order): string[] {
  if (!isPaid(order) || order.isMismatch) return ['expired', 'failed']
  return [isFullyRefunded(order) ? 'refunded' : 'completed']
}

export function canRefund(order: Order, how: Refund['how']): boolean {
  if (!isPaid(order)) return false
  if (order.method === 'pix') {
    const { status, detail, refunded } = order.at
    if (how === 'won' || how === 'lost') return status === 'charged_back' && detail === 'in_process'
    return status === 'approved' && (how !== 'failed' || refunded > 0) && how !== 'warning'
  }
  const { dispute, refunded, cents } = order.at
  switch (how) {
    case 'whole':
    case 'part':
      return refunded < cents
    case 'failed':
      return refunded > 0
    case 'dispute':
    case 'warning':
      return dispute === undefined
    case 'won':
    case 'lost':
      return dispute === 'needs_response'
  }
}

/** Refunds or disputes an order at its provider, or reverses that. False if that is not possible now. */
export function refundOrder(order: Order, { how, tenths }: Refund = { how: 'whole', tenths: 10 }): boolean {
  if (!canRefund(order, how)) return false
  const more = (cents: number, refunded: number): number =>
    Math.min(cents, refunded + Math.max(1, Math.floor((cents * tenths) / 10)))
  if (order.method === 'card') {
    const { at } = order
    if (how === 'whole') at.refunded = at.cents
    else if (how === 'part') at.refunded = more(at.cents, at.refunded)
    else if (how === 'failed') at.refunded = Math.floor((at.refunded * (tenths - 1)) / 10)
    else at.dispute = { dispute: 'needs_response', warning: 'warning_needs_response', won: 'won', lost: 'lost' }[how]
    return true
  }
  const { at } = order
  const cents = Math.round(at.amount * 100)
  const refunded = how === 'whole' ? cents : more(cents, Math.round(at.refunded * 100))
  if (how === 'failed') Object.assign(at, { detail: 'accredited', refunded: 0 })
  else if (how === 'dispute') Object.assign(at, { status: 'charged_back', detail: 'in_process' })
  else if (how === 'won' || how === 'lost') at.detail = how === 'won' ? 'reimbursed' : 'settled'
  else if (refunded === cents) Object.assign(at, { status: 'refunded', detail: 'refunded', refunded: at.amount })
  else Object.assign(at, { detail: 'partially_refunded', refunded: refunded / 100 })
  return true
}

export function expireOrder(order: Order): void {
  if (order.method === 'card' && order.at.status === 'open') order.at.status = 'expired'
  if (order.method === 'pix' && order.at.status === 'pending')
    Object.assign(order.at, { status: 'cancelled', detail: 'expired' })
}

/** In cents of the currency in which it was paid. */
function refundedOf(order: Order): { part: bigint; whole: bigint } {
  if (order.method === 'card') {
    const { cents, refunded, dispute } = order.at
    return {
      part: BigInt(refunded + (dispute !== undefined && lostStates.includes(dispute) ? cents : 0)),
      whole: BigInt(cents),
    }
  }
  const { amount, refunded, status, detail } = order.at
  const isAll = status === 'refunded' || (status === 'charged_back' && detail !== 'reimbursed')
  return { part: BigInt(Math.round((isAll ? amount : refunded) * 100)), whole: BigInt(Math.round(amount * 100)) }
}
