import { configRoutes } from '@parley/contract/config'
import { limits } from '@parley/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { api } from '../http/api'
import { noteMaintenance } from './maintenance-state'

/** Asks from time to time whether the maintenance is over, and then lets everything be tried again. Answers a way to ask at once. */
export function useMaintenanceEnd(): () => Promise<void> {
  const queryClient = useQueryClient()
  const ask = useCallback(async () => {
    // A server that ends or starts just now does not answer.
    const config = await api(configRoutes.get).catch(() => undefined)
    if (!config || config.maintenance) return
    noteMaintenance(false)
    // As after a network that was away: the socket connects, and what failed is fetched again.
    dispatchEvent(new Event('online'))
    await queryClient.invalidateQueries()
  }, [queryClient])
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void ask()
    }, limits.site.maintenanceAskMs)
    return () => clearInterval(timer)
  }, [ask])
  return ask
}
