import { isChainAgent } from '@parley/contract/chat'
import { useCallback } from 'react'
import { useAgent, useListedAgent, useRefreshAgents } from '../data/agents/agent'
import { AgentInfo } from '../features/agents/agent-info'
import { AgentProblem, LoadingAgent } from '../features/agents/agent-problem'
import { useLocation, useParam, useRouter } from '../lib/router/router'

/** One agent by its address: opened from a list, or by whoever got its link. */
export default function SharedAgentScreen() {
  const assistantId = useParam('assistantId')
  const { agent, error, isLoading, refetch } = useAgent(assistantId)
  const listed = useListedAgent(assistantId)
  const refresh = useRefreshAgents()
  const leave = useLeave(isChainAgent(assistantId) ? '/sui-assistants' : '/assistants')
  // What a list has told of it is out of date once the server says that it is private, or gone.
  const isGone = error !== undefined && [403, 404, 410].includes(error.status)
  const shown = agent ?? (isGone ? undefined : listed)

  if (shown) return <AgentInfo agent={shown} onClose={leave} />
  if (isLoading && !error) return <LoadingAgent />
  const back = () => {
    refresh()
    leave()
  }
  return <AgentProblem error={error} isLoading={isLoading} onRetry={refetch} onBack={back} />
}

/**
 * To the list that it was opened from, so that Back does not open it again; from a link, to the first page of the list
 * that it is in.
 */
function useLeave(list: '/assistants' | '/sui-assistants'): () => void {
  const { navigate, back } = useRouter()
  const isFromList = useLocation(({ state }) => state.isFromList === true)
  return useCallback(() => {
    if (isFromList) back()
    else void navigate(list, { replace: true })
  }, [isFromList, list, back, navigate])
}
