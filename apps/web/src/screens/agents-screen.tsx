import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useAgentEditor } from '../data/agents/agent-editor-state'
import { Marketplace } from '../features/agents/marketplace'
import { lazyPart } from '../ui/lazy-part'

const AgentEditorHost = lazyPart(() => import('../features/agent-editor/agent-editor-host'))

/** The marketplace; an agent that has an address of its own is shown over it. */
export default function AgentsScreen() {
  const isEditing = useAgentEditor(({ open }) => open !== undefined)
  return (
    <>
      <Marketplace />
      <Outlet />
      <Suspense>{isEditing && <AgentEditorHost />}</Suspense>
    </>
  )
}
