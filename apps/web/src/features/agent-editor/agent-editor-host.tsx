import '../../i18n/later-texts'
import { useEffect } from 'react'
import { closeAgentEditor, useAgentEditor } from '../../data/agents/agent-editor-state'
import { useUser } from '../../data/session/stored-session'
import { DuplicateAgent } from './duplicate-agent'
import { EditAgentDialog } from './edit-agent-dialog'
import { PublishWizard } from './publish-wizard'

/** Draws the open editor of an agent, whichever screen opened it. */
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

/** Closes the dialog when the person navigates to another page; the draft is still there when they publish again. */
function useClosingWithThePage(): void {
  useEffect(() => {
    hosts += 1
    return () => {
      hosts -= 1
      // React's strict mode unmounts the host only for a moment.
      queueMicrotask(() => hosts === 0 && closeAgentEditor())
    }
  }, [])
}
