import '../../i18n/later-texts'
import { useEffect } from 'react'
import { closeAgentEditor, useAgentEditor } from '../../data/agents/agent-editor-state'
import { useUser } from '../../data/session/stored-session'
import { DuplicateAgent } from './duplicate-agent'
import { EditAgentDialog } from './edit-agent-dialog'
import { PublishWizard } from './publish-wizard'

/** Whatever of an agent is being written, wherever it was opened from. */
export default function AgentEditorHost() {
  const open = useAgentEditor((state) => state.open)
  const user = useUser()
  useClosingWithThePage()
  if (!open || !user) return null
  switch (open.kind) {
    case 'new':
    case 'import':
      return <PublishWizard user={user} wantsCard={open.kind === 'import'} />
    case 'duplicate':
      return <DuplicateAgent key={open.id} id={open.id} />
    case 'edit':
      return <EditAgentDialog key={open.id} id={open.id} user={user} />
  }
}

let hosts = 0

/** Whoever has gone to another page does not find a dialog open when they come back; the draft is there when they publish again. */
function useClosingWithThePage(): void {
  useEffect(() => {
    hosts += 1
    return () => {
      hosts -= 1
      // React's strict mode takes the host away for a moment only.
      queueMicrotask(() => hosts === 0 && closeAgentEditor())
    }
  }, [])
}
