import '../../i18n/later-texts'
import { Copy, Download, Ellipsis } from 'lucide-react'
import { cardFile } from '../../data/agents/agent-card-file'
import { openAgentEditor } from '../../data/agents/agent-editor-state'
import type { AgentForm } from '../../data/agents/agent-form'
import { useTranslation } from '../../i18n/interface-language'
import { downloadBlob } from '../../lib/download'
import { Menu } from '../../ui/menu'
import { beginDraftWith, copyOf } from './begin-draft'

/** The other actions of an agent: each uses the current fields. */
export function AgentTools({ form }: { form: AgentForm }) {
  const { t } = useTranslation()

  async function duplicate() {
    if (await beginDraftWith(copyOf(form, t), t)) openAgentEditor({ kind: 'new' })
  }

  function exportCard() {
    const { blob, name } = cardFile(form)
    downloadBlob(blob, name)
  }

  return (
    <Menu
      label={t('agentEditor.tools')}
      icon={Ellipsis}
      items={[
        { id: 'duplicate', label: t('agentEditor.duplicate'), icon: Copy, onSelect: () => void duplicate() },
        { id: 'export', label: t('agentEditor.exportCard'), icon: Download, onSelect: exportCard },
      ]}
    />
  )
}
