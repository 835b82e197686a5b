import type { QueryClient } from '@tanstack/react-query'
import { watchChanges } from './channels/watch-changes'
import { enterScope, type Scope } from './scope/scope'
import { storedSession } from './session/stored-session'

type Options = {
  /** The cache of this page, which changes are written to. */
  queryClient: QueryClient
}

/**
 * Makes the workspace of whoever is signed in: all that this page has of their session in memory. It ends when somebody
 * else signs in, whose workspace follows it, or with its `dispose`.
 */
export function createWorkspace({ queryClient }: Options): Scope {
  return enterScope({ userId: storedSession()?.user.id, queryClient, onEnter: watchChanges })
}
