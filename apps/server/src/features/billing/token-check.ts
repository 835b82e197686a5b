import type { ErrorCode } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import type { Hex } from 'viem'
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
 * whoever has a wallet for an account pays from it, and everybody else's transfer names the payment behind its call.
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
  if (ethereumAddress === undefined && (toUs.length > 1 || !names(input, terms.treasury, row.id))) return 'payment.token-failed'
  if (paid.reduce((sum, { units }) => sum + units, 0n) < asked) return 'payment.token-failed'
  if (at.getTime() < createdAt.getTime() - limits.payments.chainClockMs) return 'payment.token-failed'
  if (at.getTime() > expiresAt.getTime() + limits.payments.chainClockMs) return 'payment.expired'
  return confirmations < BigInt(limits.payments.confirmations) ? 'payment.unconfirmed' : undefined
}

const transferSelector = 'a9059cbb'

/**
 * Whether call data holds a transfer to the treasury with a payment's mark right behind it. Wallets that are contracts wrap it, and others add a note of their
 * own; but it has to be the only such transfer, so that nobody who passes on somebody else's can claim it for a payment of theirs.
 */
function names(input: Hex, treasury: string, paymentId: string): boolean {
  const call = `${transferSelector}${treasury.slice(2).toLowerCase().padStart(64, '0')}`
  const [, behind, ...more] = input.toLowerCase().split(call)
  return behind !== undefined && more.length === 0 && behind.slice(64).startsWith(transferMark(paymentId).slice(2))
}
