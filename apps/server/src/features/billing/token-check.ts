import type { ErrorCode } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { ChainTransaction } from '../../providers/payments/token'
import { transferMark } from './payment-json'
import type { PaymentRow } from './payment-store'

/** Whether the chain still has what paid a payment. */
export function isStillPaid({ terms, asked }: PaymentRow, transaction: ChainTransaction): boolean {
  if (transaction.state !== 'mined') return false
  const received = transaction.transfers.filter(({ to }) => to === terms?.treasury).reduce((sum, { units }) => sum + units, 0n)
  return received >= asked
}

type Check = { row: PaymentRow; transaction: ChainTransaction; ethereumAddress: string | undefined }

/**
 * Whether a transaction pays a token payment: undefined when it does, else why not. The chain is public, so that anybody can name anybody's transfer:
 * whoever has a wallet for an account pays from it, and everybody else's transfer names the payment behind its call data.
 */
export function transferRefusal({ row, transaction, ethereumAddress }: Check): ErrorCode | undefined {
  const { terms, asked, createdAt, expiresAt } = row
  if (transaction.state === 'unknown') return 'payment.unconfirmed'
  if (terms === null || transaction.state !== 'mined') return 'payment.token-failed'
  const { chainId, input, confirmations, at, transfers } = transaction
  if (chainId !== undefined && chainId !== terms.chainId) return 'payment.wrong-network'
  const toUs = transfers.filter(({ to }) => to === terms.treasury)
  if (toUs.length === 0) return 'payment.token-failed'
  const paid = ethereumAddress === undefined ? toUs : toUs.filter(({ from }) => from === ethereumAddress)
  if (paid.length === 0) return 'payment.wrong-account'
  if (ethereumAddress === undefined && !input.toLowerCase().endsWith(transferMark(row.id).slice(2))) return 'payment.token-failed'
  if (paid.reduce((sum, { units }) => sum + units, 0n) < asked) return 'payment.token-failed'
  if (at.getTime() < createdAt.getTime() - limits.payments.chainClockMs) return 'payment.token-failed'
  if (at.getTime() > expiresAt.getTime() + limits.payments.chainClockMs) return 'payment.expired'
  return confirmations < BigInt(limits.payments.confirmations) ? 'payment.unconfirmed' : undefined
}
