import { isChainAgent } from '@parley/contract/chat'
import { Outlet, useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useAgentEditor } from '../data/agents/agent-editor-state'
import { Marketplace } from '../features/agents/marketplace'
import { SuiPage } from '../features/agents/sui-page'
import { lazyPart } from '../ui/lazy-part'

const AgentEditorHost = lazyPart(() => import('../features/agent-editor/agent-editor-host'))

/** The marketplace; an agent that has an address of its own is shown over it. */
export default function AgentsScreen() {
  const { assistantId } = useParams({ strict: false })
  const isOfWallet = assistantId !== undefined && isChainAgent(assistantId)
  // From the marketplace's own tab an agent of a wallet is opened over the marketplace; by a link, or from their list, over their list.
  const [beganWithWallets] = useState(isOfWallet)
  const isEditing = useAgentEditor(({ open }) => open !== undefined)
  return (
    <>
      {beganWithWallets && isOfWallet ? <SuiPage /> : <Marketplace />}
      <Outlet />
      <Suspense>{isEditing && <AgentEditorHost />}</Suspense>
    </>
  )
}
