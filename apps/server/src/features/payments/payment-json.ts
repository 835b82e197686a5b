import { formatCents, toNumber } from '@parley/contract/money'
import type { Payment } from '@parley/contract/payments'
import { concatHex, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import type { PaymentRow } from './payment-store'

/** A payment as its person sees it. Page, code and quote are shown only while it can be paid. */
export function paymentJson(row: PaymentRow): Payment {
  const isOpen = row.status === 'pending'
  return {
    id: row.id,
    amount: toNumber(row.amount),
    status: row.status,
    method: row.method,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...(row.transactionId === null ? {} : { transaction_id: row.transactionId }),
    ...(isOpen && row.paymentUrl !== null ? { payment_url: row.paymentUrl } : {}),
    ...(isOpen && row.qrCode !== null ? { pix: { qr_code: row.qrCode, tx_info: pixInfo(row) } } : {}),
    ...(isOpen ? tokenQuote(row) : {}),
  }
}

function pixInfo({ amountDue, rate, expiresAt }: PaymentRow) {
  return {
    currency: 'BRL' as const,
    amount: formatCents(amountDue),
    rate: rate ?? '',
    expires_at: expiresAt.toISOString(),
  }
}

function tokenQuote({ id, amountDue, terms, expiresAt }: PaymentRow): Pick<Payment, 'token'> {
  if (terms === null) return {}
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [getAddress(terms.treasury), amountDue],
  })
  return {
    token: { ...terms, paymentId: id, data: concatHex([data, transferMark(id)]), expires_at: expiresAt.toISOString() },
  }
}

/** The mark that follows the call data of a transfer and names the payment. */
export function transferMark(paymentId: string): Hex {
  return `0x${paymentId.replaceAll('-', '')}`
}
