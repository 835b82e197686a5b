import '../../i18n/later-texts'
import { isOver, type Message } from '@parley/contract/chat'
import { type LucideIcon, Pin, PinOff } from 'lucide-react'
import { useMessageRights } from '../../data/channels/use-message-rights'
import { setPinned } from '../../data/chat/pin-message'
import { useTranslation } from '../../i18n/interface-language'
import { useAttempt } from './use-attempt'

type PinTool = { id: 'pin'; label: string; icon: LucideIcon; onSelect: () => void }

/** Lets a message go along with every later question, or no longer. Undefined where the person may not decide that. */
export function usePinTool(message: Message): PinTool | undefined {
  const { t } = useTranslation()
  const attempt = useAttempt()
  const { canPin } = useMessageRights(message)
  const { channelId, mId, isPinned = false } = message
  if (!canPin || !isOver(message)) return undefined
  return {
    id: 'pin',
    label: t(isPinned ? 'outline.unpin' : 'outline.pin'),
    icon: isPinned ? PinOff : Pin,
    onSelect: () => void attempt(() => setPinned(channelId, mId, !isPinned)),
  }
}
