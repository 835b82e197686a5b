import '../../i18n/later-texts'
import type { SeenAgent } from '@parley/contract/agents'
import { agentLink } from '../../data/agents/share-agent'
import { useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'

/** Shares an agent's link: with the phone's share sheet, elsewhere by the clipboard. */
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
      // The browser denies the clipboard: the link is shown for the person to copy.
      toast.error(t('agents.copyFailed', { link }))
    }
  }
}

/** False where the share sheet does not exist or cannot open; closing it without a choice counts as done. */
async function sharedBySystem(data: ShareData): Promise<boolean> {
  if (!('share' in navigator)) return false
  try {
    await navigator.share(data)
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
