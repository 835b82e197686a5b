import type { Payment } from '@parley/contract/payments'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { checkPix, paymentPollMs, readPayment } from './payments'

const pixQuery = (opened: Payment) =>
  queryOptions({
    queryKey: ['payment', opened.id] as const,
    queryFn: ({ signal }) => readPayment(opened.id, signal),
    initialData: opened,
    staleTime: Number.POSITIVE_INFINITY,
    // A hidden page does not poll; when it is visible again, it fetches at once.
    refetchInterval: ({ state }) =>
      state.status === 'error' || state.data?.status !== 'pending' ? false : paymentPollMs,
    refetchOnWindowFocus: ({ state }) => (state.data?.status === 'pending' ? 'always' : false),
  })

/** Polls a Pix payment until it is over. `isUnknown`: polling failed, until `check` succeeds. */
export function usePixPayment(opened: Payment) {
  const client = useQueryClient()
  const { data: payment, isError: isUnknown } = useQuery(pixQuery(opened))
  const check = useCallback(async (): Promise<Payment> => {
    const checked = await checkPix(opened.id)
    const { queryKey } = pixQuery(opened)
    // A fetch in flight may answer with the state before the check.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, checked)
    return checked
  }, [client, opened])
  return { payment, isUnknown, check }
}
