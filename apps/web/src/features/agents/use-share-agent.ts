import '../../i18n/later-texts'
import type { SeenAgent } from '@parley/contract/agents'
import { useTranslation } from 'react-i18next'
import { agentLink } from '../../data/agents/share-agent'
import { toast } from '../../ui/toast'

/** Gives an agent's link away: by what the phone shares with, elsewhere by the clipboard. */
export function useShareAgent(agent: SeenAgent): () => Promise<void> {
  const { t } = useTranslation()
  return async () => {
    if (agent.private) return toast.error(t('agents.privateNotShared'))
    const link = agentLink(agent._id)
    if (matchMedia('(pointer: coarse)').matches && (await sharedBySystem({ title: agent.name, url: link }))) return
    try {
      await navigator.clipboard.writeText(link)
      toast.success(t('agents.linkCopied'))
    } catch {
      // The browser does not allow it: the link is shown for the person to copy.
      toast.error(t('agents.copyFailed', { link }))
    }
  }
}

/** False where there is no such sheet, or it cannot be opened; closing it without a choice is a choice. */
async function sharedBySystem(data: ShareData): Promise<boolean> {
  if (!('share' in navigator)) return false
  try {
    await navigator.share(data)
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
