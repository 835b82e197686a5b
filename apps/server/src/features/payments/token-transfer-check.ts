import type { ErrorCode } from '@parley/contract/errors'
import { serverLimits } from '@parley/contract/limits/server'
import type { Hex } from 'viem'
import type { ChainTransaction } from '../../providers/payments/token'
import { transferMark } from './payment-json'
import type { PaymentRow } from './payment-store'

/** Whether the chain still contains the transfer that paid a payment. */
export function isStillPaid({ terms, amountDue }: PaymentRow, transaction: ChainTransaction): boolean {
  if (transaction.state !== 'mined') return false
  const received = transaction.transfers
    .filter(({ to }) => to === terms?.treasury)
    .reduce((sum, { units }) => sum + units, 0n)
  return received >= amountDue
}

type TransferCheck = { row: PaymentRow; transaction: ChainTransaction; ethereumAddress: string | undefined }

/**
 * Why a transaction does not pay a token payment; undefined if it does. Transfers are public, so that anybody can name
 * a transfer of somebody else. Therefore an account of an Ethereum wallet must pay from this wallet, and any other
 * account's transfer must carry the mark of the payment.
 */
export function transferRefusal({ row, transaction, ethereumAddress }: TransferCheck): ErrorCode | undefined {
  const { terms, amountDue, createdAt, expiresAt } = row
  if (transaction.state === 'unknown') return 'payment.unconfirmed'
  if (terms === null || transaction.state !== 'mined') return 'payment.token-failed'
  const { chainId, input, confirmations, at, transfers } = transaction
  if (chainId !== undefined && chainId !== terms.chainId) return 'payment.wrong-network'
  const toTreasury = transfers.filter(({ to }) => to === terms.treasury)
  if (toTreasury.length === 0) return 'payment.token-failed'
  const counted = ethereumAddress === undefined ? toTreasury : toTreasury.filter(({ from }) => from === ethereumAddress)
  if (counted.length === 0) return 'payment.wrong-account'
  if (ethereumAddress === undefined && (toTreasury.length > 1 || !isMarked(input, terms.treasury, row.id)))
    return 'payment.token-failed'
  if (counted.reduce((sum, { units }) => sum + units, 0n) < amountDue) return 'payment.token-failed'
  if (at.getTime() < createdAt.getTime() - serverLimits.payments.chainClockMs) return 'payment.token-failed'
  if (at.getTime() > expiresAt.getTime() + serverLimits.payments.chainClockMs) return 'payment.expired'
  return confirmations < BigInt(serverLimits.payments.confirmations) ? 'payment.unconfirmed' : undefined
}

const transferSelector = 'a9059cbb'

/**
 * Whether the call data contains a transfer to the treasury that is followed by the payment's mark. Contract wallets
 * wrap the call, and some add data of their own. It must be the only such transfer: a contract that forwards several
 * people's transfers must not pay for somebody else's payment.
 */
function isMarked(input: Hex, treasury: string, paymentId: string): boolean {
  const call = `${transferSelector}${treasury.slice(2).toLowerCase().padStart(64, '0')}`
  const [, rest, ...more] = input.toLowerCase().split(call)
  return rest !== undefined && more.length === 0 && rest.slice(64).startsWith(transferMark(paymentId).slice(2))
}
