import { type AgentLanguage, agentLanguages, type SeenAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshAgentCaches } from './agent-caches'

export const agentKeys = {
  all: ['agents'] as const,
  list: (list: string, language: string, page: number, size: number, term: string) => ['agents', 'list', list, language, page, size, term] as const,
  one: (id: string) => ['agents', 'one', id] as const,
  ofCreator: (userId: string, language: string) => ['agents', 'creator', userId, language] as const,
}

/** The agents' language for somebody who reads `language` (pt-BR, en-US, es-ES). */
export function agentLanguageOf(language: string): AgentLanguage {
  const base = language.split('-')[0]?.toLowerCase()
  return agentLanguages.find((known) => known === base) ?? 'en'
}

export function useAgentLanguage(): AgentLanguage {
  return agentLanguageOf(useTranslation().i18n.language)
}

/** Likes that are on their way: what a list says of them meanwhile may be of before. */
export const likesUnderWay = new Set<string>()

/** What was asked for and when: the browser's own notes that are newer are laid over it. */
export type Asked<T> = T & { askedAt: number }
export type AskedPage = Asked<{ agents: readonly SeenAgent[]; total: number }>

/** Those with agents in sight, and how many places show some: each client is told once. */
const watching = new Map<QueryClient, number>()

/** Lists and agents that are shown are asked for anew, wherever they are shown in this tab. */
export function agentsChanged(): void {
  for (const client of watching.keys()) void readAgain(client)
}

/** Keeps the lists of this tab in step with what is changed here. */
export function useAgentChanges(): void {
  const client = useQueryClient()
  useEffect(refreshAgentCaches, [])
  useEffect(() => {
    watching.set(client, (watching.get(client) ?? 0) + 1)
    return () => {
      const left = (watching.get(client) ?? 1) - 1
      if (left === 0) watching.delete(client)
      else watching.set(client, left)
    }
  }, [client])
}

/** A list that is on its way may be of before the change: it is asked for anew. What is not shown is asked for when it is. */
async function readAgain(client: QueryClient): Promise<void> {
  await client.cancelQueries({ queryKey: agentKeys.all })
  await client.invalidateQueries({ queryKey: agentKeys.all })
}

/** It is private, or gone: asking again finds nothing else. */
export const retry = (failures: number, error: Error): boolean =>
  failures < limits.queries.retries && !(error instanceof AppError && [401, 403, 404, 410].includes(error.status))
