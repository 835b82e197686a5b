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
    // A page that is not looked at does not ask; when it is looked at again, it asks at once.
    refetchInterval: ({ state }) => (state.status === 'error' || state.data?.status !== 'pending' ? false : paymentPollMs),
    refetchOnWindowFocus: ({ state }) => (state.data?.status === 'pending' ? 'always' : false),
  })

/** A Pix payment, asked for until it is over or cannot be asked for: then `isUnknown`, until `check` finds it again. */
export function usePixPayment(opened: Payment) {
  const client = useQueryClient()
  const { data: payment, isError: isUnknown } = useQuery(pixQuery(opened))
  const check = useCallback(async (): Promise<Payment> => {
    const checked = await checkPix(opened.id)
    const { queryKey } = pixQuery(opened)
    // An answer that is on its way may be of before.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, checked)
    return checked
  }, [client, opened])
  return { payment, isUnknown, check }
}
