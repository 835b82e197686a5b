import { configRoutes } from '@parley/contract/config'
import { webLimits } from '@parley/contract/limits/web'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { api } from '../api/api'
import { setMaintenance } from '../session/maintenance-state'

/**
 * Polls whether the maintenance is over, and then lets everything be tried again. Answers a function that asks at once.
 */
export function useMaintenanceEnd(): () => Promise<void> {
  const queryClient = useQueryClient()
  const ask = useCallback(async () => {
    // A server that is stopping or starting does not answer.
    const config = await api(configRoutes.get).catch(() => undefined)
    if (!config || config.maintenance) return
    setMaintenance(false)
    // Like a network that is back: the socket connects, and failed queries are fetched again.
    dispatchEvent(new Event('online'))
    await queryClient.invalidateQueries()
  }, [queryClient])
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void ask()
    }, webLimits.site.maintenanceAskMs)
    return () => clearInterval(timer)
  }, [ask])
  return ask
}
