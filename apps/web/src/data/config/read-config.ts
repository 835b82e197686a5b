import type { PublicConfig } from '@parley/contract/config'
import { currentScope } from '../scope/scope'
import { configQuery } from './use-config'

/** What this server offers, for what is no component. Throws AppError; undefined outside a page. */
export const readConfig = async (): Promise<PublicConfig | undefined> =>
  currentScope().environment.queryClient?.ensureQueryData(configQuery)
