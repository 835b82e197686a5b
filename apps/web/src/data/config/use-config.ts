import { configRoutes, type PublicConfig } from '@parley/contract/config'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../http/api'
import { noteMaintenance } from './maintenance-state'

const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => {
    const config = await api(configRoutes.get, { signal })
    if (config.maintenance) noteMaintenance(true)
    return config
  },
})

/** What this server offers; undefined until it has answered, and offline. */
export function useConfig(): PublicConfig | undefined {
  return useQuery(configQuery).data
}

/** Whether that is on its way. */
export function useIsConfigLoading(): boolean {
  return useQuery(configQuery).isLoading
}
