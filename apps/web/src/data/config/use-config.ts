import { configRoutes, type PublicConfig } from '@parley/contract/config'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api/api'
import { setMaintenance } from '../session/maintenance-state'

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => {
    const config = await api(configRoutes.get, { signal })
    if (config.maintenance) setMaintenance(true)
    return config
  },
})

/** What this server offers; undefined until it has answered, and offline. */
export function useConfig(): PublicConfig | undefined {
  return useQuery(configQuery).data
}

/** Whether the configuration is being fetched. */
export function useIsConfigLoading(): boolean {
  return useQuery(configQuery).isLoading
}
