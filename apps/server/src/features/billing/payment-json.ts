import { formatCents, toNumber } from '@parley/contract/money'
import type { Payment } from '@parley/contract/payments'
import { concatHex, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import type { PaymentRow } from './payment-store'

/** As the person sees it. How it can be paid is told only while it can. */
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

function pixInfo({ asked, rate, expiresAt }: PaymentRow) {
  return { currency: 'BRL' as const, amount: formatCents(asked), rate: rate ?? '', expires_at: expiresAt.toISOString() }
}

function tokenQuote({ id, asked, terms, expiresAt }: PaymentRow): Pick<Payment, 'token'> {
  if (terms === null) return {}
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [getAddress(terms.treasury), asked] })
  return { token: { ...terms, paymentId: id, data: concatHex([data, transferMark(id)]), expires_at: expiresAt.toISOString() } }
}

/** What names a payment, right behind the call of its transfer. */
export function transferMark(paymentId: string): Hex {
  return `0x${paymentId.replaceAll('-', '')}`
}
