import { type AgentLanguage, agentLanguages, type SeenAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { isWithoutNetwork } from '../../lib/without-network'
import { currentScope, scoped } from '../scope/scope'
import { refreshAgentCaches } from './agent-caches'

export const agentKeys = {
  all: ['agents'] as const,
  list: (list: string, language: string, page: number, size: number, term: string) =>
    ['agents', 'list', list, language, page, size, term] as const,
  one: (id: string) => ['agents', 'one', id] as const,
  ofCreator: (userId: string, language: string) => ['agents', 'creator', userId, language] as const,
}

/** The agents' language for a person whose language is `language` (pt-BR, en-US, es-ES). */
export function agentLanguageOf(language: string): AgentLanguage {
  const base = language.split('-')[0]?.toLowerCase()
  return agentLanguages.find((known) => known === base) ?? 'en'
}

export function useAgentLanguage(): AgentLanguage {
  return agentLanguageOf(useTranslation().language)
}

/** Agents whose like or unlike is in flight: a list that is fetched meanwhile may still have the old count. */
export const likesInFlight = scoped(() => new Set<string>())

/** An answer, and when it was requested: newer entries of the browser's own caches override it. */
export type TimedAnswer<T> = T & { requestedAt: number }
export type TimedPage = TimedAnswer<{ agents: readonly SeenAgent[]; total: number }>

/** Refetches the lists and agents that this tab shows. */
export function refetchAgents(): void {
  const { queryClient } = currentScope().environment
  if (queryClient) void refetch(queryClient)
}

/** Reads what the browser itself knows of agents, for a component that shows them. */
export function useAgentChanges(): void {
  useEffect(refreshAgentCaches, [])
}

/**
 * Cancels fetches in flight, which may answer with the state before the change, and fetches again. Inactive queries
 * fetch when they are shown next.
 */
async function refetch(client: QueryClient): Promise<void> {
  await client.cancelQueries({ queryKey: agentKeys.all })
  await client.invalidateQueries({ queryKey: agentKeys.all })
}

/** Not for agents that are private or deleted, nor without a network: another attempt would answer the same. */
export const retry = (failures: number, error: Error): boolean =>
  failures < webLimits.queries.retries &&
  !isWithoutNetwork(error) &&
  !(error instanceof AppError && [401, 403, 404, 410].includes(error.status))
