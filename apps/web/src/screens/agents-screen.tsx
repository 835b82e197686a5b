import { isChainAgent } from '@parley/contract/chat'
import { Suspense, useState } from 'react'
import { useAgentEditor } from '../data/agents/agent-editor-state'
import { Marketplace } from '../features/agents/marketplace'
import { SuiPage } from '../features/agents/sui-page'
import { Outlet } from '../lib/router/outlet'
import { usePageData, useParam } from '../lib/router/router'
import { ComingScreen } from '../ui/coming-screen'
import { lazyPart } from '../ui/lazy-part'

const AgentEditorHost = lazyPart(() => import('../features/agent-editor/agent-editor-host'))

/** wallets: agents that wallets have signed. */
type AgentList = 'all' | 'wallets'

/** A list of agents; one that has an address of its own, or that is being written, is shown over it. */
export default function AgentsScreen() {
  const isEditing = useAgentEditor(({ open }) => open !== undefined)
  return (
    <>
      {useList() === 'wallets' ? <SuiPage /> : <Marketplace />}
      <Outlet of="over" coming={<ComingScreen />} />
      <Suspense>{isEditing && <AgentEditorHost />}</Suspense>
    </>
  )
}

/**
 * That of the address; behind a single agent the one that it was opened from, or is in where somebody came by a link.
 */
function useList(): AgentList {
  const named = usePageData('agentList')
  const assistantId = useParam('assistantId')
  const [last, setLast] = useState<AgentList>(isChainAgent(assistantId) ? 'wallets' : 'all')
  if (named !== undefined && named !== last) setLast(named)
  return named ?? last
}
