import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** The query clients of mounted pages that show credits or payments, with the number of components that do. */
const used = new Map<QueryClient, number>()

/** The clients whose caches receive pushed values, such as a balance. */
export const clientsInUse = (): Iterable<QueryClient> => used.keys()

export function useClientInUse(): void {
  const client = useQueryClient()
  useEffect(() => {
    used.set(client, (used.get(client) ?? 0) + 1)
    return () => {
      const left = (used.get(client) ?? 1) - 1
      if (left === 0) used.delete(client)
      else used.set(client, left)
    }
  }, [client])
}
