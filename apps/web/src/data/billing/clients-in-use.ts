import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Those whose pages show something of billing, and in how many places. */
const used = new Map<QueryClient, number>()

/** What comes by itself, such as a pushed balance, is put into these. */
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
