import { type Payment, type PaymentMethod, paymentRoutes } from '@parley/contract/payments'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../http/api'
import { useUser } from '../session/stored-session'
import { clientsInUse, useClientInUse } from './clients-in-use'
import { refreshCredits } from './credits'
import { onTransferEnd, resumeTransfers } from './token-transfers'

/** What the query of each person's payments begins with. */
const paymentsKey = ['payments'] as const

/** How often a payment that is waited for is asked for (document 3, section 9). */
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

/** The payments of whoever is signed in, newest first. Transfers that an earlier page sent and the server has not counted yet are told to it again. */
export function usePayments() {
  useClientInUse()
  const userId = useUser()?.id
  useEffect(() => {
    if (userId !== undefined) void resumeTransfers(userId)
  }, [userId])
  return useQuery(paymentsOf(userId))
}

/** They are asked for again, where they are shown. */
export function refreshPayments(): void {
  for (const client of clientsInUse()) void client.invalidateQueries({ queryKey: paymentsKey })
}

onTransferEnd(() => {
  refreshPayments()
  refreshCredits()
})

/** Dollars, for which credits are bought. */
type Purchase = { amount: number; method: PaymentMethod /** One for one wish, however often it is tried. */; key: string }

export async function createPayment({ amount, method, key }: Purchase): Promise<Payment> {
  const payment = await api(paymentRoutes.create, { body: { amount, method }, idempotencyKey: key })
  refreshPayments()
  return payment
}

export function readPayment(id: string, signal?: AbortSignal): Promise<Payment> {
  return api(paymentRoutes.get, { params: { id }, ...(signal ? { signal } : {}) })
}

/** Has the server ask the provider for a Pix payment now. What changed is shown everywhere. */
export async function checkPix(id: string): Promise<Payment> {
  const payment = await api(paymentRoutes.checkPix, { params: { id } })
  refreshPayments()
  if (payment.status !== 'pending') refreshCredits()
  return payment
}

const explorers: Partial<Record<number, string>> = { 8453: 'https://basescan.org', 84532: 'https://sepolia.basescan.org' }
const mainChain = 8453

/** Where the transfer of a payment with the token can be looked at. A payment that is over no longer names its chain, `chainId` does then. */
export function explorerUrl({ method, transaction_id, token }: Payment, chainId: number = token?.chainId ?? mainChain): string | undefined {
  return method === 'token' && transaction_id !== undefined ? transferUrl({ hash: transaction_id, chainId }) : undefined
}

export function transferUrl({ hash, chainId }: { hash: string; chainId: number }): string | undefined {
  const explorer = explorers[chainId]
  return explorer === undefined ? undefined : `${explorer}/tx/${hash}`
}
