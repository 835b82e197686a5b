import { type Payment, type PaymentMethod, paymentRoutes } from '@parley/contract/payments'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api/api'
import { refreshCredits } from '../credits/balance'
import { currentScope } from '../scope/scope'
import { useUser } from '../session/stored-session'
import { onTransferEnd, resumeTransfers } from './token-transfers'

/** The prefix of each person's payment query. */
const paymentsKey = ['payments'] as const

/** How often a pending payment is polled (document 3, section 9). */
export const paymentPollMs = 5_000

const paymentsOf = (userId: string | undefined) =>
  queryOptions({
    queryKey: [...paymentsKey, userId] as const,
    queryFn: async ({ signal }): Promise<Payment[]> => newestFirst((await api(paymentRoutes.list, { signal })).data),
    enabled: userId !== undefined,
  })

function newestFirst(payments: readonly Payment[]): Payment[] {
  return payments.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
}

/**
 * The payments of the signed-in person, newest first. Transfers that an earlier page sent and the server has not
 * counted yet are reported again.
 */
export function usePayments() {
  const userId = useUser()?.id
  useEffect(() => {
    if (userId !== undefined) void resumeTransfers(userId)
  }, [userId])
  return useQuery(paymentsOf(userId))
}

/** Refetches the payments where they are shown. */
export function refreshPayments(): void {
  void currentScope().environment.queryClient?.invalidateQueries({ queryKey: paymentsKey })
}

onTransferEnd(() => {
  refreshPayments()
  refreshCredits()
})

/** `amount`: dollars. */
type Purchase = {
  amount: number
  method: PaymentMethod /** The idempotency key: the same for every retry of one purchase. */
  key: string
}

export async function createPayment({ amount, method, key }: Purchase): Promise<Payment> {
  const payment = await api(paymentRoutes.create, { body: { amount, method }, idempotencyKey: key })
  refreshPayments()
  return payment
}

export function readPayment(id: string, signal?: AbortSignal): Promise<Payment> {
  return api(paymentRoutes.get, { params: { id }, ...(signal ? { signal } : {}) })
}

/** Makes the server check a Pix payment with the provider now, and refreshes what depends on it. */
export async function checkPix(id: string): Promise<Payment> {
  const payment = await api(paymentRoutes.checkPix, { params: { id } })
  refreshPayments()
  if (payment.status !== 'pending') refreshCredits()
  return payment
}

const explorers: Partial<Record<number, string>> = {
  8453: 'https://basescan.org',
  84532: 'https://sepolia.basescan.org',
}
const mainChain = 8453

/**
 * The block explorer's URL of a token payment's transfer. A finished payment no longer has its chain: `chainId` is used
 * then.
 */
export function explorerUrl(
  { method, transaction_id, token }: Payment,
  chainId: number = token?.chainId ?? mainChain,
): string | undefined {
  return method === 'token' && transaction_id !== undefined ? transferUrl({ hash: transaction_id, chainId }) : undefined
}

export function transferUrl({ hash, chainId }: { hash: string; chainId: number }): string | undefined {
  const explorer = explorers[chainId]
  return explorer === undefined ? undefined : `${explorer}/tx/${hash}`
}
