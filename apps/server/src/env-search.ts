import type * as z from 'zod/mini'
import type { EnvVariables, GivenVariables } from './env-variables'

type Variables = z.infer<typeof EnvVariables>

/** What the variables of web search say against each other. */
export function searchErrors({ SEARCH_PROVIDER: provider, ...given }: GivenVariables): string[] {
  if (provider === 'searxng' && !given.SEARXNG_URL) return ['SEARCH_PROVIDER=searxng needs SEARXNG_URL']
  if (provider === 'brave' && !given.BRAVE_API_KEY) return ['SEARCH_PROVIDER=brave needs BRAVE_API_KEY']
  return []
}

/**
 * `provider` is undefined where nobody searches; `cost` is that of one search, in dollars, where the operator says it.
 */
export function searchOf(variables: Variables) {
  return {
    provider: providerOf(variables),
    searxngUrl: variables.SEARXNG_URL,
    braveApiKey: variables.BRAVE_API_KEY,
    braveApiUrl: variables.BRAVE_API_URL,
    cost: variables.WEB_SEARCH_COST,
  }
}

/** The named one, else the engine that is configured, else OpenRouter where it is the gateway. */
function providerOf({ SEARCH_PROVIDER: named, SEARXNG_URL, BRAVE_API_KEY, LLM_BASE_URL, LLM_API_KEY }: Variables) {
  if (named !== undefined) return named === 'none' ? undefined : named
  if (SEARXNG_URL !== undefined) return 'searxng'
  if (BRAVE_API_KEY !== undefined) return 'brave'
  return isOpenRouter(LLM_BASE_URL, LLM_API_KEY) ? 'gateway' : undefined
}

/** Also where there is a key and no address: providers/llm/create-llm.ts. */
function isOpenRouter(baseUrl: string | undefined, apiKey: string | undefined): boolean {
  if (baseUrl === undefined) return apiKey !== undefined
  return /(^|\.)openrouter\.ai$/.test(new URL(baseUrl).hostname)
}
